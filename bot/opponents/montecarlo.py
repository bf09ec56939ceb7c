"""Monte Carlo tree search: random playouts from a growing tree. Needs only the rules; knows no game.

Any number of seats. The tree proves results as it grows (MCTS-Solver).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import log, sqrt
from random import Random
from typing import Final

from bot.games.cancellation import check_cancelled, time_is_short
from bot.games.search import LIMIT, SearchState, Token
from bot.opponents.candidates import Candidate, points_of

_EXPLORE: Final = 0.9
"""The weight of exploration: the constant of UCT."""
_PLAYOUT: Final = 300
"""A playout of more plies counts as a draw."""
_DOUBT: Final = 30
"""Even visits added to those of a move: of many moves with few visits, the best one is merely lucky."""
_SCATTER: Final = 2.0
"""Standard deviations by which an estimate with the benefit of the doubt is raised."""
_FOR_OWN: Final = 3
"""The part of the budget, one in so many, kept for the move ``own``."""
_EXTENSIONS: Final = 4
"""How often a search that is to be clear may add a quarter of its budget."""
_CLEAR_VISITS: Final = 100
_CLEAR_BY: Final = 3.0
"""The best move is clear after so many visits, if its share won is so many standard deviations above the others'."""
_SURE: Final = LIMIT + 1_000
"""The value of a move that is proven to win, or with a minus to lose."""


@dataclass(slots=True, eq=False)
class _Node:
    """A position of the tree: its visits, and the share of them that ``mover``, the seat that moved here, won.

    ``winners`` are those of the game, once they are certain. ``untried`` are the moves without a child yet; None before
    the first visit.
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
    """One search from the present position of ``state``, which is unchanged afterwards.

    ``nodes`` is the budget of moves made, in the tree and in playouts. The search visits the move ``own`` as often as
    the best, and takes it for no worse than the playouts can tell. One that is ``to_be_clear`` takes up to twice the
    budget where the best move does not stand out before. If it is hurried, it ends early, and tells what it can.
    """

    state: SearchState
    nodes: int
    random: Random
    own: Token | None = None
    to_be_clear: bool = False
    visited: int = 0

    def candidates(self) -> list[Candidate]:
        """Return every move with its value, best first. Moves never tried come last."""
        seat = self.state.seat
        root = _Node(None, -1, None)
        for_own = 0 if self.own is None else self.nodes // _FOR_OWN
        self._grow(root, self.nodes - for_own)
        for _ in range(_EXTENSIONS if self.to_be_clear else 0):
            if not _stands_out(root):
                extended = self.nodes // _EXTENSIONS
                self.nodes += extended
                self._grow(root, self.visited + extended)
        clear = _stands_out(root)
        tried = [_as_candidate(node, seat, clear) for node in root.children]
        rest = [Candidate(token, -LIMIT, clear=clear) for token in root.untried or ()]
        visits = {node.token: node.visits for node in root.children}
        # The move with most visits is the best: its value is the surest. Proven moves go first or last.
        candidates = sorted(tried, key=lambda c: (-_proof(c), -visits[c.token], -c.points)) + rest
        if self.own is None:
            return candidates
        nodes = {node.token: node for node in root.children}
        own, best = nodes.get(self.own), nodes.get(candidates[0].token)
        if own is None or best is None or own is best:
            return candidates
        while self.visited < self.nodes and own.winners is None and own.visits < best.visits and not self._ends_early():
            check_cancelled()
            self.state.make(own.token)
            self.visited += 1
            self._visit([root, own])
        valued = _as_candidate(own, self.state.seat, candidates[0].clear)
        if own.winners is None:
            valued = replace(valued, points=min(candidates[0].points, points_of(_at_most(own, best))))
        candidates = [valued if candidate.token == own.token else candidate for candidate in candidates]
        return sorted(candidates, key=lambda candidate: -_proof(candidate))

    def _grow(self, root: _Node, nodes: int) -> None:
        """Search until ``nodes`` moves are made, or the result is proven."""
        while self.visited < nodes and root.winners is None and not self._ends_early():
            check_cancelled()
            self._visit([root])

    def _ends_early(self) -> bool:
        return self.to_be_clear and self.visited > 0 and time_is_short()

    def _visit(self, path: list[_Node]) -> None:
        """Walk down the tree, add one node, play the game out from there, and record the result."""
        state = self.state
        while True:
            node = path[-1]
            if node.winners is not None:
                break
            if node.untried is None:
                node.untried = state.tokens()
                self.random.shuffle(node.untried)
                if len(path) == 1 and self.own in node.untried:
                    node.untried.remove(self.own)
                    node.untried.append(self.own)  # The last of them is tried first.
            if node.untried:
                token, mover = node.untried.pop(), state.seat
                state.make(token)
                self.visited += 1
                child = _Node(token, mover, state.winners())
                node.children.append(child)
                path.append(child)
                break
            weight = _EXPLORE * sqrt(log(node.visits))
            open_ = [child for child in node.children if not _loses(child)]
            child = max(
                open_ or node.children, key=lambda child: child.won / child.visits + weight / sqrt(child.visits)
            )
            state.make(child.token)
            self.visited += 1
            path.append(child)
        winners = self._playout(path[-1])
        for _ in path[1:]:
            state.unmake()
        share = 0.5 if winners is None else 1 / len(winners)
        for node, parent in zip(reversed(path), [*reversed(path[:-1]), None], strict=True):
            node.visits += 1
            if winners is None or node.mover in winners:
                node.won += share
            if parent is not None and node.winners is not None and parent.winners is None:
                parent.winners = _certain(node, parent)

    def _playout(self, node: _Node) -> frozenset[int] | None:
        """Return the winners from ``node``: its certain ones, or those of one playout; None if it takes too long."""
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


def _certain(node: _Node, parent: _Node) -> frozenset[int] | None:
    """Return the certain winners from ``parent``, now that those of ``node``, its child, are; None if there are none.

    The seat to move takes a win. The result is certain, too, if all children are decided in the same way.
    """
    if node.winners == frozenset({node.mover}):
        return node.winners
    if parent.untried or any(child.winners is None for child in parent.children):
        return None
    best = max((child.winners or frozenset() for child in parent.children), key=lambda w: (node.mover in w, -len(w)))
    decided = {child.winners for child in parent.children}
    return best if node.mover in best or len(decided) == 1 else None


def _loses(node: _Node) -> bool:
    """Tell whether the move that led here provably loses."""
    return node.winners is not None and node.mover not in node.winners


def _at_most(own: _Node, best: _Node) -> float:
    """Return the highest chance to win with ``own`` that the playouts allow beside those of ``best``."""
    values = [_share(node) for node in (own, best)]
    variance = sum(
        value * (1 - value) / (node.visits + _DOUBT) for value, node in zip(values, (own, best), strict=True)
    )
    return values[0] + _SCATTER * sqrt(variance)


def _share(node: _Node) -> float:
    """Return the share won with a move, from 0 to 1."""
    return (node.won + _DOUBT / 2) / (node.visits + _DOUBT)


def _proof(candidate: Candidate) -> int:
    """Return 1 for a proven win, -1 for a proven loss, 0 for everything else, proven draws included."""
    return (candidate.points > LIMIT) - (candidate.points < -LIMIT)


def _stands_out(root: _Node) -> bool:
    """Tell whether the most visited move is better than the others, as far as playouts can tell it."""
    if root.winners is not None:
        return True
    *others, best = sorted(root.children, key=lambda child: (not _loses(child), child.visits))
    if not root.untried and all(map(_loses, others)):
        return True
    if root.untried or best.visits < _CLEAR_VISITS:
        return False
    share = best.won / best.visits
    rest = sum(child.won for child in others) / sum(child.visits for child in others)
    return share - _CLEAR_BY * sqrt(share * (1 - share) / best.visits) > rest


def _as_candidate(node: _Node, seat: int, clear: bool) -> Candidate:
    if node.winners is None:
        points = points_of(_share(node))
    else:
        points = 0 if len(node.winners) > 1 and seat in node.winners else _SURE if seat in node.winners else -_SURE
    return Candidate(node.token, points, node.winners is not None, tuple(_line(node)), clear)


def _line(node: _Node) -> Iterator[Token]:
    """Yield the move of ``node`` and those expected after it: certain wins first, else the most visited."""
    yield node.token
    while node.children:
        node = max(node.children, key=lambda child: (child.winners == frozenset({child.mover}), child.visits))
        yield node.token
