"""How a connection to a PostgreSQL server is made, so that one whose machine has vanished without a word is given up.

Left to themselves driver and system wait for a minute, and for a quarter of an hour: for a server that is named first
and does not answer, though another one would, and for the answer to a statement.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from inspect import signature
from typing import Any

LET_IN_WITHIN = 4.0
"""Seconds each of several servers may take to let somebody in, before the next one is tried."""
SILENT_SECONDS = 10
"""Seconds after which a connection is given up whose other end acknowledges nothing."""
_PROBES = {"TCP_KEEPIDLE": SILENT_SECONDS // 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": SILENT_SECONDS // 2}
"""When a connection on which nothing is sent is looked at, how often, and how many times in vain."""


async def connect(host: str | Sequence[str] | None = None, port: Any = None, **options: Any) -> Any:
    """Connect to the first of some servers that is as wanted, with the options of ``asyncpg.connect``; return that.

    Raises what the last of them raised, or ``asyncpg.InterfaceError`` for options and ports that cannot be.
    """
    import asyncpg  # type: ignore[import-untyped]

    unknown = options.keys() - signature(asyncpg.connect).parameters
    if unknown:
        hint = " (`ssl` is what `sslmode` is elsewhere)" if "sslmode" in unknown else ""
        raise asyncpg.InterfaceError(f"its address has options that asyncpg lacks: {', '.join(sorted(unknown))}{hint}")
    ports = [port] if port is None or isinstance(port, int) else list(port)
    if not all(number is None or 0 < number < 2**16 for number in ports):
        raise asyncpg.InterfaceError("its address has a port that cannot be: they go from 1 to 65535")
    if host is None or isinstance(host, str):
        return watched(await asyncpg.connect(host=host, port=port, **options))
    failure: Exception | None = None
    for one, its_port in zip(host, ports, strict=True):
        try:
            found = await asyncpg.connect(host=one, port=its_port, **options | {"timeout": LET_IN_WITHIN})
        except (OSError, asyncpg.PostgresError, asyncpg.TargetServerAttributeNotMatched) as error:
            failure = error
        else:
            return watched(found)
    assert failure is not None
    raise failure


def watched(connection: Any) -> Any:
    """Have the system give a connection up whose other end is silent, as far as it can; return the connection."""
    # The driver has no public way to its socket.
    link = connection._transport.get_extra_info("socket")
    if link.family in (socket.AF_INET, socket.AF_INET6):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (_PROBES | {"TCP_USER_TIMEOUT": SILENT_SECONDS * 1000}).items():
            if (option := getattr(socket, name, None)) is not None:
                link.setsockopt(socket.IPPROTO_TCP, option, value)
    return connection
