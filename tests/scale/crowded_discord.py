"""A Discord on the loopback interface with several servers full of people, which enforces Discord's limits and keeps a
record of every message that was posted.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from aiohttp import web
from simcord.backend.models import Interaction, Message, User
from simcord.http import router

from bot.demo import interactions
from bot.demo.discord_server import DiscordServer, WallClock, _body, _json
from bot.views.permissions import PERMISSIONS
from tests.support.nonces import minding_nonces
from tests.support.processes.loopback import Loopback

GLOBAL_LIMIT = 50
"""Calls a second, answers to interactions and what follows them not counted."""
CHANNEL_LIMIT, CHANNEL_SECONDS = 5, 5.0
"""Messages in a channel within so many seconds."""
PATIENCE = timedelta(seconds=10)
"""How long an interaction can be acknowledged; three seconds are too few for a machine that does much else."""
_MILLISECOND = timedelta(milliseconds=1)
_POSTED = re.compile(r"/channels/(\d+)/messages")
_MARKERS = re.compile(r"(play|rematch):(\d+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Posted:
    """A board as it was posted: of which match and ply (None once it is over), where, and whom it notified."""

    match: int
    ply: int | None
    place: int
    message: int
    notified: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """One of the servers, as those see it who play there."""

    discord: CrowdedDiscord
    guild: Any
    channels: tuple[int, ...]
    people: tuple[User, ...]

    @property
    def backend(self) -> Any:
        """Everything there is in Discord."""
        return self.discord.backend

    def interact(
        self, kind: int, person_id: int, place: int, data: dict[str, Any], message: Message | None = None
    ) -> Interaction:
        """Send the bot an interaction of a person, and return its record."""
        return self.discord.interact(kind, person_id, place, data, message)

    def command(self, person: User, place: int, name: str, /, **options: object) -> Interaction:
        """Have a person send a slash command. Raises ``NotPossible``."""
        given = {key: str(value.id) if isinstance(value, User) else value for key, value in options.items()}
        return interactions.command(cast(DiscordServer, self), person.id, place, name.split(), given)

    def press(self, person: User, place: int, message: int, custom_id: str) -> Interaction:
        """Have a person press a button. Raises ``NotPossible``."""
        return interactions.control(cast(DiscordServer, self), person.id, place, message, custom_id, ())


class CrowdedDiscord(Loopback):
    """``rooms`` servers with so many channels and people in each."""

    def __init__(self, rooms: int, channels: int, people: int) -> None:
        super().__init__(WallClock())
        self.rooms = [self._room(number, channels, people) for number in range(rooms)]
        self.boards: dict[int, list[Posted]] = defaultdict(list)
        """The boards of every match in the order in which they were posted."""
        self.seen: set[int] = set()
        self._recent: deque[float] = deque()
        self._in_channel: dict[int, deque[float]] = defaultdict(deque)
        self._news = asyncio.Event()
        self._once = minding_nonces(router.dispatch)
        self.backend.changed.append(self._note)

    def _room(self, number: int, channels: int, people: int) -> Room:
        # Servers made within a millisecond are in one shard.
        cast(WallClock, self.backend.clock)._epoch += _MILLISECOND
        guild = self.backend.create_guild(f"Server {number}")
        for role in guild.roles.values():
            if role.managed:
                role.permissions = PERMISSIONS.value
        places = tuple(self.backend.create_channel(guild.id, f"games-{at}").id for at in range(channels))
        users = [self.backend.make_user(f"p{number}-{at}", global_name=f"P{number}-{at}") for at in range(people)]
        for user in users:
            self.backend.add_member(guild.id, user.id)
        return Room(self, guild, places, tuple(users))

    def interact(
        self, kind: int, person_id: int, place: int, data: dict[str, Any], message: Message | None = None
    ) -> Interaction:
        """Send the bot an interaction of a person, to be acknowledged within ``PATIENCE``."""
        record = super().interact(kind, person_id, place, data, message)
        record.initial_response_deadline = (self.backend.clock.now() + PATIENCE).isoformat()
        return record

    async def changed(self, seconds: float) -> None:
        """Wait until the bot has done something, at most for some time."""
        self._news.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    def served(self) -> None:
        """Let players look again, but not tests that wait for a line in a log."""
        self._news.set()

    def _note(self, message: Message) -> None:
        """Keep a record of a board when it is new: later it loses its controls."""
        if message.id in self.seen or message.author_id != self.backend.bot_user.id or message.is_ephemeral:
            return
        self.seen.add(message.id)
        for part in interactions.walk(message.components):
            if (marker := _MARKERS.fullmatch(str(part.get("custom_id")))) is not None:
                match, ply = int(marker[2]), None if marker[3] is None else int(marker[3])
                notified = tuple(message.ping_user_ids)
                self.boards[match].append(Posted(match, ply, message.channel_id, message.id, notified))
                return

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = f"/{request.match_info['path']}"
        posted = _POSTED.fullmatch(path) if request.method == "POST" else None
        answer: web.StreamResponse | None = None
        if not path.startswith(("/interactions/", "/webhooks/")):
            answer = self._over("global", self._recent, GLOBAL_LIMIT, 1.0)
        if answer is None and posted is not None:
            answer = self._over("channel", self._in_channel[int(posted[1])], CHANNEL_LIMIT, CHANNEL_SECONDS)
        if answer is None:
            answer = await super()._call(request)
            if posted is not None:
                _tell_limit(answer, int(posted[1]), self._in_channel[int(posted[1])])
        return answer

    def _over(self, name: str, recent: deque[float], limit: int, seconds: float) -> web.Response | None:
        """Note a call; return how it is refused where there were too many."""
        _forget(recent, seconds)
        if len(recent) < limit:
            recent.append(time.monotonic())
            return None
        return self._refused(name, recent[0] + seconds - time.monotonic())

    def _refused(self, name: str, wait: float) -> web.Response:
        wait = max(0.01, wait)
        answer = _json({"message": "You are being rate limited.", "retry_after": wait, "global": name == "global"}, 429)
        answer.headers.update({"Via": "1.1 loopback", "Retry-After": f"{wait:.3f}"})
        return answer

    async def _dispatched(self, request: web.Request, path: str) -> Any:
        body, files = await _body(request)
        params = {key: int(value) if value.isdigit() else value for key, value in request.query.items()}
        return self._once(self.backend, request.method, path, json=body, params=params, files=files)


def _forget(recent: deque[float], seconds: float) -> None:
    while recent and recent[0] < time.monotonic() - seconds:
        recent.popleft()


def _tell_limit(answer: web.StreamResponse, channel: int, recent: deque[float]) -> None:
    """Say in an answer how many messages more may be posted in a channel, and until when."""
    left = max(0.0, recent[0] + CHANNEL_SECONDS - time.monotonic()) if recent else 0.0
    told = {"Limit": CHANNEL_LIMIT, "Remaining": CHANNEL_LIMIT - len(recent), "Reset-After": f"{left:.3f}"}
    answer.headers.update({f"X-RateLimit-{name}": str(value) for name, value in told.items()})
    answer.headers["X-RateLimit-Bucket"] = f"messages-{channel}"
