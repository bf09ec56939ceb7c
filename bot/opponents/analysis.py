"""The value of every move of a position, for hints and reviews: without deliberate errors, proven where possible."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from bot.games.game import Move, Position
from bot.games.search import Method, SearchState
from bot.opponents.candidates import Candidate
from bot.opponents.thinking import state_of, think

_MARGIN: Final = 60
"""Moves down to so many rating points below the best get a value of their own."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move and the moves expected after it.

    ``winning`` is the chance to win of the seat to move, from 0 to 1, where a draw counts half. For moves well below
    the best it is an upper bound. ``line`` holds the moves expected, ``move`` first. ``exact`` says that the value is
    proven.
    """

    move: Move
    winning: float
    line: tuple[Move, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every move looked at in a position, best first.

    ``evaluated`` says that unproven values come from an evaluation, which tells more than playouts. ``clear`` says that
    the first move is told from the others; otherwise the playouts are too few to say which move is best.
    """

    lines: tuple[Line, ...]
    evaluated: bool
    clear: bool


def analyse(position: Position, nodes: int = 20_000, played: Move | None = None, *, hurries: bool = False) -> Analysis:
    """Return how good the moves of ``position`` are after looking at about ``nodes`` positions on a small board.

    Where random playouts decide, it looks at up to twice as many, until the best move stands out.
    The search looks at a move ``played`` there as closely as at the best, however poor it is, to tell what it lost. One
    that ``hurries`` ends early once time is short, where an evaluation decides.

    Every legal move has a line, except where a game has too many to list and for moves that only lose at once (a claim
    to be stuck). Raises ``ValueError`` if the game is over.
    """
    if position.to_move is None:
        raise ValueError("the game is over: there is nothing to analyse")
    if nodes < 1:
        raise ValueError("an analysis looks at one position at least")
    state = state_of(position)
    budget = max(1, round(nodes / state.cost))
    own = None if played is None else state.token(played)
    candidates = think(
        state, budget, Random(position.encode()), margin=_MARGIN, own=own, to_be_clear=True, hurries=hurries
    )
    lines = tuple(_line(state, candidate) for candidate in candidates)
    return Analysis(lines, state.method is Method.ALPHA_BETA, candidates[0].clear)


def _line(state: SearchState, candidate: Candidate) -> Line:
    tokens = candidate.line or (candidate.token,)  # each means something only where it is played
    moves = []
    for token in tokens:
        moves.append(state.move(token))
        state.make(token)
    for _ in tokens:
        state.unmake()
    return Line(moves[0], candidate.winning, tuple(moves), candidate.exact)
