"""The review of a match: winning chances, marks of moves, accuracy, and turning points. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import fmean

from bot.games.game import Result
from bot.matches.model.game_state import CLOSED
from bot.storage.records import Entry, EntryKind, Judgement


class MoveMark(StrEnum):
    """The mark of a move, by the winning chance it lost against the best move."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


THRESHOLDS = {MoveMark.BLUNDER: 0.25, MoveMark.MISTAKE: 0.12, MoveMark.INACCURACY: 0.06}
"""The least loss of winning chance, from 0 to 1, for each mark; the worst first."""
MOMENTS = 3
"""How many turning points are shown."""


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a match with its mark. ``number`` is the number of the position after it.

    ``before`` is the seat's winning chance with the best move, ``after`` the one with the move played, from 0 to 1.
    """

    number: int
    seat: int
    text: str
    best: str
    before: float
    after: float
    proven: bool
    """Whether ``before`` is proven rather than estimated."""
    mark: MoveMark

    @property
    def loss(self) -> float:
        """The winning chance that the move lost."""
        return 0.0 if self.text == self.best else max(0.0, self.before - self.after)

    @property
    def gave_away(self) -> bool:
        """Whether the move lost enough for the review to say how much."""
        return self.mark not in (MoveMark.BEST, MoveMark.GOOD)


@dataclass(frozen=True, slots=True)
class Review:
    """The reviewed moves of a match, and the winning chances of its seats.

    ``chances`` has for each seat pairs of a position's number and the seat's winning chance there, from 0 to 1. With
    two players the chances of a position add up to 1 and agree with the moves; with more, a seat has those of the
    positions in which it was to move.
    """

    moves: tuple[ReviewedMove, ...]
    chances: tuple[tuple[tuple[int, float], ...], ...]
    unclear: int = 0
    """Positions of which the review says nothing, because the search did not tell the best move from the others."""

    def accuracy(self, seat: int) -> float | None:
        """Return the accuracy of a seat's moves, from 0 to 100; None if it has none."""
        losses = [move.loss for move in self.moves if move.seat == seat]
        return fmean(map(_accuracy, losses)) if losses else None

    def count(self, seat: int, mark: MoveMark) -> int:
        return sum(move.seat == seat and move.mark is mark for move in self.moves)

    def moments(self) -> list[ReviewedMove]:
        """Return the turning points in the order they were played: the moves that lost most, from an inaccuracy up."""
        turning = [move for move in self.moves if move.loss >= THRESHOLDS[MoveMark.INACCURACY]]
        return sorted(sorted(turning, key=lambda move: -move.loss)[:MOMENTS], key=lambda move: move.number)

    def move(self, number: int) -> ReviewedMove | None:
        """Return the reviewed move before the position of a number, if there is one."""
        return next((move for move in self.moves if move.number == number), None)


def mark_of(loss: float) -> MoveMark:
    """Return the mark of a move other than the best one, by the winning chance it lost, from 0 to 1."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), MoveMark.GOOD)


def review_of(
    entries: Sequence[Entry],
    players: int,
    result: Result | None,
    judgements: Iterable[Judgement],
    hidden: Iterable[int] = (),
) -> Review:
    """Return the review of a match, from its effective entries and the judged positions.

    It leaves out the ``hidden`` positions, the moves before and after them, and the positions after these. It leaves
    out positions whose best move is not clear, too.
    """
    hidden = frozenset(hidden)
    left_out = {number + later for number in hidden for later in (0, 1)}
    shown = {judgement.number: judgement for judgement in judgements if judgement.number not in left_out}
    judged = {number: judgement for number, judgement in shown.items() if judgement.clear}
    decided = result is not None and result.reason != CLOSED and len(entries) not in left_out
    ends = {len(entries): result} if result is not None and decided else {}
    chances = _Chances(players, judged, ends, entries)
    moves = [_reviewed_move(entry, number, judged.get(number - 1), chances) for number, entry in enumerate(entries, 1)]
    told = tuple(move for move in moves if move is not None and move.number not in hidden)
    return Review(told, chances.lines(told), len(shown) - len(judged))


@dataclass(frozen=True, slots=True)
class _Chances:
    """The known winning chances of seats, by the numbers of positions."""

    players: int
    judged: Mapping[int, Judgement]
    ends: Mapping[int, Result]
    entries: Sequence[Entry]

    def at(self, number: int, seat: int) -> float | None:
        """Return the winning chance of a seat in a position, if it is known."""
        end, judgement = self.ends.get(number), self.judged.get(number)
        if end is not None:
            return 0.5 if len(end.winners) == self.players else float(seat in end.winners)
        if judgement is None:
            return None
        if judgement.seat == seat:
            return self.before(judgement)
        return 1 - self.before(judgement) if self.players == 2 else None

    def before(self, judgement: Judgement) -> float:
        """Return the chance of the seat to move: at most what the best move, if it was played, is proven to lead to."""
        number = judgement.number
        if judgement.exact or number >= len(self.entries) or self.entries[number].text != judgement.best:
            return judgement.winning
        reached = self._chosen_in(number + 1)
        proven = self.at(reached, judgement.seat) if self._is_proven(reached) else None
        return judgement.winning if proven is None else min(judgement.winning, proven)

    def after(self, number: int, seat: int, judgement: Judgement) -> float | None:
        """Return a seat's winning chance after its move from the position of ``judgement`` to that of ``number``.

        Two searches value the move: one before it, which searched it as deeply as the best move, and one after it. The
        higher value counts, because the best move may have met with what only the later search sees. If both are
        proven, the later proof counts.
        """
        number = self._chosen_in(number)
        reached = self.at(number, seat)
        if reached is None or judgement.played is None:
            return judgement.played if reached is None else reached
        return reached if self._is_proven(number) and judgement.exact else max(reached, judgement.played)

    def lines(self, moves: Iterable[ReviewedMove]) -> tuple[tuple[tuple[int, float], ...], ...]:
        """Return the known chances of each seat, position by position, in agreement with the ``moves``."""
        numbers = sorted({*self.judged, *self.ends}) if self.judged else []
        told = (move for move in moves if move.gave_away or move.mark is MoveMark.BEST) if self.players == 2 else ()
        moves_from = {self._chosen_in(move.number): move for move in told}
        by_seat = [
            [(number, self._chance_after(number, seat, moves_from.get(number))) for number in numbers]
            for seat in range(self.players)
        ]
        return tuple(tuple((number, chance) for number, chance in line if chance is not None) for line in by_seat)

    def _chance_after(self, number: int, seat: int, move: ReviewedMove | None) -> float | None:
        """Return a seat's chance in the position after ``move``: the one the move left, unless another is proven."""
        if move is None or self._is_proven(number):
            return self.at(number, seat)
        return move.after if move.seat == seat else 1 - move.after

    def _chosen_in(self, number: int) -> int:
        """Return the number of the first position from ``number`` on that has no forced pass."""
        while number < len(self.entries) and self.entries[number].kind is EntryKind.FORCED:
            number += 1
        return number

    def _is_proven(self, number: int) -> bool:
        judgement = self.judged.get(number)
        return number in self.ends or (judgement is not None and judgement.exact)


def _reviewed_move(entry: Entry, number: int, judgement: Judgement | None, chances: _Chances) -> ReviewedMove | None:
    if judgement is None or entry.kind is not EntryKind.MOVE:
        return None
    after = chances.after(number, entry.seat, judgement)
    if after is None:
        return None
    best = entry.text == judgement.best
    before = chances.before(judgement)
    mark = MoveMark.BEST if best else mark_of(before - after)
    return ReviewedMove(number, entry.seat, entry.text, judgement.best, before, after, judgement.exact, mark)


def _accuracy(loss: float) -> float:
    """Return the accuracy of a move, from 0 to 100, by the winning chance it lost: the curve of lichess."""
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * loss) - 3.1669))
