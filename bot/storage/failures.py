"""Counts operations that a database carries out wrongly, and remembers that it is damaged. Knows no table.

A server that is away, or a conflict of transactions, is no failure: such operations are tried again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.storage.errors import leaves_open, reason
from bot.telemetry import metrics

TROUBLING_FAILURES = 3
"""Failures from which on they are trouble, since one may be the fault of a single statement."""
FAILURE_COUNTS_FOR = 300.0
"""Seconds for which a failure counts. Damage counts until the process ends: it does not mend itself."""
DAMAGED = "the database is damaged: stop the bot, and restore a backup"

_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")
"""Beginnings of the codes of SQLite and PostgreSQL for damaged pages."""
_EVERYTHING = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "53", "58", "25006")
"""Beginnings of the codes for disks and servers on which nothing can be stored."""
_PASSING = ("40", "55P03", "57014", "25P0")
"""Beginnings of PostgreSQL's codes for transactions that give way, or take too long."""


class Failures:
    """The failures of one database, as this process has met them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._at: deque[float] = deque(maxlen=TROUBLING_FAILURES)
        self._last, self._everything = "", False
        self.damage: str | None = None
        """The first sign of damage, if there was one."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note an error of the database that ends the block, and pass it on."""
        try:
            yield
        except DBAPIError as error:
            self._note(error)
            raise

    def note_damage(self, sign: str) -> None:
        metrics.STORAGE_FAILURES.labels("damage").inc()
        self.damage = self.damage or sign

    def note_stored(self) -> None:
        """Note that something was stored: a disk that was full, or could not be written, is well again."""
        if self._everything:
            self._at.clear()

    def trouble(self) -> str | None:
        """Return what is wrong with the database, None if nothing is known."""
        if self.damage is not None:
            return DAMAGED
        if len(self._at) < TROUBLING_FAILURES or self._at[0] < self._clock() - FAILURE_COUNTS_FOR:
            return None
        return f"operations of the database fail: it {self._last}"

    def _note(self, error: DBAPIError) -> None:
        code = str(getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or "")
        if isinstance(error, IntegrityError) or leaves_open(error) or code.startswith(_PASSING):
            return
        if code.startswith(_DAMAGE):
            self.note_damage(reason(error))
            return
        metrics.STORAGE_FAILURES.labels("other").inc()
        self._at.append(self._clock())
        self._last, self._everything = reason(error), code.startswith(_EVERYTHING)
