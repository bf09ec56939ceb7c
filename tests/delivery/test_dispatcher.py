"""The dispatcher on a real outbox: order within a topic, patience with Discord, and what is left after a crash."""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.dispatcher import AT_ONCE, Done, Handler, OutboxDispatcher
from bot.delivery.errors import RejectedError, UnavailableError, UndeliverableError
from bot.storage.database import Database
from bot.storage.queries import outbox
from bot.storage.queries.outbox import heads
from bot.storage.records import OutboxMessage, OutboxState
from bot.storage.tables import outbox as table

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class SimulatedDiscord:
    """Sends messages: notes each, and fails or waits where the test has said so."""

    done: list[str] = field(default_factory=list)
    attempts: list[tuple[str, int]] = field(default_factory=list)
    failures: dict[str, list[Exception]] = field(default_factory=lambda: defaultdict(list))
    remember: Callable[[AsyncConnection], Awaitable[None]] | None = None
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    running: int = 0
    most_at_once: int = 0

    async def send(self, message: OutboxMessage) -> Done | None:
        self.attempts.append((message.key, message.attempts))
        self.begun.set()
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            if message.key in self.gates:
                await self.gates[message.key].wait()
            if self.failures[message.key]:
                raise self.failures[message.key].pop(0)
        finally:
            self.running -= 1
        self.done.append(message.key)
        self.finished.put_nowait(message.key)
        return None if message.payload.get("stale", False) else Done(self.remember)


@dataclass
class Office:
    """A database, a clock, and a dispatcher that can be seen resting."""

    database: Database
    sim: SimulatedDiscord = field(default_factory=SimulatedDiscord)
    now: datetime = NOW
    elapsed: float = 0.0
    resting: asyncio.Event = field(default_factory=asyncio.Event)
    dispatcher: OutboxDispatcher = field(init=False)

    def __post_init__(self) -> None:
        self.hire()

    @property
    def handlers(self) -> dict[str, Handler]:
        return {
            "board": Handler(self.sim.send),
            "past_board": Handler(self.sim.send, repeatable=True),
            "past_notice": Handler(self.sim.send, repeatable=True, alone=True),
        }

    def hire(self) -> None:
        """Take on another dispatcher, as after a restart."""
        self.dispatcher = OutboxDispatcher(
            self.database, self.handlers, lambda: self.now, lambda: self._idle, lambda: self.elapsed
        )

    async def _idle(self, awaitable: Awaitable[Any], /, *, reason: str) -> Any:
        self.resting.set()
        try:
            return await awaitable
        finally:
            self.resting.clear()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let the dispatcher work while the block runs, and wait until it rests before the block and after it."""
        working = asyncio.create_task(self.dispatcher.run())
        try:
            await self.rest()
            yield
            await self.rest()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def rest(self) -> None:
        """Wait until nothing that is due is left, and the dispatcher has seen that."""
        async with asyncio.timeout(30):
            while True:
                async with self.database.read() as tx:
                    left = await heads(tx, busy=(), limit=100)
                if self.resting.is_set() and all(message.due_at > self.now for message in left):
                    return
                await asyncio.sleep(0.005)

    async def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)
        self.elapsed += seconds
        self.dispatcher.wake()
        await self.rest()

    async def put(self, key: str, topic: str = "match:1", kind: str = "board", **payload: Any) -> None:
        """Put an message into the outbox."""
        async with self.database.write() as tx:
            await outbox.add(tx, key=key, topic=topic, kind=kind, at=self.now, payload=payload)
        self.dispatcher.wake()

    async def states(self) -> dict[str, OutboxState]:
        async with self.database.read() as tx:
            return {row.key: OutboxState(row.state) for row in await tx.execute(table.select())}


@pytest_asyncio.fixture
async def office(tmp_path: Path, empty_database: Path) -> AsyncIterator[Office]:
    database = Database(f"sqlite+aiosqlite:///{shutil.copy(empty_database, tmp_path)}")
    try:
        yield Office(database)
    finally:
        await database.close()


async def test_messages_of_one_topic_are_sent_in_order_one_at_a_time(office: Office) -> None:
    for key in "abcde":
        await office.put(key)
    async with office.open():
        pass
    assert office.sim.done == list("abcde")
    assert office.sim.most_at_once == 1
    assert set((await office.states()).values()) == {OutboxState.SENT}


async def test_topics_do_not_wait_for_one_another_but_not_too_many_go_at_once(office: Office) -> None:
    slow = office.sim.gates["0"] = asyncio.Event()
    for number in range(3 * AT_ONCE):
        await office.put(str(number), topic=f"match:{number}")
    working = asyncio.create_task(office.dispatcher.run())
    for _ in range(3 * AT_ONCE - 1):
        await office.sim.finished.get()
    slow.set()
    await office.rest()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert len(office.sim.done) == 3 * AT_ONCE
    assert 1 < office.sim.most_at_once <= AT_ONCE


async def test_a_message_that_is_out_of_date_is_skipped(office: Office) -> None:
    await office.put("old", stale=True)
    async with office.open():
        pass
    assert await office.states() == {"old": OutboxState.SKIPPED}


async def test_what_comes_later_is_done_without_a_restart(office: Office) -> None:
    async with office.open():
        await office.put("a")
        await office.rest()
        await office.put("b")
    assert office.sim.done == ["a", "b"]


async def test_discord_is_asked_again_after_longer_and_longer_waits(office: Office) -> None:
    office.sim.failures["a"] = [UnavailableError("503") for _ in range(4)]
    await office.put("a")
    await office.put("b")
    waits = []
    async with office.open():
        while office.sim.failures["a"] or "a" not in office.sim.done:
            waited, attempts = 0, len(office.sim.attempts)
            while len(office.sim.attempts) == attempts:
                await office.later(1)
                waited += 1
            waits.append(waited)
    assert waits == [2, 4, 8, 16]
    assert office.sim.attempts == [*(("a", number) for number in range(5)), ("b", 0)]


async def test_no_wait_is_longer_than_ten_minutes(office: Office) -> None:
    office.sim.failures["a"] = [UnavailableError("503") for _ in range(20)]
    await office.put("a")
    async with office.open():
        while office.sim.failures["a"]:
            await office.later(600)
        await office.later(600)
    assert office.sim.done == ["a"]


async def test_discord_is_left_alone_for_as_long_as_it_asks(office: Office) -> None:
    office.sim.failures["a"] = [UnavailableError("429", after=90)]
    await office.put("a")
    async with office.open():
        await office.later(80)
        assert office.sim.done == []
        await office.later(11)
    assert office.sim.done == ["a"]


async def test_a_clock_set_back_by_hours_makes_no_wait_longer(office: Office) -> None:
    office.sim.failures["a"] = [UnavailableError("503")]
    await office.put("a")
    async with office.open():
        office.now -= timedelta(hours=5)
        office.elapsed += 2
        office.dispatcher.wake()
        assert await asyncio.wait_for(office.sim.finished.get(), 60) == "a"


async def test_a_clock_put_forward_by_hours_makes_no_wait_shorter(office: Office) -> None:
    office.sim.failures["a"] = [UnavailableError("429", after=90)]
    await office.put("a")
    async with office.open():
        office.now += timedelta(hours=5)
        await office.put("b", topic="match:2")
        assert await asyncio.wait_for(office.sim.finished.get(), 60) == "b"
        assert office.sim.done == ["b"]
        office.elapsed += 90
        office.dispatcher.wake()
        assert await asyncio.wait_for(office.sim.finished.get(), 60) == "a"


async def test_what_is_refused_everywhere_is_dropped_and_the_next_goes_on(office: Office) -> None:
    office.sim.failures["a"] = [UndeliverableError("404")]
    await office.put("a")
    await office.put("b")
    async with office.open():
        pass
    assert await office.states() == {"a": OutboxState.DROPPED, "b": OutboxState.SENT}


async def test_what_discord_rejects_is_dropped_and_the_next_goes_on(office: Office) -> None:
    office.sim.failures["a"] = [RejectedError(400, 50035, "Invalid Form Body")]
    await office.put("a")
    await office.put("b")
    async with office.open():
        pass
    assert await office.states() == {"a": OutboxState.DROPPED, "b": OutboxState.SENT}


async def test_a_mistake_of_ours_is_tried_again_and_holds_up_its_own_topic_only(office: Office) -> None:
    office.sim.failures["a"] = [ValueError("oops")]
    await office.put("a")
    await office.put("b")
    await office.put("elsewhere", topic="match:2")
    async with office.open():
        assert office.sim.done == ["elsewhere"]
        await office.later(2)
    assert office.sim.done == ["elsewhere", "a", "b"]


async def test_what_was_begun_when_the_program_died_is_done_again_as_such(office: Office) -> None:
    office.sim.gates["a"] = asyncio.Event()
    await office.put("a")
    working = asyncio.create_task(office.dispatcher.run())
    await office.sim.begun.wait()
    dying = [task for task in asyncio.all_tasks() if task.get_name() == "outbox message a"]
    for task in (working, *dying):
        task.cancel()
    await asyncio.gather(working, *dying, return_exceptions=True)
    assert await office.states() == {"a": OutboxState.SENDING}
    office.sim.gates.clear()
    office.hire()
    async with office.open():
        pass
    assert office.sim.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}


async def test_closing_finishes_what_is_being_sent_and_begins_nothing_new(office: Office) -> None:
    office.sim.gates["a"] = asyncio.Event()
    await office.put("a")
    await office.put("b")
    working = asyncio.create_task(office.dispatcher.run())
    await office.sim.begun.wait()
    closing = asyncio.create_task(office.dispatcher.close())
    await asyncio.sleep(0.02)
    office.sim.gates["a"].set()
    await closing
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert await office.states() == {"a": OutboxState.SENT, "b": OutboxState.PENDING}


async def test_an_outbox_that_cannot_be_read_for_a_moment_is_read_afterwards(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError("the disk is away")]

    async def failing(*arguments: Any, **options: Any) -> list[OutboxMessage]:
        if failures:
            raise failures.pop()
        return await heads(*arguments, **options)

    monkeypatch.setattr(outbox, "heads", failing)
    await office.put("a")
    async with office.open():
        office.dispatcher.wake()
    assert office.sim.done == ["a"]


@pytest.mark.parametrize(("kind", "looks"), [("board", 2), ("past_notice", 1)])
async def test_after_what_is_alone_in_its_topic_nobody_looks_for_more(
    office: Office, monkeypatch: pytest.MonkeyPatch, kind: str, looks: int
) -> None:
    looked = 0

    async def noted(*arguments: Any, **options: Any) -> list[OutboxMessage]:
        nonlocal looked
        looked += 1
        return await heads(*arguments, **options)

    async with office.open():
        monkeypatch.setattr(outbox, "heads", noted)
        await office.put("a", topic="a", kind=kind)
        await office.sim.finished.get()
    assert looked == looks


async def test_what_is_alone_in_its_topic_is_tried_again_and_makes_room_for_others(office: Office) -> None:
    keys = [str(number) for number in range(2 * AT_ONCE + 1)]
    office.sim.failures["0"] = [UnavailableError("503")]
    for key in keys:
        await office.put(key, topic=key, kind="past_notice")
    async with office.open():
        assert sorted(office.sim.done) == sorted(keys[1:])
        await office.later(2)
    assert sorted(office.sim.done) == sorted(keys)


async def test_what_is_to_be_remembered_is_stored_with_the_outcome_or_not_at_all(office: Office) -> None:
    async def remember(tx: AsyncConnection) -> None:
        await outbox.mark_processed(tx, 42, NOW)
        if len(office.sim.done) == 1:
            raise OSError("the disk is full")

    office.sim.remember = remember
    await office.put("a")
    async with office.open():
        assert await office.states() == {"a": OutboxState.SENDING}
        await office.later(2)
    assert office.sim.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}
    async with office.database.write() as tx:
        assert not await outbox.mark_processed(tx, 42, NOW)


async def test_what_can_be_repeated_is_not_noted_as_begun_but_its_failures_count(office: Office) -> None:
    gate = office.sim.gates["a"] = asyncio.Event()
    office.sim.failures["a"] = [UnavailableError("503")]
    await office.put("a", kind="past_board")
    working = asyncio.create_task(office.dispatcher.run())
    await office.sim.begun.wait()
    assert await office.states() == {"a": OutboxState.PENDING}
    gate.set()
    await office.rest()
    assert await office.states() == {"a": OutboxState.SENDING}
    await office.later(2)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert office.sim.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}


async def test_one_thing_is_put_into_the_outbox_once(office: Office) -> None:
    await office.put("a")
    with pytest.raises(IntegrityError):
        await office.put("a")


async def test_only_what_is_finished_and_old_is_forgotten(office: Office) -> None:
    office.sim.failures["waiting"] = [UnavailableError("503") for _ in range(50)]
    await office.put("sent")
    await office.put("waiting", topic="match:2")
    office.sim.failures["refused"] = [UndeliverableError("403")]
    await office.put("refused", topic="match:3")
    async with office.database.write() as tx:
        await outbox.mark_processed(tx, 1, office.now)
    async with office.open():
        pass
    office.now += timedelta(days=3)
    async with office.database.write() as tx:
        await outbox.mark_processed(tx, 2, office.now)
        await outbox.forget(tx, office.now - timedelta(days=2), office.now - timedelta(days=60))
    assert await office.states() == {"waiting": OutboxState.SENDING, "refused": OutboxState.DROPPED}
    async with office.database.write() as tx:
        assert await outbox.mark_processed(tx, 1, office.now)
        assert not await outbox.mark_processed(tx, 2, office.now)
        await outbox.forget(tx, office.now - timedelta(days=2), office.now)
    assert await office.states() == {"waiting": OutboxState.SENDING}
