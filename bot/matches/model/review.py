"""What a review says of a match: chances to win, marks of moves, accuracy, the moments that turned it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import fmean

from bot.games.game import Result
from bot.matches.model.game_state import CLOSED
from bot.storage.records import Judgement, MoveKind, PlayedMove


class Mark(StrEnum):
    """What is said of a move, by how much smaller it made the chance to win than the best move would have."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


THRESHOLDS = {Mark.BLUNDER: 0.25, Mark.MISTAKE: 0.12, Mark.INACCURACY: 0.06}
"""The loss of winning chance, from 0 to 1, from which on a move is marked so; the worst first."""
MOMENTS = 3
"""How many moves that turned a match are shown."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a match with its mark. ``number`` is that of the position it led to.

    ``before`` is the chance to win of its seat with the best move, ``after`` that with the move made, from 0 to 1.
    """

    number: int
    seat: int
    text: str
    best: str
    before: float
    after: float
    proven: bool
    """Whether ``before`` is proven and no estimate."""
    mark: Mark

    @property
    def loss(self) -> float:
        """How much smaller the move made the chance to win."""
        return 0.0 if self.text == self.best else max(0.0, self.before - self.after)

    @property
    def gave_away(self) -> bool:
        """Whether the move made the chance to win so much smaller that it is told by how much."""
        return self.mark not in (Mark.BEST, Mark.GOOD)


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say about a match.

    ``chances`` holds for each seat the numbers of positions with its chance to win there, from 0 to 1; in a game for
    two they add up to 1 and agree with what is said of the moves, with more each seat has those of the positions in
    which it was to move.
    """

    moves: tuple[ReviewedMove, ...]
    chances: tuple[tuple[tuple[int, float], ...], ...]

    def accuracy(self, seat: int) -> float | None:
        """Return how near to the best the moves of a seat were, from 0 to 100; None where it has made none."""
        losses = [move.loss for move in self.moves if move.seat == seat]
        return fmean(map(_accuracy, losses)) if losses else None

    def count(self, seat: int, mark: Mark) -> int:
        """Return how many moves of a seat have a mark."""
        return sum(move.seat == seat and move.mark is mark for move in self.moves)

    def moments(self) -> list[ReviewedMove]:
        """Return the moves that turned the match, in the order they were made: those that lost most, if much at all."""
        turning = [move for move in self.moves if move.loss >= THRESHOLDS[Mark.INACCURACY]]
        return sorted(sorted(turning, key=lambda move: -move.loss)[:MOMENTS], key=lambda move: move.number)

    def move(self, number: int) -> ReviewedMove | None:
        """Return the move that led to the position of a number, if there is something to say about it."""
        return next((move for move in self.moves if move.number == number), None)


def mark_of(loss: float) -> Mark:
    """Return the mark of a move that is not the best one, by the winning chance it lost, from 0 to 1."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), Mark.GOOD)


def review_of(
    entries: Sequence[PlayedMove],
    players: int,
    result: Result | None,
    judgements: Iterable[Judgement],
    hidden: Iterable[int] = (),
) -> Review:
    """Return the review of a match from the entries of its list of moves that stand, and the judged positions.

    Nothing is said of the positions that are ``hidden``, nor of the moves that led to them, nor of what the moves made
    there led to.
    """
    hidden = frozenset(hidden)
    left_out = {number + later for number in hidden for later in (0, 1)}
    judged = {one.number: one for one in judgements if one.number not in left_out}
    decided = result is not None and result.reason != CLOSED and len(entries) not in left_out
    ends = {len(entries): result} if result is not None and decided else {}
    chances = _Chances(players, judged, ends, entries)
    moves = [_reviewed(entry, number, judged.get(number - 1), chances) for number, entry in enumerate(entries, 1)]
    told = tuple(move for move in moves if move is not None and move.number not in hidden)
    return Review(told, chances.lines(told))


@dataclass(frozen=True, slots=True)
class _Chances:
    """What is known of the chances of seats, by the numbers of positions."""

    players: int
    judged: Mapping[int, Judgement]
    ends: Mapping[int, Result]
    entries: Sequence[PlayedMove]

    def at(self, number: int, seat: int) -> float | None:
        """Return the chance of a seat to win from a position, where something is known of it."""
        end, judgement = self.ends.get(number), self.judged.get(number)
        if end is not None:
            return 0.5 if len(end.winners) == self.players else float(seat in end.winners)
        if judgement is None:
            return None
        if judgement.seat == seat:
            return judgement.winning
        return 1 - judgement.winning if self.players == 2 else None

    def after(self, number: int, seat: int, judgement: Judgement) -> float | None:
        """Return the chance a seat had left after its move from the position of ``judgement`` to that of ``number``.

        A move has lost no more than both searches say, the one from before it, which looked at it and at the best move
        equally far, and the one from after it: what that one sees the best move may not have escaped either. Where both
        are proven, the later proof holds.
        """
        number = self._chosen_in(number)
        reached = self.at(number, seat)
        if reached is None or judgement.played is None:
            return judgement.played if reached is None else reached
        return reached if self._is_proven(number) and judgement.exact else max(reached, judgement.played)

    def lines(self, moves: Iterable[ReviewedMove]) -> tuple[tuple[tuple[int, float], ...], ...]:
        """Return what is known of each seat, position by position, in agreement with what is told of the ``moves``."""
        numbers = sorted({*self.judged, *self.ends})
        left = {self._chosen_in(move.number): move for move in moves if move.gave_away} if self.players == 2 else {}
        known = [
            [(number, self._told(number, seat, left.get(number))) for number in numbers] for seat in range(self.players)
        ]
        return tuple(tuple((number, chance) for number, chance in line if chance is not None) for line in known)

    def _told(self, number: int, seat: int, move: ReviewedMove | None) -> float | None:
        """Return the chance of a seat in a position that ``move`` led to: what it left, until more is proven."""
        if move is None or self._is_proven(number):
            return self.at(number, seat)
        return move.after if move.seat == seat else 1 - move.after

    def _chosen_in(self, number: int) -> int:
        """Return the number of the first position from ``number`` on in which nobody was forced to pass."""
        while number < len(self.entries) and self.entries[number].kind is MoveKind.FORCED:
            number += 1
        return number

    def _is_proven(self, number: int) -> bool:
        judgement = self.judged.get(number)
        return number in self.ends or (judgement is not None and judgement.exact)


def _reviewed(entry: PlayedMove, number: int, judgement: Judgement | None, chances: _Chances) -> ReviewedMove | None:
    if judgement is None or entry.kind is not MoveKind.MOVE:
        return None
    after = chances.after(number, entry.seat, judgement)
    if after is None:
        return None
    best = entry.text == judgement.best
    mark = Mark.BEST if best else mark_of(judgement.winning - after)
    return ReviewedMove(number, entry.seat, entry.text, judgement.best, judgement.winning, after, judgement.exact, mark)


def _accuracy(loss: float) -> float:
    """Return how accurate a move is, from 0 to 100, by the winning chance it lost: the curve lichess uses."""
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * loss) - 3.1669))
