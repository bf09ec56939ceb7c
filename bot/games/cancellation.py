"""Cancels long computations: their loops call ``check_cancelled``, which raises once the result is no longer wanted.

One that can answer with less asks ``time_is_short``, and ends before its time is up. Knows neither the callers nor the
computations.
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


def _never() -> bool:
    return False


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=_always)
_hurried: ContextVar[Callable[[], bool]] = ContextVar("hurried", default=_never)


def check_cancelled() -> None:
    """Raise ``ComputationCancelled`` if the ``wanted`` of the enclosing ``run_while`` is false."""
    if not _wanted.get()():
        raise ComputationCancelled


def time_is_short() -> bool:
    """Return whether most of the time that the enclosing ``run_while`` allows is over."""
    return _hurried.get()()


def run_while(wanted: Callable[[], bool], function: Callable[[], T], *, hurry: Callable[[], bool] = _never) -> T:
    """Return what ``function`` returns, which may ``hurry``. Raises ``ComputationCancelled`` once not ``wanted``."""
    tokens = _wanted.set(wanted), _hurried.set(hurry)
    try:
        return function()
    finally:
        _wanted.reset(tokens[0])
        _hurried.reset(tokens[1])
