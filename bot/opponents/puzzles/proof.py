"""Proves the claims of a puzzle by a search of every move within a few plies. Knows no game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from bot.games.puzzles import Puzzle, Task, TaskKind
from bot.games.search import Token
from bot.opponents.candidates import Search
from bot.opponents.thinking import state_of


class UnprovenError(ValueError):
    """A claim of a puzzle is false. The message names it."""


@dataclass(slots=True)
class Prover(Search):
    """Proves forced wins within a few moves from the present position of ``state``, which is unchanged afterwards.

    Two seats take turns. The position begins without a history, so no position repeats within so few plies. Raises
    ``BudgetSpent`` after ``nodes`` moves.
    """

    _known: dict[Hashable, bool] = field(default_factory=dict)
    _refutations: dict[int, Token] = field(default_factory=dict)
    """By moves left: the latest answer that kept the other seat from winning."""

    def fulfilling(self, task: Task, at_most: int) -> list[Token]:
        """Return the moves that fulfil the task here, no more than ``at_most`` of them."""
        tokens: list[Token] = []
        for token in self.state.tokens():
            if self.fulfils(token, task):
                tokens.append(token)
                if len(tokens) == at_most:
                    break
        return tokens

    def fulfils(self, token: Token, task: Task) -> bool:
        """Tell whether a legal move fulfils the task here."""
        if task.kind is TaskKind.FIND:
            return True
        if task.kind is TaskKind.WIN:
            return self.wins_with(token, task.number)
        seat = self.state.seat
        self._make(token)
        try:
            winners = self.state.winners()
            return seat in winners if winners is not None else not self.wins(task.number)
        finally:
            self.state.unmake()

    def wins(self, moves: int) -> bool:
        """Tell whether the seat to move can force a win within ``moves`` moves of its own, 0 or more."""
        state = self.state
        if moves == 0:
            return False
        self.count()
        if state.win_in_one() is not None:
            return True
        if moves == 1:
            return False
        key = state.key(), moves
        wins = self._known.get(key)
        if wins is None:
            wins = any(self.wins_with(token, moves) for token in state.tokens())
            self._known[key] = wins
        return wins

    def wins_with(self, token: Token, moves: int) -> bool:
        """Tell whether ``token`` wins by force within ``moves`` moves of the seat to move, itself included."""
        state, alone = self.state, frozenset({self.state.seat})
        self._make(token)
        try:
            winners = state.winners()
            if winners is not None:
                return winners == alone
            return moves > 1 and state.win_in_one() is None and self._all_lose(alone, moves - 1)
        finally:
            state.unmake()

    def _all_lose(self, alone: frozenset[int], moves: int) -> bool:
        """Tell whether the other seat wins within ``moves`` moves, whatever the seat to move answers."""
        answers = self.state.tokens()
        refutation = self._refutations.get(moves)
        if refutation in answers:
            answers.remove(refutation)
            answers.insert(0, refutation)
        for answer in answers:
            if not self.loses_with(answer, alone, moves):
                self._refutations[moves] = answer
                return False
        return True

    def loses_with(self, answer: Token, alone: frozenset[int], moves: int) -> bool:
        """Tell whether the seat in ``alone`` wins after ``answer``, at once or by force within ``moves`` moves."""
        self._make(answer)
        try:
            winners = self.state.winners()
            return winners == alone if winners is not None else self.wins(moves)
        finally:
            self.state.unmake()

    def _make(self, token: Token) -> None:
        self.count()
        self.state.make(token)


def prove(puzzle: Puzzle, nodes: int = 1_000_000) -> int:
    """Prove every claim of a puzzle and return how many moves that took.

    Raises ``UnprovenError`` for a false claim, ``BudgetSpent`` if ``nodes`` moves do not suffice.
    """
    solution, task, spent = puzzle.solution, puzzle.task, 0
    plies = 2 * task.number - 1 if task.kind is TaskKind.WIN else 1
    if not solution or len(solution) > plies or len(solution) % 2 == 0:
        raise UnprovenError(f"{len(solution)} plies cannot solve {task}")
    for ply, (before, move, _) in enumerate(puzzle.line()):
        if str(move) != solution[ply]:
            raise UnprovenError(f"{solution[ply]} is not how {move} is written")
        if ply % 2 == 0:
            state = state_of(before)
            prover = Prover(state, nodes)
            remaining = Task(task.kind, task.number - ply // 2) if task.kind is TaskKind.WIN else task
            _prove_ply(prover, remaining, state.token(move), alone=ply == 0 or ply < len(solution) - 1)
            spent += prover.visited
    result = puzzle.at(plies).result
    if task.kind is TaskKind.WIN and (result is None or result.winners != {puzzle.seat}):
        raise UnprovenError("the solution does not win")
    return spent


def _prove_ply(prover: Prover, task: Task, token: Token, *, alone: bool) -> None:
    """Prove that ``token`` is a solution, and with ``alone`` that it is the only one."""
    if task.kind is TaskKind.FIND:
        moves = len(prover.state.tokens())
        if moves != task.number:
            raise UnprovenError(f"{moves} moves are left, not {task.number}")
        return
    if task.kind is TaskKind.WIN and task.number > 1 and prover.wins(task.number - 1):
        raise UnprovenError(f"there is a win in fewer moves than {task.number}")
    if token not in prover.state.tokens() or not prover.fulfils(token, task):
        raise UnprovenError(f"the solution is no way to {task}")
    if alone and len(prover.fulfilling(task, 2)) > 1:
        raise UnprovenError(f"there is more than one way to {task}")
