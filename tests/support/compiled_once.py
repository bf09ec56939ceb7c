"""Statements are compiled once in a process, not once for every database a test opens: 0.02 s each, some 15 s of a run.

SQLAlchemy keeps what it has compiled for each engine, by the dialect; there is no public way to share it. Imported for
its effect.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage import engines

_made: Any = engines
_create = _made.create_async_engine
_first: list[Engine] = []


def _create_sharing(url: URL, **options: Any) -> AsyncEngine:
    """Create an engine; one for SQLite has the dialect of the first that has connected, and what that has compiled."""
    created: AsyncEngine = _create(url, **options)
    engine = created.sync_engine
    if engine.dialect.name == "sqlite":
        if not _first:
            _first.append(engine)
        # A dialect learns on its first connection what it talks to.
        elif getattr(_first[0].dialect, "server_version_info", None) is not None:
            engine.dialect, engine._compiled_cache = _first[0].dialect, _first[0]._compiled_cache
    return created


_made.create_async_engine = _create_sharing
