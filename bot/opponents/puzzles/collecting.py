"""Collects the puzzles of a variant until it has enough of every task, at most one from each game."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from bot.games.game import Game, Position, Variant
from bot.games.puzzles import Puzzle, Task, TaskKind
from bot.opponents.puzzles.finding import Finder
from bot.opponents.thinking import state_of

PER_GAME: Final = 60
PER_VARIANT: Final = 30

PER_TASK: Final = 10
"""Puzzles of a task that are enough for a variant in a search for that task alone."""

MOST_WINS_IN_ONE: Final = Fraction(1, 3)

_SHARES: Final = {
    Task(TaskKind.WIN, 1): 0.25,
    Task(TaskKind.HOLD, 1): 0.4,
    Task(TaskKind.WIN, 2): 0.5,
    Task(TaskKind.HOLD, 2): 0.4,
    Task(TaskKind.WIN, 3): 0.5,
    **{Task(TaskKind.FIND, number): 0.14 for number in range(1, 5)},
}
"""The largest share of a variant's puzzles with the same task, at first."""


def enough(game: Game) -> int:
    """Return how many puzzles a variant of ``game`` needs."""
    variants = len([variant for variant in game.variants if 2 in variant.players])
    return max(PER_VARIANT, -(-PER_GAME // variants))


@dataclass(slots=True)
class Collection:
    """The puzzles of one variant. ``generosity`` is the factor by which a task may exceed its share.

    With a task ``sought`` it takes no other, however many puzzles there are.
    """

    game: Game
    variant: Variant
    puzzles: list[Puzzle] = field(default_factory=list)
    generosity: float = 1.0
    sought: Task | None = None

    @property
    def complete(self) -> bool:
        """Whether there are enough."""
        return self.there >= self.target

    @property
    def there(self) -> int:
        """How many puzzles it has of the task sought, or of all."""
        return len(self.puzzles) if self.sought is None else self._of(self.sought)

    @property
    def target(self) -> int:
        """How many of these are enough."""
        return enough(self.game) if self.sought is None else PER_TASK

    def _of(self, task: Task) -> int:
        return sum(puzzle.task == task for puzzle in self.puzzles)

    def wants(self, task: Task) -> bool:
        """Tell whether another puzzle of this task is worth having."""
        if self.sought is not None:
            return task == self.sought and not self.complete
        share = _SHARES[task] * self.generosity
        if task == Task(TaskKind.WIN, 1):
            share = min(share, float(MOST_WINS_IN_ONE))
        return self._of(task) + 1 <= max(1, share * enough(self.game))

    def fill(self, games: Iterable[list[Position]]) -> Iterator[Puzzle | None]:
        """Yield the puzzle each game gives, or None, until there are enough."""
        finder = Finder(self.game, self.variant, self.wants, self.sought)
        questions = set(map(_question, self.puzzles))
        for positions in games:
            if self.complete:
                return
            new = next((puzzle for puzzle in finder.puzzles(positions) if _question(puzzle) not in questions), None)
            if new is not None:
                questions.add(_question(new))
                self.puzzles.append(new)
            yield new


def _question(puzzle: Puzzle) -> Hashable:
    """Return a key that puzzles share if they differ only in how their positions arose."""
    return state_of(puzzle.start()).key(), puzzle.task
