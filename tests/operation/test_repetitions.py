"""A trouble that goes on is one line a minute and cause, and what a person was given a reference to is always there."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError
from structlog import DropEvent

from bot.telemetry.repetitions import Repetitions


class ReadOnly(Exception):
    sqlstate = "25006"


class Full(Exception):
    sqlite_errorname = "SQLITE_FULL"


def of_database(why: type[Exception]) -> Exception:
    """Return an error that a driver's error led to."""
    error = RuntimeError("unavailable")
    error.__cause__ = DBAPIError("INSERT", {}, why("no"))
    return error


class Log:
    def __init__(self) -> None:
        self.seconds, self.lines = 0.0, list[dict[str, Any]]()
        self.repetitions = Repetitions(lambda: self.seconds)

    def tell(self, event: str, error: Exception | None = None, **more: Any) -> None:
        with suppress(DropEvent):
            told = {"event": event, **more} | ({} if error is None else {"exc_info": error})
            self.lines.append(dict(self.repetitions(None, "error", told)))


@pytest.fixture
def log() -> Log:
    return Log()


def test_an_hour_of_a_read_only_server_is_a_line_a_minute(log: Log) -> None:
    for _ in range(3 * 3600):
        log.tell("outbox unreadable", of_database(ReadOnly))
        log.seconds += 1 / 3
    assert len(log.lines) == 60
    assert log.lines[0].keys() == {"event", "exc_info"}
    assert {line["repeated"] for line in log.lines[1:]} <= {178, 179, 180}


def test_another_cause_is_told_at_once(log: Log) -> None:
    for why in (ReadOnly, Full, ReadOnly, Full):
        log.tell("due work failed", of_database(why))
    assert len(log.lines) == 2
    log.tell("discord", cause="Discord 403 20026")
    log.tell("discord", cause="Discord 403 40003")
    log.tell("discord", cause="Discord 403 20026")
    assert [set(line) for line in log.lines[2:]] == [{"event"}, {"event"}]


def test_what_a_person_has_a_reference_to_is_told_without_another_traceback(log: Log) -> None:
    for reference in ("aa", "bb"):
        log.tell("request failed", of_database(ReadOnly), reference=reference)
    assert log.lines[1] == {"event": "request failed", "reference": "bb", "error": "ReadOnly 25006"}


def test_other_lines_stay_as_they_are(log: Log) -> None:
    for _ in range(3):
        log.tell("moved")
        log.tell("request failed", ValueError("a mistake"))
    assert len(log.lines) == 6
