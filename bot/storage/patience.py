"""How long an operation waits for a database server: less while a person waits for its outcome.

A server may stay silent and yet acknowledge what it is sent: its processes are stopped, or its disk is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to get a connection, and seconds that a transaction may take. None is no limit."""

    connection: float | None = None
    transaction: float | None = None


UNLIMITED = Patience()
"""For commands, which may have to read everything."""
WORK = Patience(30.0, 60.0)
"""For what a bot or a thinker does in the background."""
PERSON = Patience(2.5, 10.0)
"""For what a person waits for."""
VISITOR = Patience(2.0, 2.0)
"""For finding out who asks for something, while they wait."""

_current: ContextVar[Patience] = ContextVar("_current", default=WORK)


@contextmanager
def person_waits(limit: Patience | None = None) -> Iterator[None]:
    """Wait for the database no longer than a person does, or than a shorter ``limit``, in this block."""
    token = _current.set(limit or PERSON)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Patience:
    """Return the patience with which the current task waits for the database."""
    return _current.get()
