"""Serves the demo's page to this computer only: its files, the live view of each person, and their actions.

Knows people, channels and messages, but nothing of games.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from mimetypes import guess_type
from typing import Any, Protocol

from aiohttp import WSMsgType, web
from aiohttp.typedefs import Handler
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import BackendError
from simcord.backend.models import Interaction, Message
from simcord.backend.models.interaction import ResponseKind

from bot.demo import interactions, words
from bot.demo.boards import Boards
from bot.demo.discord_server import RESPONSE_SECONDS, DiscordServer
from bot.demo.interactions import NotPossible
from bot.demo.person_view import CDN_PATH, PersonView
from bot.languages.speaking import language_for

FILES = {
    file.name: file for directory in (files("bot.web"), files("bot.demo")) for file in (directory / "static").iterdir()
}
"""The files of the page by their names: its own, and those of the board page, which it shows boards with."""
LARGEST_ACTION = 20_000
"""Bytes of one action of a person."""
LONGEST_MESSAGE = 2000
"""Characters, as on Discord."""
GOODBYE = 1.0
"""Seconds the end of the demo waits for a page."""
NEWCOMERS = ("Dan", "Erin", "Frank", "Grace", "Heidi")
"""People who can join by a click."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
FRAMED = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors 'self'"),
}
"""The headers of boards, which the page shows in a frame."""
_THREADS = ("THREAD_CREATE", "THREAD_UPDATE", "THREAD_MEMBERS_UPDATE", "CHANNEL_CREATE", "CHANNEL_UPDATE")


class Welcome(Protocol):
    """The messages that a newcomer reads first."""

    @property
    def messages(self) -> tuple[int, ...]:
        """Their ids, from top to bottom."""

    async def speak(self, tag: str) -> None:
        """Translate the messages."""


class PageServer:
    """The page, on the same address as the Discord it shows. ``ended`` is set when a person ends the demo."""

    def __init__(self, server: DiscordServer) -> None:
        self._server = server
        self._views: dict[int, PersonView] = {}
        self._sockets: dict[web.WebSocketResponse, PersonView] = {}
        self._queues: dict[web.WebSocketResponse, asyncio.Queue[dict[str, Any] | None]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._spoken: str | None = None
        self._welcome: Welcome | None = None
        self.boards = Boards(server, lambda person: self._view(person).id)
        self.ended = asyncio.Event()
        server.app.middlewares.append(self._guard)
        add = server.app.router.add_route
        add("GET", "/", self._file)
        add("GET", "/static/{name}", self._file)
        add("GET", CDN_PATH + "/{path:.+}", self._media)
        add("GET", "/live", self._live)
        add("GET", "/words", self._words)
        add("GET", "/messages", self._messages)
        for path, act in (
            ("say", self._say),
            ("command", self._command),
            ("suggest", self._suggest),
            ("control", self._control),
            ("form", self._form),
            ("person-command", self._person_command),
            ("dismiss", self._dismiss),
            ("people", self._join),
            ("end", self._end),
        ):
            add("POST", f"/do/{path}", act)
        self.boards.add_to(server.app.router)
        server.backend.changed.append(self._on_message)
        server.backend.deleted.append(self._on_deletion)
        server.backend.subscribers.append(self._on_event)

    async def welcome_all(self, welcome: Welcome) -> None:
        """Show newcomers the messages they read first, those of pages that are open already, too."""
        self._welcome = welcome
        if self._spoken is not None:
            await welcome.speak(self._spoken)
        for queue in self._queues.values():
            queue.put_nowait({"type": "welcome", "messages": self._first_messages()})

    async def close(self) -> None:
        """Tell every page that the demo is over."""
        for queue in self._queues.values():
            queue.put_nowait({"type": "end"})
            queue.put_nowait(None)
        if self._telling:
            await asyncio.wait(self._telling, timeout=GOODBYE)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests unless they come from this page, or from the bot with its token."""
        port = self._server.address.rpartition(":")[2]
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        welcome = host in hosts and origin in (None, f"http://{host}")
        # A person may open the address from anywhere; only the page itself may request everything else.
        if request.path != "/" and request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            welcome = False
        acts = request.path == "/live" or request.path.startswith("/do/")
        if not welcome or (acts and origin is None):
            return web.Response(status=403, text="Only the demo's own page may ask for this.", headers=HEADERS)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(FRAMED if request.path.startswith("/board/") else HEADERS)
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info.get("name", "index.html")
        if name not in FILES:
            raise web.HTTPNotFound
        kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0]
        return web.Response(body=FILES[name].read_bytes(), content_type=kind or "text/plain", charset="utf-8")

    async def _media(self, request: web.Request) -> web.StreamResponse:
        data = self._server.backend.cdn.get(f"{CDN_BASE}/{request.match_info['path']}")
        if data is None:
            raise web.HTTPNotFound
        kind = guess_type(request.path)[0] or ""
        if kind in ("image/png", "image/gif"):
            return web.Response(body=data, content_type=kind)
        return web.Response(body=data, content_type="text/plain", headers={"Content-Disposition": "attachment"})

    async def _live(self, request: web.Request) -> web.StreamResponse:
        """Send one person's page first all there is, and then each event until the end. A page may outlive its demo:
        then its newcomer joins this one.
        """
        person, tag = request.query.get("as", ""), language_for(request.query.get("lang", ""))
        newcomer = next((name for name in NEWCOMERS if name.lower() == person), None)
        if newcomer and person not in (user.name for user in self._server.backend.users.values()):
            self._join_as(newcomer)
        view = self._view(person)
        self._server.speak(view.id, tag)
        if self._spoken is None:
            # The language of the first person is the server's and the front page's.
            self._spoken = tag
            self._server.speak_publicly(tag)
            if self._welcome is not None:
                await self._welcome.speak(tag)
        socket = web.WebSocketResponse(heartbeat=20, timeout=GOODBYE, max_msg_size=1000)
        await socket.prepare(request)
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        queue.put_nowait(view.hello(self._first_messages()))
        self._sockets[socket], self._queues[socket] = view, queue
        telling = asyncio.create_task(self._tell(socket, queue))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    # It tells how far the person has read.
                    with suppress(ValueError, TypeError, KeyError):
                        heard = json.loads(message.data)
                        view.read(int(heard["channel"]), int(heard["read"]))
        finally:
            telling.cancel()
            self._sockets.pop(socket, None)
            self._queues.pop(socket, None)
        return socket

    def _first_messages(self) -> list[str]:
        return [] if self._welcome is None else [str(message) for message in self._welcome.messages]

    async def _words(self, request: web.Request) -> web.StreamResponse:
        """Send what the page itself says, in the reader's language, by its English text."""
        tag = language_for(request.query.get("lang", ""))
        return web.json_response({"language": tag, "words": words.said_in(tag)})

    async def _tell(self, socket: web.WebSocketResponse, queue: asyncio.Queue[dict[str, Any] | None]) -> None:
        with suppress(ConnectionError):
            while (news := await queue.get()) is not None:
                await socket.send_json(news)
            await socket.close()

    def _view(self, person: str) -> PersonView:
        for user in self._server.backend.users.values():
            if person in (str(user.id), user.name) and user.id in self._server.guild.members and not user.bot:
                return self._views.setdefault(user.id, PersonView(self._server, user.id))
        raise web.HTTPNotFound(text="There is no such person.")

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        view = self._view(request.query.get("as", ""))
        try:
            channel = self._server.backend.get_channel(int(request.query.get("channel", "")))
            if not view.sees_channel(channel):
                raise web.HTTPNotFound
            return web.json_response(view.history(channel.id, request.query))
        except (ValueError, BackendError):
            raise web.HTTPNotFound from None

    async def _say(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        text, place = str(asked.get("text", "")).strip(), _number(asked, "channel")
        channel = self._server.backend.channels.get(place)
        if not 0 < len(text) <= LONGEST_MESSAGE or channel is None or not view.sees_channel(channel):
            return _refusal("This cannot be sent.")
        message = self._server.backend.create_message(place, view.id, text)
        return web.json_response({"message": str(message.id)})

    async def _command(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        place, path, given = _number(asked, "channel"), _texts(asked, "path"), asked.get("options")
        return await self._answer(
            lambda: interactions.command(self._server, view.id, place, path, given if isinstance(given, dict) else {})
        )

    async def _suggest(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        place, path, given = _number(asked, "channel"), _texts(asked, "path"), asked.get("options")
        return await self._answer(
            lambda: interactions.suggestions(
                self._server,
                view.id,
                place,
                path,
                given if isinstance(given, dict) else {},
                str(asked.get("focused")),
            )
        )

    async def _control(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        place, message = _number(asked, "channel"), _number(asked, "message")
        custom_id, values = str(asked.get("control")), _texts(asked, "values")
        return await self._answer(
            lambda: interactions.control(self._server, view.id, place, message, custom_id, values)
        )

    async def _form(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        opened_by, entered = _number(asked, "form"), asked.get("fields")
        return await self._answer(
            lambda: interactions.form(self._server, view.id, opened_by, entered if isinstance(entered, dict) else {})
        )

    async def _person_command(self, request: web.Request) -> web.StreamResponse:
        view, asked = await self._action(request)
        place, target, name = _number(asked, "channel"), _number(asked, "person"), str(asked.get("name"))
        return await self._answer(lambda: interactions.about_person(self._server, view.id, place, name, target))

    async def _dismiss(self, request: web.Request) -> web.StreamResponse:
        """Delete a private answer for the person who got it."""
        view, asked = await self._action(request)
        message = self._server.backend.messages.get(_number(asked, "channel"), {}).get(_number(asked, "message"))
        if message is None or not message.is_ephemeral or not view.sees(message):
            return _refusal("This message is gone.")
        self._server.backend.delete_message(message.channel_id, message.id)
        return web.json_response({})

    async def _join(self, request: web.Request) -> web.StreamResponse:
        await self._action(request)
        here = {user.global_name for user in self._server.backend.users.values()}
        name = next((name for name in NEWCOMERS if name not in here), None)
        if name is None:
            return _refusal("Everybody is here already.")
        self._join_as(name)
        return web.json_response({"person": name.lower()})

    def _join_as(self, name: str) -> None:
        self._server.add_person(name.lower(), name)
        for socket, view in self._sockets.items():
            self._queues[socket].put_nowait({"type": "people", "people": view.people()})

    async def _end(self, request: web.Request) -> web.StreamResponse:
        await self._action(request)
        self.ended.set()
        return web.json_response({})

    async def _action(self, request: web.Request) -> tuple[PersonView, dict[str, Any]]:
        """Return the view of the person who acts, and the data of the action."""
        if request.content_type != "application/json" or (request.content_length or 0) > LARGEST_ACTION:
            raise web.HTTPBadRequest
        body = bytearray()  # it may come in any packets, and be longer than it says
        async for part in request.content.iter_any():
            body += part
            if len(body) > LARGEST_ACTION:
                raise web.HTTPBadRequest
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            raise web.HTTPBadRequest from None
        if not isinstance(asked, dict):
            raise web.HTTPBadRequest
        return self._view(str(asked.get("as"))), asked

    async def _answer(self, ask: Callable[[], Interaction]) -> web.StreamResponse:
        """Send the bot an interaction and return its answer: a message, a form or suggestions."""
        try:
            record = ask()
        except (NotPossible, BackendError) as error:
            return _refusal(str(error) if isinstance(error, NotPossible) else "This is not possible here.")
        if not await self._server.responded(record, RESPONSE_SECONDS):
            return _refusal(f"{self._server.backend.bot_user.name} did not respond.")
        return web.json_response(
            {
                "interaction": str(record.id),
                "message": str(record.message_id) if record.message_id else None,
                "form": record.modal,
                "deferred": record.response_kind is ResponseKind.DEFERRED_UPDATE,
                "choices": record.autocomplete_choices,
            }
        )

    def _on_message(self, message: Message) -> None:
        for socket, view in self._sockets.items():
            if view.sees(message):
                self._queues[socket].put_nowait({"type": "message", "message": view.message(message)})

    def _on_deletion(self, message: Message) -> None:
        news = {"type": "gone", "channel": str(message.channel_id), "message": str(message.id)}
        for socket, view in self._sockets.items():
            if view.sees(message):
                self._queues[socket].put_nowait(news)

    def _on_event(self, event: str, payload: Any) -> None:
        """Pass events of channels and threads on."""
        if event not in _THREADS and event not in ("THREAD_DELETE", "CHANNEL_DELETE"):
            return
        channel = self._server.backend.channels.get(int(payload["id"]))
        for socket, view in self._sockets.items():
            queue = self._queues[socket]
            if channel is None:
                queue.put_nowait({"type": "channel-gone", "channel": str(payload["id"])})
            elif view.sees_channel(channel):
                queue.put_nowait({"type": "channel", "channel": view.channel(channel)})
                card = self._server.backend.messages.get(channel.parent_id or 0, {}).get(channel.id)
                if card is not None and view.sees(card):
                    queue.put_nowait({"type": "message", "message": view.message(card)})


def _number(asked: dict[str, Any], key: str) -> int:
    value = asked.get(key)
    return int(value) if isinstance(value, str) and value.isdecimal() else 0


def _texts(asked: dict[str, Any], key: str) -> list[str]:
    value = asked.get(key)
    return [str(item) for item in value] if isinstance(value, list) else []


def _refusal(reason: str) -> web.Response:
    return web.json_response({"failed": reason})
