"""The shards that Discord divides a bot's servers among, as values and as conditions of queries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Integer, and_, literal, true


@dataclass(frozen=True, slots=True)
class Shard:
    """The servers of one of ``count`` shards, which are numbered from 0."""

    number: int = 0
    count: int = 1

    def __contains__(self, guild_id: int) -> bool:
        """Return whether a server is in this shard, as Discord divides servers among shards."""
        return (guild_id >> 22) % self.count == self.number


def in_shard(guild_id: ColumnElement[int], shard: Shard) -> ColumnElement[bool]:
    return guild_id.bitwise_rshift(literal(22, Integer)) % shard.count == shard.number


def outside(guild_id: ColumnElement[int], shards: Collection[Shard]) -> ColumnElement[bool]:
    """Return whether a server is in none of some shards."""
    return and_(true(), *(~in_shard(guild_id, shard) for shard in shards))
