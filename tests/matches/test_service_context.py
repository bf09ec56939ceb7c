"""Work computed away from the event loop, the sentences people get when it fails, and calls one after the other."""

from __future__ import annotations

import asyncio
from functools import partial

import discord
import pytest

from bot.compute.job import JobSpec, Pool, on_behalf_of
from bot.compute.queue import MOST_WAITING, ComputeQueue
from bot.games.cancellation import check_cancelled
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext, call_each
from bot.storage.database import Database
from tests.support.compute_jobs import Gate

pytestmark = pytest.mark.timeout(30)


def endless() -> None:
    while True:
        check_cancelled()


def context(queue: ComputeQueue) -> ServiceContext:
    return ServiceContext(Database("sqlite+aiosqlite://"), discord.utils.utcnow, queue)


async def test_work_that_takes_too_long_is_cancelled_with_a_sentence() -> None:
    async with ComputeQueue(timeout=0.05) as queue:
        with pytest.raises(Refusal, match="took too long"):
            await context(queue).compute(endless)
        assert await context(queue).compute(sum, (1, 2)) == 3


async def test_a_person_with_too_much_work_waiting_is_told_to_wait() -> None:
    gate, pictures = Gate(), JobSpec(Pool.INTERACTIVE)
    async with ComputeQueue() as queue:
        with on_behalf_of("alice"):
            many = [
                asyncio.create_task(context(queue).compute_as(pictures, gate.job("picture")))
                for _ in range(MOST_WAITING[Pool.INTERACTIVE] + 1)
            ]
            await asyncio.sleep(0)
            try:
                with pytest.raises(Refusal, match="still working on your last request"):
                    async with asyncio.timeout(20):
                        await context(queue).compute_as(pictures, gate.job("picture"))
            finally:
                gate.opened.set()
        assert await asyncio.gather(*many) == ["picture"] * len(many)


async def test_the_event_loop_goes_on_while_something_is_computed() -> None:
    async with ComputeQueue() as queue:
        waiting = asyncio.create_task(context(queue).compute(endless))
        turns = 0
        while turns < 1000:
            await asyncio.sleep(0)
            turns += 1
        assert not waiting.done()
        waiting.cancel()


async def test_failures_stop_no_other_call_and_are_all_raised_at_the_end() -> None:
    called = []

    async def call(number: int) -> None:
        called.append(number)
        if number % 2:
            raise ValueError(number)

    with pytest.raises(ExceptionGroup, match="odd numbers") as raised:
        await call_each("odd numbers", [partial(call, number) for number in range(4)])
    assert called == [0, 1, 2, 3]
    assert [error.args for error in raised.value.exceptions] == [(1,), (3,)]


async def test_a_call_that_is_cancelled_stops_the_others() -> None:
    async def never() -> None:
        raise AssertionError

    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await call_each("calls", [cancelled, never])
