"""The shards that Discord divides a bot's servers among, as values and as conditions of queries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Integer, and_, case, literal, true

from bot.storage.homes import is_private


@dataclass(frozen=True, slots=True)
class Shard:
    """The servers of one of ``count`` shards, which are numbered from 0."""

    number: int = 0
    count: int = 1

    def __contains__(self, guild_id: int) -> bool:
        """Return whether a home is in this shard, as Discord divides servers; all direct messages are in the first."""
        return (0 if is_private(guild_id) else (guild_id >> 22) % self.count) == self.number


def in_shard(guild_id: ColumnElement[int], shard: Shard) -> ColumnElement[bool]:
    server = case((guild_id > 0, guild_id.bitwise_rshift(literal(22, Integer)) % shard.count), else_=0)
    return server == shard.number


def outside(guild_id: ColumnElement[int], shards: Collection[Shard]) -> ColumnElement[bool]:
    """Return whether a server is in none of some shards."""
    return and_(true(), *(~in_shard(guild_id, shard) for shard in shards))
