"""Records of ratings that worker processes use; like ``records``, this module must not import SQLAlchemy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as openskill keeps it, with the record of the games behind it."""

    user_id: int
    mu: float
    sigma: float
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one rating by one match. ``weight`` is the part of it that counts, from 0 to 1."""

    match_id: int
    user_id: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    at: datetime
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a rated match, seat by seat. ``dropped`` are the seats that left it, in that order.

    ``games`` are the ratings it counts in: that of its game, and the overall one.
    """

    match_id: int
    finish: int
    games: tuple[str, ...]
    people: tuple[int, ...]
    winners: frozenset[int]
    dropped: tuple[int, ...]
