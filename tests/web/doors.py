"""A bot in a process of its own with the board page, on a Discord over real sockets: people come in by both doors."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp
from simcord.backend.models import Message, User

from bot.matches.services.page_access import PageAccess
from tests.operation.conftest import Start
from tests.support.ports import free_port
from tests.support.processes.loopback import Loopback
from tests.web.browser import Browser


@dataclass
class Doors:
    """A bot that serves the page at ``url``, and the Discord it is on."""

    discord: Loopback
    http: aiohttp.ClientSession
    url: str
    delivered: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Each interaction as Discord has sent it, by its id."""
    edits: Counter[int] = field(default_factory=Counter)
    """How often each message has been edited."""

    def __post_init__(self) -> None:
        self.discord.backend.subscribers.append(self._note)
        self.discord.backend.changed.append(lambda message: self.edits.update([message.id]))

    def window(self) -> Browser:
        """Return a browser."""
        return Browser(self.url, _no_access, self.discord.guild.id, self.http)

    async def opened(self, person: User, place: int, match_id: int) -> Browser:
        """Have a person press **Open board** in Discord, open the link and press *Continue*; return the browser."""
        record = self.discord.backend.interactions[self.discord.press(person, place, f"open:{match_id}")]
        await self.discord.answered(record.id)
        components = json.dumps(self.answer(record.id).components)
        link = re.search(rf'"{re.escape(self.url)}(/open/[^"]+)"', components)
        assert link is not None, components
        window = self.window()
        opened = await window.post_form(link[1])
        assert opened.status == 303, await opened.text()
        return window

    def answer(self, interaction_id: int) -> Message:
        """Return the message with which an interaction was answered."""
        record = self.discord.backend.interactions[interaction_id]
        assert record.message_id is not None
        return self.discord.backend.messages[record.channel_id][record.message_id]

    async def pressed(self, person: User, message: Message, custom_id: str) -> str:
        """Press a button that a message has, or had; return what the message then says, or what else is answered."""
        button = {"type": 2, "id": 2, "style": 1, "label": "?", "custom_id": custom_id}
        shown = replace(message, components=[{"type": 1, "id": 1, "components": [button]}])
        before, data = self.edits[message.id], {"custom_id": custom_id, "component_type": 2}
        record = self.discord.interact(3, person.id, message.channel_id, data, shown)
        await self.discord.until(lambda: record.followup_ids or self.edits[message.id] > before)
        said = record.followup_ids[-1] if record.followup_ids else message.id
        return self.discord.said(message.channel_id, said)

    def deliver_again(self, interaction_id: int) -> None:
        """Send an interaction to the bot once more, as Discord does where it is in doubt."""
        self.discord.backend.emit("INTERACTION_CREATE", deepcopy(self.delivered[interaction_id]))

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            self.delivered.setdefault(int(payload["id"]), deepcopy(dict(payload)))


@asynccontextmanager
async def doors(discord: Loopback, start: Start, **settings: Any) -> AsyncIterator[Doors]:
    """Start a bot with the page; yield once people can play."""
    port = free_port()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
        found = Doors(discord, http, f"http://localhost:{port}")
        await (await start(web_port=port, web_url=found.url, **settings)).ready()
        yield found


def _no_access() -> PageAccess:
    raise AssertionError("links come from Discord here")
