"""Cancels long computations: their loops call ``check_cancelled``, which raises once the result is no longer wanted.

Knows neither the callers nor the computations.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class ComputationCancelled(Exception):
    """The result of the computation is no longer wanted."""


def _always() -> bool:
    return True


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=_always)


def check_cancelled() -> None:
    """Raise ``ComputationCancelled`` if the ``wanted`` of the enclosing ``run_while`` is false."""
    if not _wanted.get()():
        raise ComputationCancelled


def run_while(wanted: Callable[[], bool], function: Callable[[], T]) -> T:
    """Return what ``function`` returns. Raises ``ComputationCancelled`` once ``wanted`` is false."""
    token = _wanted.set(wanted)
    try:
        return function()
    finally:
        _wanted.reset(token)
