"""A Discord for bots in processes of their own; tests can query it, delay its answers and break its connections."""

from __future__ import annotations

import asyncio
import fnmatch
import json
import re
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import discord
from aiohttp import web
from simcord._clock import Clock
from simcord.backend.models import Message, User

from bot.demo import interactions
from bot.demo.discord_server import DiscordServer

T = TypeVar("T")

TOKEN = "MTIzNDU2.not-a-real-token.but-a-secret"
TEST_SECONDS = 120.0
"""Seconds after which a wait fails; even a busy machine needs far less."""
SEEN = 6
"""Messages of each channel that a failed wait shows."""
THREADS = (discord.ChannelType.public_thread.value, discord.ChannelType.private_thread.value)


class _Standing(Clock):
    """A clock that stands still, so that no deadline of an interaction passes on a slow machine."""

    def __init__(self) -> None:
        super().__init__()
        self._epoch = datetime.now(UTC)


class Loopback(DiscordServer):
    """One Discord with a server, a channel and two people. Open it before use and close it afterwards."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__("Friends of the board", clock=clock or _Standing(), token=TOKEN)
        self.channel = self.backend.create_channel(self.guild.id, "games").id
        self.alice, self.bob = (self.add_person(name, f"{name.title()} Private-Name") for name in ("alice", "bob"))
        self.news = asyncio.Event()
        self.closes: int | None = None
        """With which code the gateway ends every connection that identifies itself, if it does."""
        self.servers = 1
        """The number of servers that it reports for the bot."""
        self.identified: list[int] = []
        """The shards that have identified themselves, in order."""
        self.waiting: list[str] = []
        """The calls that were, or are, left without an answer."""
        self._held: dict[str, asyncio.Event] = {}
        self._custom_ids: dict[int, tuple[list[Any], list[str]]] = {}
        """The controls of each message that was looked through, with the components they were found in."""

    async def close(self) -> None:
        """Stop serving."""
        for held in self._held.values():
            held.set()
        await super().close()

    async def until(self, so: Callable[[], T]) -> T:
        """Wait until a condition holds, and return its value. It is checked after each call the bot makes.

        Raises ``AssertionError`` after ``TEST_SECONDS``, with what stands in each channel instead.
        """
        try:
            async with asyncio.timeout(TEST_SECONDS):
                while not (found := so()):
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"waited {TEST_SECONDS:.0f} seconds in vain; there is\n{self._sight()}") from None
        return found

    async def control(self, place: int, pattern: str, but: Container[str] = ()) -> re.Match[str]:
        """Wait for a control in a place; return the match of its ``custom_id``, of which ``pattern`` matches the whole.

        ``but`` are custom ids that are passed over.
        """

        def found() -> re.Match[str] | None:
            matches = (re.fullmatch(pattern, one) for one in self.controls(place) if one not in but)
            return next(filter(None, matches), None)

        control = await self.until(found)
        assert control is not None
        return control

    def ask(self, person: User, place: int, command: str, /, **options: Any) -> int:
        """Have a person send a slash command; return the id of the interaction."""
        given = {name: str(value.id) if isinstance(value, User) else value for name, value in options.items()}
        return interactions.command(self, person.id, place, command.split(), given).id

    def press(self, person: User, place: int, custom_id: str) -> int:
        """Have a person press a button in a place; return the id of the interaction."""
        messages = self.backend.messages[place].values()
        message = next(message for message in messages if custom_id in self._controls_of(message))
        data = {"custom_id": custom_id, "component_type": 2}
        return self.interact(3, person.id, place, data, message).id

    async def answered(self, interaction_id: int) -> str:
        """Wait for the answer to an interaction; return what it says."""
        record = self.backend.interactions[interaction_id]
        await self.until(lambda: record.responded and not record.loading)
        return "" if record.message_id is None else self.said(record.channel_id, record.message_id)

    def said(self, place: int, message_id: int) -> str:
        """Return all the words of a message."""
        message = self.backend.messages[place].get(message_id)
        return "" if message is None else "\n".join([message.content, *_texts(message.components)])

    def posted(self, place: int) -> list[str]:
        """Return what the bot has said in a place for all to see, oldest first."""
        found = [message for message in self.backend.messages[place].values() if not message.is_ephemeral]
        own = [message for message in found if message.author_id == self.backend.bot_user.id]
        return [self.said(place, message.id) for message in own if message.components]

    @property
    def connected(self) -> bool:
        """Whether a bot is connected to the gateway."""
        return bool(self._gateways)

    @property
    def threads(self) -> list[int]:
        """The public and private threads there are, oldest first."""
        return [channel.id for channel in self.backend.channels.values() if channel.type in THREADS]

    def controls(self, place: int) -> list[str]:
        """Return the custom ids of all controls in a place, those of the newest message first."""
        messages = reversed(self.backend.messages[place].values())
        return [custom_id for message in messages for custom_id in self._controls_of(message)]

    def _controls_of(self, message: Message) -> list[str]:
        """Return the custom ids of a message. It is looked through once: an edit gives it other components."""
        known = self._custom_ids.get(message.id)
        if known is None or known[0] is not message.components:
            found = re.findall(r'"custom_id": "([^"]+)"', json.dumps(message.components))
            known = self._custom_ids[message.id] = message.components, found
        return known[1]

    @contextmanager
    def held(self, call: str) -> Iterator[None]:
        """Leave calls that match a pattern (``POST /channels/*/messages``, ``GET /gateway``) unanswered."""
        self._held[call] = asyncio.Event()
        try:
            yield
        finally:
            self._held.pop(call).set()

    async def hang_up(self) -> None:
        """Break every connection to the gateway."""
        for gateway in list(self._gateways):
            await gateway.close(code=4000)

    async def send_event(self, event: str, payload: Any) -> None:
        """Send an event on every connection to the gateway."""
        for gateway in list(self._gateways):
            await self._send(gateway, event, payload)

    async def admit(self, call: str) -> None:
        """Delay a call that is to stay unanswered."""
        for pattern, released in list(self._held.items()):
            if fnmatch.fnmatch(call, pattern):
                self.waiting.append(call)
                self.news.set()
                await released.wait()

    async def _dispatched(self, request: web.Request, path: str) -> Any:
        answer = await super()._dispatched(request, path)
        if path == "/oauth2/applications/@me":
            answer["approximate_guild_count"] = self.servers
        return answer

    def served(self) -> None:
        """Let all waits look again."""
        self.news.set()

    async def _identify(self, gateway: web.WebSocketResponse, wanted: dict[str, Any]) -> None:
        self.identified.append(wanted.get("shard", [0, 1])[0])
        if self.closes is None:
            await super()._identify(gateway, wanted)
        else:
            await gateway.close(code=self.closes)

    def _sight(self) -> str:
        """Return the last messages of each channel with their controls, a line each."""
        lines = []
        for place, messages in self.backend.messages.items():
            lines += [
                f"{place}: {self.said(place, message.id)[:100]!r} {self._controls_of(message)}"
                for message in list(messages.values())[-SEEN:]
            ]
        return "\n".join(lines) or "nothing"


def _texts(components: list[Any]) -> Iterator[str]:
    for component in components:
        if isinstance(component, dict):
            if component.get("type") == discord.ComponentType.text_display.value:
                yield component["content"]
            yield from _texts(component.get("components", []))
