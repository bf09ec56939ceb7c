"""A Discord on the loopback interface for bots in processes of their own: HTTP and gateway over real sockets, with
simcord's server behind them. Knows nothing of what the bot says.
"""

from __future__ import annotations

import asyncio
import copy
import fnmatch
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import discord
from aiohttp import WSMsgType, web
from simcord import intents
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import User
from simcord.http import client, router  # noqa: F401  (importing the client registers the routes)
from simcord.interactions import base_payload, nest_options, walk_to_subcommand

from bot.invitation import PERMISSIONS

T = TypeVar("T")

TOKEN = "MTIzNDU2.not-a-real-token.but-a-secret"
PATIENCE = 60.0
"""Seconds until a test gives something up that a busy machine would have done long before."""
PUBLIC_THREAD = discord.ChannelType.public_thread.value
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, HELLO, ACK = 0, 1, 2, 6, 10, 11


class _Standing(Clock):
    """Stands still from now on, so that no deadline of an interaction passes on a slow machine."""

    def __init__(self) -> None:
        super().__init__()
        self._epoch = datetime.now(UTC)


class Loopback:
    """One Discord with a server, a channel and two people. Open it before use and close it afterwards."""

    def __init__(self) -> None:
        self.backend = Backend(clock=_Standing())
        self.guild = self.backend.create_guild("Friends of the board")
        self.channel = self.backend.create_channel(self.guild.id, "games").id
        self.alice, self.bob = self._member("alice"), self._member("bob")
        self._permit(PERMISSIONS)
        self.news = asyncio.Event()
        self.closes: int | None = None
        """With which code the gateway ends every connection, if it does."""
        self.waiting: list[str] = []
        """The calls that were, or are, left without an answer."""
        self._held: dict[str, asyncio.Event] = {}
        self._gateways: dict[web.WebSocketResponse, discord.Intents] = {}
        self._intents = discord.Intents.none()
        self._sent = 0
        self._runner: web.AppRunner | None = None
        self.backend.subscribers.append(self._tell)

    async def open(self) -> None:
        """Begin to serve on a free port."""
        app = web.Application(client_max_size=30_000_000)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._call)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.address = "127.0.0.1:{1}".format(*self._runner.addresses[0])

    async def close(self) -> None:
        """Stop serving."""
        for held in self._held.values():
            held.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def until(self, so: Callable[[], T]) -> T:
        """Wait until something holds, looked at whenever the bot has done something; return what it is."""
        async with asyncio.timeout(PATIENCE):
            while not (found := so()):
                self.news.clear()
                await self.news.wait()
        return found

    def ask(self, person: User, place: int, command: str, /, **options: Any) -> int:
        """Have somebody send a slash command; return the id of the interaction."""
        root = self.backend.commands[None][(command.split(maxsplit=1)[0], 1)]
        leaf, nesting = walk_to_subcommand(root, command.split()[1:])
        kinds = {option["name"]: option["type"] for option in leaf.get("options", ())}
        resolved = {str(value.id): value for value in options.values() if isinstance(value, User)}
        given = [
            {"name": name, "type": kinds[name], "value": str(value.id) if isinstance(value, User) else value}
            for name, value in options.items()
        ]
        data: dict[str, Any] = {"id": root["id"], "name": root["name"], "type": 1}
        data["options"] = nest_options(root, nesting, given)
        data["resolved"] = {
            "users": {key: dict(serializers.user_payload(user)) for key, user in resolved.items()},
            "members": {key: self._membership(user) for key, user in resolved.items()},
        }
        return self._interact(2, person, place, data)

    def press(self, person: User, place: int, custom_id: str) -> int:
        """Have somebody press a button in a place; return the id of the interaction."""
        messages = self.backend.messages[place].values()
        message = next(message for message in messages if custom_id in json.dumps(message.components))
        data = {"custom_id": custom_id, "component_type": 2}
        return self._interact(3, person, place, data, dict(serializers.message_payload(self.backend, message)))

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
    def threads(self) -> list[int]:
        """The threads there are, oldest first."""
        return [channel.id for channel in self.backend.channels.values() if channel.type == PUBLIC_THREAD]

    def newest_control(self, place: int, *beginnings: str) -> str | None:
        """Return the ``custom_id`` that begins so on the newest message in a place that has one."""
        for message in reversed(self.backend.messages[place].values()):
            for custom_id in re.findall(r'"custom_id": "([^"]+)"', json.dumps(message.components)):
                if custom_id.startswith(beginnings):
                    return str(custom_id)
        return None

    @contextmanager
    def held(self, call: str) -> Iterator[None]:
        """Leave calls that look so (``POST /channels/*/messages``, ``GET /gateway``) without an answer in the block."""
        self._held[call] = asyncio.Event()
        try:
            yield
        finally:
            self._held.pop(call).set()

    async def hang_up(self) -> None:
        """Break every connection to the gateway."""
        for gateway in list(self._gateways):
            await gateway.close(code=4000)

    def _member(self, name: str) -> User:
        user = self.backend.make_user(name, global_name=f"{name.title()} Private-Name")
        self.backend.add_member(self.guild.id, user.id)
        return user

    def _membership(self, user: User) -> dict[str, Any]:
        member = self.guild.members[user.id]
        return dict(serializers.member_payload(self.backend, self.guild, member, with_user=False))

    def _permit(self, permissions: discord.Permissions) -> None:
        for role in self.guild.roles.values():
            if role.managed:
                role.permissions = permissions.value

    def _interact(
        self, kind: int, person: User, place: int, data: dict[str, Any], message: dict[str, Any] | None = None
    ) -> int:
        record, payload = base_payload(
            self.backend, type=kind, channel_id=place, guild_id=self.guild.id, user_id=person.id, data=data
        )
        if message is not None:
            record.source_message_id = int(message["id"])
            payload["message"] = message
        self.backend.emit("INTERACTION_CREATE", payload)
        return record.id

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = f"/{request.match_info['path']}"
        await self._pass(f"{request.method} {path}")
        public = path.startswith(("/interactions/", "/webhooks/"))
        if not public and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        try:
            answer = await self._dispatched(request, path)
        except BackendError as error:
            return _json(error.to_json(), status=error.status)
        finally:
            self.news.set()
        return web.Response(status=204) if answer is None else _json(answer)

    async def _pass(self, call: str) -> None:
        for pattern, released in list(self._held.items()):
            if fnmatch.fnmatch(call, pattern):
                self.waiting.append(call)
                self.news.set()
                await released.wait()

    async def _dispatched(self, request: web.Request, path: str) -> Any:
        body, files = await _body(request)
        params = {key: int(value) if value.isdigit() else value for key, value in request.query.items()}
        return router.dispatch(self.backend, request.method, path, json=body, params=params, files=files)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        await self._pass("GET /gateway")
        gateway = web.WebSocketResponse()
        await gateway.prepare(request)
        if self.closes is not None:
            await gateway.close(code=self.closes)
            return gateway
        await gateway.send_json({"op": HELLO, "d": {"heartbeat_interval": 41250}})
        try:
            async for message in gateway:
                if message.type is WSMsgType.TEXT:
                    await self._heard(gateway, json.loads(message.data))
        finally:
            self._gateways.pop(gateway, None)
            self.news.set()
        return gateway

    async def _heard(self, gateway: web.WebSocketResponse, message: dict[str, Any]) -> None:
        if message["op"] == HEARTBEAT:
            await gateway.send_json({"op": ACK})
        elif message["op"] == RESUME:
            self._gateways[gateway] = self._intents
            await self._send(gateway, "RESUMED", {})
        elif message["op"] == IDENTIFY:
            self._gateways[gateway] = self._intents = discord.Intents._from_value(message["d"]["intents"])
            ready = {
                "v": 10,
                "user": dict(serializers.user_payload(self.backend.bot_user)),
                "guilds": [{"id": str(self.guild.id), "unavailable": True}],
                "session_id": "loopback",
                "resume_gateway_url": f"ws://{self.address}/gateway",
                "application": {"id": str(self.backend.application_id), "flags": 0},
            }
            await self._send(gateway, "READY", ready)
            await self._send(gateway, "GUILD_CREATE", serializers.guild_create_payload(self.backend, self.guild))

    def _tell(self, event: str, payload: Mapping[str, Any]) -> None:
        needed = intents.required_intent(event, payload)
        for gateway, wanted in self._gateways.items():
            if needed is None or getattr(wanted, needed):
                asyncio.ensure_future(self._send(gateway, event, copy.deepcopy(dict(payload))))  # noqa: RUF006

    async def _send(self, gateway: web.WebSocketResponse, event: str, payload: Mapping[str, Any]) -> None:
        self._sent += 1
        if not gateway.closed:
            await gateway.send_json({"op": DISPATCH, "s": self._sent, "t": event, "d": payload})


def _json(content: Any, status: int = 200) -> web.Response:
    # discord.py knows JSON by this very header.
    return web.Response(body=json.dumps(content), status=status, headers={"Content-Type": "application/json"})


async def _body(request: web.Request) -> tuple[Any, list[discord.File]]:
    """Return what a call carries: its JSON, and its files."""
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


def _texts(components: list[Any]) -> Iterator[str]:
    for component in components:
        if isinstance(component, dict):
            if component.get("type") == discord.ComponentType.text_display.value:
                yield component["content"]
            yield from _texts(component.get("components", []))
