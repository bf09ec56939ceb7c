"""The places of a scene's squares in its picture and the words for each, for a page that puts buttons over the picture.

Knows the vocabulary of scenes and nothing of games. Measures are shares of the picture's width and height.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderers.pixels.layout import FULL_WIDTH, Layout, Pixels
from renderers.scene import Scene, Side
from renderers.text import square_words


@dataclass(frozen=True, slots=True)
class Spot:
    """A square or goal: its name, its place from the upper left corner of the picture, and its words."""

    name: str
    left: float
    top: float
    width: float
    height: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Placement:
    """The places of a scene in a picture ``width`` by ``height`` pixels.

    ``rows`` are rows of spots as they are seen, from the top; a goal is a row of its own.
    """

    width: int
    height: int
    rows: tuple[tuple[Spot, ...], ...]


def placed(scene: Scene, width: int) -> Placement:
    """Return the places of a scene in a picture as wide as that. Raises ``ValueError`` like ``Layout``."""
    scene = scene.translated()
    layout, words = Layout(scene, width), square_words(scene)

    def spot(name: str, box: Pixels) -> Spot:
        left, top, right, bottom = box
        across, down = layout.width, layout.height
        return Spot(
            name, left / across, top / down, (right - left) / across, (bottom - top) / down, words.get(name, "")
        )

    rows = []
    for row in range(scene.ranks):
        corners = [(layout.grid.name(column, row), layout.corner(column, row)) for column in range(scene.files)]
        rows.append(tuple(spot(name, (x, y, x + layout.cell, y + layout.cell)) for name, (x, y) in corners))
    for side in (Side.TOP, Side.BOTTOM):
        goal = layout.goal_at(side)
        if goal is not None:
            bar = (spot(goal.name, layout.goals[goal.name]),)
            rows = [bar, *rows] if side is Side.TOP else [*rows, bar]
    return Placement(layout.width, layout.height, tuple(rows))


def looks(scene: Scene) -> dict[str, str]:
    """Return for each square with a piece a text that is the same for pieces that look alike."""
    return {
        piece.square: "-".join([piece.shape, piece.colour, str(piece.value), *piece.sides]) for piece in scene.pieces
    }


def fullest_part(scene: Scene, size: int) -> tuple[int, int, int] | None:
    """Return where ``size`` by ``size`` squares have most pieces, the nearest to the middle if several do.

    That is the column and row of the upper left one, as the scene is seen, and ``size``; None for a smaller board.
    """
    if scene.files < size or scene.ranks < size:
        return None
    grid = Layout(scene.translated(), FULL_WIDTH).grid
    held = {piece.square for piece in scene.pieces}
    corners = [(column, row) for column in range(scene.files - size + 1) for row in range(scene.ranks - size + 1)]

    def worth(corner: tuple[int, int]) -> tuple[int, float]:
        column, row = corner
        pieces = sum(grid.name(column + x, row + y) in held for x in range(size) for y in range(size))
        return pieces, -abs(2 * column + size - scene.files) - abs(2 * row + size - scene.ranks)

    column, row = max(corners, key=worth)
    return column, row, size
