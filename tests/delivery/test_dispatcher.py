"""The dispatcher on a real outbox: order within a topic, places for servers, and what is left after a crash."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from bot.delivery.discord_calls import UnavailableError, UndeliverableError
from bot.delivery.send_slots import EARLY, LONGEST_LIMIT, SHARE, SendSlots
from bot.storage import interactions, outbox
from bot.storage.outbox import EDITS_AFTER, OutboxMessage, first_of_each_topic
from bot.storage.records import OutboxState
from tests.delivery.dispatcher_harness import DispatcherHarness


async def test_messages_of_one_topic_are_sent_in_order_one_at_a_time(harness: DispatcherHarness) -> None:
    for key in "abcde":
        await harness.put(key)
    async with harness.open():
        pass
    assert harness.sender.done == list("abcde")
    assert harness.sender.most_at_once == 1
    assert set((await harness.states()).values()) == {OutboxState.SENT}


async def test_topics_do_not_wait_for_one_another_but_not_too_many_go_at_once(harness: DispatcherHarness) -> None:
    slow = harness.sender.gates["0"] = asyncio.Event()
    for number in range(3 * SHARE):
        await harness.put(str(number), topic=f"match:{number}")
    async with harness.working():
        for _ in range(3 * SHARE - 1):
            await harness.sender.finished.get()
        slow.set()
        await harness.rest()
    assert len(harness.sender.done) == 3 * SHARE
    assert 1 < harness.sender.most_at_once <= SHARE


async def test_a_server_whose_messages_take_long_leaves_places_to_others(harness: DispatcherHarness) -> None:
    slow = [str(number) for number in range(3 * SHARE)]
    for key in slow:
        harness.sender.gates[key] = asyncio.Event()
        await harness.put(key, topic=f"match:{key}", guild=1)
    async with harness.working():
        await harness.until(lambda: harness.sender.running == SHARE)
        await harness.put("elsewhere", topic="elsewhere", guild=2)
        assert await asyncio.wait_for(harness.sender.finished.get(), 30) == "elsewhere"
        assert not harness.dispatcher.has_room(1)
        assert harness.dispatcher.has_room(2)
        for key in slow:
            harness.sender.gates[key].set()
        await harness.rest()
    assert harness.sender.most_at_once == SHARE + 1
    assert set((await harness.states()).values()) == {OutboxState.SENT}


async def test_changes_of_posted_messages_leave_room_for_what_is_new(harness: DispatcherHarness) -> None:
    changes = [(f"{guild}:{number}", guild) for guild in (1, 2) for number in range(2 * SHARE)]
    for key, guild in changes:
        harness.sender.gates[key] = asyncio.Event()
        await harness.put(key, topic=key, guild=guild, waits=True)
    async with harness.working():
        await harness.until(lambda: harness.sender.running == 2 * EARLY)
        assert harness.dispatcher.has_room(1)
        await harness.put("new", topic="new", guild=1)
        assert await asyncio.wait_for(harness.sender.finished.get(), 30) == "new"
        for key, _guild in changes:
            harness.sender.gates[key].set()
        for key, _guild in changes:
            await harness.until_sent(key)
    assert harness.sender.most_at_once == 2 * EARLY + 1


async def test_changes_that_are_due_are_sent_like_all_else(harness: DispatcherHarness) -> None:
    for number in range(SHARE):
        harness.sender.gates[str(number)] = asyncio.Event()
        await harness.put(str(number), topic=str(number), guild=1, waits=True)
    async with harness.working():
        await harness.until(lambda: harness.sender.running == EARLY)
        harness.now += EDITS_AFTER
        harness.dispatcher.wake()
        await harness.until(lambda: harness.sender.running == SHARE)
        for number in range(SHARE):
            harness.sender.gates[str(number)].set()
            await harness.until_sent(str(number))


async def test_a_server_that_discord_limits_waits_by_itself_and_is_asked_for_a_few_messages_only(
    harness: DispatcherHarness,
) -> None:
    limited = [str(number) for number in range(3 * SHARE)]
    for key in limited:
        harness.sender.failures[key] = [UnavailableError("429", after=600)]
        await harness.put(key, topic=f"match:{key}", guild=1)
    async with harness.working():
        await harness.until(lambda: len(harness.sender.attempts) == SHARE and not harness.sender.running)
        await harness.put("elsewhere", topic="elsewhere", guild=2)
        assert await asyncio.wait_for(harness.sender.finished.get(), 30) == "elsewhere"
        await harness.until(lambda: not harness.dispatcher.has_room(1))
        assert len(harness.sender.attempts) == SHARE + 1
        harness.elapsed += LONGEST_LIMIT + 1
        harness.dispatcher.wake()
        await harness.until(lambda: len(harness.sender.attempts) == 2 * SHARE + 1 and not harness.sender.running)
        while len(harness.sender.done) <= len(limited):
            harness.elapsed += 601
            harness.dispatcher.wake()
            await asyncio.sleep(0.02)
    assert sorted(harness.sender.done) == sorted([*limited, "elsewhere"])


def test_a_server_that_discord_limits_waits_as_long_as_it_says_and_no_longer() -> None:
    clock = iter([1000.0, 1001.0, 1005.0, 1005.0])
    slots = SendSlots(clock.__next__)
    slots.limit(1, 5.0)
    assert slots.pauses == [4.0]
    assert slots.limits_ended()
    assert slots.pauses == []


async def test_a_message_that_is_out_of_date_is_skipped(harness: DispatcherHarness) -> None:
    await harness.put("old", stale=True)
    async with harness.open():
        pass
    assert await harness.states() == {"old": OutboxState.SKIPPED}


async def test_what_was_begun_when_the_program_died_is_done_again_as_such(harness: DispatcherHarness) -> None:
    harness.sender.gates["a"] = asyncio.Event()
    await harness.put("a")
    working = asyncio.create_task(harness.dispatcher.run())
    await harness.sender.begun.wait()
    dying = [task for task in asyncio.all_tasks() if task.get_name() == "outbox message a"]
    for task in (working, *dying):
        task.cancel()
    await asyncio.gather(working, *dying, return_exceptions=True)
    assert await harness.states() == {"a": OutboxState.SENDING}
    harness.sender.gates.clear()
    harness.hire()
    async with harness.open():
        pass
    assert harness.sender.attempts == [("a", 0), ("a", 1)]
    assert await harness.states() == {"a": OutboxState.SENT}


async def test_closing_finishes_what_is_being_sent_and_begins_nothing_new(harness: DispatcherHarness) -> None:
    harness.sender.gates["a"] = asyncio.Event()
    await harness.put("a")
    await harness.put("b")
    async with harness.working():
        await harness.sender.begun.wait()
        closing = asyncio.create_task(harness.dispatcher.close())
        await asyncio.sleep(0.02)
        harness.sender.gates["a"].set()
        await closing
    assert await harness.states() == {"a": OutboxState.SENT, "b": OutboxState.PENDING}


async def test_closing_gives_up_what_discord_does_not_answer_and_leaves_nothing_at_work(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.delivery.dispatcher.SHUTDOWN_TIMEOUT", 0.01)
    harness.sender.gates["a"] = asyncio.Event()
    await harness.put("a")
    async with asyncio.timeout(30), harness.working():
        await harness.sender.begun.wait()
        await harness.dispatcher.close()
    assert not harness.sender.running
    assert not harness.dispatcher._sending
    assert await harness.states() == {"a": OutboxState.SENDING}
    harness.sender.gates["a"].set()
    harness.hire()
    async with harness.open():
        pass
    assert harness.sender.attempts == [("a", 0), ("a", 1)]


@pytest.mark.parametrize(("kind", "looks"), [("board", 2), ("past_notice", 1)])
async def test_after_a_message_alone_in_its_topic_no_second_look_is_taken(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch, kind: str, looks: int
) -> None:
    looked = 0

    async def noted(*arguments: Any, **options: Any) -> list[OutboxMessage]:
        nonlocal looked
        looked += 1
        return await first_of_each_topic(*arguments, **options)

    async with harness.open():
        monkeypatch.setattr(outbox, "first_of_each_topic", noted)
        await harness.put("a", topic="a", kind=kind)
        await harness.sender.finished.get()
    assert looked == looks


async def test_one_thing_is_put_into_the_outbox_once(harness: DispatcherHarness) -> None:
    await harness.put("a")
    with pytest.raises(IntegrityError):
        await harness.put("a")


async def test_only_what_is_finished_and_old_is_forgotten(harness: DispatcherHarness) -> None:
    harness.sender.failures["waiting"] = [UnavailableError("503") for _ in range(50)]
    await harness.put("sent")
    await harness.put("waiting", topic="match:2")
    harness.sender.failures["refused"] = [UndeliverableError("403")]
    await harness.put("refused", topic="match:3")
    async with harness.database.write() as tx:
        await interactions.mark_processed(tx, 1, harness.now)
    async with harness.open():
        pass
    harness.now += timedelta(days=3)
    async with harness.database.write() as tx:
        await interactions.mark_processed(tx, 2, harness.now)
        await interactions.delete_old(tx, harness.now - timedelta(days=2))
        await outbox.delete_old(tx, harness.now - timedelta(days=2), harness.now - timedelta(days=60))
    assert await harness.states() == {"waiting": OutboxState.SENDING, "refused": OutboxState.DROPPED}
    async with harness.database.write() as tx:
        assert await interactions.mark_processed(tx, 1, harness.now)
        assert not await interactions.mark_processed(tx, 2, harness.now)
        await outbox.delete_old(tx, harness.now - timedelta(days=2), harness.now)
    assert await harness.states() == {"waiting": OutboxState.SENDING}


async def test_what_is_found_when_the_bot_stops_is_left_to_its_next_life(
    harness: DispatcherHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, go_on, found = asyncio.Event(), asyncio.Event(), harness.dispatcher._due

    async def slowly(room: int) -> list[OutboxMessage]:
        due = await found(room)
        looking.set()
        await go_on.wait()
        return due

    monkeypatch.setattr(harness.dispatcher, "_due", slowly)
    await harness.put("a")
    async with harness.working():
        await looking.wait()
        await harness.dispatcher.close()
        go_on.set()
        await asyncio.wait_for(harness.resting.wait(), 30)
        assert not harness.dispatcher._sending
    assert await harness.states() == {"a": OutboxState.PENDING}
