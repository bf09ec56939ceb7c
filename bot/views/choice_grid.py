"""The choices of a move under construction as Discord shows them: buttons in rows, and menus in pages.

It knows Discord's limits; it must not know any one game, nor what a press leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Final

from bot.games.game import Step
from bot.messages.layout import OPTIONS
from renderers.scene import Scene

MENUS: Final = 6
"""Menus shown at once: enough for every square of a board of ten by ten and for choices without a square."""

Menu = Sequence[Step]


def pages(steps: Sequence[Step]) -> list[list[Menu]]:
    """Divide choices into menus that fit a select, and menus into pages.

    Where one menu is not enough, the squares of a file stay together as far as they fit, and choices without a square
    have menus of their own.
    """
    menus: list[list[Step]] = []
    if len(steps) <= OPTIONS:
        menus = [list(steps)] if steps else []
    else:
        files: dict[str, list[Step]] = {}
        for step in steps:
            files.setdefault((step.square or "")[:1], []).append(step)
        for file, group in sorted(files.items(), key=lambda item: (not item[0], item[0])):
            fits = menus and menus[-1][-1].square and file and len(menus[-1]) + len(group) <= OPTIONS
            if fits:
                menus[-1].extend(group)
            else:
                menus += [group[begin : begin + OPTIONS] for begin in range(0, len(group), OPTIONS)]
    return [list(menus[begin : begin + MENUS]) for begin in range(0, len(menus), MENUS)]


ROWS: Final = 5
COLUMNS: Final = 5
"""Rows of buttons that fit a phone, and Discord's limit for buttons in a row."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One button: its label, and the choice it makes, or the file whose choices it opens, counted from 1.

    Without either it only fills its square of the board.
    """

    label: str
    step: Step | None = None
    file: int = 0


Grid = Sequence[Sequence[Cell]]


def choice_grid(steps: Sequence[Step], scene: Scene, file: int = 0) -> Grid | None:
    """Return rows of buttons for all choices, or None where they do not fit.

    A board of at most five by five is shown whole, square by square, so that a button keeps its place from step to
    step. On larger boards the choices of a rank stand together, unless that takes more rows. Where there are more
    squares than buttons, the files come first, and then the choices of ``file``, counted from 1. The grid is turned as
    ``scene`` is. Choices without a square come last.
    """
    choices = {step.square: step for step in steps}
    on_squares = len(choices) == len(steps) and all(_is_square(step, scene) for step in steps)
    if scene.files <= COLUMNS and scene.ranks <= ROWS and on_squares:
        return [
            [
                Cell(name) if (step := choices.get(name)) is None else Cell(step.caption, step)
                for name in (scene.square_name(file, rank) for file in _in_order_of_sight(range(scene.files), scene))
            ]
            for rank in _in_order_of_sight(range(scene.ranks - 1, -1, -1), scene)
        ]
    placed = sorted((step for step in steps if _is_square(step, scene)), key=lambda step: _place(step, scene))
    others = [Cell(step.caption, step) for step in steps if not _is_square(step, scene)]
    if len(placed) > ROWS * COLUMNS:
        files = [scene.square_index(step.square or "")[0] for step in placed]
        cells = [Cell(step.caption, step) for step, at in zip(placed, files, strict=True) if at + 1 == file]
        if not cells:
            columns = [at for at in _in_order_of_sight(range(scene.files), scene) if at in files]
            cells = [*(Cell(scene.file_letter(at), file=at + 1) for at in columns), *others]
        return _rows(cells) if len(cells) <= ROWS * COLUMNS else None
    if len(others) > (COLUMNS if placed else ROWS * COLUMNS):
        return None
    ranks = [list(rank) for _, rank in groupby(placed, key=lambda step: _place(step, scene)[0])]
    rows = [row for rank in ranks for row in _rows(Cell(step.caption, step) for step in rank)]
    packed = _rows(Cell(step.caption, step) for step in placed)
    if len(rows) > ROWS or (len(rows) > 2 and len(packed) < len(rows)):
        rows = packed
    return [*rows, *_rows(others)]


def _is_square(step: Step, scene: Scene) -> bool:
    if step.square is None:
        return False
    try:
        file, rank = scene.square_index(step.square)
    except ValueError:
        return False
    return 0 <= file < scene.files and 0 <= rank < scene.ranks


def _place(step: Step, scene: Scene) -> tuple[int, int]:
    """Return the row and column of a choice on the board as the person sees it, from the upper left."""
    assert step.square is not None
    file, rank = scene.square_index(step.square)
    return (rank, -file) if scene.turned else (-rank, file)


def _in_order_of_sight(numbers: Iterable[int], scene: Scene) -> list[int]:
    ordered = list(numbers)
    return ordered[::-1] if scene.turned else ordered


def _rows(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Return as few rows as there can be, of one length but for the last."""
    every = list(cells)
    most = ceil(len(every) / max(1, ceil(len(every) / COLUMNS)))
    return [every[begin : begin + most] for begin in range(0, len(every), most or 1)]
