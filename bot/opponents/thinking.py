"""Chooses the search for a position and the state it searches. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Final

from bot.games import game_of
from bot.games.game import Move, Position
from bot.games.search import EvaluatedState, Method, SearchState, Token
from bot.opponents.alphabeta import DEEPEST, WIN, AlphaBeta
from bot.opponents.candidates import Candidate
from bot.opponents.montecarlo import MonteCarlo
from bot.opponents.solver import Solver

_GLANCE: Final = 1_000
"""Positions looked at, at most, if a winning move is already known."""
_WINNING: Final = 16
"""Winning moves that a proof looks for, so that a player has a choice."""
_NEAR: Final = 30
"""Rating points between moves that a few playouts cannot tell apart."""
_LISTED: Final = 1_500
"""Moves listed, at most; a position with more is sampled."""
_SHORTCUTS: Final = 12
"""How often the shortcuts of such a position are drawn."""


class RulesState(SearchState):
    """A position of any game in place: a stack of positions of the rules layer. Tokens are moves.

    It needs nothing but the contract, so every new game has an opponent at once. It is slow, because every move made is
    a move of the rules layer.
    """

    cost = 60.0

    def __init__(self, position: Position) -> None:
        self._path = [position]
        self._enter()

    def _enter(self) -> None:
        seat = self._path[-1].to_move
        self.seat = -1 if seat is None else seat

    def tokens(self) -> list[Token]:
        position = self._path[-1]
        moves: list[Token] = list(islice(position.legal_moves(), _LISTED + 1))
        return moves if len(moves) <= _LISTED else _sample(position) or moves[:_LISTED]

    def make(self, token: Token) -> None:
        self._path.append(self._path[-1].play(token))
        self._enter()

    def unmake(self) -> None:
        self._path.pop()
        self._enter()

    def winners(self) -> frozenset[int] | None:
        result = self._path[-1].result
        return None if result is None else result.winners

    def key(self) -> Position:
        return self._path[-1]

    def move(self, token: Token) -> Move:
        move: Move = token
        return move

    def token(self, move: Move) -> Token:
        return move


def state_of(position: Position) -> SearchState:
    """Return the state the game brings for ``position``, or one that uses the rules alone."""
    game = game_of(position)
    return (game.search_state(position) if game else None) or RulesState(position)


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
    to_be_clear: bool = False,
    hurries: bool = False,
) -> list[Candidate]:
    """Return every move of ``state``, best first, after looking at about ``nodes`` positions.

    ``depth``, ``margin`` and ``sees`` are for alpha-beta, see there; the other methods err by smaller budgets.
    ``proofs`` allows the known wins of the state. The search looks at the move ``own`` as closely as at the best one,
    so that the two can be compared. Where playouts decide, a search ``to_be_clear`` may take up to twice the positions.
    One by alpha-beta that ``hurries`` ends early once time is short.
    """
    if isinstance(state, EvaluatedState) and state.method is Method.ALPHA_BETA:
        return AlphaBeta(state, nodes, depth, margin, sees, own, hurries=hurries).candidates()
    proven = state.known_wins() if proofs else None
    to_be_clear = to_be_clear and proven is None
    candidates = MonteCarlo(state, min(nodes, _GLANCE) if proven else nodes, random, own, to_be_clear).candidates()
    if proven is not None:
        wins = random.sample(proven, len(proven))
        return _won(wins) + _lost([c for c in candidates if c.token not in wins], random)
    solved = Solver(state, nodes, random).winning(_WINNING) if state.method is Method.SOLVER else None
    if solved is None:
        return candidates
    wins = random.sample(solved, len(solved))
    return _won(wins) + [c for c in candidates if c.token not in wins] if wins else _lost(candidates, random)


def _won(tokens: Sequence[Token]) -> list[Candidate]:
    return [Candidate(token, WIN - 1, True, (token,)) for token in tokens]


def _lost(candidates: Sequence[Candidate], random: Random) -> list[Candidate]:
    """Return moves as proven losses, those first that random replies answer worst, near-equals in any order."""
    near = [c for c in candidates if c.points >= candidates[0].points - _NEAR]
    order = random.sample(near, len(near)) + [c for c in candidates if c not in near]
    return [Candidate(c.token, -WIN + len(c.line), True, c.line) for c in order]


def _sample(position: Position) -> list[Token]:
    """Return some different moves of a position with too many to list: those the game offers in one click."""
    random = Random(position.encode())
    drawn = [step.move for _ in range(_SHORTCUTS) for step in position.shortcuts(random) if step.move is not None]
    return list(dict.fromkeys(drawn))
