"""Searches the positions of a match for reviews and hints. Pure; worker processes load it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random

from bot.games import GAMES, game_of
from bot.games.cancellation import time_is_short
from bot.games.game import Game, Position
from bot.matches.model.game_state import effective_entries, game_states
from bot.matches.model.review import THRESHOLDS, MoveMark
from bot.opponents import Line, analyse
from bot.storage.records import Entry, EntryKind, Judgement

ALL_NODES = 1_000_000
"""Nodes searched for a whole review, but for second looks: some fifteen seconds on one core."""
MOST_NODES, LEAST_NODES = 60_000, 2_000
"""Nodes searched for one position of a review: at most and at least."""
_HINT_NODES = 20_000
"""Nodes searched for a hint, for which a player waits."""
_DEEPER_FACTOR = 6
"""How many times as many nodes are searched where the move played is proven to lose, and the best move is not."""
_TRIED = 3
"""How many of the best moves are searched again if the move played turned out to be worse than it seemed."""


@dataclass(frozen=True, slots=True)
class PositionToJudge:
    """A position to be judged, and the text of the move played there, if there is one."""

    number: int
    position: Position
    played: str | None
    after: float | None = None
    """The winning chance that the move left to the seat that made it, by what is known of the next position."""
    proven: bool = False
    """Whether ``after`` is proven rather than estimated."""

    def knowing(self, following: Judgement | None) -> PositionToJudge:
        """Return the question with what is known of the next position filled in.

        For matches of two players.
        """
        if following is None or following.number != self.number + 1 or self.position.to_move == following.seat:
            return self
        return replace(self, after=1 - following.winning, proven=following.exact) if following.clear else self


def positions_to_judge(game: Game, variant: str, players: int, played: Sequence[Entry]) -> list[PositionToJudge]:
    """Return the positions of a match to judge: those in which a seat had a choice.

    Left out are set-ups, which a search cannot compare, forced passes, and positions after the end.
    """
    positions = []
    entries: list[Entry | None] = [*effective_entries(played), None]
    for number, state in enumerate(game_states(game, variant, players, played)):
        entry = entries[number]
        forced = entry is not None and entry.kind is EntryKind.FORCED
        if state.result is None and not forced and is_judged(state.position):
            made = entry is not None and entry.kind is EntryKind.MOVE
            text = entry.text if made and entry is not None else None
            positions.append(PositionToJudge(number, state.position, text))
    return positions


def position_at(game: Game, variant: str, players: int, played: Sequence[Entry], number: int) -> tuple[int, Position]:
    """Return the number and the position of that number in a match, or of the last one if there are fewer."""
    every = game_states(game, variant, players, played)
    number = min(number, len(every) - 1)
    return number, every[number].position


def canonical_forms(game: str, positions: Sequence[Position]) -> list[Hashable]:
    return [GAMES[game].canonical_form(position) for position in positions]


def is_judged(position: Position) -> bool:
    """Return whether a search can compare the moves of a position that is not over. In a set-up it cannot."""
    game = game_of(position)
    return game is None or game.opening(position, Random(0)) is None


def nodes_for(positions: int) -> int:
    """Return the number of nodes for each of so many positions: the more positions, the fewer nodes."""
    return max(LEAST_NODES, min(MOST_NODES, ALL_NODES // max(positions, 1)))


@dataclass(frozen=True, slots=True)
class Advice:
    """The best move of a position, and the mover's winning chance with it; None in a set-up."""

    move: str
    winning: float | None
    proven: bool = False


def advice(position: Position) -> Advice | None:
    """Return advice for a position that is not over; None if the search cannot tell the best move from the others."""
    game = game_of(position)
    opening = game.studied_opening(position, Random(0)) if game is not None else None
    if opening is not None:
        return Advice(str(opening), None)
    analysis = analyse(position, nodes=_HINT_NODES)
    best = analysis.lines[0]
    return Advice(str(best.move), best.winning, best.exact) if analysis.clear else None


def judgement(question: PositionToJudge, nodes: int) -> Judgement:
    """Judge a position of a match: the value of the best move, and by the same search that of the move played.

    A move that is known to win is the best one, and there is nothing to search. So is one that leads to much more than
    the search sees here.
    """
    position = question.position
    assert position.to_move is not None
    if question.proven and question.after == 1 and question.played is not None:
        return Judgement(question.number, position.to_move, 1.0, 1.0, question.played, exact=True, clear=True)
    played = None if question.played is None else position.parse(question.played)
    analysis = analyse(position, nodes=nodes, played=played)
    lost = question.proven and question.after == 0
    if lost and analysis.evaluated and not analysis.lines[0].exact and not time_is_short():
        # Was it lost before? Else the review blames the last move whose alternatives take longer to refute.
        analysis = analyse(position, nodes=_DEEPER_FACTOR * nodes, played=played, hurries=True)
    lines = analysis.lines
    best = lines[0]
    made = next((line.winning for line in lines if line.move == played), None)
    if question.after is not None and not best.exact:
        gained, mistake = question.after - best.winning, THRESHOLDS[MoveMark.MISTAKE]
        if analysis.evaluated and gained >= mistake and question.played is not None:
            value, text = question.after, question.played
            return Judgement(question.number, position.to_move, value, value, text, question.proven, clear=True)
        loses = lost and best.move != played
        if loses or (analysis.evaluated and -gained >= mistake):
            others = [line for line in lines if line.move != played][:_TRIED]
            best, made = _in_hindsight(position, others, nodes, question.after, loses=loses) or (best, made)
    clear = analysis.clear or best.exact
    return Judgement(question.number, position.to_move, best.winning, made, str(best.move), best.exact, clear)


def _in_hindsight(
    position: Position, lines: Sequence[Line], nodes: int, after: float, *, loses: bool
) -> tuple[Line, float] | None:
    """Return the best of some moves, and the value ``after`` of the move played. For matches of two players.

    The moves of ``lines`` are searched as deeply as that one was. If it provably ``loses``, those that do not are worth
    what they seemed to be. Returns None if none of them turns out to be better, or only random playouts speak for them:
    then the player could not have known better. Once time is short, no more of them are searched.
    """
    better: list[Line] = []
    for line in lines:
        reached = position.play(line.move)
        if reached.result is not None or time_is_short():
            continue  # Of an end, the earlier search has seen the value.
        replies = analyse(reached, nodes=nodes)
        best = replies.lines[0]
        if best.exact or (replies.evaluated and not loses):
            better.append(replace(line, winning=1 - best.winning, exact=best.exact))
        elif replies.evaluated:
            better.append(line)
    best_line = max(better, key=lambda line: line.winning, default=None)
    return (best_line, after) if best_line is not None and best_line.winning > after else None
