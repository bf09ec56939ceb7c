"""The choices of a move under construction as Discord shows them: buttons in rows, and menus in pages.

Runs in worker processes, so it imports no Discord and no database. It knows Discord's limits; it must not know any one
game, nor what a press leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.games import GAMES
from bot.games.game import Position, Step, split_text
from bot.matches.model.building import BuilderState, Keys, building
from renderers.scene import Scene

OPTIONS: Final = 25
"""Discord's limit for the options of a select."""
OPTION_LIMIT: Final = 100
"""Discord's limit for the label of an option."""
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
        for file, group in _by_file(steps):
            fits = menus and menus[-1][-1].square and file and len(menus[-1]) + len(group) <= OPTIONS
            if fits:
                menus[-1].extend(group)
            else:
                menus += [group[begin : begin + OPTIONS] for begin in range(0, len(group), OPTIONS)]
    return [list(menus[begin : begin + MENUS]) for begin in range(0, len(menus), MENUS)]


def _by_file(steps: Sequence[Step]) -> Iterator[tuple[str, list[Step]]]:
    """Yield choices by the file of their square, those without a square last."""
    files: dict[str, list[Step]] = {}
    for step in steps:
        files.setdefault((step.square or "")[:1], []).append(step)
    yield from sorted(files.items(), key=lambda item: (not item[0], item[0]))


def prefix_of(keys: Keys) -> str:
    """Write choices as text for a custom id: as the text of the move where it can be split again, else one by one."""
    text = "".join(keys)
    return text if split_text(text) == keys or not keys else "/" + "/".join(keys)


def keys_of(prefix: str) -> Keys:
    """Return the choices that ``prefix_of`` wrote."""
    return tuple(prefix[1:].split("/")) if prefix.startswith("/") else split_text(prefix)


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
    step. On larger boards the choices of a rank stand in one row where that is possible. Where there are more squares
    than buttons, the files come first, and then the choices of ``file``, counted from 1. The grid is turned as
    ``scene`` is. Choices without a square come last.
    """
    if scene.files <= COLUMNS and scene.ranks <= ROWS and _all_on_squares(steps, scene):
        return _whole_board(steps, scene)
    placed = sorted((step for step in steps if _is_square(step, scene)), key=lambda step: _place(step, scene))
    others = [Cell(step.caption, step) for step in steps if not _is_square(step, scene)]
    if len(placed) > ROWS * COLUMNS:
        cells = _of_file(placed, scene, file) or [*_files(placed, scene), *others]
        return _rows(cells) if len(cells) <= ROWS * COLUMNS else None
    if len(others) > (COLUMNS if placed else ROWS * COLUMNS):
        return None
    ranks = [list(rank) for _, rank in groupby(placed, key=lambda step: _place(step, scene)[0])]
    rows = [row for rank in ranks for row in _rows(Cell(step.caption, step) for step in rank)]
    if len(rows) > ROWS:
        rows = _rows(Cell(step.caption, step) for step in placed)
    return [*rows, *_rows(others)]


def _files(placed: Sequence[Step], scene: Scene) -> list[Cell]:
    """Return a button for each file with choices, from left to right."""
    files = {scene.square_index(step.square)[0] for step in placed if step.square is not None}
    return [Cell(scene.file_letter(file), file=file + 1) for file in _seen(range(scene.files), scene) if file in files]


def _of_file(placed: Sequence[Step], scene: Scene, file: int) -> list[Cell]:
    """Return the choices of a file, counted from 1, from top to bottom."""
    chosen = [step for step in placed if step.square is not None and scene.square_index(step.square)[0] + 1 == file]
    return [Cell(step.caption, step) for step in chosen]


def _whole_board(steps: Sequence[Step], scene: Scene) -> Grid:
    choices = {step.square: step for step in steps}
    rows = []
    for rank in _seen(range(scene.ranks - 1, -1, -1), scene):
        names = [scene.square_name(file, rank) for file in _seen(range(scene.files), scene)]
        rows.append([_cell(name, choices.get(name)) for name in names])
    return rows


def _cell(name: str, step: Step | None) -> Cell:
    return Cell(name) if step is None else Cell(step.caption, step)


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
    """Return the row and column of a choice on the board as the person sees it, from the upper left."""
    assert step.square is not None
    file, rank = scene.square_index(step.square)
    return (rank, -file) if scene.turned else (-rank, file)


def _seen(numbers: Iterable[int], scene: Scene) -> list[int]:
    found = list(numbers)
    return found[::-1] if scene.turned else found


def _rows(cells: Iterable[Cell]) -> list[list[Cell]]:
    every = list(cells)
    return [every[begin : begin + COLUMNS] for begin in range(0, len(every), COLUMNS)]


@dataclass(frozen=True, slots=True)
class BuilderPreview:
    """A state of the builder, what its move does, its choices as buttons, and whether to ask before playing it.

    ``file`` is the file, counted from 1, whose choices the buttons are; 0 where they are those of the whole board.
    """

    state: BuilderState
    does: str
    grid: Grid | None
    asks: bool
    file: int = 0


def builder_preview(
    key: str, position: Position, seat: int, keys: Keys, file: int = 0, *, squares_only: bool = False, secret: str = ""
) -> BuilderPreview:
    """Return what the choices ``keys`` lead to in a game. What is offered before the first choice is random.

    With ``squares_only`` the first choices are the squares among them. ``secret`` is a text that is no example.
    """
    found = building(key, position, keys, squares_only=squares_only)
    now = found.state if found.state.example != secret else replace(found.state, example="")
    scene = GAMES[key].scene(position, seat=seat)
    grid = choice_grid(now.steps, scene, file) if now.steps else ()
    of_file = file if grid and grid != choice_grid(now.steps, scene) else 0
    return BuilderPreview(now, found.does, grid, found.asks, of_file)
