"""Collects the puzzles of a variant until there are enough of every sort, one from a game at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.games.game import Game, Position, Variant
from bot.games.puzzles import Kind, Puzzle, Task
from bot.opponents.puzzles.finding import Finder

PER_GAME: Final = 60
PER_VARIANT: Final = 30

_SHARES: Final = {
    Task(Kind.WIN, 1): 0.25,
    Task(Kind.HOLD, 1): 0.4,
    Task(Kind.WIN, 2): 0.5,
    Task(Kind.HOLD, 2): 0.4,
    Task(Kind.WIN, 3): 0.5,
    **{Task(Kind.FIND, left): 0.14 for left in range(1, 5)},
}
"""No more than such a share of a variant's puzzles has the same task."""


def enough(game: Game) -> int:
    """Return how many puzzles a variant of ``game`` needs."""
    variants = len([variant for variant in game.variants if 2 in variant.players])
    return max(PER_VARIANT, -(-PER_GAME // variants))


@dataclass(slots=True)
class Collection:
    """The puzzles of one variant."""

    game: Game
    variant: Variant
    found: list[Puzzle] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether there are enough."""
        return len(self.found) >= enough(self.game)

    def wants(self, task: Task) -> bool:
        """Tell whether another puzzle of this task is worth having."""
        return Counter(one.task for one in self.found)[task] < _SHARES[task] * enough(self.game)

    def fill(self, games: Iterable[list[Position]]) -> Iterator[Puzzle | None]:
        """Yield the puzzle each game gives, or None, until there are enough."""
        finder = Finder(self.game, self.variant, self.wants)
        for positions in games:
            if self.complete:
                return
            known = {one.key for one in self.found}
            new = next((one for one in finder.puzzles(positions) if one.key not in known), None)
            if new is not None:
                self.found.append(new)
            yield new
