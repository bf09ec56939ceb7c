"""What reviews and hints find out about the positions of a match. Pure, and loaded by worker processes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random

from bot.games import GAMES, game_of
from bot.games.game import Game, Position
from bot.matches.model.game_state import game_states, standing
from bot.opponents import Line, analyse
from bot.storage.records import Judgement, MoveKind, PlayedMove

ALL_NODES = 1_000_000
"""Positions looked at for a whole review: some fifteen seconds on one core."""
MOST_NODES, LEAST_NODES = 20_000, 2_000
"""Positions looked at for one position of a match, however short or long it is."""
_TRIED = 3
"""So many of the best moves are looked at once more where the one made turned out to lose."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position of a match that is to be judged, and the text of the move that was made there, if one was."""

    number: int
    position: Position
    played: str | None
    lost: bool = False
    """Whether it is proven that after that move somebody else wins."""

    def knowing(self, following: Judgement | None) -> Question:
        """Return the question asked with the judgement of the next position in mind, if that is known.

        For matches of two.
        """
        if following is None or following.number != self.number + 1 or self.position.to_move == {following.seat}:
            return self
        return replace(self, lost=following.exact and following.winning == 1)


def questions(game: Game, variant: str, players: int, played: Sequence[PlayedMove]) -> list[Question]:
    """Return what there is to judge in a match: every position in which one seat had a choice.

    Left out are set-ups, of which one is as good as another, forced passes, and what came after the end.
    """
    found = []
    entries: list[PlayedMove | None] = [*standing(played), None]
    for number, state in enumerate(game_states(game, variant, players, played)):
        entry = entries[number]
        forced = entry is not None and entry.kind is MoveKind.FORCED
        if state.result is None and not forced and is_judged(state.position):
            made = entry is not None and entry.kind is MoveKind.MOVE
            found.append(Question(number, state.position, entry.text if made and entry is not None else None))
    return found


def position_at(
    game: Game, variant: str, players: int, played: Sequence[PlayedMove], number: int
) -> tuple[int, Position]:
    """Return the position of a match with that number, or its last one where it has no more, and its number."""
    every = game_states(game, variant, players, played)
    number = min(number, len(every) - 1)
    return number, every[number].position


def likenesses(game: str, positions: Sequence[Position]) -> list[Hashable]:
    """Return for each position of a game what it shares with all that are alike."""
    return [GAMES[game].likeness(position) for position in positions]


def is_judged(position: Position) -> bool:
    """Return whether a search can tell one move of a position from another: it cannot in a set-up."""
    game = game_of(position)
    return len(position.to_move) == 1 and (game is None or game.opening(position, Random(0)) is None)


def nodes_for(positions: int) -> int:
    """Return how many positions may be looked at for each of so many: the more of them, the fewer for each."""
    return max(LEAST_NODES, min(MOST_NODES, ALL_NODES // max(positions, 1)))


@dataclass(frozen=True, slots=True)
class Advice:
    """The best move of a position, and the chance to win with it for the seat to move; None in a set-up."""

    move: str
    winning: float | None
    proven: bool = False


def advice(position: Position) -> Advice:
    """Return what to play in a position that is not over."""
    game = game_of(position)
    opening = game.opening(position, Random(0)) if game is not None else None
    if opening is not None:
        return Advice(str(opening), None)
    best = analyse(position, nodes=MOST_NODES).lines[0]
    return Advice(str(best.move), best.winning, best.exact)


def judgement(question: Question, nodes: int) -> Judgement:
    """Judge a position of a match: what the best move is worth there, and by the same search the one made."""
    position = question.position
    played = None if question.played is None else position.parse(question.played)
    lines = analyse(position, nodes=nodes, played=played).lines
    best = lines[0]
    made = next((line.winning for line in lines if line.move == played), None)
    if question.lost and not best.exact and best.move != played:
        best, made = _in_hindsight(position, [line for line in lines[:_TRIED] if line.move != played], nodes, made)
    (seat,) = position.to_move
    return Judgement(question.number, seat, best.winning, made, str(best.move), best.exact)


def _in_hindsight(
    position: Position, lines: Sequence[Line], nodes: int, made: float | None
) -> tuple[Line, float | None]:
    """Return what was best and what the move made was worth, in a match of two, now that that one is proven to lose.

    The best ``lines`` are looked at as closely as it was. Where all of them lose too, and where only games at random
    speak for the others, nobody could have known better: it keeps the chance the search from before had ``made`` of it.
    """
    for line in lines:
        after = position.play(line.move)
        if after.result is not None:
            continue  # The search from before has seen that, and what it is worth.
        replies = analyse(after, nodes=nodes)
        best = replies.lines[0]
        if best.exact and best.winning < 1:
            return replace(line, winning=1 - best.winning, exact=True), 0.0
        if replies.guided and not best.exact:
            return line, 0.0
    return lines[0], made
