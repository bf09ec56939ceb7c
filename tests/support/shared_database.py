"""What a bot on PostgreSQL needs of the simulated Discord: an answer to how to connect, and a lease in real time.

simcord has no public way to either. Imported for its effect by what simulates days of a bot on PostgreSQL.
"""

from __future__ import annotations

from typing import Any

import discord
from simcord import _dpy_internals, _runtime
from simcord.http.router import RequestContext, route

from bot.client import Tavoliere
from bot.storage.registration import Registration

LIMIT = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}


@route("GET", "/gateway/bot")
def gateway(_context: RequestContext) -> dict[str, Any]:
    """Answer how a bot connects, as Discord documents it."""
    return {"url": "wss://simcord.invalid", "shards": 1, "session_start_limit": LIMIT}


_install_http: Any = _dpy_internals.install_http


def _install_http_everywhere(client: discord.Client, http: discord.http.HTTPClient) -> None:
    """Point what asks how to connect at the simulation, too: it keeps the client's HTTP, as discord.py's parts do."""
    _install_http(client, http)
    if isinstance(client, Tavoliere):
        client.gateway._http = http


_dpy_internals.install_http = _install_http_everywhere

_open: Any = Registration.open


async def _open_in_real_time(registration: Registration) -> int:
    """Register outside simulated time: a lease is measured by the database's clock, and renewed every few seconds."""
    simulated = _runtime._BOT_SCOPE.set(None)
    try:
        token: int = await _open(registration)
    finally:
        _runtime._BOT_SCOPE.reset(simulated)
    return token


Registration.open = _open_in_real_time  # type: ignore[assignment, method-assign]
