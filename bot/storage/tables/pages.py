"""The tables of the board page: keys that sign its links, links that were used, sessions, requests it made, and links
to watch matches by."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from bot.storage.tables.columns import Id, Instant, metadata

page_keys = Table(
    "page_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("made_at", Instant, nullable=False),
    sqlite_autoincrement=True,
)
"""Secrets in hexadecimal, with which links are signed."""

page_links = Table(
    "page_links",
    metadata,
    Column("id", Text, primary_key=True),
    Column("expires_at", Instant, nullable=False, index=True),
)
"""Links that were used, until they would have expired anyway."""

page_sessions = Table(
    "page_sessions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("user_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("locale", Text, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    Column("checked_at", Instant, nullable=False, index=True),
    Index(None, "user_id", "guild_id"),
    Index(None, "guild_id"),
    sqlite_autoincrement=True,
)

page_requests = Table(
    "page_requests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", Instant, nullable=False, index=True),
)
"""Requests of the page that were processed, by the UUID that the page gave them."""

watch_links = Table(
    "watch_links",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False, index=True),
    Column("token", Text, nullable=False, unique=True),
)
"""Random tokens, by which anybody who has one watches a match."""
