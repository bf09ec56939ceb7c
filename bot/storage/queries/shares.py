"""Which rows belong to the servers that a process serves."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Integer, literal, true

from bot.storage.process_records import Share


def of_share(guild_id: ColumnElement[int], share: Share) -> ColumnElement[bool]:
    """Return whether a server belongs to a share."""
    if share.slots == 1:
        return true()
    return (guild_id.bitwise_rshift(literal(22, Integer)) % share.shards) % share.slots == share.slot
