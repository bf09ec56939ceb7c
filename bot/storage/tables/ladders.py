"""The tables of ladders: each week the people in a server's ladder are paired for a match."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.tables.columns import Id, Instant, Tuple, Word, metadata

ladders = Table(
    "ladders",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("week", Instant),
    Index(None, "due_at"),
)
"""``week`` is the moment for which people were paired last, ``due_at`` the next one."""

ladder_players = Table(
    "ladder_players",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("games", Tuple, nullable=False),
    Column("pace", Integer, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("left_out_at", Instant),
    Column("left_out_why", Word(NoMatch)),
    Column("out_at", Instant),
    Column("out_why", Word(OutOfLadder)),
    Column("out_match_id", Id),
    Index(None, "user_id"),
)
"""Who is out of a ladder keeps their row until the next pairing, so that they can see why."""

ladder_matches = Table(
    "ladder_matches",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("week", Instant, nullable=False),
    Index(None, "guild_id", "week"),
)
