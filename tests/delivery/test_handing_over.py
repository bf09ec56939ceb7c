"""Messages that the process which stores them begins at once, without a look into the outbox."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.discord_calls import UnavailableError
from bot.delivery.send_slots import SHARE, TOPICS_AT_ONCE
from bot.storage import outbox
from bot.storage.outbox import OutboxMessage
from bot.storage.records import OutboxState
from tests.delivery.dispatcher_harness import DispatcherHarness
from tests.support.statements import statements_of


async def test_a_message_that_is_handed_over_is_sent_without_a_look_into_the_outbox(harness: DispatcherHarness) -> None:
    async with harness.open():
        with statements_of(harness.database) as statements:
            begun = await harness.put_begun("one")
            assert begun is not None
            assert harness.dispatcher.has_room(1)
            harness.dispatcher.begin(begun)
            await harness.sender.finished.get()
            await harness.until_sent("one")
    written = [statement.split()[0] for statement in statements if not statement.startswith(("SELECT", "BEGIN"))]
    assert written == ["INSERT", "UPDATE"]
    assert not [statement for statement in statements if "ORDER BY outbox.due_at" in statement]
    assert harness.sender.attempts == [("one", 0)]
    assert await harness.states() == {"one": OutboxState.SENT}


async def test_a_message_behind_another_of_its_topic_is_not_begun_with_it(harness: DispatcherHarness) -> None:
    async with harness.open():
        harness.sender.gates["one"] = asyncio.Event()
        first = await harness.put_begun("one")
        assert first is not None
        harness.dispatcher.begin(first)
        assert await harness.put_begun("two") is None
        harness.resting.clear()
        harness.dispatcher.wake()
        await harness.resting.wait()
        harness.sender.gates["one"].set()
    assert harness.sender.attempts == [("one", 0), ("two", 0)]


async def test_a_message_stored_as_begun_that_is_not_handed_over_is_found_as_begun(harness: DispatcherHarness) -> None:
    async with harness.open():
        assert await harness.put_begun("one") is not None
        harness.dispatcher.wake()
    assert harness.sender.attempts == [("one", 1)]


async def test_a_look_that_finds_what_was_handed_over_meanwhile_sends_it_once(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with harness.open():
        looking, look_on, look = asyncio.Event(), asyncio.Event(), outbox.first_of_each_topic

        async def slow(*args: Any, **options: Any) -> list[OutboxMessage]:
            found = await look(*args, **options)
            looking.set()
            await look_on.wait()
            return found

        begun = await harness.put_begun("one")
        assert begun is not None
        monkeypatch.setattr(outbox, "first_of_each_topic", slow)
        harness.dispatcher.wake()
        await looking.wait()
        harness.dispatcher.begin(begun)
        await harness.sender.finished.get()
        look_on.set()
    await harness.dispatcher.close()
    assert harness.sender.attempts == [("one", 0)]


async def test_there_is_no_room_for_more_than_are_sent_at_once_nor_before_the_start_nor_after_the_end(
    harness: DispatcherHarness,
) -> None:
    assert not harness.dispatcher.has_room(0)
    keys = [str(number) for number in range(SHARE + 1)]
    async with harness.open():
        for key in keys:
            harness.sender.gates[key] = asyncio.Event()
            begun = await harness.put_begun(key, f"match:{key}")
            assert begun is not None
            harness.dispatcher.begin(begun)
        assert not harness.dispatcher.has_room(0)
        for key in keys:
            harness.sender.gates[key].set()
        for _ in keys:
            await harness.sender.finished.get()
    assert sorted(harness.sender.done) == sorted(keys)
    assert {attempts for _key, attempts in harness.sender.attempts} == {0}, "one that had to wait is searched for"
    assert not harness.dispatcher.has_room(0), "what is begun while nothing runs would be sent in the background"
    await harness.dispatcher.close()
    assert not harness.dispatcher.has_room(0)


async def test_what_is_stored_with_a_message_that_was_handed_over_is_sent(harness: DispatcherHarness) -> None:
    async def remember(tx: AsyncConnection) -> None:
        harness.sender.remember = None
        await outbox.add(tx, key="more", topic="past:1", kind="past_notice", at=harness.now)

    harness.sender.remember = remember
    async with harness.open():
        begun = await harness.put_begun("one")
        assert begun is not None
        harness.dispatcher.begin(begun)
        assert [await harness.sender.finished.get() for _ in range(2)] == ["one", "more"]


async def test_what_is_handed_over_is_done_on_behalf_of_nobody(harness: DispatcherHarness) -> None:
    asked_by: ContextVar[str] = ContextVar("asked_by", default="nobody")
    seen: list[str] = []

    async def remember(_tx: AsyncConnection) -> None:
        seen.append(asked_by.get())

    harness.sender.remember = remember
    async with harness.open():
        asked_by.set("a person")
        begun = await harness.put_begun("one")
        assert begun is not None
        harness.dispatcher.begin(begun)
        await harness.sender.finished.get()
    assert seen == ["nobody"]


async def test_nothing_is_begun_past_messages_for_which_there_was_no_room(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [str(number) for number in range(TOPICS_AT_ONCE + 1)]
    for number, key in enumerate(keys):
        harness.sender.gates[key] = asyncio.Event()
        await harness.put(key, f"match:{key}", guild=1 + number // SHARE)
    looks, first_of_each_topic = list[bool](), outbox.first_of_each_topic

    async def noted(*args: Any, **options: Any) -> list[OutboxMessage]:
        looks.append(harness.dispatcher.has_room(99))
        return await first_of_each_topic(*args, **options)

    async with harness.working():
        await harness.until(lambda: harness.sender.running == TOPICS_AT_ONCE)
        monkeypatch.setattr(outbox, "first_of_each_topic", noted)
        harness.sender.gates["0"].set()
        await harness.until(lambda: len(harness.sender.attempts) == len(keys))
        assert looks[0] is False, "a place is free, and the last message waits for it"
        for key in keys:
            harness.sender.gates[key].set()
        await harness.rest()
    assert set((await harness.states()).values()) == {OutboxState.SENT}


async def test_what_is_handed_over_while_a_look_has_it_sent_is_searched_for_if_that_fails(
    harness: DispatcherHarness,
) -> None:
    harness.sender.gates["one"], harness.sender.failures["one"] = asyncio.Event(), [UnavailableError("no answer")]
    async with harness.open():
        begun = await harness.put_begun("one")
        assert begun is not None
        harness.dispatcher.wake()
        await harness.sender.begun.wait()
        harness.dispatcher.begin(begun)
        harness.sender.gates["one"].set()
        while not harness.sender.done:
            await harness.later(1)
    assert harness.sender.attempts == [("one", 1), ("one", 2)]
