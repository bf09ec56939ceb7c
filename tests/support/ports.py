"""Ports of this machine for servers that are told theirs before they listen, and for addresses where no server is."""

from __future__ import annotations

import socket
from collections import deque

KEPT = 64
"""Ports that a process keeps at a time; no test needs as many."""
_kept: deque[socket.socket] = deque()


def free_port() -> int:
    """Return a port that refuses connections, until one of our servers listens there.

    It stays bound, so that the system gives it to no other program meanwhile; servers may share it, as all of ours set
    ``SO_REUSEADDR``.
    """
    while len(_kept) >= KEPT:
        _kept.popleft().close()
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
    _kept.append(one)
    return int(one.getsockname()[1])
