"""Relays data between a client and a PostgreSQL server, and can cut a connection or stop relaying."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto

from sqlalchemy import make_url


class Cut(Enum):
    """The moment at which the relay cuts a connection."""

    BEFORE_COMMIT = auto()
    """The server never hears of the commit."""
    AFTER_COMMIT = auto()
    """The server has committed, and its answer is lost."""


class CuttingRelay:
    """A relay in front of a server. ``next_cut`` is what becomes of the next commit, if it is to be cut.

    While ``flowing`` is not set, the server is silent: what it is sent is acknowledged, and nothing comes back.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = host, port
        self.next_cut: Cut | None = None
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.silent_before: bytes | None = None
        """The server falls silent before it is sent these bytes."""
        self._away = False
        self._connections: set[asyncio.StreamWriter] = set()

    def go_away(self) -> None:
        """End every connection, and each new one at once."""
        self._away = True
        for connection in self._connections:
            connection.close()

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        if self._away:
            writer.close()
            return
        self._connections.add(writer)
        from_server, to_server = await asyncio.open_connection(*self._server)
        answers = asyncio.create_task(self._pass_on(from_server, writer))
        with suppress(ConnectionError):
            while data := await reader.read(2**16):
                if self.silent_before is not None and self.silent_before in data:
                    self.silent_before = None
                    self.flowing.clear()
                await self.flowing.wait()
                cut = self.next_cut if b"COMMIT" in data else None
                if cut is None:
                    to_server.write(data)
                    continue
                self.next_cut = None
                answers.cancel()
                await asyncio.gather(answers, return_exceptions=True)
                if cut is Cut.AFTER_COMMIT:
                    to_server.write(data)
                    await from_server.read(2**16)
                break
        answers.cancel()
        for end in (to_server, writer):
            end.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(2**16):
                await self.flowing.wait()
                writer.write(data)
        writer.close()


@asynccontextmanager
async def cutting_relay(address: str) -> AsyncIterator[tuple[CuttingRelay, str]]:
    """Yield a relay in front of the server of an address, and the address of the relay."""
    url = make_url(address)
    assert url.host is not None
    assert url.port is not None
    relay = CuttingRelay(url.host, url.port)
    server = await asyncio.start_server(relay.relay, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield relay, url.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
    finally:
        server.close()
