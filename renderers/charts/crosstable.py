"""Tables of tournaments as pictures: who met whom with which result, in the type and colours of the boards.

Knows nothing of cups: a line is a name, its cells and its points, numbered from the top. Figures and shapes tell
everything, so colours only help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from PIL import Image

from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST
from renderers.pixels.lettering import MISSING, Weight, draw_text, drawable, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.rounded import rounded_rectangle
from renderers.pixels.theme import RGB, Theme, theme_named
from renderers.scene import Colour

FEWEST_LINES, MOST_LINES = 2, 8
_MARGIN, _ROW, _GAP = 26, 72, 6
_TITLE, _TEXT, _SMALL = 34, 30, 25
_NUMBER_ROOM, _POINTS_ROOM, _CELL = 50, 78, 64
_WIDEST_CELL = 96
_DOT = 11


class Mark(Enum):
    """The content of a cell: a result for the player of the line, or why there is none."""

    NONE = ""
    """The player has no such match, or it counts for nothing."""
    TO_PLAY = "·"
    PLAYING = "○"
    WON = "2"
    DRAWN = "1"
    LOST = "0"
    AWARDED = "+"
    FORFEITED = "−"
    VOIDED = "×"


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line. ``cells`` hold the marks against each player in the order of the lines, none on the diagonal.

    ``points`` is empty for a player whose results do not count; ``out`` is a player who plays no more.
    """

    name: str
    points: str
    cells: tuple[tuple[Mark, ...], ...]
    first: bool = False
    """Whether the line is highlighted, as the winner's is."""
    out: bool = False


def png(
    lines: Sequence[Line],
    title: str = "",
    points: str = "",
    legend: Sequence[str] = (),
    theme: str = "dark",
    width: int = FULL_WIDTH,
) -> bytes:
    """Return a table as a PNG file; ``points`` is the head of the last column, ``legend`` explains the marks.

    Raises ``ValueError`` for fewer than ``FEWEST_LINES`` or more than ``MOST_LINES``.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not FEWEST_LINES <= len(lines) <= MOST_LINES:
        raise ValueError(f"a table shows {FEWEST_LINES} to {MOST_LINES} lines, not {len(lines)}")
    return encode(_Drawing(lines, title, points, legend, theme_named(theme), width / FULL_WIDTH).picture)


def _flowing(parts: Sequence[str], size: int, room: int) -> list[str]:
    """Return lines that hold all parts in order; a part is cut only if it is wider than a line."""
    lines: list[str] = []
    for part in map(drawable, parts):
        longer = f"{lines[-1]} · {part}" if lines else ""
        if longer and text_width(longer, size, Weight.MEDIUM) <= room:
            lines[-1] = longer
        else:
            lines.append(truncated(part, size, Weight.MEDIUM, room))
    return lines


class _Drawing:
    """One table in the making. All lengths are in pixels of its picture."""

    def __init__(
        self,
        lines: Sequence[Line],
        title: str,
        points: str,
        legend: Sequence[str],
        theme: Theme,
        scale: float,
    ) -> None:
        self.theme, self.scale = theme, scale
        self.margin, self.row, self.gap = self._px(_MARGIN), self._px(_ROW), max(2, self._px(_GAP))
        width = self._px(FULL_WIDTH)
        room = width - 2 * self.margin
        small = self._px(_SMALL)
        words = _flowing(legend, small, room)
        head = self._px(_TITLE * 1.9) if title else 0
        columns = self._px(_TEXT * 1.6)
        height = 2 * self.margin + head + columns + len(lines) * (self.row + self.gap)
        height += round(len(words) * small * 1.45)
        self.picture: Image.Image = palette(theme).image((width, height), theme.background)
        top = self.margin
        if title:
            size = self._px(_TITLE)
            text = truncated(drawable(title), size, Weight.BOLD, room)
            self._write((self.margin, top + size // 2), text, size, Weight.BOLD, theme.text, theme.background)
        top += head
        self._columns(len(lines), width)
        self._heads(top + columns // 2 - self._px(4), points, len(lines))
        top += columns
        for number, line in enumerate(lines, 1):
            self._line(number, line, top)
            top += self.row + self.gap
        for number, text in enumerate(words):
            middle = top + round((number + 0.75) * small * 1.45)
            self._write((self.margin, middle), text, small, Weight.MEDIUM, theme.muted, theme.background)

    def _columns(self, lines: int, width: int) -> None:
        """Place the columns: number and name on the left, points on the right, cells between."""
        cell = min(self._px(_WIDEST_CELL), max(self._px(_CELL), round((width * 0.55) / lines)))
        self.points_left = width - self.margin - self._px(_POINTS_ROOM)
        self.cells_left = self.points_left - lines * cell
        self.cell = cell
        self.name_left = self.margin + self._px(_NUMBER_ROOM)
        self.right = width - self.margin

    def _heads(self, middle: int, points: str, lines: int) -> None:
        size = self._px(_SMALL)
        for number in range(lines):
            left = self.cells_left + number * self.cell
            self._centred(
                (left, left + self.cell - self.gap), middle, str(number + 1), size, Weight.BOLD, self.theme.muted
            )
        text = truncated(drawable(points), size, Weight.BOLD, self.right - self.points_left)
        self._centred((self.points_left, self.right), middle, text, size, Weight.BOLD, self.theme.muted)

    def _line(self, number: int, line: Line, top: int) -> None:
        theme, size = self.theme, self._px(_TEXT)
        bottom, middle = top + self.row, top + self.row // 2
        ground = theme.panel if line.first else theme.background
        if line.first:
            box = (self.margin - self._px(10), top, self.right + self._px(10), bottom)
            rounded_rectangle(self.picture, theme, box, self._px(12), ground, theme.background)
        ink = theme.muted if line.out else theme.text
        self._write((self.margin, middle), str(number), size, Weight.BOLD, theme.muted, ground)
        weight = Weight.BOLD if line.first else Weight.MEDIUM
        room = self.cells_left - self.name_left - self._px(12)
        name = truncated(drawable(line.name) or MISSING, size, weight, room)
        self._write((self.name_left, middle), name, size, weight, ink, ground)
        for column, marks in enumerate(line.cells):
            left = self.cells_left + column * self.cell
            self._cell(marks, (left, top, left + self.cell - self.gap, bottom), ground)
        self._centred((self.points_left, self.right), middle, line.points, size, Weight.BOLD, ink, ground)

    def _cell(self, marks: tuple[Mark, ...], box: tuple[int, int, int, int], ground: RGB) -> None:
        """Draw the results against one opponent side by side; a cell without any is a gap, as on the diagonal."""
        if not marks:
            return
        left, top, right, bottom = box
        inset = self._px(4)
        tile = self.theme.background if ground == self.theme.panel else self.theme.panel
        inner = (left, top + inset, right, bottom - inset)
        rounded_rectangle(self.picture, self.theme, inner, self._px(8), tile, ground)
        edges = [left + round((right - left) * part / len(marks)) for part in range(len(marks) + 1)]
        for mark, sides in zip(marks, pairwise(edges), strict=True):
            self._mark(mark, sides, (top + bottom) // 2, tile)

    def _mark(self, mark: Mark, sides: tuple[int, int], middle: int, tile: RGB) -> None:
        theme, size = self.theme, self._px(_TEXT)
        if mark in (Mark.PLAYING, Mark.TO_PLAY):
            radius = self._px(_DOT if mark is Mark.PLAYING else 4)
            centre = sum(sides) // 2
            disc = (centre - radius, middle - radius, centre + radius, middle + radius)
            face = theme.look(Colour.SEAT1).face if mark is Mark.PLAYING else theme.muted
            rounded_rectangle(self.picture, theme, disc, radius, face, tile)
            if mark is Mark.PLAYING:
                hole = radius - max(2, self._px(4))
                ring = (centre - hole, middle - hole, centre + hole, middle + hole)
                rounded_rectangle(self.picture, theme, ring, hole, tile, face)
            return
        won = mark in (Mark.WON, Mark.AWARDED)
        ink = theme.text if won or mark is Mark.DRAWN else theme.muted
        weight = Weight.BOLD if won else Weight.MEDIUM
        self._centred(sides, middle, drawable(mark.value), size, weight, ink, tile)

    def _centred(
        self,
        sides: tuple[int, int],
        middle: int,
        text: str,
        size: int,
        weight: Weight,
        ink: RGB,
        ground: RGB | None = None,
    ) -> None:
        left = sides[0] + (sides[1] - sides[0] - text_width(text, size, weight)) // 2 if text else sides[0]
        self._write((left, middle), text, size, weight, ink, ground or self.theme.background)

    def _write(self, at: tuple[int, int], text: str, size: int, weight: Weight, ink: RGB, ground: RGB) -> None:
        draw_text(self.picture, self.theme, at, text, size, weight, ink, ground)

    def _px(self, length: float) -> int:
        return round(length * self.scale)
