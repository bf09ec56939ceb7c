"""The dispatcher where something fails: how long it waits, what it drops, and what it never sends twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from structlog.testing import capture_logs

from bot.delivery.discord_calls import RejectedError, UnavailableError, UndeliverableError
from bot.delivery.send_slots import SHARE
from bot.storage import interactions, outbox
from bot.storage.database import Database
from bot.storage.errors import CommitUnknown
from bot.storage.outbox import OutboxMessage, first_of_each_topic
from bot.storage.records import OutboxState
from bot.storage.tables import outbox as table
from tests.delivery.dispatcher_harness import NOW, DispatcherHarness


async def test_discord_is_asked_again_after_longer_and_longer_waits(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("503") for _ in range(4)]
    await harness.put("a")
    await harness.put("b")
    waits = []
    async with harness.open():
        while harness.sender.failures["a"] or "a" not in harness.sender.done:
            waited, attempts = 0, len(harness.sender.attempts)
            while len(harness.sender.attempts) == attempts:
                await harness.later(1)
                waited += 1
            waits.append(waited)
    assert waits == [2, 4, 8, 16]
    assert harness.sender.attempts == [*(("a", number) for number in range(5)), ("b", 0)]


async def test_no_wait_is_longer_than_ten_minutes(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("503") for _ in range(20)]
    await harness.put("a")
    async with harness.open():
        while harness.sender.failures["a"]:
            await harness.later(600)
        await harness.later(600)
    assert harness.sender.done == ["a"]


async def test_discord_is_left_alone_for_as_long_as_it_asks(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("429", after=90)]
    await harness.put("a")
    async with harness.open():
        await harness.later(80)
        assert harness.sender.done == []
        await harness.later(11)
    assert harness.sender.done == ["a"]


async def test_a_clock_set_back_by_hours_makes_no_wait_longer(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("503")]
    await harness.put("a")
    async with harness.open():
        harness.now -= timedelta(hours=5)
        harness.elapsed += 2
        harness.dispatcher.wake()
        assert await asyncio.wait_for(harness.sender.finished.get(), 60) == "a"


async def test_a_clock_put_forward_by_hours_makes_no_wait_shorter(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("429", after=90)]
    await harness.put("a")
    async with harness.open():
        harness.now += timedelta(hours=5)
        await harness.put("b", topic="match:2", guild=2)
        assert await asyncio.wait_for(harness.sender.finished.get(), 60) == "b"
        assert harness.sender.done == ["b"]
        harness.elapsed += 90
        harness.dispatcher.wake()
        assert await asyncio.wait_for(harness.sender.finished.get(), 60) == "a"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (UndeliverableError("404"), "Discord refused it everywhere"),
        (RejectedError(400, 50035, "Invalid Form Body"), "Discord rejected it (400 "),
    ],
)
async def test_what_is_refused_everywhere_or_not_understood_is_dropped_and_the_next_goes_on(
    harness: DispatcherHarness, error: Exception, why: str
) -> None:
    harness.sender.failures["a"] = [error]
    await harness.put("a")
    await harness.put("b")
    with capture_logs() as logs:
        async with harness.open():
            pass
    assert [f"outbox message dropped: {why}" in line["event"] for line in logs if "dropped" in line["event"]] == [True]
    assert await harness.states() == {"a": OutboxState.DROPPED, "b": OutboxState.SENT}


async def test_what_was_dropped_is_tried_again_once_though_two_ask_for_it(
    harness: DispatcherHarness,
) -> None:
    harness.sender.failures["a"] = [UndeliverableError("403")]
    await harness.put("a")
    async with harness.open():
        pass
    async with harness.database.read() as tx:
        (dropped,) = (await tx.execute(select(table.c.id))).scalars()
    for _ in range(2):
        async with harness.database.write() as tx:
            await outbox.revive(tx, [dropped], harness.now)
        async with harness.open():
            pass
    assert harness.sender.attempts == [("a", 0), ("a", 1)]
    assert await harness.states() == {"a": OutboxState.SENT}


async def test_a_mistake_of_ours_is_tried_again_and_holds_up_its_own_topic_only(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [ValueError("oops")]
    await harness.put("a")
    await harness.put("b")
    await harness.put("elsewhere", topic="match:2")
    async with harness.open():
        assert harness.sender.done == ["elsewhere"]
        await harness.later(2)
    assert harness.sender.done == ["elsewhere", "a", "b"]


async def test_an_outbox_that_cannot_be_read_for_a_moment_is_read_afterwards(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError("the disk is away")]

    async def failing(*arguments: Any, **options: Any) -> list[OutboxMessage]:
        if failures:
            raise failures.pop()
        return await first_of_each_topic(*arguments, **options)

    monkeypatch.setattr(outbox, "first_of_each_topic", failing)
    await harness.put("a")
    async with harness.open():
        harness.dispatcher.wake()
    assert harness.sender.done == ["a"]


async def test_what_is_alone_in_its_topic_is_tried_again_and_makes_room_for_others(harness: DispatcherHarness) -> None:
    keys = [str(number) for number in range(2 * SHARE + 1)]
    harness.sender.failures["0"] = [UnavailableError("503")]
    for key in keys:
        await harness.put(key, topic=key, kind="past_notice")
    async with harness.open():
        assert sorted(harness.sender.done) == sorted(keys[1:])
        await harness.later(2)
    assert sorted(harness.sender.done) == sorted(keys)


async def test_what_is_to_be_remembered_is_stored_with_the_outcome_or_not_at_all(harness: DispatcherHarness) -> None:
    async def remember(tx: AsyncConnection) -> None:
        await interactions.mark_processed(tx, 42, NOW)
        if len(harness.sender.done) == 1:
            raise OSError("the disk is full")

    harness.sender.remember = remember
    await harness.put("a")
    async with harness.open():
        assert await harness.states() == {"a": OutboxState.SENDING}
        await harness.later(2)
    assert harness.sender.attempts == [("a", 0), ("a", 1)]
    assert await harness.states() == {"a": OutboxState.SENT}
    async with harness.database.write() as tx:
        assert not await interactions.mark_processed(tx, 42, NOW)


async def test_a_message_stored_as_sent_by_an_ambiguous_commit_is_not_sent_again_and_holds_nothing_up(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, broken = Database.write, [CommitUnknown()]

    @asynccontextmanager
    async def unanswered_once(database: Database) -> AsyncIterator[AsyncConnection]:
        async with write(database) as tx:
            yield tx
            stored = (await tx.execute(select(table.c.id).where(table.c.state == OutboxState.SENT))).first()
        if stored is not None and broken:
            raise broken.pop()

    await harness.put("a")
    await harness.put("b")
    monkeypatch.setattr(Database, "write", unanswered_once)
    async with harness.working():
        async with asyncio.timeout(30):
            while harness.sender.done != ["a", "b"]:
                await asyncio.sleep(0.005)
                harness.elapsed += 1
                harness.dispatcher.wake()
        await harness.rest()
    assert not broken
    assert harness.sender.attempts == [("a", 0), ("b", 0)]
    assert await harness.states() == {"a": OutboxState.SENT, "b": OutboxState.SENT}


async def test_what_can_be_repeated_is_not_noted_as_begun_but_its_failures_count(harness: DispatcherHarness) -> None:
    gate = harness.sender.gates["a"] = asyncio.Event()
    harness.sender.failures["a"] = [UnavailableError("503")]
    await harness.put("a", kind="past_board")
    async with harness.working():
        await harness.sender.begun.wait()
        assert await harness.states() == {"a": OutboxState.PENDING}
        gate.set()
        await harness.rest()
        assert await harness.states() == {"a": OutboxState.SENDING}
        await harness.later(2)
    assert harness.sender.attempts == [("a", 0), ("a", 1)]
    assert await harness.states() == {"a": OutboxState.SENT}


async def test_when_a_message_was_first_begun_is_kept_however_often_it_is_tried(harness: DispatcherHarness) -> None:
    harness.sender.failures["a"] = [UnavailableError("503") for _ in range(3)]
    await harness.put("a")
    async with harness.open():
        for _ in range(4):
            await harness.later(60)
    async with harness.database.read() as tx:
        begun = (await tx.execute(select(table.c.begun_at, table.c.attempts))).one()
    assert tuple(begun) == (NOW, 4), "a post of the first attempt is looked for from here on"


async def test_of_messages_that_are_overtaken_those_that_were_begun_are_not_skipped(harness: DispatcherHarness) -> None:
    assert await harness.put_begun("begun") is not None
    for number, key in enumerate(("earlier", "now")):
        await harness.put(key, ply=number)
    async with harness.database.write() as tx:
        ply = {"ply": 0}
        await tx.execute(table.update().where(table.c.key == "begun").values(payload=ply))
        await outbox.skip_overtaken(tx, "match:1", "board", 1, harness.now)
    wanted = {"begun": OutboxState.SENDING, "earlier": OutboxState.SKIPPED, "now": OutboxState.PENDING}
    assert await harness.states() == wanted
