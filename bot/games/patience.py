"""Lets a long computation be given up: where it goes round, it asks ``checkpoint`` whether anybody still waits for it.

It knows neither who waits nor for what.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class GivenUp(Exception):
    """Nobody waits for the computation any more."""


def _always() -> bool:
    return True


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=_always)


def checkpoint() -> None:
    """Go on, or raise ``GivenUp`` when what ``run_while`` was told says that nobody waits any more."""
    if not _wanted.get()():
        raise GivenUp


def run_while(wanted: Callable[[], bool], function: Callable[[], T]) -> T:
    """Return what ``function`` returns. Raises ``GivenUp`` at the first checkpoint at which ``wanted`` is false."""
    token = _wanted.set(wanted)
    try:
        return function()
    finally:
        _wanted.reset(token)
