"""How good every move of a position is, for hints and reviews: no errors on purpose, and proof where there is some."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from bot.games.game import Move, Position
from bot.games.search import Method, SearchState, Token
from bot.opponents.candidates import Candidate
from bot.opponents.thinking import state_of, think

_MARGIN: Final = 60
"""Moves so many rating points below the best still get a value of their own."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move and what is expected to follow.

    ``winning`` is the chance to win of the seat to move, from 0 to 1, a draw counting half; for moves well below the
    best it is an upper bound. ``line`` holds the moves expected, ``move`` first. ``exact``: the value is proven.
    """

    move: Move
    winning: float
    line: tuple[Move, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every move looked at in a position, best first.

    ``guided`` tells whether what is not proven comes from an evaluation. Games played on at random tell less.
    """

    lines: tuple[Line, ...]
    guided: bool


def analyse(position: Position, nodes: int = 20_000, played: Move | None = None) -> Analysis:
    """Return how good the moves of ``position`` are after looking at about ``nodes`` positions on a small board.

    A move ``played`` there is looked at as closely as the best, however poor it is, so that what it lost can be told.

    Every legal move has a line, but where a game has too many to list, or where a move can only lose at once (a claim
    to be stuck). Raises ``ValueError`` when the game is over.
    """
    if not position.to_move:
        raise ValueError("the game is over: there is nothing to analyse")
    if nodes < 1:
        raise ValueError("an analysis looks at one position at least")
    state = state_of(position)
    budget = max(1, round(nodes / state.cost))
    own = None if played is None else state.token(played)
    found = think(state, budget, Random(position.encode()), margin=_MARGIN, own=own)
    return Analysis(tuple(_line(state, candidate) for candidate in found), state.method is Method.ALPHA_BETA)


def _line(state: SearchState, candidate: Candidate) -> Line:
    moves = _moves(state, candidate.line or (candidate.token,))
    return Line(moves[0], candidate.winning, moves, candidate.exact)


def _moves(state: SearchState, tokens: tuple[Token, ...]) -> tuple[Move, ...]:
    """Return the moves of the rules layer for a line of tokens; each means something only where it is played."""
    moves = []
    for token in tokens:
        moves.append(state.move(token))
        state.make(token)
    for _ in tokens:
        state.unmake()
    return tuple(moves)
