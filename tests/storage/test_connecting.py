"""Connections to several PostgreSQL servers, one of which does not answer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import make_url, text

from bot.storage import engines
from bot.storage.database import Database
from bot.storage.errors import StorageError
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts connections and says nothing, as one that hangs does."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield int(listening.getsockname()[1])


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


def either(server: str, port: int, wanted: str = "primary") -> str:
    """Return the address of a database on two servers, the other one first."""
    url = make_url(server)
    hosts = f"host=127.0.0.1:{port}&host=127.0.0.1:{url.port}"
    return f"postgresql+asyncpg://{url.username}@/{url.database}?{hosts}&target_session_attrs={wanted}"


@pytest.mark.slow
async def test_where_the_first_of_two_servers_hangs_the_other_one_is_used(
    server: str, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "LET_IN_WITHIN", 5.0)
    async with opened(either(server, silent)) as database, database.read() as tx:
        port = (await tx.execute(text("SELECT inet_server_port()"))).scalar_one()
    assert port == make_url(server).port


@pytest.mark.slow
async def test_where_no_server_is_as_wanted_it_is_said_in_a_sentence(
    server: str, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "LET_IN_WITHIN", 5.0)
    async with opened(either(server, silent, "standby")) as database:
        with pytest.raises(StorageError, match="cannot be used: None of the hosts match"):
            await database.revisions()


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (":5432/x?sslmode=require", "options that asyncpg lacks: sslmode (`ssl` is what"),
        (":99999/x", "a port that cannot be"),
        ("/x?host=a:1&host=b:99999", "a port that cannot be"),
    ],
)
async def test_an_address_that_cannot_be_is_explained(added: str, said: str) -> None:
    at = "" if "host=" in added else "127.0.0.1"
    async with opened(f"postgresql+asyncpg://nobody:hush@{at}{added}") as database:
        with pytest.raises(StorageError) as raised:
            await database.revisions()
    assert said in str(raised.value)
    assert "hush" not in str(raised.value)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Only Linux has this")
async def test_a_connection_whose_other_end_is_silent_is_given_up_by_the_system(server: str) -> None:
    async with opened(server) as database, database.engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        link = driver._transport.get_extra_info("socket")  # type: ignore[union-attr]
        assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == engines.SILENT_SECONDS * 1000
        assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
async def test_what_is_no_server_is_said_to_be_none(said: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(8)
        writer.write(said)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as elsewhere:
        port = elsewhere.sockets[0].getsockname()[1]
        async with opened(f"postgresql+asyncpg://nobody@127.0.0.1:{port}/boards") as database:
            with pytest.raises(StorageError, match="cannot be used: no PostgreSQL server answers there, or"):
                await database.revisions()
