"""Who plays whom in a week of a ladder, who has no match and why, and who is out. Pure.

A pairing costs the difference of the ratings, and more if the two have met lately; to have no match costs most for a
person who had none the week before. The pairing is improved by exchanges until none makes it cheaper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.matches.model.game_state import RESIGNS, TIMES_OUT
from bot.matches.model.policies.acts import MOVES_TO_COUNT, moves_made
from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.ladders import LadderPlayer
from bot.storage.records import Entry, EntryKind, Match, MatchState

MET_LATELY = 2000.0
"""What another match of two people costs who have met lately: more than any difference of ratings."""
NO_MATCH, NO_MATCH_AGAIN = 10_000.0, 1_000_000.0
"""What a week without a match costs, and a second one in a row."""
IMPOSSIBLE = float("inf")
NEAR = 60
"""Pairs so many places apart exchange partners: with hundreds of players, comparing all would take minutes."""

MOST_UNFINISHED = 2
"""How many matches of a ladder a person has at most at the same time."""

Pair = tuple[LadderPlayer, LadderPlayer | None]


@dataclass(frozen=True, slots=True)
class Out:
    """A person who is out of a ladder, by what they did in which match, and when."""

    user_id: int
    why: OutOfLadder
    match_id: int
    at: datetime


def out_by(match: Match, played: Sequence[Entry]) -> Out | None:
    """Return who is out of the ladder by a match of it, if anybody; ``played`` are all its entries.

    That is who ran out of time, and who resigned before they had moved twice. Who has time is never out, nor is who
    loses a game that they have played.
    """
    if match.voided:
        return None
    if match.state is MatchState.RUNNING:
        # A match that began under earlier terms waits for its win to be claimed.
        if not match.flagged or match.deadline_at is None:
            return None
        return Out(match.mover.person.id, OutOfLadder.TIME, match.id, match.deadline_at)
    for entry in played:
        if entry.kind is EntryKind.DROP:
            early = moves_made(match.seats[entry.seat], played) < MOVES_TO_COUNT
            why = {TIMES_OUT: OutOfLadder.TIME, RESIGNS: OutOfLadder.RESIGNED if early else None}.get(entry.text)
            return None if why is None else Out(match.seats[entry.seat].person.id, why, match.id, entry.at)
    return None


def busy(unfinished: Iterable[Collection[int]]) -> set[int]:
    """Return who has as many unfinished matches as one may have; each of them is given by its people."""
    counts = Counter(user_id for people in unfinished for user_id in people)
    return {user_id for user_id, number in counts.items() if number >= MOST_UNFINISHED}


def shared_games(player: LadderPlayer, other: LadderPlayer, games: Sequence[str]) -> list[str]:
    """Return those of the installed games for two that both have chosen."""
    return [key for key in games if all(not who.games or key in who.games for who in (player, other))]


def why_no_match(
    player: LadderPlayer, players: Sequence[LadderPlayer], apart: Collection[frozenset[int]], games: Sequence[str]
) -> NoMatch:
    """Return why one of the ``players`` of a week was not paired; the arguments are those of ``pairs``."""
    others = [other for other in players if other.person.id != player.person.id]
    free = [other for other in others if frozenset((other.person.id, player.person.id)) not in apart]
    if any(shared_games(player, other, games) for other in free):
        return NoMatch.TURN
    return NoMatch.GAME if free else NoMatch.NOBODY


def pairs(
    players: Sequence[LadderPlayer],
    ratings: Mapping[int, float],
    apart: Collection[frozenset[int]],
    met: Collection[frozenset[int]],
    left_out: Collection[int],
    games: Sequence[str],
) -> list[Pair]:
    """Return the pairs of a week, best players first; who is with None has no match.

    ``apart`` may not meet, ``met`` have met lately, and ``left_out`` had no match the week before.
    """

    def cost(player: LadderPlayer | None, other: LadderPlayer | None) -> float:
        if player is None or other is None:
            alone = player or other
            return 0.0 if alone is None else NO_MATCH_AGAIN if alone.person.id in left_out else NO_MATCH
        both = frozenset((player.person.id, other.person.id))
        if both in apart or not shared_games(player, other, games):
            return IMPOSSIBLE
        return abs(ratings[player.person.id] - ratings[other.person.id]) + MET_LATELY * (both in met)

    ordered = sorted(players, key=lambda player: (-ratings[player.person.id], player.joined_at, player.person.id))
    # All begin alone, and exchanges bring them together.
    paired: list[tuple[LadderPlayer | None, LadderPlayer | None]] = [(player, None) for player in ordered]
    while _improved(paired, cost):
        paired = [two for two in paired if two != (None, None)]
    week = ((player or other, other if player else None) for player, other in paired)
    return [(first, second) for first, second in week if first is not None]


def _improved(
    paired: list[tuple[LadderPlayer | None, LadderPlayer | None]],
    cost: Callable[[LadderPlayer | None, LadderPlayer | None], float],
) -> bool:
    """Exchange partners between two pairs where that is cheaper; return whether it was anywhere."""
    changed = False
    for first in range(len(paired)):
        for second in range(first + 1, min(first + 1 + NEAR, len(paired))):
            (a, b), (c, d) = paired[first], paired[second]
            now = cost(a, b) + cost(c, d)
            best = min((((a, c), (b, d)), ((a, d), (c, b))), key=lambda two: cost(*two[0]) + cost(*two[1]))
            if cost(*best[0]) + cost(*best[1]) < now - 1e-6:
                paired[first], paired[second] = best
                changed = True
    return changed
