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
def track() -> Iterator[Commits]:
    """Note the commits of the block."""
    with _noting(Commits()) as commits:
        assert commits is not None
        yield commits


@contextmanager
def untracked() -> Iterator[None]:
    """Ignore commits made in the block (bookkeeping)."""
    with _noting(None):
        yield


@contextmanager
def as_one(words: str | None = None) -> Iterator[None]:
    """Count the writes in the block as one; on error report them as unfinished, with ``words``."""
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
    commits = _noted.get()
    if commits is not None:
        commits.unfinished = True


def write_committed() -> None:
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
