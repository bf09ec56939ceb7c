"""Puzzles of a game: positions with a task and its solution, read from ``puzzles.txt`` in the game's folder.

Knows the contract of a game. It must not know any single game, nor the search, proof or display of puzzles. A file
holds puzzles in blocks of lines ``key: value``, with an empty line between::

    variant: standard
    task: win 2                (see ``Task``)
    difficulty: 1240           (on the scale of puzzle ratings)
    position: ...              (as ``Position.encode`` writes it)
    solution: c3 a1 c3-b3      (the moves of both sides, beginning with the one to find)
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.games.game import Game, Move, Position

FILE: Final = "puzzles.txt"
_KEYS: Final = ("variant", "task", "difficulty", "position", "solution")


class TaskKind(StrEnum):
    WIN = "win"
    """Win by force within so many moves of one's own; a single move begins it."""
    HOLD = "hold"
    """Find the only move after which the opponent cannot win by force within so many moves of theirs."""
    FIND = "find"
    """Find any legal move of so many left, in a game whose point that is."""


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of task with its number."""

    kind: TaskKind
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    @classmethod
    def read(cls, text: str) -> Task:
        """Return the task that ``str`` writes as ``text``. Raises ``ValueError`` for other texts."""
        kind, number = text.split()
        return cls(TaskKind(kind), int(number))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one seat is to move, with a task and its solution.

    ``solution`` holds canonical texts: the first move to find, the opponent's best answer, the next move to find and so
    on. Every move to find is the only one that fulfils the task. Two are not: the last move of a win may be any that
    wins, and the move of a ``FIND`` any that is legal.
    """

    game: Game
    variant: str
    task: Task
    difficulty: int
    position: str
    solution: tuple[str, ...]

    @property
    def key(self) -> str:
        """Ten hexadecimal digits that identify the puzzle while its position and task stay the same."""
        return sha256(f"{self.game.key} {self.variant} {self.task} {self.position}".encode()).hexdigest()[:10]

    @property
    def in_first_variant(self) -> bool:
        """Whether it is played by the rules of a first match: those of the game's first variant."""
        return self.variant == self.game.variants[0].key

    @property
    def seat(self) -> int:
        """The 0-based seat whose moves are to be found."""
        seat = self.start().to_move
        assert seat is not None
        return seat

    def start(self) -> Position:
        return self.game.decode(self.position)

    def line(self, plies: int | None = None) -> Iterator[tuple[Position, Move, Position]]:
        """Yield at most ``plies`` moves of the solution, each with the position before and after it."""
        position = self.start()
        for text in self.solution[:plies]:
            move = position.parse(text)
            after = position.play(move)
            yield position, move, after
            position = after

    def at(self, ply: int) -> Position:
        """Return the position after so many plies of the solution."""
        passed = list(self.line(ply))
        return passed[-1][2] if passed else self.start()

    def positions(self) -> list[Position]:
        """Return the positions of the solution that are not over, in order."""
        passed = [self.start(), *(after for _before, _move, after in self.line())]
        return [position for position in passed if position.result is None]

    def solves(self, ply: int, move: Move) -> bool:
        """Tell whether ``move``, legal at an even ``ply`` of the solution, solves the puzzle there."""
        before = self.at(ply)
        result = before.play(move).result
        lost = result is not None and before.to_move not in result.winners
        if self.task.kind is TaskKind.FIND:
            return not lost
        last = ply == len(self.solution) - 1
        if self.task.kind is TaskKind.WIN and last and result is not None and result.winners == {before.to_move}:
            return True
        return str(move) == self.solution[ply]


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, none if it has no file. Raises ``ValueError`` with file and line if it is wrong."""
    file = file_of(game)
    return tuple(read(file.read_text(encoding="utf-8"), game)) if file.is_file() else ()


def file_of(game: Game) -> Path:
    """Return the path of a game's file of puzzles, which may not exist."""
    return Path(inspect.getfile(type(game))).parent / FILE


def read(text: str, game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles written in ``text``. Raises ``ValueError`` with the line of the first error."""
    line = 1
    for block in text.split("\n\n"):
        facts = dict(entry.partition(": ")[::2] for entry in block.strip().splitlines())
        try:
            if tuple(facts) != _KEYS:
                raise ValueError(f"a puzzle has the lines {', '.join(_KEYS)}")
            yield Puzzle(
                game,
                game.variant(facts["variant"]).key,
                Task.read(facts["task"]),
                int(facts["difficulty"]),
                facts["position"],
                tuple(facts["solution"].split()),
            )
        except (KeyError, ValueError) as error:
            raise ValueError(f"{game.key}/{FILE}, puzzle in line {line}: {error}") from error
        line += block.count("\n") + 2


def file_text(puzzles: Iterable[Puzzle]) -> str:
    return "\n".join(
        f"variant: {puzzle.variant}\ntask: {puzzle.task}\ndifficulty: {puzzle.difficulty}\n"
        f"position: {puzzle.position}\nsolution: {' '.join(puzzle.solution)}\n"
        for puzzle in puzzles
    )
