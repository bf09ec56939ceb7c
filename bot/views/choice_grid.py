"""The choices of a step as buttons, laid out as they lie on the board as far as rows of five allow.

Knows steps, scenes and how many buttons fit a message; it knows no game, and nothing of what a button does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.games.game import Step
from renderers.scene import Scene

ROWS: Final = 5
COLUMNS: Final = 5
"""Buttons that stand side by side in a message of Discord."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One button: what it shows, and the choice it makes. Without a choice it only keeps its place on the board."""

    label: str
    step: Step | None = None


Grid = Sequence[Sequence[Cell]]


def choice_grid(steps: Sequence[Step], scene: Scene) -> Grid | None:
    """Return rows of buttons for all choices, or None where they do not fit.

    A board of at most five by five is shown whole, square by square, so that a button stays where it is from step to
    step; on larger boards choices on one rank stand in one row as far as that is possible. Both are seen as ``scene``
    is turned. What is no square comes last.
    """
    if scene.files <= COLUMNS and scene.ranks <= ROWS and _all_on_squares(steps, scene):
        return _whole_board(steps, scene)
    if len(steps) > ROWS * COLUMNS:
        return None
    placed = sorted((step for step in steps if _is_square(step, scene)), key=lambda step: _place(step, scene))
    others = [Cell(step.caption, step) for step in steps if not _is_square(step, scene)]
    ranks = [list(rank) for _, rank in groupby(placed, key=lambda step: _place(step, scene)[0])]
    by_rank = [row for rank in ranks for row in _rows(Cell(step.caption, step) for step in rank)]
    rows = [*by_rank, *_rows(others)]
    if len(rows) > ROWS:
        rows = _rows([*(Cell(step.caption, step) for step in placed), *others])
    return rows


def _whole_board(steps: Sequence[Step], scene: Scene) -> Grid:
    choices = {step.square: step for step in steps}
    standing = {piece.square: piece.symbol for piece in scene.pieces}
    rows = []
    for rank in _seen(range(scene.ranks - 1, -1, -1), scene):
        names = [scene.square_name(file, rank) for file in _seen(range(scene.files), scene)]
        rows.append([_cell(name, choices.get(name), standing.get(name)) for name in names])
    return rows


def _cell(name: str, step: Step | None, symbol: str | None) -> Cell:
    if step is not None:
        return Cell(step.caption, step)
    return Cell(name if symbol is None else f"{name} {symbol}")


def _all_on_squares(steps: Sequence[Step], scene: Scene) -> bool:
    """Return whether every choice is a square of the board, and no two are the same."""
    squares = {step.square for step in steps}
    return len(squares) == len(steps) and all(_is_square(step, scene) for step in steps)


def _is_square(step: Step, scene: Scene) -> bool:
    if step.square is None:
        return False
    try:
        file, rank = scene.square_index(step.square)
    except ValueError:
        return False
    return 0 <= file < scene.files and 0 <= rank < scene.ranks


def _place(step: Step, scene: Scene) -> tuple[int, int]:
    """Return the row and column of a choice on the board as it is seen, from the upper left."""
    assert step.square is not None
    file, rank = scene.square_index(step.square)
    return (rank, -file) if scene.turned else (-rank, file)


def _seen(numbers: Iterable[int], scene: Scene) -> list[int]:
    found = list(numbers)
    return found[::-1] if scene.turned else found


def _rows(cells: Iterable[Cell]) -> list[list[Cell]]:
    every = list(cells)
    return [every[begin : begin + COLUMNS] for begin in range(0, len(every), COLUMNS)]
