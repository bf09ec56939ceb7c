"""Ratings, of one result and of all once more: openskill's Plackett-Luce model, shown on the familiar 1500 scale.

A match of more than two is rated as the mean of its pairs: the model's own handling of ties can give who shares a place
less than who stands behind them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating

from bot.games.cancellation import check_cancelled
from bot.storage.rating_records import RatedResult, Rating, RatingChange

_MODEL = PlackettLuce()
START_MU: float = _MODEL.mu
START_SIGMA: float = _MODEL.sigma

POINTS = 1500
POINTS_PER_MU = 42
"""Chosen so that a newcomer's uncertainty is some 350 points, as in Glicko."""
CERTAIN_GAMES = 5
CERTAIN_SIGMA = 7.0
FULL_A_DAY, FULL_A_WEEK = 2, 5
"""So many results between the same two people count in full within 24 hours and within a week."""
WEEK = timedelta(days=7)


def newcomer(user_id: int) -> Rating:
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


def deviation(rating: Rating) -> int:
    """Return how far the true rating may well lie from the one shown, in points: two standard deviations."""
    return round(2 * rating.sigma * POINTS_PER_MU)


def ranks(seats: int, winners: Collection[int], dropped: Sequence[int]) -> list[int]:
    """Return the rank of every seat: winners first, then those who stayed, then the dropped, the first to go last."""
    stayed = [seat for seat in range(seats) if seat not in winners and seat not in dropped]
    leavers = [seat for seat in dropped if seat not in winners]
    rank_of = dict.fromkeys(winners, 1) | dict.fromkeys(stayed, 2)
    rank_of |= {seat: 2 + bool(stayed) + place for place, seat in enumerate(reversed(leavers))}
    return [rank_of[seat] for seat in range(seats)]


def weight(earlier: Collection[datetime], now: datetime) -> float:
    """Return how much of a result between two people counts, after those at ``earlier`` times.

    The first ``FULL_A_DAY`` within a day and ``FULL_A_WEEK`` within a week count in full, each further one half as much
    as the one before.
    """
    today, week = (sum(at > now - within for at in earlier) for within in (timedelta(days=1), WEEK))
    return 0.5 ** max(0, today + 1 - FULL_A_DAY, week + 1 - FULL_A_WEEK)


def weights(players: Sequence[int], met: Collection[tuple[int, int, datetime]], now: datetime) -> list[float]:
    """Return how much of a result counts for each of its players, the mean over the others.

    ``met`` says who has met whom within a week, and when. People who have deleted their data have a negative number:
    they may be any of the others, so who plays with them often gains no new opponent by a deletion.
    """

    def against(player: int, other: int) -> float:
        return weight([at for first, second, at in met if first == player and (second == other or second < 0)], now)

    return [fmean(against(player, other) for other in players if other != player) for player in players]


def rate(
    before: Sequence[Rating],
    ranks: Sequence[int],
    dropped: Collection[int] = (),
    weights: Sequence[float] | None = None,
) -> list[Rating]:
    """Return the ratings after a game, in the same order.

    ``ranks`` are the places, 1 for the best; seats may share one. In the record, rank 1 counts as a win, or as a draw
    if all share it; every other rank counts as a loss. ``dropped`` seats gain nothing from those who dropped before
    them, so nobody gains by leaving. ``weights`` are the parts of the changes that count, all of them by default.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    against: list[list[PlackettLuceRating]] = [[] for _ in before]
    for pair in combinations(range(len(before)), 2):
        after = _MODEL.rate([teams[seat] for seat in pair], ranks=[float(ranks[seat]) for seat in pair])
        for seat, other, rated in zip(pair, reversed(pair), after, strict=True):
            outlasted = seat in dropped and other in dropped and ranks[seat] < ranks[other]
            against[seat] += teams[seat] if outlasted else rated
    drawn = len(set(ranks)) == 1
    return [
        replace(
            rating,
            mu=rating.mu + part * (fmean(new.mu for new in rated) - rating.mu),
            sigma=rating.sigma + part * (fmean(new.sigma for new in rated) - rating.sigma),
            wins=rating.wins + (not drawn and rank == 1),
            draws=rating.draws + drawn,
            losses=rating.losses + (not drawn and rank != 1),
        )
        for rating, rank, rated, part in zip(before, ranks, against, weights or [1.0] * len(before), strict=True)
    ]


def with_newcomers(ratings: Mapping[int, Rating], user_ids: Sequence[int]) -> list[Rating]:
    """Return the ratings of some people in order; people without one get a newcomer's."""
    return [ratings.get(user_id) or newcomer(user_id) for user_id in user_ids]


ChangeKey = tuple[int, str, int]
"""Match id, game and user id."""
Standing = dict[tuple[str, int], tuple[Rating, datetime] | None]
"""Ratings by game and user id, each with the time of its last change; None for people with no result yet."""


def rated_again(
    standing: Standing, results: Sequence[RatedResult], changes: Mapping[ChangeKey, RatingChange]
) -> tuple[Standing, list[tuple[str, RatingChange]]]:
    """Rate results in the order in which they ended, from the ratings in ``standing`` on.

    ``changes`` are the stored changes of these results, by match, game and person. Return the ratings of their people
    afterwards, and those changes, each with its game, that have to be stored anew.
    """
    after, differing = dict(standing), list[tuple[str, RatingChange]]()
    for result in results:
        check_cancelled()
        places = ranks(len(result.people), result.winners, result.dropped)
        for game in result.games:
            standings = [after.get((game, user_id)) for user_id in result.people]
            people = zip(result.people, standings, strict=True)
            before = [newcomer(user) if earlier is None else earlier[0] for user, earlier in people]
            every = [changes[result.match_id, game, user_id] for user_id in result.people]
            rated = rate(before, places, result.dropped, [change.weight for change in every])
            for old, new, stored in zip(before, rated, every, strict=True):
                change = replace(
                    stored, mu_before=old.mu, sigma_before=old.sigma, mu_after=new.mu, sigma_after=new.sigma
                )
                if change != stored:
                    differing.append((game, change))
                after[game, new.user_id] = new, stored.at
    return after, differing
