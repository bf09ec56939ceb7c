"""Puzzles of a game: positions with a task and its solution, read from ``puzzles.txt`` in the game's folder.

Knows the contract of a game; it must not know any one game, nor how a puzzle is found, proven or shown. A file holds
puzzles in blocks of lines ``key: value``, with an empty line between::

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


class Kind(StrEnum):
    """What is asked for."""

    WIN = "win"
    """To win by force within so many moves of one's own; one move begins it."""
    HOLD = "hold"
    """The only move after which the opponent cannot win by force within so many moves of theirs."""
    FIND = "find"
    """Any legal move, in a game in which finding one is the point; so many are left."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for, and the number that belongs to it."""

    kind: Kind
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    @classmethod
    def read(cls, text: str) -> Task:
        """Return the task that ``str`` writes so. Raises ``ValueError`` for what is none."""
        kind, number = text.split()
        return cls(Kind(kind), int(number))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one seat is to move, and what is to be found there.

    ``solution`` holds canonical texts: the first move to find, the opponent's best answer, the next move to find and so
    on. Every move to find is the only one that keeps what the task promises, but for the last move of a win, which may
    be any that wins, and the move of a ``FIND``.
    """

    game: Game
    variant: str
    task: Task
    difficulty: int
    position: str
    solution: tuple[str, ...]

    @property
    def key(self) -> str:
        """What the puzzle is known by, as long as its position and task are the same: ten hexadecimal digits."""
        return sha256(f"{self.game.key} {self.variant} {self.task} {self.position}".encode()).hexdigest()[:10]

    @property
    def seat(self) -> int:
        """The 0-based seat whose moves are to be found."""
        return min(self.start().to_move)

    def start(self) -> Position:
        """Return the position to begin with."""
        return self.game.decode(self.position)

    def line(self, plies: int | None = None) -> Iterator[tuple[Position, Move, Position]]:
        """Yield the moves of the solution, at most so many, each with the position before and after it."""
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
        """Return the positions the solution passes through, from the first to the last that is not over."""
        passed = [self.start(), *(after for _before, _move, after in self.line())]
        return [position for position in passed if position.result is None]

    def solves(self, ply: int, move: Move) -> bool:
        """Tell whether ``move``, legal at an even ``ply`` of the solution, is one that was to be found."""
        before = self.at(ply)
        result = before.play(move).result
        lost = result is not None and not before.to_move & result.winners
        if self.task.kind is Kind.FIND:
            return not lost
        last = ply == len(self.solution) - 1
        if self.task.kind is Kind.WIN and last and result is not None and result.winners == before.to_move:
            return True
        return str(move) == self.solution[ply]


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, none if it has no file of them. Raises ``ValueError``, naming file and line."""
    file = file_of(game)
    return tuple(read(file.read_text(encoding="utf-8"), game)) if file.is_file() else ()


def file_of(game: Game) -> Path:
    """Return where the puzzles of a game stand, whether there are any or not."""
    return Path(inspect.getfile(type(game))).parent / FILE


def read(text: str, game: Game) -> Iterator[Puzzle]:
    """Yield the puzzles written in ``text``. Raises ``ValueError``, naming the line, where it is wrong."""
    line = 1
    for block in text.split("\n\n"):
        facts = dict(entry.partition(": ")[::2] for entry in block.strip().splitlines())
        try:
            yield _puzzle(facts, game)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{game.key}/{FILE}, puzzle in line {line}: {error}") from error
        line += block.count("\n") + 2


def _puzzle(facts: dict[str, str], game: Game) -> Puzzle:
    if tuple(facts) != _KEYS:
        raise ValueError(f"a puzzle has the lines {', '.join(_KEYS)}")
    return Puzzle(
        game,
        game.variant(facts["variant"]).key,
        Task.read(facts["task"]),
        int(facts["difficulty"]),
        facts["position"],
        tuple(facts["solution"].split()),
    )


def written(found: Iterable[Puzzle]) -> str:
    """Return the text of a file that holds these puzzles."""
    return "\n".join(
        f"variant: {one.variant}\ntask: {one.task}\ndifficulty: {one.difficulty}\nposition: {one.position}\n"
        f"solution: {' '.join(one.solution)}\n"
        for one in found
    )
