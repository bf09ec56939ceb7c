"""Ratings: openskill's Plackett-Luce model, shown on the familiar 1500 scale. Pure arithmetic on records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from openskill.models import PlackettLuce

from bot.matches.model.game_state import standing
from bot.storage.records import Match, MoveKind, PlayedMove, Rating

_MODEL = PlackettLuce()
START_MU: float = _MODEL.mu
START_SIGMA: float = _MODEL.sigma

POINTS = 1500
POINTS_PER_MU = 42
"""Chosen so that a newcomer's uncertainty is some 350 points, as in Glicko."""
CERTAIN_GAMES = 5
CERTAIN_SIGMA = 7.0
MOVES_TO_COUNT = 2
"""How often each player has to have moved for a rated match to count, whatever ends it."""


def counts(match: Match, played: Sequence[PlayedMove]) -> bool:
    """Return whether the result of a match counts in ratings; ``played`` are all its entries.

    It does if the match was to be rated and each player, also one who left, has made two moves that were not taken
    back. Forced passes, and set-ups that were taken without asking, do not count as moves.
    """
    moved = [entry.seat for entry in standing(played) if entry.kind is MoveKind.MOVE]
    return match.rated and all(moved.count(seat.seat) - seat.ready_made >= MOVES_TO_COUNT for seat in match.seats)


def newcomer(user_id: int) -> Rating:
    """Return the rating of a person before their first match."""
    return Rating(user_id, START_MU, START_SIGMA)


def points(mu: float) -> int:
    """Return a rating on the scale people see: 1500 for a newcomer."""
    return round(POINTS + (mu - START_MU) * POINTS_PER_MU)


def certain(rating: Rating) -> bool:
    """Return whether a rating is based on enough games to be shown without a question mark."""
    return rating.games >= CERTAIN_GAMES and rating.sigma <= CERTAIN_SIGMA


def format_rating(rating: Rating) -> str:
    """Return the text of a rating, such as ``1540`` or ``1540?``."""
    return f"{points(rating.mu)}{'' if certain(rating) else '?'}"


def leaderboard_order(rating: Rating) -> tuple[bool, float, int]:
    """Return the sort key of a leaderboard: certain ratings first, then by rating, then the older account."""
    return (not certain(rating), -rating.mu, rating.user_id)


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game, in the same order.

    ``ranks`` are the places, 1 for the best; seats may share one. In the record, rank 1 counts as a win, or as a draw
    if all share it; every other rank counts as a loss.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    drawn = len(set(ranks)) == 1
    return [
        replace(
            rating,
            mu=team[0].mu,
            sigma=team[0].sigma,
            wins=rating.wins + (not drawn and rank == 1),
            draws=rating.draws + drawn,
            losses=rating.losses + (not drawn and rank != 1),
        )
        for rating, rank, team in zip(before, ranks, after, strict=True)
    ]


def with_newcomers(known: Mapping[int, Rating], user_ids: Sequence[int]) -> list[Rating]:
    """Return the ratings of some people in order; people without one get a newcomer's."""
    return [known.get(user_id) or newcomer(user_id) for user_id in user_ids]
