"""The tables of people and servers: preferences, absences, blocks, bars, settings, puzzles."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

from bot.storage.records import AttemptState, News, ShareKind
from bot.storage.tables.columns import Id, Instant, Tuple, Word, metadata

people = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("theme", Text, nullable=False),
    Column("coordinates", Boolean, nullable=False),
    Column("confirm", Boolean, nullable=False),
    Column("text_boards", Boolean, nullable=False),
    Column("reminders", Boolean, nullable=False),
    Column("aims", Boolean, nullable=False, server_default=true()),
    Column("news", Word(News), nullable=False, server_default=News.CHANNEL.value),
    Column("usual_hours", Boolean, nullable=False, server_default=true()),
    Column("quiet_from", SmallInteger),
    Column("quiet_until", SmallInteger),
    Column("zone", Text),
    Column("digest_hour", SmallInteger),
    Column("rest", Text),
    Column("rest_from", Instant),
    Column("graces", Boolean, nullable=False, server_default=true()),
    Column("shows_name", Boolean, nullable=False, server_default=false()),
    Column("language", Text),
    Column("locale", Text),
)

quiet_turns = Table(
    "quiet_turns",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False, unique=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("since", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
"""People whose turn began in their quiet hours, and when these end; the server is that of the first turn."""

mentions = Table(
    "mentions",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("match_id", Id),
    Column("ply", Integer),
    Column("at", Instant),
    Column("acted_at", Instant),
    Index(None, "user_id"),
)
"""The last mention of a person with sound in a server, and when they last moved there."""

digests = Table(
    "digests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False, unique=True),
    Column("due_at", Instant, nullable=False, index=True),
    Column("told_at", Instant),
    sqlite_autoincrement=True,
)

absences = Table(
    "absences",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("begins_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("grace", Boolean, nullable=False, server_default=false()),
    Column("due_at", Instant, index=True),
    Index(None, "user_id", "ends_at"),
)
"""``due_at`` is when the boards that name an absence no longer do; None for those that are on no board."""

visits = Table(
    "visits",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("seen_at", Instant, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
)

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("day", Date),
    Column("state", Word(AttemptState), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("wrong", Tuple, nullable=False),
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

shares = Table(
    "shares",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger),
    Column("name", Text),
    Column("thing", Text, nullable=False),
    Column("kind", Word(ShareKind), nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("game", Text, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE")),
    Column("number", Integer),
    Column("puzzle", Text),
    Column("day", Date),
    Column("found", Text),
    Column("notes", JSON),
    Column("at", Instant, nullable=False),
    UniqueConstraint("user_id", "thing"),
    Index(None, "guild_id"),
    Index(None, "match_id"),
    sqlite_autoincrement=True,
)
"""Things that people have shared in channels. After a deletion of data, ``user_id`` and ``name`` are null."""

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channels", Tuple, nullable=False),
    Column("threads", Boolean, nullable=False),
    Column("pace", Integer),
    Column("automatic", Boolean, nullable=False),
    Column("language", Text),
    Column("cups", Boolean, nullable=False, server_default=false()),
    Column("increment", Integer),
    Column("grace", Boolean, nullable=False, server_default=true()),
    Column("weekly", Boolean, nullable=False, server_default=true()),
    Column("weekly_channel", BigInteger),
    Column("rest_counts", Boolean, nullable=False, server_default=true()),
    Column("watching", Boolean, nullable=False, server_default=false()),
)

bars = Table(
    "bars",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("at", Instant, nullable=False),
    UniqueConstraint("user_id", "guild_id"),
    Index(None, "guild_id"),
    sqlite_autoincrement=True,
)

brakes = Table(
    "brakes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("person", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Index(None, "person", "kind"),
)
"""What people whose data was deleted did lately, as far as a limit has to know it. ``person`` is no id."""

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

departures = Table(
    "departures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)

deletions = Table(
    "deletions",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("last_match", BigInteger, nullable=False),
    Column("last_challenge", BigInteger, nullable=False),
)
"""Servers whose matches and challenges are being deleted, up to these."""
