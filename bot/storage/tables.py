"""The tables, as data. The moves of a match are the truth about it; everything else on the board is derived."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Sequence,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

# Passed on, so that all tables are found here.
from bot.storage.process_tables import call_holds as call_holds  # noqa: PLC0414
from bot.storage.process_tables import identifications as identifications  # noqa: PLC0414
from bot.storage.process_tables import interaction_claims as interaction_claims  # noqa: PLC0414
from bot.storage.process_tables import invalid_responses as invalid_responses  # noqa: PLC0414
from bot.storage.process_tables import processes as processes  # noqa: PLC0414
from bot.storage.process_tables import slots as slots  # noqa: PLC0414
from bot.storage.puzzle_tables import daily_puzzles as daily_puzzles  # noqa: PLC0414
from bot.storage.puzzle_tables import puzzle_attempts as puzzle_attempts  # noqa: PLC0414
from bot.storage.puzzle_tables import puzzle_channels as puzzle_channels  # noqa: PLC0414
from bot.storage.puzzle_tables import puzzle_ratings as puzzle_ratings  # noqa: PLC0414
from bot.storage.schema import Id, Instant
from bot.storage.schema import metadata as metadata  # noqa: PLC0414

challenges = Table(
    "challenges",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("challenger_id", BigInteger, nullable=False),
    Column("opponent_id", BigInteger),
    Column("first", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("pace", Integer),
    Column("state", Text, nullable=False),
    Column("rematch_of", Id, ForeignKey("matches.id"), unique=True),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("message_id", BigInteger),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("levels", JSON, nullable=False, server_default="[]"),
    Column("language", Text, nullable=False, server_default="en"),
    Index(None, "challenger_id", "guild_id", "state"),
    Index(None, "guild_id"),
    Index(None, "opponent_id"),
    Index(None, "state", "expires_at"),
    Index(None, "match_id"),
    sqlite_autoincrement=True,
)

challenge_players = Table(
    "challenge_players",
    metadata,
    Column("challenge_id", Id, ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Index(None, "user_id"),
)

finish_numbers = Sequence("finish_numbers", metadata=metadata, data_type=BigInteger)
"""The numbers of matches in the order in which they end, where the database has sequences."""

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("reason", Text),
    Column("reason_message", JSON),
    Column("board_channel_id", BigInteger),
    Column("board_message_id", BigInteger),
    Column("board_ply", Integer),
    Column("created_at", Instant, nullable=False),
    Column("turn_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("finish", Integer),
    Column("pace", Integer),
    Column("deadline_at", Instant),
    Column("remind_at", Instant),
    Column("flagged", Boolean, nullable=False, server_default=false()),
    Column("voided_by", BigInteger),
    Column("language", Text, nullable=False, server_default="en"),
    Index(None, "guild_id", "state"),
    Index(None, "guild_id", "ended_at"),
    Index(None, "thread_id"),
    Index(None, "channel_id", "state", "id"),
    Index(None, "finish"),
    Index(None, "state", "deadline_at"),
    Index(None, "voided_by"),
    sqlite_autoincrement=True,
)
# Of what falls due: without the matches whose time was up long ago and that nobody has come back to since.
for _name, _column, _rows in (
    ("reminding", matches.c.remind_at, "state = 'running' AND remind_at IS NOT NULL"),
    ("timed", matches.c.deadline_at, "state = 'running' AND deadline_at IS NOT NULL AND flagged IS {false}"),
):
    Index(
        f"ix_matches_{_name}",
        matches.c.state,  # which SQLite would look for in another index
        _column,
        sqlite_where=text(_rows.format(false="0")),
        postgresql_where=text(_rows.format(false="false")),
    )

seats = Table(
    "seats",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("to_move", Boolean, nullable=False),
    Column("dropped", Boolean, nullable=False),
    Column("won", Boolean),
    Column("level", SmallInteger),
    Index(None, "user_id", "won", "match_id"),
)
Index(
    "uq_seats_match_id_user_id",
    seats.c.match_id,
    seats.c.user_id,
    unique=True,
    sqlite_where=seats.c.level.is_(None),
    postgresql_where=seats.c.level.is_(None),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Instant, nullable=False),
)

computer_turns = Table(
    "computer_turns",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("claimed_by", BigInteger),
)

levels_beaten = Table(
    "levels_beaten",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="SET NULL")),
    Index(None, "match_id"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("positions", Integer, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("claimed_by", BigInteger),
    Index(None, "done", "asked_at"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("match_id", Id, ForeignKey("reviews.match_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("winning", Float, nullable=False),
    Column("played", Float),
    Column("best", Text, nullable=False),
    Column("exact", Boolean, nullable=False),
)

offers = Table(
    "offers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("channel_id", BigInteger),
    Column("message_id", BigInteger),
    Column("created_at", Instant, nullable=False),
    Index(None, "match_id", "state"),
    sqlite_autoincrement=True,
)

notices = Table(
    "notices",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("theme", Text, nullable=False),
    Column("coordinates", Boolean, nullable=False),
    Column("confirm", Boolean, nullable=False),
    Column("text_boards", Boolean, nullable=False),
    Column("reminders", Boolean, nullable=False),
    Column("language", Text),
    Column("locale", Text),
)

absences = Table(
    "absences",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("begins_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index(None, "user_id", "ends_at"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channels", JSON, nullable=False),
    Column("threads", Boolean, nullable=False),
    Column("pace", Integer),
    Column("automatic", Boolean, nullable=False),
    Column("language", Text),
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

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Instant, nullable=False),
)

interactions = Table(
    "interactions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False, index=True),
)

ratings = Table(
    "ratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Index(None, "user_id", "guild_id"),
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu_before", Float, nullable=False),
    Column("sigma_before", Float, nullable=False),
    Column("mu_after", Float, nullable=False),
    Column("sigma_after", Float, nullable=False),
    Column("at", Instant, nullable=False),
    Index(None, "user_id", "game"),
)

unfinished_copy = Table(
    "unfinished_copy", metadata, Column("source", BigInteger, primary_key=True, autoincrement=False)
)
"""While this database is being made as a copy: the generation of the one it is copied from."""

generation = Table("generation", metadata, Column("value", BigInteger, primary_key=True, autoincrement=False))

outbox = Table(
    "outbox",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("topic", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("guild_id", BigInteger, nullable=False, server_default=text("0")),
    Column("due_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("begun_at", Instant),
    Column("done_at", Instant),
    Column("error", Text),
    Column("claimed_by", BigInteger),
    Index(None, "guild_id"),
    sqlite_autoincrement=True,
)
# What is still to be sent is next to nothing, and so statistics say when an outage has made it a lot: then all indexes
# seem as good. So each of these serves one question, and no other does (``queries.outbox``).
for _name, _columns, _unsent in (
    ("unsent", (outbox.c.due_at, outbox.c.id), text("done_at IS NULL")),
    ("unsent_of_topic", (outbox.c.topic, outbox.c.id), text("state IN ('pending', 'sending')")),
    ("done", (outbox.c.done_at,), text("done_at IS NOT NULL")),
    ("dropped", (outbox.c.id,), text("state = 'dropped'")),
):
    Index(f"ix_outbox_{_name}", *_columns, sqlite_where=_unsent, postgresql_where=_unsent)
