"""Rows about processes that share a database, and which servers each of them serves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Process:
    """One of the processes that share a database, by its token, and until when its lease lasts.

    ``weight`` is what it weighs when the calls to Discord are divided among all.
    """

    id: int
    name: str
    role: str
    begun_at: datetime
    alive_until: datetime
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Renewed:
    """What a process is told when it renews its lease.

    ``others`` is what the others weigh together, ``held`` for how many seconds nobody is to call Discord; ``in_time``
    says whether the lease had not expired yet.
    """

    others: float
    held: float
    in_time: bool


@dataclass(frozen=True, slots=True)
class Share:
    """The servers that one process serves: those of every shard whose number leaves ``slot`` when divided by ``slots``.

    Slots and shards are counted from 0. With one slot the share is everything.
    """

    slot: int = 0
    slots: int = 1
    shards: int = 1

    @property
    def shard_ids(self) -> list[int]:
        """The shards of this share."""
        return list(range(self.slot, self.shards, self.slots))

    def __contains__(self, guild_id: int) -> bool:
        """Return whether a server is served with this share, as Discord divides servers among shards."""
        return (guild_id >> 22) % self.shards % self.slots == self.slot


EVERYTHING = Share()
"""The share of a bot that has no others beside it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A share of the servers, with the tokens of the process that holds it and of the one that is to take it over."""

    share: Share
    holder: int | None
    successor: int | None = None
