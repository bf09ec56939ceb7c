"""SQLite without a thread for each connection: calls that never wait run on the event loop.

Two weeks of a server take less time so. Other tests use threads as the bot does: without them they saved no processor
time that could be measured. What may wait for another connection, or outlives its caller, keeps its thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bot.storage.sqlite_connections import Connection

_in_thread: Callable[..., asyncio.Future[Any]] = Connection.in_thread


def on_loop(connection: Any, call: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
    """Make a call of a connection soon, on the event loop, unless it may wait."""
    begins_or_ends = connection._taken is None or call.__name__ == "_give_back"
    if begins_or_ends and connection.get_execution_options().get("writes"):
        return _in_thread(connection, call, *args)
    loop = asyncio.get_running_loop()
    outcome = loop.create_future()

    def run() -> None:
        if not outcome.cancelled():
            try:
                outcome.set_result(call(*args))
            except Exception as error:
                outcome.set_exception(error)

    loop.call_soon(run)
    return outcome
