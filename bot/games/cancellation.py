"""Lets a long computation be cancelled: its loops call ``check_cancelled``, which raises once nobody waits any more.

It knows neither who waits nor for what.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class ComputationCancelled(Exception):
    """Nobody waits for the computation any more."""


def _always() -> bool:
    return True


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=_always)


def check_cancelled() -> None:
    """Go on, or raise ``ComputationCancelled`` when what ``run_while`` was told says that nobody waits any more."""
    if not _wanted.get()():
        raise ComputationCancelled


def run_while(wanted: Callable[[], bool], function: Callable[[], T]) -> T:
    """Return what ``function`` returns. Raises ``ComputationCancelled`` once ``wanted`` is false."""
    token = _wanted.set(wanted)
    try:
        return function()
    finally:
        _wanted.reset(token)
