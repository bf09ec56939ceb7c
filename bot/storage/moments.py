"""Arithmetic with moments by the database, to the microsecond."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from bot.storage.tables.columns import Instant


class Microseconds(FunctionElement[int]):
    """The microseconds from 1970 to a moment."""

    type = BigInteger()
    inherit_cache = True


class Later(FunctionElement[datetime]):
    """A moment so many microseconds after another one."""

    type = Instant()
    inherit_cache = True


@compiles(Microseconds, "postgresql")
def _server_microseconds(element: Any, compiler: Any, **options: Any) -> str:
    return f"CAST(extract(epoch FROM {compiler.process(element.clauses, **options)}) * 1000000 AS BIGINT)"


@compiles(Microseconds, "sqlite")
def _file_microseconds(element: Any, compiler: Any, **options: Any) -> str:
    # SQLite's own functions know thousandths of a second, to which some of its versions round up: they get none.
    at = compiler.process(element.clauses, **options)
    return f"(strftime('%s', substr({at}, 1, 19)) * 1000000 + substr({at}, 21))"


@compiles(Later, "postgresql")
def _server_later(element: Any, compiler: Any, **options: Any) -> str:
    at, by = (compiler.process(part, **options) for part in element.clauses)
    return f"({at} + {by} * INTERVAL '1 microsecond')"


@compiles(Later, "sqlite")
def _file_later(element: Any, compiler: Any, **options: Any) -> str:
    def moved() -> str:
        at, by = element.clauses
        return f"({compiler.process(Microseconds(at), **options)} + {compiler.process(by, **options)})"

    return f"strftime('%Y-%m-%d %H:%M:%S', {moved()} / 1000000, 'unixepoch') || printf('.%06d', {moved()} % 1000000)"


def microseconds(time: timedelta) -> ColumnElement[int]:
    return literal(time // timedelta(microseconds=1), BigInteger)


def moment(at: datetime) -> ColumnElement[int]:
    """Return the microseconds from 1970 to a moment that the caller has."""
    return Microseconds(literal(at, Instant))
