"""One person's flood delays only that person, and a request that waits for a worker delays no other."""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Event

import pytest

from bot.compute.concurrency_limit import ConcurrencyLimit
from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue


async def _turns_of_the_loop() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_of_one_persons_requests_few_are_worked_on_at_once_and_another_persons_begins_at_once() -> None:
    limit, go_on, begun = ConcurrencyLimit(at_once=2), asyncio.Event(), list[str]()

    async def request(who: str) -> None:
        async with limit.acquire(who):
            begun.append(who)
            await go_on.wait()

    requests = [asyncio.create_task(request(who)) for who in ["mallory"] * 5 + ["alice"]]
    await _turns_of_the_loop()
    assert begun == ["mallory", "mallory", "alice"]
    go_on.set()
    await asyncio.gather(*requests)
    assert begun.count("mallory") == 5


async def test_whoever_waits_for_a_worker_lets_the_next_request_of_the_same_person_begin() -> None:
    limit, held_up = ConcurrencyLimit(at_once=1), Event()
    async with ComputeQueue() as queue:

        async def look() -> None:
            async with limit.acquire("alice"):
                await queue.run(JobSpec(Pool.INTERACTIVE), partial(held_up.wait, 60))

        async def move() -> str:
            async with limit.acquire("alice"):
                return "played"

        looking = asyncio.create_task(look())
        await _turns_of_the_loop()
        assert await asyncio.wait_for(move(), 30) == "played"
        held_up.set()
        await looking


async def test_a_request_given_up_while_it_waits_for_its_permit_leaves_as_many_as_there_were() -> None:
    limit, go_on, most, running = ConcurrencyLimit(at_once=1), asyncio.Event(), 0, 0

    async def request() -> None:
        nonlocal most, running
        async with limit.acquire("alice"):
            running += 1
            most = max(most, running)
            await go_on.wait()
            running -= 1

    first, second, third = (asyncio.create_task(request()) for _ in range(3))
    await _turns_of_the_loop()
    second.cancel()
    await _turns_of_the_loop()
    go_on.set()
    await asyncio.gather(first, third)
    assert most == 1


@pytest.mark.parametrize(("took", "pause"), [(0.02, 0.06), (10.0, 0.25)])
async def test_a_request_that_has_waited_pauses_three_times_as_long_as_the_last_one_took(
    took: float, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, now, pauses = ConcurrencyLimit(at_once=1), 100.0, list[float]()
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    async def request() -> None:
        nonlocal now
        async with limit.acquire("alice"):
            now += took
            await sleep(0)

    monkeypatch.setattr("bot.compute.concurrency_limit.time.monotonic", lambda: now)
    monkeypatch.setattr("bot.compute.concurrency_limit.asyncio.sleep", note)
    await asyncio.gather(request(), request())
    await request()
    assert pauses == pytest.approx([pause])


async def test_tasks_of_one_request_share_its_permit() -> None:
    limit, held_up = ConcurrencyLimit(at_once=1), Event()
    async with ComputeQueue() as queue, limit.acquire("alice"):
        jobs = [asyncio.create_task(queue.run(JobSpec(Pool.INTERACTIVE), partial(held_up.wait, 60))) for _ in range(2)]
        await _turns_of_the_loop()
        held_up.set()
        assert await asyncio.wait_for(asyncio.gather(*jobs), 60) == [True, True]
