"""Who is at the board of a match, as far as this process knows: it is kept nowhere, and forgotten at a restart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

RECENT = timedelta(minutes=2)
"""For so long after doing something in a match, a person counts as being at its board."""
KEPT = 10_000
"""So many acts are kept before old ones are forgotten."""


class Presence:
    """Notes what people do in their matches and which boards they have open on the page."""

    def __init__(self) -> None:
        self._acts: dict[tuple[int, int], datetime] = {}
        self._open = Counter[tuple[int, int]]()

    def acted(self, match_id: int, user_id: int, at: datetime) -> None:
        """Note that a person has just done something in a match of theirs."""
        self._acts[match_id, user_id] = at
        if len(self._acts) > KEPT:
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

    def is_here(self, match_id: int, user_id: int, now: datetime) -> bool:
        """Return whether a person is at the board of a match."""
        acted_at = self._acts.get((match_id, user_id))
        return self._open[match_id, user_id] > 0 or (acted_at is not None and now - acted_at < RECENT)
