"""Notes which of a request's own write transactions have committed, so that an error after them is told truthfully.

Knows no table, and not what a transaction is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Commits:
    """The commits of one request. ``unfinished`` is set while a further write has begun and not committed."""

    committed: bool = False
    unfinished: bool = False
    words: str | None = None
    """What to tell about unfinished writes, if there is something better to say of them than of any others."""


_noted: ContextVar[Commits | None] = ContextVar("_noted", default=None)


@contextmanager
def noted() -> Iterator[Commits]:
    """Note the commits of the block."""
    with _noting(Commits()) as commits:
        assert commits is not None
        yield commits


@contextmanager
def aside() -> Iterator[None]:
    """Leave out the commits of the block: they do not store what the request asks for."""
    with _noting(None):
        yield


@contextmanager
def several(words: str | None = None) -> Iterator[None]:
    """Treat all writes of the block as one: an error inside it leaves them unfinished. ``words`` tell of that then."""
    commits = _noted.get()
    with _noting(Commits()) as inside:
        try:
            yield
        except BaseException:
            if commits is not None and inside is not None:
                commits.words = words
                if inside.committed:
                    commits.committed = commits.unfinished = True
            raise
    if commits is not None and inside is not None and inside.committed:
        commits.committed = True


def write_begins() -> None:
    """Note that a write transaction begins."""
    commits = _noted.get()
    if commits is not None:
        commits.unfinished = True


def write_committed() -> None:
    """Note that a write transaction has committed."""
    commits = _noted.get()
    if commits is not None:
        commits.committed, commits.unfinished = True, False


def any_committed() -> bool:
    """Return whether a write of the current request has committed."""
    commits = _noted.get()
    return commits is not None and commits.committed


@contextmanager
def _noting(commits: Commits | None) -> Iterator[Commits | None]:
    token = _noted.set(commits)
    try:
        yield commits
    finally:
        _noted.reset(token)
