"""Which search answers for which position, whatever the game, and the state it is asked about."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.games import game_of
from bot.games.game import Position
from bot.games.search import Method, SearchState, Token
from bot.opponents.alphabeta import DEEPEST, WIN, AlphaBeta
from bot.opponents.candidates import Candidate
from bot.opponents.contract import ContractState
from bot.opponents.exact import Solver
from bot.opponents.montecarlo import MonteCarlo


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
) -> list[Candidate]:
    """Return every move of ``state``, best first, after looking at about ``nodes`` positions.

    ``depth``, ``margin`` and ``sees`` are for alpha-beta, see there; the other methods overlook by looking at less.
    """
    if state.method is Method.ALPHA_BETA:
        return AlphaBeta(state, nodes, depth, margin, sees).candidates()
    candidates, winning = MonteCarlo(state, nodes, random).candidates(), _winning(state, nodes)
    return candidates if winning is None else _proven(candidates, winning)


def _winning(state: SearchState, nodes: int) -> list[Token] | None:
    """Return a winning move, none if every move loses, or None: that is not known."""
    if state.known_lost():
        return []
    return Solver(state, nodes).winning() if state.method is Method.EXACT else None


def _proven(candidates: list[Candidate], winning: list[Token]) -> list[Candidate]:
    """Return ``candidates`` with what the solver has proven: the moves that win, or that none does.

    The order of lost moves stays: where all lose, the best is the one that is hardest to answer at random.
    """
    if not winning:
        return [Candidate(c.token, -WIN + len(c.line), True, c.line) for c in candidates]
    won = [Candidate(token, WIN - 1, True, (token,)) for token in winning]
    return won + [c for c in candidates if c.token not in winning]
