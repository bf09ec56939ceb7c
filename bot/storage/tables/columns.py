"""Column types, the names of indexes and constraints, and how a row becomes a record."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import JSON, BigInteger, Column, ColumnElement, DateTime, Integer, MetaData, Row, Text, TypeDecorator
from sqlalchemy.engine import Dialect

from bot.storage.homes import is_private

E = TypeVar("E", bound=StrEnum)
R = TypeVar("R")


class Instant(TypeDecorator[datetime]):
    """A moment in UTC; aware going in and coming out, whatever the database keeps."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if isinstance(value, datetime) and value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return value if isinstance(value, datetime) else None


class Word(TypeDecorator[E]):
    """An enum, stored as its value. Raises ``ValueError`` for a stored text that is none of its values."""

    impl = Text
    cache_ok = True

    def __init__(self, enum: type[E]) -> None:
        super().__init__()
        self.enum = enum

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: Any, dialect: Dialect) -> E | None:
        return None if value is None else self.enum(value)


class Tuple(TypeDecorator[tuple[Any, ...]]):
    """A tuple, stored as a list in JSON."""

    impl = JSON
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(none_as_null=True)

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[Any, ...] | None:
        return None if value is None else tuple(value)


Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def to_dataclass(kind: type[R], row: Row[Any], **given: Any) -> R:
    """Return a row as a dataclass whose fields are named like columns, apart from those that are ``given``."""
    columns = {name: getattr(row, name) for name in kind.__dataclass_fields__ if name not in given}  # type: ignore[attr-defined]
    return kind(**columns, **given)


def counted_with(column: Column[int], home: int) -> ColumnElement[bool]:
    """Return the condition for the homes whose limits count together: a server alone, or all private homes."""
    return column < 0 if is_private(home) else column == home
