"""The people of the fortnight: eight in three time zones, whose habits are values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

HOUR, DAY = 3600, 86400
EVERY_DAY = frozenset(range(7))
WEEKEND = frozenset({5, 6})
BERLIN, NEW_YORK, TOKYO = 1, -5, 9
"""Hours ahead of UTC, in winter."""
GAMES = (("yonmoque", None), ("rectangles", "4x4"), ("gyges", None))
"""Games and variants with short matches."""


@dataclass(frozen=True, slots=True)
class Habits:
    """When a person looks into the server, and what they do there."""

    zone: int
    looks: tuple[int, ...]
    """The hours of their day in which they look, each once."""
    wanted: int
    """The matches that they like to have running."""
    paces: tuple[int, ...]
    """The times for a move that they choose and accept, in seconds."""
    weekdays: frozenset[int] = EVERY_DAY
    awake: tuple[int, int] = (7, 23)
    """The hours between which they hear a mention."""
    answers_after: int | None = None
    """Minutes after which they answer a mention that they hear; None for the next time they look."""
    leaves: int | None = None
    """The day from which on they are never seen again, counted from 0."""
    challenges: float = 0.3
    """How often they challenge one person when they want another match."""
    cup: bool = False
    ladder: bool = False
    solves: bool = False
    """Whether they solve the puzzle of the day."""
    types: bool = False
    """Whether they type their moves."""
    lists: bool = True
    """Whether they look at their list of matches where no mention leads them to a board."""
    against_bot: bool = False

    def local(self, at: datetime) -> datetime:
        """Return a time on the clock of the person's wall."""
        return at + timedelta(hours=self.zone)

    def is_awake(self, at: datetime) -> bool:
        """Return whether they hear a mention."""
        begins, ends = self.awake
        hour = self.local(at).hour
        return begins <= hour < ends if begins < ends else hour >= begins or hour < ends

    def awake_between(self, since: datetime, until: datetime) -> timedelta:
        """Return for how much of a time they are awake."""
        awake, at = timedelta(0), since
        while at < until:
            following = min(until, at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1))
            if self.is_awake(at):
                awake += following - at
            at = following
        return awake

    def awake_from(self, at: datetime) -> datetime:
        """Return the first moment from a time on at which they are awake."""
        if self.is_awake(at):
            return at
        hour = (self.awake[0] - self.local(at).hour) % 24
        return at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=hour)


PEOPLE: Mapping[str, Habits] = {
    # Runs the server and its cup.
    "alice": Habits(BERLIN, (8, 13, 20), 3, (DAY, 2 * DAY), cup=True, ladder=True, solves=True),
    # Plays in the evening.
    "bob": Habits(BERLIN, (20, 22), 3, (DAY,), cup=True, awake=(18, 23)),
    # Answers at once.
    "carol": Habits(NEW_YORK, (9, 12, 18), 3, (12 * HOUR, DAY), answers_after=2, cup=True, ladder=True, solves=True),
    # Plays at weekends.
    "dave": Habits(NEW_YORK, (10, 14, 18, 21), 2, (3 * DAY, 7 * DAY), weekdays=WEEKEND, challenges=0.8),
    # A night owl.
    "erin": Habits(TOKYO, (22, 0, 2), 3, (DAY, 2 * DAY), awake=(15, 5), cup=True, solves=True),
    # Challenges a lot.
    "frank": Habits(TOKYO, (7, 12, 19, 22), 4, (DAY, 3 * DAY), challenges=1.0, ladder=True),
    # Is gone in the second week.
    "grace": Habits(BERLIN, (9, 18), 3, (DAY, 3 * DAY), leaves=7, cup=True, lists=False),
    # Looks once a day, types, and practises against the bot.
    "heidi": Habits(NEW_YORK, (7,), 2, (3 * DAY, 2 * DAY), types=True, ladder=True, against_bot=True),
}
