"""What a transaction has stored is told once it has committed, to those who wait for it and to no others."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from bot.storage import challenges, matches, mentions, outbox, tables
from bot.storage.records import ChallengeState, OfferKind, OfferState
from tests.matches.against_computer import against
from tests.matches.conftest import ALICE, BOB, Crowd
from tests.support.without_grace import without_grace  # noqa: F401


@pytest.fixture
def told(crowd: Crowd) -> list[str]:
    """The news since the last look at this list, which the test empties."""
    found, signals = list[str](), crowd.database.signals
    for name in ("due", "work", "outbox", "pages", "commit"):
        getattr(signals, f"on_{name}").append(partial(found.append, name))
    return found


async def add(crowd: Crowd, key: str) -> None:
    async with crowd.database.write() as tx:
        await outbox.add(tx, key=key, topic=key, kind="board", at=crowd.now)


async def test_a_message_is_told_to_the_dispatcher_the_pages_and_other_processes(crowd: Crowd, told: list[str]) -> None:
    await add(crowd, "board:1")
    assert told == ["outbox", "pages", "commit"]


async def test_nothing_is_told_of_what_is_rolled_back_or_concerns_nobody(crowd: Crowd, told: list[str]) -> None:
    await add(crowd, "board:1")
    told.clear()
    with pytest.raises(IntegrityError):
        await add(crowd, "board:1")
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.outbox).values(attempts=1))
    assert told == []


async def test_a_message_that_this_process_begins_itself_is_told_to_nobody(crowd: Crowd, told: list[str]) -> None:
    begin = partial(outbox.add_begun, topic="match:1", kind="board", at=crowd.now, payload={})
    async with crowd.database.write() as tx:
        assert await begin(tx, key="board:1") is not None
    assert told == []
    async with crowd.database.write() as tx:
        assert await begin(tx, key="board:2") is None, "the first one is still unsent"
    assert told == ["outbox", "pages", "commit"]


async def test_the_news_is_told_before_another_task_runs_and_after_the_connection_is_free(
    crowd: Crowd,
) -> None:
    order: list[str] = []

    def begin() -> None:
        asyncio.get_running_loop().call_soon(order.append, "task")

    crowd.database.signals.on_outbox.append(begin)
    await add(crowd, "board:1")
    order.append("caller")
    await asyncio.sleep(0)
    assert order == ["caller", "task"]


async def test_what_falls_due_is_told_to_the_scheduler(crowd: Crowd, told: list[str]) -> None:
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=2))
    assert told == ["due", "pages", "commit"]
    match = await crowd.match(await crowd.begin())
    told.clear()
    async with crowd.database.write() as tx:
        await mentions.hold(tx, match, match.ply, crowd.now + timedelta(minutes=30), mentioned=False)
    assert told == ["due", "pages", "commit"]


async def test_a_challenge_and_a_match_fall_due_and_a_turn_does_not(crowd: Crowd, told: list[str]) -> None:
    challenge_id = await crowd.offer()
    assert told == ["due", "outbox", "pages", "commit"]
    told.clear()
    match_id = await crowd.services.challenges.accept(crowd.actor(BOB), challenge_id)
    assert match_id is not None
    assert told == ["due", "outbox", "pages", "commit"]
    told.clear()
    await crowd.play(match_id, "c3")
    assert told == ["outbox", "pages", "commit"]


async def test_what_nobody_waits_for_is_told_to_nobody(crowd: Crowd, told: list[str]) -> None:
    match_id = await crowd.begin()
    told.clear()
    async with crowd.database.write() as tx:
        await matches.change_seat(tx, match_id, 0, name="Anna")
        await challenges.change(tx, 1, state=ChallengeState.STARTED)
    assert told == []


async def test_only_pages_are_told_of_an_offer_without_a_message(crowd: Crowd, told: list[str]) -> None:
    match_id = await crowd.begin()
    told.clear()
    async with crowd.database.write() as tx:
        await matches.add_offer(tx, match_id, OfferKind.DRAW, 0, 0, crowd.now)
    assert told == ["pages"]
    async with crowd.database.write() as tx:
        await matches.change_offer(tx, 1, state=OfferState.LAPSED)
    assert told == ["pages", "pages"]


async def test_the_turn_of_a_computer_player_is_work(crowd: Crowd, told: list[str]) -> None:
    match_id = await against(crowd)
    told.clear()
    await crowd.play(match_id, "c3")
    assert told == ["work", "pages", "commit"]
