"""The tables of cups: tournaments in which everyone plays everyone."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, SmallInteger, Table, Text, false, true

from bot.storage.contest_states import CupStart, CupState, PairingState, Withdrawal
from bot.storage.tables.columns import Id, Instant, Word, metadata

cups = Table(
    "cups",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("places", SmallInteger, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("pace", BigInteger, nullable=False),
    Column("start", Word(CupStart), nullable=False),
    Column("starts_at", Instant, nullable=False),
    Column("state", Word(CupState), nullable=False),
    Column("starter_id", BigInteger, nullable=False),
    Column("language", Text, nullable=False),
    Column("again_of", Id, ForeignKey("cups.id", ondelete="SET NULL"), unique=True),
    Column("waiting", Boolean, nullable=False, server_default=false()),
    Column("created_at", Instant, nullable=False),
    Column("begun_at", Instant),
    Column("ended_at", Instant),
    Column("increment", Integer),
    Column("grace", Boolean, nullable=False, server_default=false()),
    Column("rest_counts", Boolean, nullable=False, server_default=true()),
    Index(None, "guild_id", "state"),
    Index(None, "state", "starts_at"),
    Index(None, "starter_id"),
    sqlite_autoincrement=True,
)

cup_players = Table(
    "cup_players",
    metadata,
    Column("cup_id", Id, ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("number", SmallInteger),
    Column("withdrawal", Word(Withdrawal)),
    Column("annulled", Boolean, nullable=False, server_default=false()),
    Column("place", SmallInteger),
    Index(None, "user_id"),
)

cup_pairings = Table(
    "cup_pairings",
    metadata,
    Column("cup_id", Id, ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    Column("round", SmallInteger, nullable=False),
    Column("first", SmallInteger, nullable=False),
    Column("second", SmallInteger, nullable=False),
    Column("state", Word(PairingState), nullable=False),
    Column("late", Boolean, nullable=False, server_default=false()),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="SET NULL"), unique=True),
)
