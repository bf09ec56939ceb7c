"""The tables of puzzles: attempts, what comes of them, and the puzzles of the day."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Date,
    Float,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)

from bot.storage.schema import Id, Instant, metadata

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("day", Date),
    Column("state", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("wrong", JSON, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("ended_at", Instant),
    UniqueConstraint("user_id", "puzzle"),
    Index(None, "guild_id", "day"),
    sqlite_autoincrement=True,
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("first_try", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("longest_streak", Integer, nullable=False),
    Column("last_day", Date),
)

puzzle_channels = Table(
    "puzzle_channels",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("hour", SmallInteger, nullable=False),
    Column("zone", Text, nullable=False),
    Column("due_at", Instant, nullable=False, index=True),
)

daily_puzzles = Table(
    "daily_puzzles",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("at", Instant, nullable=False),
    Column("count_due_at", Instant, index=True),
)
