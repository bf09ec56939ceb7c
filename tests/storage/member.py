"""A process among several on one PostgreSQL database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.delivery.dispatcher import Done, Handler, OutboxDispatcher
from bot.matches.service_context import plain_idle
from bot.storage.database import Database
from bot.storage.outbox import OutboxMessage
from bot.storage.registration import LEASE, Registration

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Member:
    """A process: its connections, its registration, and a dispatcher that notes what it sends."""

    database: Database
    sent: list[tuple[str, int]]
    news: asyncio.Event = field(default_factory=asyncio.Event)
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    lease: timedelta = LEASE
    registration: Registration = field(init=False)
    dispatcher: OutboxDispatcher = field(init=False)

    def __post_init__(self) -> None:
        self.gate.set()
        self.registration = Registration(self.database, "bot", self._hear, self.lost.set, self.lease)
        self.dispatcher = OutboxDispatcher(
            self.database, {"board": Handler(self._send)}, lambda: NOW, lambda: plain_idle, lambda: 0.0
        )

    def _hear(self) -> None:
        self.news.set()
        self.dispatcher.wake()

    async def _send(self, message: OutboxMessage) -> Done:
        self.begun.set()
        await self.gate.wait()
        self.sent.append((message.key, message.attempts))
        return Done()

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Let the dispatcher work while the block runs."""
        working = asyncio.create_task(self.dispatcher.run())
        try:
            yield
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def freeze(self) -> None:
        """Stop renewing the lease, as a process that is suspended does."""
        assert self.registration._keeping is not None
        self.registration._keeping.cancel()
        await asyncio.gather(self.registration._keeping, return_exceptions=True)

    async def thaw(self) -> None:
        """Go on."""
        self.registration._keeping = asyncio.create_task(self.registration._keep())
