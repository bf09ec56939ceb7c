"""Finds puzzles in the positions of a game: solutions that are proven, unique and not obvious.

Knows no game. The same positions give the same puzzles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from typing import Final

from bot.games.game import PASS, Game, Position, Variant
from bot.games.puzzles import Puzzle, Task, TaskKind
from bot.games.search import SearchState, Token
from bot.opponents.candidates import BudgetSpent
from bot.opponents.player import choose
from bot.opponents.puzzles.proof import Prover, UnprovenError, prove
from bot.opponents.thinking import state_of

_NODES: Final = 3_000
"""Moves a proof may take in a game with node cost 1, so that tests prove all puzzles quickly."""
_DEEP_NODES: Final = 45_000
"""The same for a win in three moves, of which there are few."""
_DEEP: Final = Task(TaskKind.WIN, 3)
_CHOICES: Final = 6
_CHOICES_TO_WIN: Final = 20
"""With fewer moves to choose from a solution is obvious, a win in one most of all."""
_CHOICES_FOUND: Final = 4
"""The same in a game whose point is to find a legal move."""
_SEEDS: Final = range(4)
_ERRING: Final = (1, 2)
_OFTEN: Final = 0.25
"""The share of their tries in which these levels must miss the solution."""

_EVERYWHERE: Final = range(1_000)
_SEARCHED: Final = {
    Task(TaskKind.WIN, 1): _EVERYWHERE,
    Task(TaskKind.HOLD, 1): _EVERYWHERE,
    Task(TaskKind.WIN, 2): range(3, 10, 2),
    Task(TaskKind.HOLD, 2): range(2, 5, 2),
    Task(TaskKind.WIN, 3): range(5, 12, 2),
}
"""The tasks in search order, each with the plies before the end of a game where it is sought. Long tasks are sought
only where they are likely: wins when the winner is to move, defences when the loser is. Players take longer to win than
they need."""
_FEW: Final = 4
"""With more legal moves than this it is no puzzle to find one."""
_BASE: Final = {
    Task(TaskKind.WIN, 1): 900,
    Task(TaskKind.WIN, 2): 1200,
    Task(TaskKind.WIN, 3): 1500,
    Task(TaskKind.HOLD, 1): 1000,
    Task(TaskKind.HOLD, 2): 1350,
    **{Task(TaskKind.FIND, moves): 1500 - 150 * moves for moves in range(1, _FEW + 1)},
}
"""The basic difficulty of a task."""
_FOR_MISSES: Final = 400
_FOR_CHOICES: Final = 40


@dataclass(frozen=True, slots=True)
class Finder:
    """Looks for puzzles of one variant; ``accepts`` says which tasks it still needs.

    With a task ``sought`` it looks for no other, except for those that need no search.
    """

    game: Game
    variant: Variant
    accepts: Callable[[Task], bool]
    sought: Task | None = None

    def puzzles(self, positions: list[Position]) -> Iterator[Puzzle]:
        """Yield what is found in the positions of a game, from its end on."""
        for plies_left, position in enumerate(reversed(positions)):
            if position.result is None and position.forced_move() is None:
                start = self.game.without_history(position)
                if self.game.search_state(start) is not None:
                    yield from self._in(start, plies_left)

    def _in(self, start: Position, plies_left: int) -> Iterator[Puzzle]:
        state = state_of(start)
        choices = len(state.tokens())
        if self.game.finding:
            task = Task(TaskKind.FIND, choices)
            if choices <= _FEW:
                if self.accepts(task):
                    yield self._puzzle(start, task, (str(state.move(state.tokens()[0])),), 1, 0.0)
                return
        if choices < _CHOICES and not self.game.finding:
            return
        task_and_token = self._task(state, plies_left)
        if task_and_token is None:
            return
        task, token = task_and_token
        least = _CHOICES_TO_WIN if task == Task(TaskKind.WIN, 1) else _CHOICES
        if choices < (_CHOICES_FOUND if self.game.finding else least):
            return
        line = self._line(start, state, task, token)
        if line is None:
            return
        tries = [str(choose(start, level, seed)) for level in _ERRING for seed in _SEEDS]
        missed = sum(move != line[0] for move in tries) / len(tries)
        # In one move these levels see a win, or overlook it by chance: there it is hidden by others beside it.
        if missed < _OFTEN and task != Task(TaskKind.WIN, 1):
            return
        puzzle = self._puzzle(start, task, line, choices, missed)
        try:
            prove(puzzle, self._nodes(state, task))
        except (UnprovenError, BudgetSpent):
            return
        yield puzzle

    def _task(self, state: SearchState, plies_left: int) -> tuple[Task, Token] | None:
        """Return the first task that one move alone fulfils; None where several do, and where there is nothing."""
        for task, where in _SEARCHED.items():
            if plies_left not in where or (task.kind is TaskKind.HOLD and self.game.finding):
                continue
            if self.sought not in (None, task):
                continue
            try:
                tokens = Prover(state, self._nodes(state, task)).fulfilling(task, 2)
            except BudgetSpent:
                return None
            if len(tokens) == 1 and self.accepts(task):
                return task, tokens[0]
            if (tokens and task.kind is TaskKind.WIN) or (len(tokens) < 2 and task.kind is TaskKind.HOLD):
                return None
        return None

    def _line(self, start: Position, state: SearchState, task: Task, token: Token) -> tuple[str, ...] | None:
        """Return the solution that begins with ``token``, or None where the defence leaves more than one way."""
        line = [str(state.move(token))]
        position = start.play(state.move(token))
        for moves_left in range(task.number - 1, 0, -1) if task.kind is TaskKind.WIN else ():
            following = self._defence(position, moves_left, task)
            if following is None or PASS in following:
                return None
            line += following
            for text in following:
                position = position.play(position.parse(text))
        return tuple(line)

    def _defence(self, position: Position, moves_left: int, task: Task) -> tuple[str, str] | None:
        """Return the answer that resists for ``moves_left`` more and leaves fewest ways to win, and the way to go on.

        None where every answer that resists so long leaves more than one.
        """
        best: tuple[int, str, str] | None = None
        for answer in position.legal_moves():
            after = position.play(answer)
            if after.result is not None:
                continue
            state = state_of(after)
            prover = Prover(state, self._nodes(state, task))
            try:
                if moves_left > 1 and prover.wins(moves_left - 1):
                    continue
                ways = prover.fulfilling(Task(TaskKind.WIN, moves_left), 9)
            except BudgetSpent:
                continue
            if ways and (moves_left == 1 or len(ways) == 1) and (best is None or len(ways) < best[0]):
                best = len(ways), str(answer), str(state.move(ways[0]))
                if len(ways) == 1:
                    break
        return None if best is None else best[1:]

    def _puzzle(self, start: Position, task: Task, line: tuple[str, ...], choices: int, missed: float) -> Puzzle:
        # Where moves have to be found, what hides them is all there was to draw at the beginning.
        first = self.game.start(players=2, **self.variant.options)
        among = len(list(first.legal_moves())) if self.game.finding else choices
        spread = log2(among / _CHOICES)
        difficulty = 10 * round((_BASE[task] + _FOR_MISSES * missed + _FOR_CHOICES * spread) / 10)
        return Puzzle(self.game, self.variant.key, task, difficulty, start.encode(), line)

    @staticmethod
    def _nodes(state: SearchState, task: Task) -> int:
        return round((_DEEP_NODES if task == _DEEP else _NODES) / state.cost)
