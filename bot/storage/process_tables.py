"""The tables of processes that share a database: which there are, what they serve, what they may ask of Discord."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Integer, Table, Text, text

from bot.storage.schema import Id, Instant, metadata

processes = Table(
    "processes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("alive_until", Instant, nullable=False),
    Column("weight", Float, nullable=False, server_default=text("0")),
    sqlite_autoincrement=True,
)

slots = Table(
    "slots",
    metadata,
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("slots", Integer, nullable=False),
    Column("shards", Integer, nullable=False),
    Column("held_by", BigInteger),
    Column("successor", BigInteger),
)

interaction_claims = Table(
    "interaction_claims",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("claimed_at", Instant, nullable=False),
)

identifications = Table(
    "identifications",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("next_at", Instant, nullable=False),
)

invalid_responses = Table(
    "invalid_responses",
    metadata,
    Column("minute", BigInteger, primary_key=True, autoincrement=False),
    Column("drawn", Integer, nullable=False),
)

call_holds = Table(
    "call_holds",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("until", Instant, nullable=False),
)
