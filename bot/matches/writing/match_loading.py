"""Loads a match of a server, to show or to change it; the one place that refuses an unknown match."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.refusals import NoSuchMatch
from bot.storage import matches
from bot.storage.records import Match


async def load_match(tx: AsyncConnection, guild_id: int, match_id: int, *, lock: bool = False) -> Match:
    """Return a match of a server; ``lock`` keeps others from changing it. Raises ``NoSuchMatch``."""
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or match.guild_id != guild_id:
        raise NoSuchMatch
    return match
