"""What ratings would be if a match had not been played: the matches after it are rated again, in the order they ended.

Pure arithmetic on records. Only what differs is computed: somebody whose rating does not depend on the match keeps
theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.games.cancellation import check_cancelled
from bot.matches.model.rating import rate
from bot.storage.records import Rating, RatingChange

ChangeKey = tuple[int, str, int]
"""A match, a game (or all of them together) and a person."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match that is over: who played it, in the order of their seats, and with what rank.

    ``games`` are those in whose ratings it counts: its own, and all of them together.
    """

    id: int
    games: tuple[str, ...]
    people: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rerating:
    """What differs without a match, by game: what later matches did, and where ratings stand now."""

    changes: dict[str, list[RatingChange]] = field(default_factory=dict)
    standing: dict[str, dict[int, Rating]] = field(default_factory=dict)
    """Of these ratings only ``mu`` and ``sigma`` mean anything."""


def rerated(voided: RatedMatch, later: Sequence[RatedMatch], changes: Mapping[ChangeKey, RatingChange]) -> Rerating:
    """Return what differs without ``voided``; ``later`` are the matches that ended after it, in that order.

    ``changes`` holds what each of them did to ratings.
    """
    rerating = Rerating()
    for game in voided.games:
        known = [changes[key] for user_id in voided.people if (key := (voided.id, game, user_id)) in changes]
        rerating.standing[game] = {change.user_id: _before(change) for change in known}
        rerating.changes[game] = []
    for match in later:
        check_cancelled()
        for game in match.games:
            standing = rerating.standing.get(game, {})
            if not standing.keys().isdisjoint(match.people):
                rerating.changes[game] += _rated_again(match, game, standing, changes)
    return rerating


def without(rating: Rating, match: RatedMatch) -> Rating:
    """Return a rating whose record leaves a match out."""
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
    """Rate a match anew, note in ``standing`` where its people stand after it, and return what it did."""
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
