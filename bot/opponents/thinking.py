"""Which search answers for which position, whatever the game, and the state it is asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from bot.games import game_of
from bot.games.game import Position
from bot.games.search import Method, SearchState, Token
from bot.opponents.alphabeta import DEEPEST, WIN, AlphaBeta
from bot.opponents.candidates import Candidate
from bot.opponents.contract import ContractState
from bot.opponents.exact import Solver
from bot.opponents.montecarlo import MonteCarlo

_GLANCE: Final = 1_000
"""Positions to look at, at most, where a winning move is known beforehand."""


def state_of(position: Position) -> SearchState:
    """Return the state the game brings for ``position``, or one made of the rules alone."""
    game = game_of(position)
    return (game.search_state(position) if game else None) or ContractState(position)


def think(
    state: SearchState,
    nodes: int,
    random: Random,
    *,
    depth: int = DEEPEST,
    margin: int = 0,
    sees: Callable[[Token], bool] | None = None,
    proofs: bool = True,
    own: Token | None = None,
) -> list[Candidate]:
    """Return every move of ``state``, best first, after looking at about ``nodes`` positions.

    ``depth``, ``margin`` and ``sees`` are for alpha-beta, see there; the other methods overlook by looking at less.
    ``proofs`` tells whether what is known by a proof too long for a turn may be used. The move ``own`` is looked at as
    closely as the best, so that the two can be compared.
    """
    if state.method is Method.ALPHA_BETA:
        return AlphaBeta(state, nodes, depth, margin, sees, own).candidates()
    known = state.known_wins() if proofs else None
    candidates = MonteCarlo(state, min(nodes, _GLANCE) if known else nodes, random, own).candidates()
    if known is not None:
        wins = random.sample(known, len(known))
        return _won(wins) + _lost([c for c in candidates if c.token not in wins])
    solved = Solver(state, nodes).winning() if state.method is Method.EXACT else None
    if solved is None:
        return candidates
    return _won(solved) + [c for c in candidates if c.token not in solved] if solved else _lost(candidates)


def _won(tokens: Sequence[Token]) -> list[Candidate]:
    return [Candidate(token, WIN - 1, True, (token,)) for token in tokens]


def _lost(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return moves as proven to lose, in the same order: the best is the one that is hardest to answer at random."""
    return [Candidate(c.token, -WIN + len(c.line), True, c.line) for c in candidates]
