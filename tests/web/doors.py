"""Bots in processes of their own with the board page, on a Discord over real sockets: people come in by both doors.

All bots have one address, as behind a proxy; a window says which of them it reaches.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
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
from tests.support.processes.processes import Running
from tests.web.browser import Browser


@dataclass
class Doors:
    """Bots that serve the page at ``url``, each at one of ``addresses``, and the Discord they are on."""

    discord: Loopback
    http: aiohttp.ClientSession
    addresses: Sequence[str]
    bots: list[Running] = field(default_factory=list)
    delivered: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Each interaction as Discord has sent it, by its id."""
    edits: Counter[int] = field(default_factory=Counter)
    """How often each message has been edited."""

    def __post_init__(self) -> None:
        self.discord.backend.subscribers.append(self._note)
        self.discord.backend.changed.append(lambda message: self.edits.update([message.id]))

    @property
    def url(self) -> str:
        """The address that people open."""
        return self.addresses[0]

    def window(self, at: int = 0) -> Browser:
        """Return a browser that reaches one of the bots."""
        return Browser(self.url, _no_access, self.discord.guild.id, self.http, self.addresses[at])

    async def opened(self, person: User, place: int, match_id: int, at: int = 0) -> Browser:
        """Have a person press **Open board** in Discord, open the link and press *Continue*; return the browser."""
        record = self.discord.backend.interactions[self.discord.press(person, place, f"open:{match_id}")]
        await self.discord.answered(record.id)
        components = json.dumps(self.answer(record.id).components)
        link = re.search(rf'"{re.escape(self.url)}(/open/[^"]+)"', components)
        assert link is not None, components
        window = self.window(at)
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
async def doors(discord: Loopback, start: Start, number: int = 1, **settings: Any) -> AsyncIterator[Doors]:
    """Start bots with the page, on one database; yield once people can play."""
    ports = [free_port() for _ in range(number)]
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as http:
        found = Doors(discord, http, [f"http://localhost:{port}" for port in ports])
        if number > 1:
            settings |= {"slots": number, "shards": number}
        for port in ports:
            running = await start(web_port=port, web_url=found.url, **settings)
            found.bots.append(await running.ready())
        yield found


def _no_access() -> PageAccess:
    raise AssertionError("links come from Discord here")
