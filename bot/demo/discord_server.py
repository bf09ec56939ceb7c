"""A Discord on the loopback interface: HTTP and gateway over real sockets, with simcord's backend behind them. The demo
runs the bot on it, and so do tests. It knows neither the bot's messages nor the page that people look at.
"""

from __future__ import annotations

import asyncio
import copy
import io
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partialmethod
from typing import Any

import discord
import yarl
from aiohttp import WSMsgType, web
from discord.gateway import DiscordWebSocket
from discord.http import Route
from simcord import intents
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Interaction, Message, Overwrite, User
from simcord.enums import ChannelType, OverwriteType
from simcord.http import client, router  # noqa: F401  (importing the client registers the routes)
from simcord.interactions import base_payload

from bot.views.permissions import PERMISSIONS

HOST = "127.0.0.1"
LARGEST_REQUEST = 30_000_000
"""Bytes: a little more than Discord allows for the attachments of a message."""
RESPONSE_SECONDS = 3.0
"""Seconds within which an interaction must be answered, as on Discord."""
ROUND_TRIP = 0.05
"""Seconds until a heartbeat is answered. discord.py notes the time of a heartbeat after it has sent it; if the answer
comes before that, it logs that it cannot keep up.
"""
LOCALES = {"en": "en-US", "es": "es-ES"}
"""Discord's locales for the tags of languages, where they differ."""
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, HELLO, ACK = 0, 1, 2, 6, 10, 11


class WallClock(Clock):
    """The real time, which never goes back."""

    def __init__(self) -> None:
        super().__init__()
        self._epoch = datetime.now(UTC)
        self._started = time.monotonic()

    def now(self) -> datetime:
        return self._epoch + timedelta(seconds=time.monotonic() - self._started)


class ObservedBackend(Backend):
    """simcord's backend, which also reports the messages that only one person sees; the gateway does not."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock=clock)
        self.changed: list[Callable[[Message], None]] = []
        """Functions called with each new or changed message."""
        self.deleted: list[Callable[[Message], None]] = []
        """Functions called with each deleted message."""
        # simcord keeps these records for tests; here they would grow without end.
        self.transcript = deque(maxlen=0)  # type: ignore[assignment]
        self.http_requests = deque(maxlen=0)  # type: ignore[assignment]

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        stored = super().commit_message(message, broadcast=broadcast)
        self._tell(self.changed, stored)
        return stored

    def edit_message(self, channel_id: int, message_id: int, fields: dict[str, Any]) -> Message:
        message = super().edit_message(channel_id, message_id, fields)
        self._tell(self.changed, message)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        message = self.get_message(channel_id, message_id)
        super().delete_message(channel_id, message_id)
        self._tell(self.deleted, message)

    @staticmethod
    def _tell(observers: list[Callable[[Message], None]], message: Message) -> None:
        for observer in observers:
            observer(message)


@dataclass(frozen=True, slots=True)
class _Session:
    """A connection to the gateway: the events it wants, its shard, and the number of shards."""

    intents: discord.Intents
    shard: int
    shards: int

    def hears_of(self, guild_id: int) -> bool:
        """Return whether this shard receives the events of a server."""
        return (guild_id >> 22) % self.shards == self.shard


class DiscordServer:
    """One Discord with a server of people in it, ``guild``. Open it before use and close it afterwards."""

    def __init__(self, name: str, *, owner: str | None = None, clock: Clock | None = None, token: str = "") -> None:
        self.backend = ObservedBackend(clock or WallClock())
        self.token = token or secrets.token_urlsafe()
        owner_id = None if owner is None else self.backend.make_user(owner.lower(), global_name=owner).id
        self.guild = self.backend.create_guild(name, owner_id=owner_id)
        self.app = web.Application(client_max_size=LARGEST_REQUEST)
        self.app.router.add_get("/gateway", self._gateway)
        self.app.router.add_get("/api/v10/gateway/bot", self._gateway_bot)
        self.app.router.add_route("*", "/api/v10/{path:.*}", self._call)
        self.address = ""
        self.shards = 1
        """How many shards it recommends."""
        self.connections_left = 1000
        """How many connections it says that the bot may begin today; it refuses none."""
        self.max_concurrency = 16
        """How many connections it says that the bot may begin in five seconds."""
        self.pairs: dict[int, tuple[User, User]] = {}
        """The direct messages of two people, by their channels. The bot has no access, and is installed for both."""
        self._answers: dict[int, asyncio.Event] = {}
        self._locales: dict[int, str] = {}
        self._gateways: dict[web.WebSocketResponse, _Session] = {}
        self._sessions: dict[str, _Session] = {}
        self._sent = 0
        self._sending: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None
        for role in self.guild.roles.values():
            if role.managed:
                role.permissions = PERMISSIONS.value
        # Discord lets everyone in a new server create private threads; the simulation does not.
        self.guild.roles[self.guild.id].permissions |= discord.Permissions(create_private_threads=True).value
        self.backend.subscribers.append(self._announce)

    async def open(self, port: int = 0) -> None:
        """Begin to serve, on any free port unless one is given. Raises ``OSError``."""
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, port).start()
        self.address = f"{HOST}:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    def add_person(self, name: str, shown: str) -> User:
        user = self.backend.make_user(name, global_name=shown)
        self.backend.add_member(self.guild.id, user.id)
        return user

    def pair(self, first: User, second: User, topic: str) -> None:
        """Open the direct messages of two people, before the bot connects: a channel that only they see."""
        sees = discord.Permissions(view_channel=True).value
        closed = Overwrite(self.guild.id, OverwriteType.ROLE, deny=sees)
        opened = [Overwrite(user.id, OverwriteType.MEMBER, allow=sees) for user in (first, second)]
        channel = self.backend.create_channel(self.guild.id, "", overwrites=[closed, *opened], topic=topic)
        self.pairs[channel.id] = first, second

    def speak(self, person_id: int, tag: str) -> None:
        """Set the language of a person's Discord."""
        self._locales[person_id] = LOCALES.get(tag, tag)

    def locale(self, person_id: int) -> str:
        return self._locales.get(person_id, "en-US")

    def speak_publicly(self, tag: str) -> None:
        """Set the language of the server."""
        locale = LOCALES.get(tag, tag)
        if locale != self.guild.preferred_locale:
            self.guild.preferred_locale = locale
            payload = dict(serializers.guild_create_payload(self.backend, self.guild))
            self.backend.emit("GUILD_UPDATE", payload)

    def interact(
        self, kind: int, person_id: int, place: int, data: dict[str, Any], message: Message | None = None
    ) -> Interaction:
        """Send the bot an interaction of a person, and return its record."""
        guild_id = self.backend.channels[place].guild_id
        guild = self.guild if guild_id is None else self.backend.guilds[guild_id]
        record, payload = base_payload(
            self.backend, type=kind, channel_id=place, guild_id=guild_id, user_id=person_id, data=data
        )
        payload |= {"locale": self.locale(person_id), "guild_locale": guild.preferred_locale}
        payload["authorizing_integration_owners"] = {"0": f"{guild_id or 0}"}
        if place in self.pairs:
            del payload["guild_id"], payload["guild_locale"]
            payload |= {"user": payload.pop("member")["user"], "channel": {"id": f"{place}", "type": ChannelType.DM}}
            payload |= {"context": 2, "authorizing_integration_owners": {"1": f"{person_id}"}}
        if message is not None:
            record.source_message_id = message.id
            payload["message"] = dict(serializers.message_payload(self.backend, message))
        self.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def responded(self, record: Interaction, seconds: float) -> bool:
        """Wait until the bot has answered an interaction; return whether it has."""
        event = self._answers.setdefault(record.id, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()
        self._answers.pop(record.id, None)
        return record.responded

    async def admit(self, call: str) -> None:
        """Called before each call, such as ``POST /channels/1/messages``, is handled."""

    def served(self) -> None:
        """Called after the bot has made a call or left the gateway."""

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = f"/{request.match_info['path']}"
        await self.admit(f"{request.method} {path}")
        public = path.startswith(("/interactions/", "/webhooks/"))
        if not public and request.headers.get("Authorization") != f"Bot {self.token}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        try:
            answer = await self._dispatched(request, path)
        except BackendError as error:
            return _json(error.to_json(), status=error.status)
        finally:
            self.served()
        if path.startswith("/interactions/") and (event := self._answers.get(int(path.split("/")[2]))):
            event.set()
        return web.Response(status=204) if answer is None else _json(answer)

    async def _dispatched(self, request: web.Request, path: str) -> Any:
        body, files = await _body(request)
        params = {key: int(value) if value.isdigit() else value for key, value in request.query.items()}
        answer = router.dispatch(self.backend, request.method, path, json=body, params=params, files=files)
        if path == "/oauth2/applications/@me" and self.pairs:
            answer |= {"integration_types_config": {"0": {}, "1": {}}}
        return answer

    async def _gateway_bot(self, request: web.Request) -> web.StreamResponse:
        """Tell a bot how to connect."""
        if request.headers.get("Authorization") != f"Bot {self.token}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        limit = {"total": 1000, "remaining": self.connections_left, "reset_after": 86_400_000}
        limit["max_concurrency"] = self.max_concurrency
        return _json({"url": f"ws://{self.address}/gateway", "shards": self.shards, "session_start_limit": limit})

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        await self.admit("GET /gateway")
        gateway = web.WebSocketResponse()
        await gateway.prepare(request)
        await gateway.send_json({"op": HELLO, "d": {"heartbeat_interval": 41250}})
        try:
            async for message in gateway:
                if message.type is WSMsgType.TEXT:
                    await self._hear(gateway, json.loads(message.data))
        finally:
            self._gateways.pop(gateway, None)
            self.served()
        return gateway

    async def _hear(self, gateway: web.WebSocketResponse, message: dict[str, Any]) -> None:
        if message["op"] == HEARTBEAT:
            await asyncio.sleep(ROUND_TRIP)
            await gateway.send_json({"op": ACK})
        elif message["op"] == RESUME:
            self._gateways[gateway] = self._sessions[message["d"]["session_id"]]
            await self._send(gateway, "RESUMED", {})
        elif message["op"] == IDENTIFY and message["d"]["token"] != self.token:
            await gateway.close(code=4004)
        elif message["op"] == IDENTIFY:
            await self._identify(gateway, message["d"])

    async def _identify(self, gateway: web.WebSocketResponse, identify: dict[str, Any]) -> None:
        """Begin a session, and send it the servers in its shard."""
        shard, shards = identify.get("shard", (0, 1))
        session = _Session(discord.Intents._from_value(identify["intents"]), shard, shards)
        session_id = f"loopback-{len(self._sessions)}"
        self._gateways[gateway] = self._sessions[session_id] = session
        ours = [guild for guild in self.backend.guilds.values() if session.hears_of(guild.id)]
        ready = {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in ours],
            "session_id": session_id,
            "shard": [shard, shards],
            "resume_gateway_url": f"ws://{self.address}/gateway",
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }
        await self._send(gateway, "READY", ready)
        for guild in ours:
            await self._send(gateway, "GUILD_CREATE", serializers.guild_create_payload(self.backend, guild))

    def _announce(self, event: str, payload: Mapping[str, Any]) -> None:
        if int(payload.get("channel_id") or 0) in self.pairs and event != "INTERACTION_CREATE":
            return
        needed = intents.required_intent(event, payload)
        own_id = payload.get("id") if event.startswith("GUILD_") else None
        guild_id = int(payload.get("guild_id") or own_id or self.guild.id)
        for gateway, session in self._gateways.items():
            subscribed = needed is None or getattr(session.intents, needed)
            if subscribed and session.hears_of(guild_id):
                sending = asyncio.ensure_future(self._send(gateway, event, copy.deepcopy(dict(payload))))
                self._sending.add(sending)
                sending.add_done_callback(self._sending.discard)

    async def _send(self, gateway: web.WebSocketResponse, event: str, payload: Mapping[str, Any]) -> None:
        self._sent += 1
        if not gateway.closed:
            with suppress(ConnectionError):
                await gateway.send_json({"op": DISPATCH, "s": self._sent, "t": event, "d": payload})


@contextmanager
def led_to(address: str) -> Iterator[None]:
    """Connect the clients of discord.py made in this block to the server at ``address`` instead of discord.com."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Client.__init__
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    # discord.py waits two seconds by default for further servers; there are none.
    quick = partialmethod(discord.Client.__init__, guild_ready_timeout=0.05)
    discord.Client.__init__ = quick  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Client.__init__ = before  # type: ignore[method-assign]


def _json(content: Any, status: int = 200) -> web.Response:
    # discord.py recognises JSON by exactly this header.
    return web.Response(body=json.dumps(content), status=status, headers={"Content-Type": "application/json"})


async def _body(request: web.Request) -> tuple[Any, list[discord.File]]:
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return (json.loads(text) if text else None), []
    form = await request.post()
    files = [part for part in form.values() if isinstance(part, web.FileField)]
    sent = json.loads(str(form["payload_json"]))
    described = {str(entry["id"]): entry.get("description") for entry in sent.get("attachments", ()) if "id" in entry}
    return sent, [
        discord.File(io.BytesIO(file.file.read()), file.filename, description=described.get(str(index)))
        for index, file in enumerate(files)
    ]
