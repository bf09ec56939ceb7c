"""Keeps a trouble that goes on from filling the log: one line a minute, with how many it stands for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import structlog
from sqlalchemy.exc import DBAPIError

TOLD_EVERY = 60.0
"""Seconds in which a cause is told once."""
MOST_CAUSES = 1000


class Repetitions:
    """A processor of log lines. A line has a cause if it names one, or tells of an error of a database's driver.

    A line with a ``reference``, which a person was shown, is always written, without the traceback if that was written
    lately. ``monotonic`` gives seconds.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._told: dict[str, tuple[float, int]] = {}
        """When each place and cause was told last, and how many lines it has had since."""

    def __call__(self, _logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        error = event.get("exc_info")
        error = sys.exc_info()[1] if error is True else error[1] if isinstance(error, tuple) else error
        cause = event.pop("cause", None) or _of_database(error)
        if cause is None:
            return event
        # The same error in another place may be another fault.
        key, now = f"{event['event']}: {cause}", self._monotonic()
        at, since = self._told.get(key, (now - TOLD_EVERY, 0))
        if now - at >= TOLD_EVERY:
            if len(self._told) >= MOST_CAUSES:
                self._told.clear()
            self._told[key] = (now, 0)
            if since:
                event["repeated"] = since
            return event
        self._told[key] = (at, since + 1)
        if "reference" not in event:
            raise structlog.DropEvent
        event.pop("exc_info", None)
        event["error"] = cause
        return event


def _of_database(error: object) -> str | None:
    """Return the kind of a driver's error that led to an error, None if none did."""
    while isinstance(error, BaseException):
        if isinstance(error, DBAPIError):
            code = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or ""
            return f"{type(error.orig).__name__} {code}".rstrip()
        error = error.__cause__
    return None
