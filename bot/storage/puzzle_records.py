"""What the queries about puzzles return: rows as frozen values with the names of the field."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class AttemptState(StrEnum):
    """The life of an attempt at a puzzle; every state but ``OPEN`` is final."""

    OPEN = "open"
    SOLVED = "solved"
    SHOWN = "shown"
    """Its solution was shown without its having been found."""


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """Somebody at a puzzle. ``puzzle`` is its key, see ``bot.games.puzzles``. They get each once; the attempt at one of
    a day that has come round takes the place of the one before.

    ``ply`` counts the plies of the solution played so far, the answers to them included; ``wrong`` lists the different
    wrong tries, each after its ply and a colon. ``guild_id`` and ``day`` say of which server's puzzle of the day it is
    one; both are None for any other.
    """

    id: int
    user_id: int
    game: str
    puzzle: str
    guild_id: int | None
    day: date | None
    state: AttemptState
    ply: int
    wrong: tuple[str, ...]
    begun_at: datetime
    ended_at: datetime | None

    @property
    def at_first_try(self) -> bool:
        """Whether it was solved without a wrong try."""
        return self.state is AttemptState.SOLVED and not self.wrong


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """How well somebody solves puzzles, over all servers, and on how many days in a row they solved that of the day.

    ``first_try`` counts the puzzles solved at the first try, ``failed`` those begun with a wrong one or given up.
    """

    user_id: int
    mu: float
    sigma: float
    first_try: int = 0
    failed: int = 0
    streak: int = 0
    longest_streak: int = 0
    last_day: date | None = None
    """The latest day whose puzzle they solved."""


@dataclass(frozen=True, slots=True)
class PuzzleChannel:
    """Where and when a server has its puzzle of the day posted: at a full hour of its time zone."""

    guild_id: int
    channel_id: int
    hour: int
    zone: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A server's puzzle of a day, and where it was posted ``at`` that time."""

    guild_id: int
    day: date
    game: str
    puzzle: str
    channel_id: int
    message_id: int | None
    at: datetime
    count_due_at: datetime | None = None
    """When its post is to say anew how many have solved it."""
