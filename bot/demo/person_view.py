"""One person's view of the simulated Discord, as data for the page: people, channels, threads, messages, commands.

Every message for the page passes through here, so the page gets only messages that its person may see.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import discord
from PIL import Image
from simcord.backend.access import channel_accessible, message_accessible
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import Channel, Message
from simcord.enums import AppCommandType, ChannelType, MessageType
from simcord.interactions import command_leaves

from bot.demo import interactions
from bot.demo.discord_server import DiscordServer
from bot.messages import custom_ids
from bot.views import builder_ids

PAGE = 50
"""Messages fetched at once."""
MOST_UNREAD = 99
"""The highest count of unread messages in a channel."""
CDN_PATH = "/cdn"
_ASKS = re.compile("|".join((r"play:\d+:\d+.*", r"challenge:accept:\d+", r"offer:accept:\d+")))
"""The controls with which a person who is named answers: a move, a challenge, an offer."""
_TURNS_PAGE = re.compile(custom_ids.RULES_PAGE.pattern)
"""The controls of a text of several pages."""
_PUZZLE_FORMS = (builder_ids.PUZZLE_BUILDER, builder_ids.PUZZLE_CHOICE, builder_ids.PUZZLE_PAGE)
_SHOWN_CHANNELS = (ChannelType.TEXT, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD)
_V2 = discord.MessageFlags.components_v2.flag
_LOADING = discord.MessageFlags.loading.flag


class PersonView:
    """The simulated Discord as one person may see it, and how far they have read."""

    def __init__(self, server: DiscordServer, person_id: int) -> None:
        self._server = server
        self._backend = server.backend
        self.id = person_id
        self._read: dict[int, int] = {}

    def hello(self, welcome: Sequence[str] = ()) -> dict[str, Any]:
        """Return everything but the messages. ``welcome`` are the ids of those that a newcomer reads first."""
        home = next(iter(self.channels()))
        return {
            "type": "hello",
            "me": str(self.id),
            "welcome": list(welcome),
            "server": {"id": str(self._server.guild.id), "name": self._server.guild.name},
            "people": self.people(),
            "channels": [self.channel(channel) for channel in self.channels()],
            "commands": [
                {
                    "path": path,
                    "description": leaf["description"],
                    "options": [option for option in leaf.get("options", ()) if option["type"] > 2],
                    "id": root["id"],
                    "anywhere": 2 in (root.get("contexts") or ()),
                }
                for root in self._backend.visible_commands(user_id=self.id, channel_id=home.id)
                for path, leaf in command_leaves(root)
            ],
            "personCommands": [
                command["name"]
                for command in self._backend.visible_commands(
                    user_id=self.id, channel_id=home.id, type=AppCommandType.USER
                )
            ],
        }

    def people(self) -> list[dict[str, Any]]:
        """Return the members of the server, the bot last."""
        users = [self._backend.users[member] for member in self._server.guild.members]
        return [
            {"id": str(user.id), "key": user.name, "name": user.global_name or user.name, "bot": user.bot}
            for user in sorted(users, key=lambda user: user.bot)
        ]

    def channels(self) -> list[Channel]:
        """Return the channels and threads this person may see, in their order."""
        guild = self._server.guild
        channels = (self._backend.channels[channel_id] for channel_id in (*guild.channel_ids, *guild.thread_ids))
        return [channel for channel in channels if self.sees_channel(channel)]

    def sees_channel(self, channel: Channel) -> bool:
        return channel.type in _SHOWN_CHANNELS and channel_accessible(self._backend, channel.id, self.id)

    def channel(self, channel: Channel) -> dict[str, Any]:
        """Return a channel or thread, with its unread messages counted."""
        unread = [
            message
            for message in islice(self._newest_first(channel.id), MOST_UNREAD)
            if message.id > self._read.get(channel.id, 0)
            and message.author_id != self.id
            and not message.system_metadata
        ]
        return {
            "id": str(channel.id),
            "name": self._name_of(channel),
            "direct": channel.id in self._server.pairs,
            "topic": channel.topic or "",
            "parent": str(channel.parent_id) if channel.is_thread else None,
            "messages": channel.message_count,
            "archived": bool(channel.thread_metadata and channel.thread_metadata.archived),
            "unread": len(unread),
            "read": str(self._read.get(channel.id, 0)),
            "pings": sum(self.id in message.ping_user_ids for message in unread),
        }

    def _name_of(self, channel: Channel) -> str:
        """Return the name of a channel; of direct messages that of the other person."""
        others = [user for user in self._server.pairs.get(channel.id, ()) if user.id != self.id]
        return (others[0].global_name or others[0].name) if others else channel.name or ""

    def read(self, channel_id: int, message_id: int) -> None:
        """Remember that everything up to a message has been read."""
        self._read[channel_id] = max(message_id, self._read.get(channel_id, 0))

    def sees(self, message: Message) -> bool:
        """Return whether this person may see a message.

        News of a thread is hidden where its card shows the thread, and of a private one, of which Discord posts none.
        """
        metadata, hidden = message.system_metadata, False
        if message.type == MessageType.THREAD_CREATED and metadata is not None:
            thread = self._backend.channels.get(metadata.channel_id or 0)
            private = thread is not None and thread.type == ChannelType.PRIVATE_THREAD
            hidden = private or metadata.referenced_message_id is not None
        return not hidden and message_accessible(self._backend, message.channel_id, message, self.id)

    def history(self, channel_id: int, query: Mapping[str, str]) -> dict[str, Any]:
        """Return a page of messages, oldest first: the newest, or those ``before``, ``after`` or ``around`` one."""
        bounds = {key: int(value) for key, value in query.items() if key in ("before", "after", "around")}
        if "after" in bounds:
            return self._after(channel_id, bounds["after"], PAGE)
        if "around" in bounds:
            before = self._before(channel_id, bounds["around"], PAGE // 2)
            rest = self._after(channel_id, bounds["around"] - 1, PAGE // 2)
            return rest | {"messages": before["messages"] + rest["messages"], "older": before["older"]}
        return self._before(channel_id, bounds.get("before"), PAGE)

    def message(self, message: Message) -> dict[str, Any]:
        author = self._backend.users[message.author_id]
        thread = self._backend.channels.get(message.id)
        metadata = message.system_metadata
        # The people whose turn it is, to move or to answer.
        called = [] if message.is_ephemeral or not _has(message, _ASKS) else message.ping_user_ids
        return {
            "id": str(message.id),
            "channel": str(message.channel_id),
            "at": message.timestamp,
            "edited": message.edited_timestamp is not None and not message.interaction_metadata and not author.bot,
            "author": {
                "id": str(author.id),
                "name": message.author_name or author.global_name or author.name,
                "bot": author.bot,
            },
            "content": message.content,
            "parts": self._with_media(message.components),
            "files": [] if message.flags & _V2 else [self._with_media(file) for file in message.attachments],
            "private": message.is_ephemeral,
            "thinking": bool(message.flags & _LOADING),
            "pings": self.id in message.ping_user_ids,
            "calls": [str(person) for person in called],
            "paged": _has(message, _TURNS_PAGE),
            "puzzle": _puzzle(message),
            "concerns": self.id in message.mention_user_ids,
            "asked": self._command_of(message),
            "thread": None if thread is None else str(thread.id),
            "opened": str(metadata.channel_id) if metadata and message.type == MessageType.THREAD_CREATED else None,
        }

    def _newest_first(self, channel_id: int) -> Iterator[Message]:
        return (message for message in reversed(self._backend.messages[channel_id].values()) if self.sees(message))

    def _before(self, channel_id: int, bound: int | None, limit: int) -> dict[str, Any]:
        messages = (message for message in self._newest_first(channel_id) if bound is None or message.id < bound)
        page = list(islice(messages, limit + 1))
        shown = [self.message(message) for message in reversed(page[:limit])]
        return {"messages": shown, "older": len(page) > limit, "newer": bound is not None}

    def _after(self, channel_id: int, bound: int, limit: int) -> dict[str, Any]:
        newer = []
        for message in self._newest_first(channel_id):
            if message.id <= bound:
                break
            newer.append(message)
        shown = [self.message(message) for message in list(reversed(newer))[:limit]]
        return {"messages": shown, "older": True, "newer": len(newer) > limit}

    def _command_of(self, message: Message) -> dict[str, Any] | None:
        metadata = message.interaction_metadata
        if metadata is None:
            return None
        record = self._backend.interactions.get(int(metadata["id"]))
        by = int(metadata["user"]["id"])
        name = self._backend.users[by].global_name or self._backend.users[by].name
        return {"by": str(by), "name": name, "command": record.command_name if record is not None else None}

    def _with_media(self, part: Any) -> Any:
        """Return components with the addresses of their pictures on this page, and the sizes of these."""
        if isinstance(part, list):
            return [self._with_media(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        url = part.get("url")
        if not isinstance(url, str) or not url.startswith(CDN_BASE):
            return {key: self._with_media(inner) for key, inner in part.items()}
        width, height = size(self._backend.cdn.get(url) or b"")
        return {**part, "url": CDN_PATH + url.removeprefix(CDN_BASE), "width": width, "height": height}


def _has(message: Message, controls: re.Pattern[str]) -> bool:
    return any(controls.fullmatch(part.get("custom_id") or "") for part in interactions.walk(message.components))


def _puzzle(message: Message) -> str | None:
    """Return the number of the attempt at a puzzle whose choices a message offers, or None."""
    offered = (component.get("custom_id") or "" for component in interactions.walk(message.components))
    read = (form.read(custom_id) for custom_id in offered for form in _PUZZLE_FORMS)
    return next((str(ids.attempt) for ids in read if ids is not None), None)


@lru_cache(maxsize=256)
def size(picture: bytes) -> tuple[int, int]:
    """Return width and height of a picture in pixels; (0, 0) for other files."""
    try:
        with Image.open(io.BytesIO(picture)) as opened:
            return opened.size
    except OSError:
        return 0, 0
