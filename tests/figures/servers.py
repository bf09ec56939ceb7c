"""Servers in one process

The bot's own client is given the servers that Discord would tell it of at the start, each with 30 channels, 15 roles
and three threads, and then changes of their channels. Memory is that of the whole process, without database, pictures
and thinkers; times are processor time of the main thread for reading the event and for what discord.py keeps of it.
"""

from __future__ import annotations

import asyncio
import json
import resource
import time
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

from bot.client import create_bot
from bot.settings import Settings
from tests.cluster.gateway_payloads import CHANNEL_DATA, EVENTS, ROLE_DATA, THREAD_DATA
from tests.figures import table

SERVERS = (5_000, 100_000)
CHANNELS, ROLES, THREADS = 30, 15, 3
CHANGES = 10_000
_IDS = 1_000
"""Numbers for one server and what is in it."""


def measure() -> list[str]:
    """Have a process of its own know so many servers, for each number of them."""
    heads = ("Servers", "memory, MB", "start, s", "a server at the start, ms", "a change of a channel, ms")
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return table(heads, [pool.apply(_known, (number,)) for number in SERVERS])


def _known(servers: int) -> tuple[str, ...]:
    return asyncio.run(_knows(servers))


async def _knows(servers: int) -> tuple[str, ...]:
    bot: Any = create_bot(Settings(database_url="sqlite+aiosqlite:///:memory:"))
    connection = bot._connection

    def each(name: str, number: int, event: Callable[[int], dict[str, Any]]) -> float:
        """Have discord.py read so many events; return the seconds that took."""
        took = 0.0
        for at in range(number):
            text, begun = json.dumps(event(at)), time.thread_time()
            connection.parsers[name](json.loads(text))
            took += time.thread_time() - begun
        return took

    start = each("GUILD_CREATE", servers, _server)
    changed = each("CHANNEL_UPDATE", CHANGES, lambda at: _channel(at % servers, 1) | {"topic": f"topic {at}"})
    assert len(bot.guilds) == servers
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    per_server, per_change = 1000 * start / servers, 1000 * changed / CHANGES
    return f"{servers:,}", f"{megabytes:,.0f}", f"{start:.1f}", f"{per_server:.2f}", f"{per_change:.3f}"


def _id(server: int, place: int) -> str:
    return str((10**15 + server) * _IDS + place)


def _channel(server: int, place: int) -> dict[str, Any]:
    return CHANNEL_DATA | {"id": _id(server, place), "guild_id": _id(server, 0), "name": f"channel-{server}-{place}"}


def _server(server: int) -> dict[str, Any]:
    created = next(data for name, data in EVENTS if name == "GUILD_CREATE")
    roles = [ROLE_DATA | {"id": _id(server, 100 + place), "name": f"role {place}"} for place in range(ROLES)]
    threads = [
        THREAD_DATA | {"id": _id(server, 200 + place), "guild_id": _id(server, 0), "parent_id": _id(server, 1)}
        for place in range(THREADS)
    ]
    return created | {
        "id": _id(server, 0),
        "name": f"Server {server}",
        "roles": [ROLE_DATA | {"id": _id(server, 0), "name": "@everyone"}, *roles],
        "channels": [_channel(server, place) for place in range(1, CHANNELS + 1)],
        "threads": threads,
    }
