"""A Discord made of messages pinned to places, which stay whatever becomes of the bot; it fails when it is told to.

It answers the few questions the bot's own delivery asks of a client, so that everything above the network is the real
thing. It knows nothing of matches.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from itertools import count
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from discord.components import _component_factory

BOT = 999


class Trouble(Enum):
    """What can go wrong with the next call."""

    REFUSES = auto()
    """Discord cannot be reached; nothing happens."""
    FORGETS = auto()
    """It happens, but the answer is lost."""
    STALLS_BEFORE = auto()
    """Nothing happens and no answer ever comes."""
    STALLS_AFTER = auto()
    """It happens, and no answer ever comes."""


@dataclass(slots=True)
class Pin:
    """A message: its rows of controls, and whom it has notified when it was posted."""

    id: int
    place_id: int
    created_at: datetime
    rows: list[dict[str, Any]]
    notified: tuple[int, ...]
    first_ids: tuple[str, ...]
    """The ``custom_id`` of every control it had when it was posted."""

    author: Any = field(default_factory=lambda: SimpleNamespace(id=BOT))

    @property
    def components(self) -> list[Any]:
        return [_component_factory(row) for row in self.rows]  # type: ignore[arg-type]

    @property
    def custom_ids(self) -> tuple[str, ...]:
        """The ``custom_id`` of every control it has now."""
        return tuple(item["custom_id"] for row in self.rows for item in row["components"])


class Pinboard:
    """All messages of all places, and the trouble there will be with the next calls."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.pins: dict[int, Pin] = {}
        self.trouble: deque[Trouble] = deque()
        self.stalled = asyncio.Event()
        self.user = SimpleNamespace(id=BOT)
        self._clock = clock
        self._ids = count(1)

    def get_channel(self, _channel_id: int) -> None:
        """Know of no channel in which threads could be opened."""

    def get_partial_messageable(self, place_id: int) -> Place:
        """Return a place, of which there is one for every number."""
        return Place(self, place_id)

    def carrying(self, pattern: str) -> list[Pin]:
        """Return every message that carries a control whose id is like that now."""
        alike = re.compile(pattern).fullmatch
        return [pin for pin in self.pins.values() if any(map(alike, pin.custom_ids))]

    def posted_with(self, *custom_ids: str) -> list[Pin]:
        """Return every message posted with one of these controls, the deleted ones left out."""
        return [pin for pin in self.pins.values() if not set(custom_ids).isdisjoint(pin.first_ids)]

    async def call(self, deed: Callable[[], Any]) -> Any:
        """Carry a call out, or not, as the next trouble has it."""
        await asyncio.sleep(0)
        trouble = self.trouble.popleft() if self.trouble else None
        if trouble is Trouble.REFUSES:
            raise aiohttp.ServerDisconnectedError("out of reach")
        outcome = None if trouble is Trouble.STALLS_BEFORE else deed()
        if trouble in (Trouble.STALLS_BEFORE, Trouble.STALLS_AFTER):
            self.stalled.set()
            await asyncio.Event().wait()
        if trouble is Trouble.FORGETS:
            raise aiohttp.ServerDisconnectedError("the answer is lost")
        await asyncio.sleep(0)
        return outcome

    def pin(self, place_id: int, view: discord.ui.LayoutView, notified: tuple[int, ...]) -> Pin:
        """Pin a new message."""
        rows = _rows(view.to_components())
        pin = Pin(next(self._ids), place_id, self._clock(), rows, notified, ())
        pin.first_ids = pin.custom_ids
        self.pins[pin.id] = pin
        return pin


class Place:
    """A channel."""

    def __init__(self, board: Pinboard, place_id: int) -> None:
        self._board = board
        self._id = place_id

    async def send(
        self,
        *,
        view: discord.ui.LayoutView,
        files: list[discord.File],
        nonce: str,
        allowed_mentions: discord.AllowedMentions,
    ) -> Pin:
        """Post a message."""
        allowed = allowed_mentions.users
        notified = tuple(user.id for user in allowed) if not isinstance(allowed, bool) else ()
        pin: Pin = await self._board.call(lambda: self._board.pin(self._id, view, notified))
        return pin

    def get_partial_message(self, message_id: int) -> Handle:
        """Return a message that may be there or not."""
        return Handle(self._board, message_id)

    async def history(self, *, limit: int, after: datetime, oldest_first: bool) -> AsyncIterator[Pin]:
        """Yield the newest messages first."""
        assert not oldest_first
        pins = [pin for pin in self._board.pins.values() if pin.place_id == self._id and pin.created_at > after]
        for pin in await self._board.call(lambda: pins[::-1][:limit]):
            yield pin


class Handle:
    """A message that may be there or not."""

    def __init__(self, board: Pinboard, message_id: int) -> None:
        self._board = board
        self._id = message_id

    async def edit(self, *, view: discord.ui.LayoutView, allowed_mentions: discord.AllowedMentions) -> None:
        """Give it other controls; nobody is notified by that."""

        def deed() -> None:
            if self._id not in self._board.pins:
                raise discord.NotFound(_Response(404), {"code": 10008, "message": "Unknown Message"})
            self._board.pins[self._id].rows = _rows(view.to_components())

        await self._board.call(deed)


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    reason: str = "Not Found"


def _rows(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of buttons in a layout, however deep."""
    found: list[dict[str, Any]] = []
    for component in components:
        if component["type"] == discord.ComponentType.action_row.value:
            found.append(component)
        else:
            found += _rows(component.get("components", []))
    return found
