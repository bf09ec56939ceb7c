"""News over WebSockets: the server tells every open page when its match or puzzle has changed, and the page asks for
it.

A socket has one version of its match. News of any kind make this module compare versions, with one query for all
sockets, so a move may have been made in this process or in another one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from aiohttp import web

from bot.matches.service_context import Idle
from bot.matches.services import Services
from bot.storage import matches, puzzles
from bot.web.visitors import Visitor

log = structlog.get_logger(__name__)

SOCKETS_OF_PERSON = 8
"""Open sockets one person may have."""
SOCKETS_OF_ADDRESS, SOCKETS_OF_WATCHERS = 20, 500
"""Open sockets of people without an account: from one address, and in all."""
HEARTBEAT = 25.0
"""Seconds between two signs of life of a socket."""
BEAT = 5.0
"""Seconds between two messages to each socket, so that a page notices a line that is dead and yet open."""
LOOK_AGAIN = 10.0
"""Seconds after which versions are compared without news: news may get lost, sessions expire, and commands of operators
tell no bot of what they change."""
TOGETHER = 0.02
"""Seconds in which news are gathered, so that a burst costs one query."""
SENT_WITHIN = 5.0
"""Seconds in which a browser has to accept a message."""
ENDED, TOO_MANY = 4401, 4429
"""Why a socket is closed: the session has ended, or the match can be watched no more; there are too many sockets."""


@dataclass(slots=True)
class _Page:
    visitor: Visitor
    subject: tuple[str, int]
    version: str


class OpenPages:
    """The open sockets. ``run`` tells them of changes until it is cancelled."""

    def __init__(self, services: Services, idle: Callable[[], Idle]) -> None:
        self._services = services
        self._idle = idle
        self._pages: dict[web.WebSocketResponse, _Page] = {}
        self._changed = asyncio.Event()
        self._closing: set[asyncio.Task[None]] = set()
        services.database.signals.on_pages.append(self.wake)

    def __len__(self) -> int:
        return len(self._pages)

    def wake(self) -> None:
        """Compare versions soon: something has been stored."""
        if self._pages:
            self._changed.set()

    async def attend(self, request: web.Request, visitor: Visitor, subject: tuple[str, int]) -> web.StreamResponse:
        """Keep a socket open, and tell it the version of its match or puzzle at once and whenever it changes."""
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=256, timeout=1.0)
        await socket.prepare(request)
        if self._crowded(visitor):
            await socket.close(code=TOO_MANY)
            return socket
        page = self._pages[socket] = _Page(visitor, subject, "")
        kind, number = subject
        watches = (
            self._services.presence.watching(number, visitor.person.id) if kind == "match" else contextlib.nullcontext()
        )
        try:
            page.version = (await self._versions([subject])).get(subject, "")
            await socket.send_json({"version": page.version})
            with watches:
                # Nothing is expected of a page: whatever it sends is read and left alone.
                while not socket.closed:
                    try:
                        await self._idle()(socket.receive(BEAT), reason="a page waits for news")
                    except TimeoutError:
                        await self._send(socket, page.version)
        except ConnectionError:
            pass
        finally:
            self._pages.pop(socket, None)
        return socket

    def _crowded(self, visitor: Visitor) -> bool:
        """Return whether a visitor may open no further socket."""
        others = [page.visitor for page in self._pages.values()]
        if not visitor.address:
            return sum(other.person.id == visitor.person.id for other in others) >= SOCKETS_OF_PERSON
        addresses = Counter(other.address for other in others if other.address)
        return addresses[visitor.address] >= SOCKETS_OF_ADDRESS or addresses.total() >= SOCKETS_OF_WATCHERS

    async def run(self) -> None:
        """Tell every socket of changes, and close those whose session has ended."""
        while True:
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._news(), reason="no page has news")
            self._changed.clear()
            try:
                await self._tell()
            except Exception:
                log.exception("pages are not told of changes")
                await asyncio.sleep(1.0)

    async def close(self) -> None:
        """Close every socket; the pages connect again when there is a bot again."""
        for socket in list(self._pages):
            with contextlib.suppress(ConnectionError):
                await socket.close(code=1001)
        for task in list(self._closing):
            task.cancel()

    async def _news(self) -> None:
        async with asyncio.timeout(LOOK_AGAIN):
            await self._changed.wait()
        await asyncio.sleep(TOGETHER)

    async def _tell(self) -> None:
        if not self._pages:
            return
        pages = dict(self._pages)
        sessions = {page.visitor.session_id for page in pages.values()} - {None}
        still_open, versions = await asyncio.gather(
            self._services.page_access.still_open([session_id for session_id in sessions if session_id is not None]),
            self._versions(list({page.subject for page in pages.values()})),
        )
        for socket, page in pages.items():
            if page.visitor.session_id is not None and page.visitor.session_id not in still_open:
                self._begin(self._send(socket, None))
                continue
            version = versions.get(page.subject, "")
            if page.subject[0] == "watch" and not version:
                self._begin(self._send(socket, None))
                continue
            if version != page.version:
                page.version = version
                self._begin(self._send(socket, version))

    async def _versions(self, subjects: list[tuple[str, int]]) -> dict[tuple[str, int], str]:
        texts: dict[tuple[str, int], str] = {}
        for subject, read in (("match", matches.versions), ("puzzle", puzzles.versions)):
            if numbers := [number for kind, number in subjects if kind == subject]:
                texts |= {
                    (subject, number): version for number, version in (await self._services.read(read, numbers)).items()
                }
        if watched := [number for kind, number in subjects if kind == "watch"]:
            versions = await self._services.watching.versions(watched)
            texts |= {("watch", number): version for number, version in versions.items()}
        return texts

    async def _send(self, socket: web.WebSocketResponse, version: str | None) -> None:
        """Send a version, or close the socket, whose session has ended. One that does not take it is closed, too."""
        try:
            async with asyncio.timeout(SENT_WITHIN):
                if version is None:
                    await socket.close(code=ENDED)
                else:
                    await socket.send_json({"version": version})
        except (ConnectionError, TimeoutError, RuntimeError):
            self._pages.pop(socket, None)
            with contextlib.suppress(ConnectionError, RuntimeError):
                await socket.close()

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
