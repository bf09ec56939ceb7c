"""Who is at the board of a match, and whom this process is mentioning: kept nowhere, and forgotten at a restart.

What the database knows of the same is in ``bot.storage.mentions``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

RECENT = timedelta(minutes=2)
"""For so long after doing something in a match, a person counts as being at its board."""
STORED_BY = timedelta(minutes=1)
"""For so long a mention counts before the database has it."""
MOST_ACTS = 10_000
"""So many acts are kept before old ones are forgotten."""


class Presence:
    """Notes what people do in their matches and which boards they have open on the page."""

    def __init__(self) -> None:
        self._acts: dict[tuple[int, int], datetime] = {}
        self._open = Counter[tuple[int, int]]()
        self._mentions: dict[tuple[int, int], tuple[int, datetime]] = {}

    def acted(self, match_id: int, user_id: int, at: datetime) -> None:
        """Note that a person has just done something in a match of theirs."""
        self._acts[match_id, user_id] = at
        if len(self._acts) > MOST_ACTS:
            self._acts = {of: then for of, then in self._acts.items() if at - then < RECENT}

    @contextmanager
    def watching(self, match_id: int, user_id: int) -> Iterator[None]:
        """Count a person as being at the board of a match in the block: they have it open on the page."""
        self._open[match_id, user_id] += 1
        try:
            yield
        finally:
            self._open[match_id, user_id] -= 1
            self._open += Counter()  # without those that are no longer open

    def mention(self, guild_id: int, user_id: int, message_id: int, now: datetime) -> bool:
        """Begin to mention a person in a server by a message of the outbox; return False if another one just did."""
        by, at = self._mentions.get((guild_id, user_id), (message_id, now))
        if by != message_id and now - at < STORED_BY:
            return False
        self._mentions[guild_id, user_id] = message_id, now
        if len(self._mentions) > MOST_ACTS:
            self._mentions = {of: (by, at) for of, (by, at) in self._mentions.items() if now - at < STORED_BY}
        return True

    def not_mentioned(self, guild_id: int, message_id: int) -> None:
        """Note that a message of the outbox could not be posted."""
        done = [of for of, (by, _) in self._mentions.items() if of[0] == guild_id and by == message_id]
        for of in done:
            del self._mentions[of]

    def is_here(self, match_id: int, user_id: int, now: datetime) -> bool:
        """Return whether a person is at the board of a match."""
        acted_at = self._acts.get((match_id, user_id))
        return self._open[match_id, user_id] > 0 or (acted_at is not None and now - acted_at < RECENT)
