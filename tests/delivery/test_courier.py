"""The courier on a real outbox: order within a topic, patience with Discord, and what is left after a crash."""

from __future__ import annotations

import asyncio
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

from bot.delivery.courier import AT_ONCE, Courier, Done, GoneError, LaterError, MalformedError
from bot.storage.database import Database
from bot.storage.queries import outbox
from bot.storage.queries.outbox import heads
from bot.storage.records import Errand, OutboxState
from bot.storage.tables import outbox as table

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Town:
    """Does errands: notes each, and fails or waits where the test has said so."""

    done: list[str] = field(default_factory=list)
    attempts: list[tuple[str, int]] = field(default_factory=list)
    failures: dict[str, list[Exception]] = field(default_factory=lambda: defaultdict(list))
    remember: Callable[[AsyncConnection], Awaitable[None]] | None = None
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    running: int = 0
    most_at_once: int = 0

    def repeatable(self, errand: Errand) -> bool:
        return bool(errand.payload.get("repeatable", False))

    async def run(self, errand: Errand) -> Done | None:
        self.attempts.append((errand.key, errand.attempts))
        self.begun.set()
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            if errand.key in self.gates:
                await self.gates[errand.key].wait()
            if self.failures[errand.key]:
                raise self.failures[errand.key].pop(0)
        finally:
            self.running -= 1
        self.done.append(errand.key)
        self.finished.put_nowait(errand.key)
        return None if errand.payload.get("stale", False) else Done(self.remember)


@dataclass
class Office:
    """A database, a clock, and a courier that can be seen resting."""

    database: Database
    town: Town = field(default_factory=Town)
    now: datetime = NOW
    resting: asyncio.Event = field(default_factory=asyncio.Event)
    courier: Courier = field(init=False)

    def __post_init__(self) -> None:
        self.hire()

    def hire(self) -> None:
        """Take on another courier, as after a restart."""
        self.courier = Courier(self.database, self.town, lambda: self.now, lambda: self._idle)

    async def _idle(self, awaitable: Awaitable[Any], /, *, reason: str) -> Any:
        self.resting.set()
        try:
            return await awaitable
        finally:
            self.resting.clear()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Let the courier work while the block runs, and wait until it rests before the block and after it."""
        working = asyncio.create_task(self.courier.run())
        try:
            await self.rest()
            yield
            await self.rest()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def rest(self) -> None:
        """Wait until nothing that is due is left, and the courier has seen that."""
        async with asyncio.timeout(30):
            while True:
                async with self.database.read() as tx:
                    left = await heads(tx, busy=(), limit=100)
                if self.resting.is_set() and all(errand.due_at > self.now for errand in left):
                    return
                await asyncio.sleep(0.005)

    async def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)
        self.courier.wake()
        await self.rest()

    async def put(self, key: str, topic: str = "match:1", **payload: Any) -> None:
        """Put an errand into the outbox."""
        async with self.database.write() as tx:
            await outbox.add(tx, key=key, topic=topic, kind="board", at=self.now, payload=payload)
        self.courier.wake()

    async def states(self) -> dict[str, OutboxState]:
        async with self.database.read() as tx:
            return {row.key: OutboxState(row.state) for row in await tx.execute(table.select())}


@pytest_asyncio.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'tavoliere.db'}")
    try:
        await database.open()
        yield Office(database)
    finally:
        await database.close()


async def test_errands_of_one_topic_are_done_in_order_one_at_a_time(office: Office) -> None:
    for key in "abcde":
        await office.put(key)
    async with office.open():
        pass
    assert office.town.done == list("abcde")
    assert office.town.most_at_once == 1
    assert set((await office.states()).values()) == {OutboxState.SENT}


async def test_topics_do_not_wait_for_one_another_but_not_too_many_go_at_once(office: Office) -> None:
    slow = office.town.gates["0"] = asyncio.Event()
    for number in range(3 * AT_ONCE):
        await office.put(str(number), topic=f"match:{number}")
    working = asyncio.create_task(office.courier.run())
    for _ in range(3 * AT_ONCE - 1):
        await office.town.finished.get()
    slow.set()
    await office.rest()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert len(office.town.done) == 3 * AT_ONCE
    assert 1 < office.town.most_at_once <= AT_ONCE


async def test_an_errand_that_has_nothing_to_say_is_skipped(office: Office) -> None:
    await office.put("old", stale=True)
    async with office.open():
        pass
    assert await office.states() == {"old": OutboxState.SKIPPED}


async def test_what_comes_later_is_done_without_a_restart(office: Office) -> None:
    async with office.open():
        await office.put("a")
        await office.rest()
        await office.put("b")
    assert office.town.done == ["a", "b"]


async def test_discord_is_asked_again_after_longer_and_longer_waits(office: Office) -> None:
    office.town.failures["a"] = [LaterError("503") for _ in range(4)]
    await office.put("a")
    await office.put("b")
    waits = []
    async with office.open():
        while office.town.failures["a"] or "a" not in office.town.done:
            waited, attempts = 0, len(office.town.attempts)
            while len(office.town.attempts) == attempts:
                await office.later(1)
                waited += 1
            waits.append(waited)
    assert waits == [2, 4, 8, 16]
    assert office.town.attempts == [*(("a", number) for number in range(5)), ("b", 0)]


async def test_no_wait_is_longer_than_ten_minutes(office: Office) -> None:
    office.town.failures["a"] = [LaterError("503") for _ in range(20)]
    await office.put("a")
    async with office.open():
        while office.town.failures["a"]:
            await office.later(600)
        await office.later(600)
    assert office.town.done == ["a"]


async def test_discord_is_left_alone_for_as_long_as_it_asks(office: Office) -> None:
    office.town.failures["a"] = [LaterError("429", after=90)]
    await office.put("a")
    async with office.open():
        await office.later(80)
        assert office.town.done == []
        await office.later(11)
    assert office.town.done == ["a"]


async def test_what_can_be_said_nowhere_is_given_up_and_the_next_goes_on(office: Office) -> None:
    office.town.failures["a"] = [GoneError("404")]
    await office.put("a")
    await office.put("b")
    async with office.open():
        pass
    assert await office.states() == {"a": OutboxState.FAILED, "b": OutboxState.SENT}


async def test_what_discord_does_not_take_is_left_unsaid_and_the_next_goes_on(office: Office) -> None:
    office.town.failures["a"] = [MalformedError("400 Invalid Form Body (50035)")]
    await office.put("a")
    await office.put("b")
    async with office.open():
        pass
    assert await office.states() == {"a": OutboxState.FAILED, "b": OutboxState.SENT}


async def test_a_mistake_of_ours_is_tried_again_and_holds_up_its_own_topic_only(office: Office) -> None:
    office.town.failures["a"] = [ValueError("oops")]
    await office.put("a")
    await office.put("b")
    await office.put("elsewhere", topic="match:2")
    async with office.open():
        assert office.town.done == ["elsewhere"]
        await office.later(2)
    assert office.town.done == ["elsewhere", "a", "b"]


async def test_what_was_begun_when_the_program_died_is_done_again_as_such(office: Office) -> None:
    office.town.gates["a"] = asyncio.Event()
    await office.put("a")
    working = asyncio.create_task(office.courier.run())
    await office.town.begun.wait()
    dying = [task for task in asyncio.all_tasks() if task.get_name() == "errand a"]
    for task in (working, *dying):
        task.cancel()
    await asyncio.gather(working, *dying, return_exceptions=True)
    assert await office.states() == {"a": OutboxState.SENDING}
    office.town.gates.clear()
    office.hire()
    async with office.open():
        pass
    assert office.town.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}


async def test_closing_finishes_what_is_being_said_and_begins_nothing_new(office: Office) -> None:
    office.town.gates["a"] = asyncio.Event()
    await office.put("a")
    await office.put("b")
    working = asyncio.create_task(office.courier.run())
    await office.town.begun.wait()
    closing = asyncio.create_task(office.courier.close())
    await asyncio.sleep(0.02)
    office.town.gates["a"].set()
    await closing
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert await office.states() == {"a": OutboxState.SENT, "b": OutboxState.WAITING}


async def test_an_outbox_that_cannot_be_read_for_a_moment_is_read_afterwards(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError("the disk is away")]

    async def failing(*arguments: Any, **options: Any) -> list[Errand]:
        if failures:
            raise failures.pop()
        return await heads(*arguments, **options)

    monkeypatch.setattr(outbox, "heads", failing)
    await office.put("a")
    async with office.open():
        office.courier.wake()
    assert office.town.done == ["a"]


async def test_what_is_to_be_remembered_is_stored_with_the_outcome_or_not_at_all(office: Office) -> None:
    async def remember(tx: AsyncConnection) -> None:
        await outbox.claim(tx, 42, NOW)
        if len(office.town.done) == 1:
            raise OSError("the disk is full")

    office.town.remember = remember
    await office.put("a")
    async with office.open():
        assert await office.states() == {"a": OutboxState.SENDING}
        await office.later(2)
    assert office.town.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}
    async with office.database.write() as tx:
        assert not await outbox.claim(tx, 42, NOW)


async def test_what_can_be_repeated_is_not_noted_as_begun_but_its_failures_count(office: Office) -> None:
    gate = office.town.gates["a"] = asyncio.Event()
    office.town.failures["a"] = [LaterError("503")]
    await office.put("a", repeatable=True)
    working = asyncio.create_task(office.courier.run())
    await office.town.begun.wait()
    assert await office.states() == {"a": OutboxState.WAITING}
    gate.set()
    await office.rest()
    assert await office.states() == {"a": OutboxState.SENDING}
    await office.later(2)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert office.town.attempts == [("a", 0), ("a", 1)]
    assert await office.states() == {"a": OutboxState.SENT}


async def test_one_thing_is_put_into_the_outbox_once(office: Office) -> None:
    await office.put("a")
    with pytest.raises(IntegrityError):
        await office.put("a")


async def test_only_what_is_finished_and_old_is_forgotten(office: Office) -> None:
    office.town.failures["waiting"] = [LaterError("503") for _ in range(50)]
    await office.put("said")
    await office.put("waiting", topic="match:2")
    office.town.failures["refused"] = [GoneError("403")]
    await office.put("refused", topic="match:3")
    async with office.database.write() as tx:
        await outbox.claim(tx, 1, office.now)
    async with office.open():
        pass
    office.now += timedelta(days=3)
    async with office.database.write() as tx:
        await outbox.claim(tx, 2, office.now)
        await outbox.forget(tx, office.now - timedelta(days=2), office.now - timedelta(days=60))
    assert await office.states() == {"waiting": OutboxState.SENDING, "refused": OutboxState.FAILED}
    async with office.database.write() as tx:
        assert await outbox.claim(tx, 1, office.now)
        assert not await outbox.claim(tx, 2, office.now)
        await outbox.forget(tx, office.now - timedelta(days=2), office.now)
    assert await office.states() == {"waiting": OutboxState.SENDING}
