"""The tables the bot keeps for its own operation: the outbox, processes, and what tells databases apart."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Index,
    Integer,
    Table,
    Text,
    text,
)

from bot.storage.records import BotState, OutboxState
from bot.storage.tables.columns import Id, Instant, Tuple, Word, metadata

interactions = Table(
    "interactions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False, index=True),
)

responses = Table(
    "responses",
    metadata,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("topic", Text, nullable=False, index=True),
    Column("ply", Integer),
    Column("token", Text, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("topic", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("state", Word(OutboxState), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("guild_id", BigInteger, nullable=False, server_default=text("0")),
    Column("due_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("begun_at", Instant),
    Column("done_at", Instant),
    Column("error", Text),
    Index(None, "guild_id"),
    sqlite_autoincrement=True,
)
# Usually almost no messages are unsent, and statistics still say so when an outage has made them many: then all indexes
# seem equally good. So each of these serves one query, and no other index does (``bot.storage.outbox``).
for _name, _columns, _unsent in (
    ("unsent", (outbox.c.due_at, outbox.c.id), text("done_at IS NULL")),
    ("unsent_of_topic", (outbox.c.topic, outbox.c.id), text("state IN ('pending', 'sending')")),
    ("done", (outbox.c.done_at,), text("done_at IS NOT NULL")),
    ("dropped", (outbox.c.id,), text("state = 'dropped'")),
):
    Index(f"ix_outbox_{_name}", *_columns, sqlite_where=_unsent, postgresql_where=_unsent)

generation = Table("generation", metadata, Column("value", BigInteger, primary_key=True, autoincrement=False))

unfinished_copy = Table(
    "unfinished_copy", metadata, Column("source", BigInteger, primary_key=True, autoincrement=False)
)
"""While this database is being made as a copy: the generation of the one it is copied from."""

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("servers", Integer),
)

clock_credits = Table(
    "clock_credits",
    metadata,
    Column("id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    Column("until", Instant, nullable=False),
    Column("shard", Integer),
    Column("shards", Integer),
    Column("last_match", Id, nullable=False),
    Column("up_to", Id, nullable=False),
    sqlite_autoincrement=True,
)
"""Downtime that is being given back to clocks, see ``bot.storage.running_clocks``."""

processes = Table(
    "processes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("alive_until", Instant, nullable=False),
    Column("games", Tuple),
    Column("state", Word(BotState)),
    sqlite_autoincrement=True,
)

interaction_claims = Table(
    "interaction_claims",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("claimed_at", Instant, nullable=False),
)
