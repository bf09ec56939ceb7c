"""The tables of what is played: challenges, matches with their seats, moves and reviews, ratings.

The list of moves defines a match; everything else on the board is derived from it.
"""

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
    false,
    text,
    true,
)

from bot.storage.records import ChallengeState, EntryKind, First, MatchState, News, OfferKind, OfferState
from bot.storage.tables.columns import Id, Instant, Tuple, Word, metadata

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
    Column("first", Word(First), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("pace", Integer),
    Column("state", Word(ChallengeState), nullable=False),
    Column("rematch_of", Id, ForeignKey("matches.id"), unique=True),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("message_id", BigInteger),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("levels", Tuple, nullable=False, server_default="[]"),
    Column("language", Text, nullable=False, server_default="en"),
    Column("increment", Integer),
    Column("code", Text),
    Index(None, "challenger_id", "guild_id", "state"),
    Index(None, "guild_id", "state"),
    Index(None, "opponent_id"),
    Index(None, "state", "expires_at"),
    Index(None, "match_id"),
    Index(None, "code", unique=True),
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
    Column("state", Word(MatchState), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("to_move", SmallInteger),
    Column("reason", Text),
    Column("reason_message", JSON(none_as_null=True)),
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
    Column("voided_name", Text),
    Column("language", Text, nullable=False, server_default="en"),
    Column("rules", SmallInteger, nullable=False, server_default="1"),
    Column("stopped_at", Instant),
    Column("cup_id", BigInteger),
    Column("cup_round", SmallInteger),
    Column("plans_version", Integer, nullable=False, server_default="0"),
    Column("increment", Integer),
    Column("graces", SmallInteger, nullable=False, server_default="0"),
    Column("rest_counts", Boolean, nullable=False, server_default=true()),
    Column("rest", Text),
    Column("told_deadline_at", Instant),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("ladder", Boolean, nullable=False, server_default=false()),
    Column("paused_until", Instant),
    Index(None, "guild_id", "state"),
    Index(None, "guild_id", "ended_at"),
    Index(None, "guild_id", "finish"),
    Index(None, "thread_id"),
    Index(None, "channel_id", "state", "id"),
    Index(None, "finish"),
    Index(None, "state", "deadline_at"),
    Index(None, "voided_by"),
    sqlite_autoincrement=True,
)
# Indexes of what falls due, without the matches whose time was up long ago.
_CLOCK = "state = 'running' AND deadline_at IS NOT NULL AND flagged IS {false}"
for _name, _column, _rows in (
    ("reminding", matches.c.remind_at, "state = 'running' AND remind_at IS NOT NULL"),
    ("timed", matches.c.deadline_at, _CLOCK),
    ("clocks", matches.c.id, _CLOCK),
):
    Index(
        f"ix_matches_{_name}",
        matches.c.state,  # which SQLite would look for in another index
        _column,
        sqlite_where=text(_rows.format(false="0")),
        postgresql_where=text(_rows.format(false="false")),
    )
Index(
    "ix_matches_ladder",
    matches.c.guild_id,
    matches.c.state,  # which SQLite would look for in another index
    sqlite_where=text("state = 'running' AND ladder IS 1"),
    postgresql_where=text("state = 'running' AND ladder IS true"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("dropped", Boolean, nullable=False),
    Column("won", Boolean),
    Column("level", SmallInteger),
    Column("ready_made", Boolean, nullable=False, server_default=false()),
    Column("bank", Float),
    Column("news", Word(News)),
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
    Column("kind", Word(EntryKind), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("planned", Boolean, nullable=False, server_default=false()),
)

plans = Table(
    "plans",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("tree", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("met", Text),
)
"""The plans of players in running matches, seen by their owners alone."""

notes = Table(
    "notes",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Index(None, "user_id"),
)
"""The private notes of players, seen by their owners alone."""

computer_turns = Table(
    "computer_turns",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("claimed_by", BigInteger),
    Column("claimed_at", Instant),
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

reratings = Table(
    "reratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("asked_at", Instant, nullable=False),
)
"""Servers whose ratings are to be computed again. The version grows with each change of what they follow from."""

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
    Column("clear", Boolean, nullable=False, server_default=true()),
)

offers = Table(
    "offers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Word(OfferKind), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("state", Word(OfferState), nullable=False),
    Column("channel_id", BigInteger),
    Column("message_id", BigInteger),
    Column("created_at", Instant, nullable=False),
    Column("pace", Integer),
    Column("increment", Integer),
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

held_turns = Table(
    "held_turns",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("due_at", Instant, nullable=False, index=True),
    Column("mentioned", Boolean, nullable=False, server_default=false()),
)
"""Turns that were not told because the person to move was there, or told without a sound (``mentioned``) because they
never move in that hour of the day; and when they are told."""

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
    Column("weight", Float, nullable=False, server_default=text("1")),
    Index(None, "user_id", "game", "at"),
)
