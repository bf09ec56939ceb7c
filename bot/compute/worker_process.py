"""The code that runs inside a worker: one job at a time, which can be cancelled. Imports as little as possible, because
every worker process pays for it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import wait
from time import monotonic, thread_time
from typing import Any, Protocol

from bot.games.cancellation import check_cancelled, run_while

NICENESS = 5
"""How far worker processes give way to the bot itself, on systems that know niceness."""


class SharedNumber(Protocol):
    """A number in memory that the bot and a worker process share."""

    value: int


_cancelled: SharedNumber | None = None


def perform(function: Callable[[], Any], is_wanted: Callable[[], bool], timeout: float) -> tuple[Any, float]:
    """Return the result of ``function``, and the seconds of computing it took.

    Raises ``ComputationCancelled`` once ``is_wanted`` is false, or after ``timeout`` seconds, as soon as the function
    checks. After half of them the function is in a hurry.
    """
    latest, begun = monotonic() + timeout, thread_time()

    def checked() -> Any:
        check_cancelled()
        return function()

    result = run_while(
        lambda: is_wanted() and monotonic() < latest, checked, hurry=lambda: monotonic() > latest - timeout / 2
    )
    return result, thread_time() - begun


def begin(cancelled: SharedNumber) -> None:
    """Set the worker up: exit with the bot, ignore signals, run at lower priority."""
    global _cancelled  # noqa: PLW0603 - a worker process has one life and one such number
    _cancelled = cancelled
    # A signal to the whole group is for the bot. It finishes its work before it ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def perform_here(number: int, function: Callable[[], Any], timeout: float) -> tuple[Any, float]:
    """Do job ``number`` in this process, until the bot writes that number down as cancelled."""
    cancelled = _cancelled
    assert cancelled is not None
    return perform(function, lambda: cancelled.value != number, timeout)


def _end_with_parent() -> None:
    """End this process as soon as the bot has ended, for any reason."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
