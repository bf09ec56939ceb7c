"""A fake Discord: the messages posted in channels, which outlive the bot. It fails on request.

It implements the few methods of a client that the bot's delivery calls, so everything above the network is the real
code. It knows nothing of matches.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
from discord.components import _component_factory

BOT = 999


class Trouble(Enum):
    """A failure of the next call."""

    UNREACHABLE = auto()
    """The call does not arrive; nothing happens."""
    ANSWER_LOST = auto()
    """The call is carried out, but the answer is lost."""
    STALLS_BEFORE = auto()
    """Nothing happens and no answer ever comes."""
    STALLS_AFTER = auto()
    """The call is carried out, and no answer ever comes."""


@dataclass(slots=True)
class PostedMessage:
    """A message: its rows of controls, what it says, and whom it has notified when it was posted."""

    id: int
    channel_id: int
    created_at: datetime
    rows: list[dict[str, Any]]
    notified: tuple[int, ...]
    first_ids: tuple[str, ...]
    """The ``custom_id`` of every control it had when it was posted."""

    author: Any = field(default_factory=lambda: SimpleNamespace(id=BOT))
    attachments: list[Any] = field(default_factory=list)
    words: str = ""

    @property
    def channel(self) -> Any:
        return SimpleNamespace(id=self.channel_id)

    @property
    def components(self) -> list[Any]:
        return [_component_factory(row) for row in self.rows]  # type: ignore[arg-type]

    @property
    def custom_ids(self) -> tuple[str, ...]:
        """The ``custom_id`` of every control it has now."""
        return tuple(item["custom_id"] for row in self.rows for item in row["components"])


class FakeDiscord:
    """All messages of all channels, and the failures of the next calls."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.messages: dict[int, PostedMessage] = {}
        self.trouble: deque[Trouble] = deque()
        self.stalled = asyncio.Event()
        self.user = SimpleNamespace(id=BOT)
        self.http = SimpleNamespace(get_member=self._get_member)
        self._clock = clock
        self._ids = count(1)
        self.nonce_lifetime = timedelta(0)
        """How long a nonce is known: by default so briefly that the bot has to search for its messages."""
        self._nonces: dict[str, PostedMessage] = {}
        self.direct_messages: dict[int, list[str]] = {}
        """The direct messages of each person who got any."""

    def get_channel(self, _channel_id: int) -> None:
        """Know of no channel in which threads could be opened."""

    def get_guild(self, _guild_id: int) -> None:
        """Know of no server, and so of no language of one."""

    def get_partial_messageable(self, channel_id: int) -> Channel:
        """Return a channel, of which there is one for every number."""
        return Channel(self, channel_id)

    def get_user(self, user_id: int) -> DirectMessages:
        """Return a person who takes direct messages."""
        return DirectMessages(self, user_id)

    async def _get_member(self, _guild_id: int, _user_id: int) -> None:
        """Answer that a person is in a server: all are."""

    def post_by_another(self, channel_id: int) -> None:
        """Post a message of another person's."""
        author = SimpleNamespace(id=BOT + 1)
        message = PostedMessage(next(self._ids), channel_id, self._clock(), [], (), (), author)
        self.messages[message.id] = message

    def with_control(self, pattern: str) -> list[PostedMessage]:
        """Return every message that carries a control whose id matches now."""
        alike = re.compile(pattern).fullmatch
        return [message for message in self.messages.values() if any(map(alike, message.custom_ids))]

    def posted_with(self, *custom_ids: str) -> list[PostedMessage]:
        """Return every message posted with one of these controls, the deleted ones left out."""
        return [message for message in self.messages.values() if not set(custom_ids).isdisjoint(message.first_ids)]

    async def call(self, action: Callable[[], Any]) -> Any:
        """Carry a call out or fail, as the next trouble says."""
        await asyncio.sleep(0)
        trouble = self.trouble.popleft() if self.trouble else None
        if trouble is Trouble.UNREACHABLE:
            raise aiohttp.ServerDisconnectedError("out of reach")
        outcome = None if trouble is Trouble.STALLS_BEFORE else action()
        if trouble in (Trouble.STALLS_BEFORE, Trouble.STALLS_AFTER):
            self.stalled.set()
            await asyncio.Event().wait()
        if trouble is Trouble.ANSWER_LOST:
            raise aiohttp.ServerDisconnectedError("the answer is lost")
        await asyncio.sleep(0)
        return outcome

    def post(
        self, channel_id: int, view: discord.ui.LayoutView, notified: tuple[int, ...], nonce: str
    ) -> PostedMessage:
        """Post a new message, or return the one that was posted with that nonce, wherever that was."""
        known = self.posted_lately(nonce)
        if known is not None:
            return known
        rows = _rows(cast(Any, view).to_components())
        message = PostedMessage(next(self._ids), channel_id, self._clock(), rows, notified, ())
        message.first_ids = message.custom_ids
        message.words = _words(view)
        self.messages[message.id] = self._nonces[nonce] = message
        return message

    def edit(self, _channel_id: int, message_id: int, view: discord.ui.LayoutView) -> None:
        """Give a message other words and controls, which notifies no person. Raises ``discord.NotFound``."""
        if message_id not in self.messages:
            raise unknown_message()
        self.messages[message_id].rows = _rows(cast(Any, view).to_components())
        self.messages[message_id].words = _words(view)

    def find(self, message_id: int) -> PostedMessage | None:
        return self.messages.get(message_id)

    def history(self, channel_id: int, limit: int | None, after: discord.Object) -> list[PostedMessage]:
        """Return the newest messages of a channel since the time of an id, the newest first."""
        messages = self.messages.values()
        found = [
            message
            for message in messages
            if message.channel_id == channel_id and message.created_at > after.created_at
        ]
        return found[::-1][:limit]

    def posted_lately(self, nonce: str) -> PostedMessage | None:
        """Return what was posted with a nonce lately."""
        message = self._nonces.get(nonce)
        if message is None or self._clock() - message.created_at > self.nonce_lifetime:
            return None
        return message

    def post_directly(self, user_id: int, text: str, nonce: str) -> PostedMessage:
        """Post a direct message, unless one was posted with that nonce, to whomever that was."""
        known = self.posted_lately(nonce)
        if known is not None:
            return known
        self.direct_messages.setdefault(user_id, []).append(text)
        self._nonces[nonce] = PostedMessage(next(self._ids), user_id, self._clock(), [], (), ())
        return self._nonces[nonce]


@dataclass(frozen=True, slots=True)
class DirectMessages:
    """The direct messages with a person."""

    fake: FakeDiscord
    user_id: int

    async def send(
        self,
        text: str = "",
        *,
        nonce: str,
        allowed_mentions: discord.AllowedMentions,
        view: discord.ui.LayoutView | None = None,
        files: Sequence[discord.File] = (),
        silent: bool = False,
    ) -> PostedMessage:
        """Send a direct message."""
        words = _words(view) if view else text
        posted: PostedMessage = await self.fake.call(lambda: self.fake.post_directly(self.user_id, words, nonce))
        return posted


class Channel:
    """A channel."""

    def __init__(self, fake: FakeDiscord, channel_id: int) -> None:
        self._fake = fake
        self._id = channel_id

    async def send(
        self,
        *,
        view: discord.ui.LayoutView,
        files: list[discord.File],
        nonce: str,
        allowed_mentions: discord.AllowedMentions,
        silent: bool,
    ) -> PostedMessage:
        """Post a message."""
        allowed = allowed_mentions.users
        notified = tuple(user.id for user in allowed) if not isinstance(allowed, bool) else ()
        message: PostedMessage = await self._fake.call(lambda: self._fake.post(self._id, view, notified, nonce))
        return message

    def get_partial_message(self, message_id: int) -> PartialMessage:
        """Return a message that may exist or not."""
        return PartialMessage(self._fake, self._id, message_id)

    async def history(
        self, *, limit: int | None, after: discord.Object, oldest_first: bool
    ) -> AsyncIterator[PostedMessage]:
        """Yield the newest messages first."""
        assert not oldest_first
        for message in await self._fake.call(lambda: self._fake.history(self._id, limit, after)):
            yield message


@dataclass(frozen=True, slots=True)
class PartialMessage:
    """A message that may exist or not."""

    fake: FakeDiscord
    channel_id: int
    id: int

    async def fetch(self) -> PostedMessage:
        """Return it. Raises ``discord.NotFound``."""
        message: PostedMessage | None = await self.fake.call(lambda: self.fake.find(self.id))
        if message is None:
            raise unknown_message()
        return message

    async def edit(
        self,
        *,
        view: discord.ui.LayoutView,
        allowed_mentions: discord.AllowedMentions,
        attachments: Sequence[Any] | None = None,
    ) -> None:
        """Give it other controls, which notifies no person."""
        await self.fake.call(lambda: self.fake.edit(self.channel_id, self.id, view))


def unknown_message() -> discord.NotFound:
    """Return how Discord answers about a message that is gone."""
    response: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(response, {"code": 10008, "message": "Unknown Message"})


def _words(view: discord.ui.LayoutView) -> str:
    """Return all that a layout says."""
    return "\n".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))


def _rows(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of buttons in a layout, however deep."""
    found: list[dict[str, Any]] = []
    for component in components:
        if component["type"] == discord.ComponentType.action_row.value:
            found.append(component)
        else:
            found += _rows(component.get("components", []))
    return found
