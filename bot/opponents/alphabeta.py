"""Alpha-beta search with iterative deepening, a transposition table and quiescence. Knows no game, and no clock.

It uses the values of an ``EvaluatedState`` and stops after a number of nodes, so the same question always has the same
answer. Two seats take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.games.search import LIMIT, EvaluatedState, Token
from bot.opponents.candidates import BudgetSpent, Candidate, Search

WIN: Final = 10_000
"""The value of a game that is won now. Each ply later it is one less, so the shortest way is the best."""
DEEPEST: Final = 64
"""The most plies of a line."""
_INFINITY: Final = WIN + 1
_FORCING: Final = 8
"""The most forcing moves followed up in a row."""

_EXACT, _AT_LEAST, _AT_MOST = range(3)
"""The kinds of values in the table: exact, lower bound, upper bound."""


class Reductions(NamedTuple):
    """Which moves of a node are first searched less deeply.

    Those from number ``late`` on by a ply if at least ``least`` plies are left, those from ``very_late`` on by another
    if one more is left. ``full`` plies from the root are always searched in full: no forced win is missed there.
    """

    late: int
    very_late: int
    least: int
    full: int


_USUAL: Final = Reductions(late=4, very_late=16, least=3, full=5)
_OF_MANY_MOVES: Final = Reductions(late=6, very_late=30, least=2, full=2)


@dataclass(slots=True)
class AlphaBeta(Search):
    """One search from the present position of ``state``, which is unchanged afterwards.

    ``nodes`` is the budget, ``depth`` the greatest depth of iterative deepening. The moves within ``margin`` points of
    the best and the move ``own`` get values of their own, all others a bound. ``sees`` can make the search overlook
    moves of either side: it must always give the same answer for a token.
    """

    state: EvaluatedState
    depth: int = DEEPEST
    margin: int = 0
    sees: Callable[[Token], bool] | None = None
    own: Token | None = None
    reached: int = 0
    """The greatest depth searched to the end."""
    _table: dict[Hashable, tuple[int, int, int, Token | None]] = field(default_factory=dict)
    """By key: depth, kind of value, value and best move."""
    _killers: list[Hashable] = field(default_factory=lambda: [None] * (DEEPEST + 1))
    """By ply: the move that cut off last, as ``EvaluatedState.likenesses`` tells it."""
    _history: dict[Hashable, int] = field(default_factory=dict)
    """By likeness: how much a move has cut off."""

    def candidates(self) -> list[Candidate]:
        """Return every move it sees with its value, best first; the best one's line may be cut short."""
        valued = [(0, token) for token in self._seen(self.state.tokens())]
        for depth in range(1, self.depth + 1):
            searched, spent = self._iteration([token for _, token in valued], depth)
            # Sorting is stable: among equals, what was better before goes first.
            valued = sorted(searched + self._left_over(valued, searched), key=lambda entry: -entry[0])
            if spent:
                break
            self.reached = depth
            if abs(valued[0][0]) > LIMIT:
                break
        return [Candidate(token, value, abs(value) > LIMIT, (token, *self._line(token))) for value, token in valued]

    def _iteration(self, tokens: list[Token], depth: int) -> tuple[list[tuple[int, Token]], bool]:
        """Return the values of the moves searched before the budget was spent, and whether it was spent."""
        state, best = self.state, -_INFINITY
        searched: list[tuple[int, Token]] = []
        for number, token in enumerate(tokens):
            floor = max(best - self.margin - 1, -_INFINITY)
            valued = not searched or token == self.own
            state.make(token)
            try:
                if valued:
                    value = -self._value(depth - 1, -_INFINITY, _INFINITY, 1)
                else:
                    value = self._tried(depth, floor, number)
            except BudgetSpent:
                return searched, True
            finally:
                state.unmake()
            searched.append((value, token))
            best = max(best, value)
        return searched, False

    def _left_over(self, moves: list[tuple[int, Token]], searched: list[tuple[int, Token]]) -> list[tuple[int, Token]]:
        """Return the moves an iteration did not reach, with values comparable to those of the moves it did.

        ``moves`` are all moves in the order of the search, with their values a ply shallower. Such values swing from
        one depth to the next with the seat that has the last move, so they change by as much as the first move's value
        did, unless that one is proven. Moves the first iteration did not reach count as no better than any it did.
        """
        rest = moves[len(searched) :]
        if not searched:
            return rest
        if not self.reached:
            least = max(-LIMIT, min(value for value, _ in searched))
            return [(least, token) for _, token in rest]
        swing = 0 if abs(searched[0][0]) > LIMIT else searched[0][0] - moves[0][0]
        return [(value if value < -LIMIT else max(-LIMIT, min(value + swing, LIMIT)), token) for value, token in rest]

    def _tried(self, depth: int, floor: int, number: int) -> int:
        """Return the value of a later move at the root, or a bound if it is not above ``floor``."""
        less = self._reduction(number, depth, 0) if self.state.many_moves and abs(floor) <= LIMIT else 0
        for depth_left in dict.fromkeys((depth - 1 - less, depth - 1)):
            value = -self._value(depth_left, -floor - 1, -floor, 1)
            if value <= floor:
                return min(value, LIMIT)  # A bound from above, which proves a loss but no win.
        return -self._value(depth - 1, -_INFINITY, -floor, 1)

    def _value(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the value for the seat to move: exact between ``alpha`` and ``beta``, a bound elsewhere."""
        state = self.state
        self.count()
        winners = state.winners()
        if winners is not None:
            return _of_end(winners, state, ply)
        if depth <= 0:
            return self._quiet_value(alpha, beta, ply, _FORCING)
        if state.wins_first:
            win = state.win_in_one()
            if win is not None and (self.sees is None or self.sees(win)):
                return WIN - ply - 1
        key = state.key()
        entry = self._table.get(key)
        first = None
        if entry is not None:
            known_depth, kind, value, first = entry
            if known_depth >= depth or abs(value) > LIMIT:
                value = _seen_from_root(value, ply)
                if kind == _EXACT or (kind == _AT_LEAST and value >= beta) or (kind == _AT_MOST and value <= alpha):
                    return value
        value, token = self._best(depth, alpha, beta, ply, first)
        kind = _AT_MOST if value <= alpha else _AT_LEAST if value >= beta else _EXACT
        self._table[key] = depth, kind, _seen_from_here(value, ply), token
        return value

    def _best(self, depth: int, alpha: int, beta: int, ply: int, first: Token | None) -> tuple[int, Token | None]:
        """Return the best move's value and token; no token where every move fails to reach ``alpha``."""
        state = self.state
        best, chosen = -_INFINITY, None
        for number, token in enumerate(self._ordered(ply, first)):
            state.make(token)
            try:
                if number == 0:
                    value = -self._value(depth - 1, -beta, -alpha, ply + 1)
                else:
                    less = 1 + self._reduction(number, depth, ply)
                    value = -self._value(depth - less, -alpha - 1, -alpha, ply + 1)
                    if value > alpha and less > 1:
                        value = -self._value(depth - 1, -alpha - 1, -alpha, ply + 1)
                    if alpha < value < beta:
                        value = -self._value(depth - 1, -beta, -alpha, ply + 1)
            finally:
                state.unmake()
            if value > best:
                best = value
                if value > alpha:
                    alpha, chosen = value, token
                    if value >= beta:
                        likeness = state.likenesses((token,))[0]
                        self._killers[ply] = likeness
                        self._history[likeness] = self._history.get(likeness, 0) + depth * depth
                        break
        return (best, chosen) if best > -_INFINITY else (ply + 2 - WIN, None)  # No answer: a loss in two plies.

    def _reduction(self, number: int, depth: int, ply: int) -> int:
        """Return by how many plies less a late move is first searched."""
        late, very_late, least, full = _OF_MANY_MOVES if self.state.many_moves else _USUAL
        wish = (number >= late and depth >= least) + (number >= very_late and depth > least)
        return max(0, min(wish, ply + depth - full))

    def _seen(self, tokens: list[Token]) -> list[Token]:
        return tokens if self.sees is None else [token for token in tokens if self.sees(token)] or tokens[:1]

    def _ordered(self, ply: int, first: Token | None) -> list[Token]:
        """Return the moves in search order: the table's, the killer, those that cut off most, then the rest."""
        tokens = self._seen(self.state.answers() if self.sees is None else self.state.tokens())
        likenesses, killer = self.state.likenesses(tokens), self._killers[ply]
        worth = [self._history.get(likeness, 0) for likeness in likenesses]
        alike = tokens[likenesses.index(killer)] if killer in likenesses else None
        tokens = [tokens[place] for place in sorted(range(len(tokens)), key=worth.__getitem__, reverse=True)]
        for token in (alike, first):
            if token is not None and token in tokens:
                tokens.remove(token)
                tokens.insert(0, token)
        return tokens

    def _quiet_value(self, alpha: int, beta: int, ply: int, moves: int) -> int:
        """Return the value after up to ``moves`` forcing moves, which the seat to move may decline."""
        state = self.state
        best = state.evaluate()
        if best >= beta or not moves:
            return best
        for token in state.forcing():
            state.make(token)
            try:
                self.count()
                winners = state.winners()
                over = None if winners is None else _of_end(winners, state, ply + 1)
                value = -(self._quiet_value(-beta, -max(alpha, best), ply + 1, moves - 1) if over is None else over)
            finally:
                state.unmake()
            if value > best:
                best = value
                if value >= beta:
                    break
        return best

    def _line(self, token: Token) -> tuple[Token, ...]:
        """Return the moves the table expects after ``token``."""
        state, line = self.state, [token]
        state.make(token)
        while len(line) < DEEPEST and state.winners() is None:
            entry = self._table.get(state.key())
            if entry is None or entry[3] is None or entry[3] not in state.tokens():
                break
            line.append(entry[3])
            state.make(entry[3])
        for _ in line:
            state.unmake()
        return tuple(line[1:])


def _of_end(winners: frozenset[int], state: EvaluatedState, ply: int) -> int:
    """Return the value of a finished game for the seat that would move next."""
    if len(winners) > 1:
        return 0
    return WIN - ply if state.seat in winners else ply - WIN


def _seen_from_here(value: int, ply: int) -> int:
    """Return a value for the table, in which wins and losses are counted from the position itself."""
    return value + ply if value > LIMIT else value - ply if value < -LIMIT else value


def _seen_from_root(value: int, ply: int) -> int:
    return value - ply if value > LIMIT else value + ply if value < -LIMIT else value
