"""A dispatcher on a real outbox, with a sender that does as a test has said."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery.dispatcher import Done, Handler, OutboxDispatcher
from bot.storage import outbox
from bot.storage.database import Database
from bot.storage.outbox import OutboxMessage, first_of_each_topic
from bot.storage.records import OutboxState
from bot.storage.tables import outbox as table
from tests.support.waiting import until

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class ScriptedSender:
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
class DispatcherHarness:
    """A database, a clock, and a dispatcher that can be seen resting."""

    database: Database
    sender: ScriptedSender = field(default_factory=ScriptedSender)
    now: datetime = NOW
    elapsed: float = 0.0
    resting: asyncio.Event = field(default_factory=asyncio.Event)
    dispatcher: OutboxDispatcher = field(init=False)

    def __post_init__(self) -> None:
        self.hire()

    @property
    def handlers(self) -> dict[str, Handler]:
        return {
            "board": Handler(self.sender.send),
            "past_board": Handler(self.sender.send, repeatable=True),
            "past_notice": Handler(self.sender.send, repeatable=True, alone=True),
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
        async with self.working():
            await self.rest()
            yield
            await self.rest()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Let the dispatcher work while the block runs, whether anything that is due is left or not."""
        working = asyncio.create_task(self.dispatcher.run())
        try:
            yield
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def until(self, so: Callable[[], bool]) -> None:
        """Wait until the dispatcher waits for news and something is so."""
        await until(lambda: self.resting.is_set() and so(), "a dispatcher at rest", lambda: self.sender)

    async def rest(self) -> None:
        """Wait until nothing that is due is left, and the dispatcher has seen that."""
        left: list[OutboxMessage] = []

        async def nothing_due() -> bool:
            async with self.database.read() as tx:
                left[:] = await first_of_each_topic(tx, busy=(), limit=100)
            return self.resting.is_set() and all(message.due_at > self.now for message in left)

        await until(nothing_due, "an outbox without anything due", lambda: left)

    async def until_sent(self, key: str) -> None:
        """Wait until a message is stored as sent."""
        states: dict[str, OutboxState] = {}

        async def sent() -> bool:
            states.update(await self.states())
            return states[key] is OutboxState.SENT

        await until(sent, f"{key} stored as sent", lambda: states)

    async def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)
        self.elapsed += seconds
        self.dispatcher.wake()
        await self.rest()

    async def put(
        self, key: str, topic: str = "match:1", kind: str = "board", waits: bool = False, **payload: Any
    ) -> None:
        """Put a message into the outbox; one that ``waits`` is due in two minutes."""
        async with self.database.write() as tx:
            await outbox.add(tx, key=key, topic=topic, kind=kind, at=self.now, payload=payload, waits=waits)
        self.dispatcher.wake()

    async def put_begun(self, key: str, topic: str = "match:1") -> OutboxMessage | None:
        """Store a message as begun, without handing it over; return it unless it has to wait."""
        async with self.database.write() as tx:
            return await outbox.add_begun(tx, key=key, topic=topic, kind="board", at=self.now, payload={})

    async def states(self) -> dict[str, OutboxState]:
        async with self.database.read() as tx:
            return {row.key: OutboxState(row.state) for row in await tx.execute(table.select())}
