"""Writes never wait for another person's computation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

import pytest

from bot.compute.job import on_behalf_of
from bot.matches.services.agreements import Answer
from tests.matches.conftest import ALICE, BOB, CAROL, WORKERS, Crowd

pytestmark = pytest.mark.timeout(60)


@asynccontextmanager
async def everybody_busy(crowd: Crowd) -> AsyncIterator[None]:
    """Keep every worker busy until the block ends."""
    release, begun = Event(), [Event() for _ in range(WORKERS)]

    def work(mine: Event) -> None:
        mine.set()
        release.wait()

    jobs = []
    for number, mine in enumerate(begun):
        with on_behalf_of(f"somebody else {number}"):
            jobs.append(asyncio.create_task(crowd.services.compute(work, mine)))
    await asyncio.gather(*(asyncio.to_thread(mine.wait) for mine in begun))
    try:
        yield
    finally:
        release.set()
        await asyncio.gather(*jobs)


async def test_nothing_can_be_computed_inside_a_write_transaction(crowd: Crowd) -> None:
    context = crowd.services
    with pytest.raises(RuntimeError, match="write transaction"):
        async with crowd.database.write():
            await context.compute(sum, (1, 2))
    assert await context.compute(sum, (1, 2)) == 3


async def test_nothing_can_be_computed_in_a_task_begun_inside_one(crowd: Crowd) -> None:
    async with crowd.database.write():
        with pytest.raises(RuntimeError, match="write transaction"):
            await asyncio.create_task(crowd.services.compute(sum, (1, 2)))


async def test_others_compute_while_one_person_writes(crowd: Crowd) -> None:
    context, writing = crowd.services, asyncio.Event()
    computed = asyncio.Event()

    async def write() -> None:
        async with crowd.database.write():
            writing.set()
            await computed.wait()

    task = asyncio.create_task(write())
    await writing.wait()
    assert await context.compute(sum, (1, 2)) == 3
    computed.set()
    await task


@pytest.mark.parametrize(
    "kind", ["a draw accepted", "a draw answered", "a take-back", "a take-back asked for", "a move"]
)
async def test_a_challenge_is_made_at_once_though_all_workers_are_busy_and(crowd: Crowd, kind: str) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    agreements, turns = crowd.services.agreements, crowd.services.turns
    if kind.startswith("a draw"):
        await agreements.offer_draw(*crowd.request(match_id, ALICE))
    elif kind == "a take-back":
        await agreements.ask_takeback(*crowd.request(match_id, ALICE))
    # The cache of game states is empty, as after a restart.
    crowd.open()
    agreements, turns = crowd.services.agreements, crowd.services.turns
    work: Callable[[], Coroutine[Any, Any, object]] = {
        "a draw accepted": lambda: agreements.offer_draw(*crowd.request(match_id, BOB)),
        "a draw answered": lambda: agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT),
        "a take-back": lambda: agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT),
        "a take-back asked for": lambda: agreements.ask_takeback(*crowd.request(match_id, ALICE)),
        "a move": lambda: turns.play(*crowd.request(match_id, BOB), "a1"),
    }[kind]
    async with everybody_busy(crowd):
        waiting = asyncio.create_task(work())
        # By now it waits for a worker, and holds the locks it holds there.
        for _ in range(20):
            await crowd.match(match_id)
        async with asyncio.timeout(30):
            assert await crowd.offer(by=CAROL)
        assert not waiting.done()
    await waiting
