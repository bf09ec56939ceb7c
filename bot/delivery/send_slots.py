"""The slots in which messages are sent at the same time, and each server's share of them.

A server that Discord limits, or that has more to send than its share, waits by itself. Knows neither the outbox nor
Discord.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

TOPICS_AT_ONCE = 64
"""Topics served at the same time."""
SHARE = 8
"""Topics of one server served at the same time."""
EARLY = 2
"""Of these, those that are begun before they are due: changes of posted messages, which leave room for what is new."""
LONGEST_LIMIT = 10.0
"""Seconds for which a limit of one message holds up the other messages of its server, at most.

Discord limits a channel or a kind of call, and tells it to each call anew; a short wait keeps the bot from asking for
every message, and lets through what is not limited.
"""


class SendSlots:
    """The topics being served, and their servers. ``monotonic`` gives the seconds that measure waits."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._servers: dict[str, int] = {}
        self._taken: Counter[int] = Counter()
        self._early: dict[str, int] = {}
        """The servers of the topics whose messages were begun before they are due."""
        self._limited: dict[int, float] = {}
        """Until when servers wait, because Discord limits one of their messages."""

    @property
    def topics(self) -> list[str]:
        """The topics being served."""
        return list(self._servers)

    def __contains__(self, topic: str) -> bool:
        return topic in self._servers

    def take(self, topic: str, guild_id: int, early: bool = False) -> None:
        """Give a topic of a server a place; ``early`` says that its message is not due yet."""
        self._servers[topic] = guild_id
        self._taken[guild_id] += 1
        if early:
            self._early[topic] = guild_id

    def leave(self, topic: str) -> int:
        """Free the place of a topic; return its server."""
        guild_id = self._servers.pop(topic)
        self._early.pop(topic, None)
        self._taken[guild_id] -= 1
        if not self._taken[guild_id]:
            del self._taken[guild_id]
        return guild_id

    def limit(self, guild_id: int, seconds: float) -> None:
        """Begin nothing of a server for some seconds, because Discord wants that for one of its messages."""
        self._limited[guild_id] = self._monotonic() + min(seconds, LONGEST_LIMIT)

    def limits_ended(self) -> bool:
        """Forget the limits that are over; return whether there were any."""
        now = self._monotonic()
        over = [guild_id for guild_id, until in self._limited.items() if until <= now]
        for guild_id in over:
            del self._limited[guild_id]
        return bool(over)

    @property
    def pauses(self) -> list[float]:
        """The seconds until each limit is over."""
        now = self._monotonic()
        return [until - now for until in self._limited.values()]

    def room(self, leaving: bool = False) -> int:
        """Return the number of free slots; ``leaving`` counts one that is about to be free."""
        return TOPICS_AT_ONCE - len(self._servers) + leaving

    def has_room(self, guild_id: int, leaving: bool = False) -> bool:
        """Return whether a topic of a server may have a place; ``leaving`` counts one of its own about to be free."""
        share = SHARE - self._taken[guild_id] + leaving
        return self.room(leaving) > 0 and share > 0 and guild_id not in self._limited

    def waiting(self) -> set[int]:
        """Return the servers of which nothing may begin now: they are limited, or use their whole share."""
        return {guild_id for guild_id, taken in self._taken.items() if taken >= SHARE} | self._limited.keys()

    def only_due(self) -> set[int]:
        """Return the servers of which only messages that are due may begin now."""
        return {guild_id for guild_id, begun in Counter(self._early.values()).items() if begun >= EARLY}

    def at_most(self) -> int:
        """Return how many topics may begin without exceeding the share of any server, whichever they belong to."""
        shares = [SHARE - taken for taken in self._taken.values() if taken < SHARE]
        return max(0, min(self.room(), SHARE, *shares))
