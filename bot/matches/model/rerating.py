"""Ratings as they would be without one match: later matches are rated again in the order they ended.

Pure arithmetic on records. Only ratings that depend on the match are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.games.cancellation import check_cancelled
from bot.matches.model.rating import rate
from bot.storage.records import Rating, RatingChange

ChangeKey = tuple[int, str, int]
"""Match id, game (``""`` for the overall rating) and user id."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match that is over, with its people and their ranks in the order of seats.

    ``games`` are the ratings it counts in: that of its game, and the overall one.
    """

    id: int
    games: tuple[str, ...]
    people: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rerating:
    """The changes that leaving a match out makes, by game: rating changes of later matches, and the ratings after the
    last one.
    """

    changes: dict[str, list[RatingChange]] = field(default_factory=dict)
    standing: dict[str, dict[int, Rating]] = field(default_factory=dict)
    """Only ``mu`` and ``sigma`` of these ratings are valid."""


def standing_before(voided: RatedMatch, changes: Mapping[ChangeKey, RatingChange]) -> dict[str, dict[int, Rating]]:
    """Return the ratings of the people of a match from before it, by game; ``changes`` has those it made."""
    return {
        game: {user: _before(changes[key]) for user in voided.people if (key := (voided.id, game, user)) in changes}
        for game in voided.games
    }


def rerated(
    standing: Mapping[str, Mapping[int, Rating]],
    later: Sequence[RatedMatch],
    changes: Mapping[ChangeKey, RatingChange],
) -> Rerating:
    """Return what changes by ``later`` matches, in the order they ended, from the ratings in ``standing`` on.

    ``changes`` has the stored rating changes of these matches.
    """
    rerating = Rerating({game: [] for game in standing}, {game: dict(known) for game, known in standing.items()})
    for match in later:
        check_cancelled()
        for game in match.games:
            known = rerating.standing.get(game, {})
            if not known.keys().isdisjoint(match.people):
                rerating.changes[game] += _rated_again(match, game, known, changes)
    return rerating


def without(rating: Rating, match: RatedMatch) -> Rating:
    """Return a rating with a match taken out of its wins, draws and losses."""
    rank = match.ranks[match.people.index(rating.user_id)]
    drawn = len(set(match.ranks)) == 1
    return replace(
        rating,
        wins=rating.wins - (not drawn and rank == 1),
        draws=rating.draws - drawn,
        losses=rating.losses - (not drawn and rank != 1),
    )


def _rated_again(
    match: RatedMatch, game: str, standing: dict[int, Rating], changes: Mapping[ChangeKey, RatingChange]
) -> list[RatingChange]:
    """Rate a match again, update ``standing``, and return the rating changes."""
    stored = [changes[match.id, game, user_id] for user_id in match.people]
    before = [standing.get(change.user_id) or _before(change) for change in stored]
    after = rate(before, match.ranks)
    standing.update((rating.user_id, rating) for rating in after)
    return [
        replace(change, mu_before=old.mu, sigma_before=old.sigma, mu_after=new.mu, sigma_after=new.sigma)
        for change, old, new in zip(stored, before, after, strict=True)
    ]


def _before(change: RatingChange) -> Rating:
    return Rating(change.user_id, change.mu_before, change.sigma_before)
