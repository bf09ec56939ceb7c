"""Monte Carlo tree search: games played on at random from a growing tree. Needs nothing but the rules of a game.

Knows no game. Any number of seats; what is decided within the tree is proven as it grows (MCTS-Solver).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Final

from bot.games.cancellation import check_cancelled
from bot.games.search import LIMIT, SearchState, Token
from bot.opponents.candidates import Candidate, points_of

_EXPLORE: Final = 0.9
"""How much is tried beside what has done well so far: the constant of UCT."""
_PLAYOUT: Final = 300
"""A game played on at random is called a draw after so many plies."""
_DOUBT: Final = 30
"""So many visits count as even beside those there were: of many moves that were looked at little the best is lucky."""
_SURE: Final = LIMIT + 1_000
"""The value of a move that is proven to win, or with a minus to lose."""


@dataclass(slots=True, eq=False)
class _Node:
    """A position of the tree: how often it was visited, and what its seats won, shares of a draw included.

    ``mover`` is the seat that moved here. ``winners`` are those of the game, once that is certain. ``untried`` are
    the moves without a child yet; None before the first visit.
    """

    token: Token | None
    mover: int
    winners: frozenset[int] | None
    visits: int = 0
    won: float = 0.0
    untried: list[Token] | None = None
    children: list[_Node] = field(default_factory=list)


@dataclass(slots=True)
class MonteCarlo:
    """One search from the present position of ``state``, which is as before when it is over.

    ``nodes`` is the budget: moves made, in the tree and in the games played on.
    """

    state: SearchState
    nodes: int
    random: Random
    visited: int = 0

    def candidates(self) -> list[Candidate]:
        """Return every move with its value, best first; those never tried come last."""
        seat = self.state.seat
        root = _Node(None, -1, None)
        while self.visited < self.nodes and root.winners is None:
            check_cancelled()
            self._visit([root])
        tried = [_as_candidate(node, seat) for node in root.children]
        rest = [Candidate(token, -LIMIT) for token in root.untried or ()]
        visits = {node.token: node.visits for node in root.children}
        # What was visited most is the best: its value is the surest. Proven moves go first or last.
        return sorted(tried, key=lambda c: (-_proof(c), -visits[c.token], -c.points)) + rest

    def _visit(self, path: list[_Node]) -> None:
        """Walk down the tree, add one node, play on from there, and write down what came of it."""
        state = self.state
        while True:
            node = path[-1]
            if node.winners is not None:
                break
            if node.untried is None:
                node.untried = state.tokens()
                self.random.shuffle(node.untried)
            if node.untried:
                path.append(self._expand(node, node.untried.pop()))
                break
            child = _most_promising(node)
            state.make(child.token)
            self.visited += 1
            path.append(child)
        winners = self._played_on(path[-1])
        for _ in path[1:]:
            state.unmake()
        self._learn(path, winners)

    def _expand(self, node: _Node, token: Token) -> _Node:
        state = self.state
        mover = state.seat
        state.make(token)
        self.visited += 1
        child = _Node(token, mover, state.winners())
        node.children.append(child)
        return child

    def _played_on(self, node: _Node) -> frozenset[int] | None:
        """Return the winners from ``node``: for certain, or of one game played on at random; None if it is too long."""
        if node.winners is not None:
            return node.winners
        state, choose = self.state, self.random.random
        made, winners = 0, None
        while winners is None and made < _PLAYOUT:
            tokens = state.tokens()
            state.make(tokens[int(choose() * len(tokens))])
            made += 1
            winners = state.winners()
        for _ in range(made):
            state.unmake()
        self.visited += made
        return winners

    def _learn(self, path: list[_Node], winners: frozenset[int] | None) -> None:
        share = 0.5 if winners is None else 1 / len(winners)
        for node, parent in zip(reversed(path), [*reversed(path[:-1]), None], strict=True):
            node.visits += 1
            if winners is None or node.mover in winners:
                node.won += share
            if parent is not None and node.winners is not None and parent.winners is None:
                parent.winners = _certain(node, parent)


def _certain(node: _Node, parent: _Node) -> frozenset[int] | None:
    """Return who wins from ``parent`` for certain, now that it is for ``node``, its child; None if it is not.

    The seat to move takes a win. It has none if all children are decided against it in the same way.
    """
    if node.winners == frozenset({node.mover}):
        return node.winners
    if parent.untried or any(child.winners is None for child in parent.children):
        return None
    best = max((child.winners or frozenset() for child in parent.children), key=lambda w: (node.mover in w, -len(w)))
    decided = {child.winners for child in parent.children}
    return best if node.mover in best or len(decided) == 1 else None


def _most_promising(node: _Node) -> _Node:
    """Return the child to look at next, by upper confidence bounds, proven losses only if there is nothing else."""
    weight = _EXPLORE * sqrt(log(node.visits))
    open_ = [child for child in node.children if child.winners is None or child.mover in child.winners]
    return max(open_ or node.children, key=lambda child: child.won / child.visits + weight / sqrt(child.visits))


def _proof(candidate: Candidate) -> int:
    """Return 1 for a proven win, -1 for a proven loss, 0 for everything else, proven draws included."""
    return (candidate.points > LIMIT) - (candidate.points < -LIMIT)


def _as_candidate(node: _Node, seat: int) -> Candidate:
    if node.winners is None:
        points = points_of((node.won + _DOUBT / 2) / (node.visits + _DOUBT))
    else:
        points = 0 if len(node.winners) > 1 and seat in node.winners else _SURE if seat in node.winners else -_SURE
    return Candidate(node.token, points, node.winners is not None, tuple(_line(node)))


def _line(node: _Node) -> Iterator[Token]:
    """Yield the move of ``node`` and those expected after it: the ones looked at most, and wins where they are sure."""
    yield node.token
    while node.children:
        node = max(node.children, key=lambda child: (child.winners == frozenset({child.mover}), child.visits))
        yield node.token
