"""Tables of tournaments as pictures: who met whom with which result, in the type and colours of the boards.

Knows nothing of cups: a line is a name, its cells and its points, numbered from the top. Figures and shapes tell
everything, so colours only help.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from PIL import Image

from renderers.charts.ranking import MEDAL, draw_rank
from renderers.pixels.canvas import Canvas, rounded_rectangle
from renderers.pixels.layout import FULL_WIDTH, NARROWEST, WIDEST
from renderers.pixels.lettering import MISSING, Weight, draw_text, drawable, in_two_lines, text_width, truncated
from renderers.pixels.palette import palette
from renderers.pixels.png import encode
from renderers.pixels.theme import RGB, Theme, theme_named
from renderers.scene import Colour

FEWEST_LINES, MOST_LINES = 2, 8
_MARGIN, _ROW, _GAP = 26, 72, 6
_WINNER, _TEXT, _SMALL = 52, 30, 25
_BANNER, _LEGEND_ROW, _TILE = 176, 46, 38
_NUMBER_ROOM, _POINTS_ROOM, _CELL = 62, 104, 62
_WIDEST_CELL = 96
_DOT = 11


class ResultMark(Enum):
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
class TableRow:
    """A player's line. ``cells`` hold the marks against each player in the order of the lines, none on the diagonal.

    ``points`` is empty for a player whose results do not count, and then ``place`` is None; players who tie share one.
    ``out`` is a player who plays no more.
    """

    name: str
    points: str
    cells: tuple[tuple[ResultMark, ...], ...]
    place: int | None = None
    out: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """The banner above the table of a tournament that is over: the names of those who have won it, and words."""

    names: str
    words: str


Legend = Sequence[tuple[tuple[ResultMark, ...], str]]
"""Marks with what they mean."""


def png(
    lines: Sequence[TableRow],
    points: str = "",
    legend: Legend = (),
    winner: Winner | None = None,
    theme: str = "dark",
    width: int = FULL_WIDTH,
) -> bytes:
    """Return a table as a PNG file; ``points`` is the head of the last column.

    With a ``winner`` the first three places have medals, and the first line is highlighted. Raises ``ValueError`` for
    fewer than ``FEWEST_LINES`` or more than ``MOST_LINES``.
    """
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not FEWEST_LINES <= len(lines) <= MOST_LINES:
        raise ValueError(f"a table shows {FEWEST_LINES} to {MOST_LINES} lines, not {len(lines)}")
    return encode(_Drawing(lines, points, legend, winner, theme_named(theme), width / FULL_WIDTH).picture)


class _Drawing:
    """One table in the making. All lengths are in pixels of its picture."""

    def __init__(
        self,
        lines: Sequence[TableRow],
        points: str,
        legend: Legend,
        winner: Winner | None,
        theme: Theme,
        scale: float,
    ) -> None:
        self.theme, self.scale, self.over = theme, scale, winner is not None
        self.margin, self.row, self.gap = self._px(_MARGIN), self._px(_ROW), max(2, self._px(_GAP))
        width = self._px(FULL_WIDTH)
        self.right = width - self.margin
        self.cell = min(self._px(_WIDEST_CELL), max(self._px(_CELL), round((width * 0.55) / len(lines))))
        self.points_left = self.right - self._px(_POINTS_ROOM)
        self.cells_left = self.points_left - len(lines) * self.cell
        self.name_left = self.margin + self._px(_NUMBER_ROOM)
        explained = self._flowing(legend)
        banner, columns = self._px(_BANNER + 14) if winner else 0, self._px(_TEXT * 1.6)
        height = 2 * self.margin + banner + columns + len(lines) * (self.row + self.gap)
        height += (explained[-1][1] + 1) * self._px(_LEGEND_ROW) if explained else 0
        self.picture: Image.Image = palette(theme).image((width, height), theme.background)
        top = self.margin
        if winner:
            self._banner(winner, top)
        top += banner
        middle, small = top + columns // 2 - self._px(4), self._px(_SMALL)
        for number, line in enumerate(lines):
            left = self.cells_left + number * self.cell
            name = truncated(drawable(line.name) or MISSING, small, Weight.MEDIUM, self.cell - self.gap)
            self._centred((left, left + self.cell - self.gap), middle, name, small, Weight.MEDIUM, theme.muted)
        text = truncated(drawable(points), small, Weight.BOLD, self.right - self.points_left)
        self._centred((self.points_left, self.right), middle, text, small, Weight.BOLD, theme.muted)
        top += columns
        for line in lines:
            self._line(line, top)
            top += self.row + self.gap
        for left, at, marks, words in explained:
            self._explain(left, top + self._px((at + 0.6) * _LEGEND_ROW), marks, words)

    def _banner(self, winner: Winner, top: int) -> None:
        """Draw a cup beside the names of the winners."""
        theme, high, pad = self.theme, self._px(_BANNER), self._px(24)
        box = self.margin, top, self.right, top + high
        rounded_rectangle(self.picture, theme, box, self._px(16), theme.panel, theme.background)
        cup = trophy(theme, high - 2 * self._px(18))
        self.picture.paste(cup, (self.margin + pad, top + self._px(18)))
        left = self.margin + 2 * pad + cup.width
        room, size, small = self.right - pad - left, self._px(_WINNER), self._px(_SMALL)
        names = drawable(winner.names) or MISSING
        if text_width(names, size, Weight.BOLD) > room:
            size = self._px(_WINNER * 0.75)
        fits = text_width(names, size, Weight.BOLD) <= room
        shown = [names] if fits else [line for line in in_two_lines(names, size, Weight.BOLD, room) if line]
        between, below = round(size * 1.25), round(size * 0.62 + small * 0.75)
        middle = top + (high - between * (len(shown) - 1) - below) // 2
        for at, text in enumerate(shown):
            self._write((left, middle + at * between), text, size, Weight.BOLD, theme.text, theme.panel)
        words = truncated(drawable(winner.words), small, Weight.MEDIUM, room)
        place = left, middle + (len(shown) - 1) * between + below
        self._write(place, words, small, Weight.MEDIUM, theme.muted, theme.panel)

    def _line(self, line: TableRow, top: int) -> None:
        theme, size = self.theme, self._px(_TEXT)
        bottom, middle = top + self.row, top + self.row // 2
        first = self.over and line.place == 1
        ground = theme.panel if first else theme.background
        if first:
            box = (self.margin - self._px(10), top, self.right + self._px(10), bottom)
            rounded_rectangle(self.picture, theme, box, self._px(12), ground, theme.background)
        ink = theme.muted if line.out else theme.text
        if self.over and line.place is not None:
            centre = self.margin + self._px(MEDAL / 2), middle
            draw_rank(self.picture, theme, line.place, centre, ground, self.scale)
        else:
            sides, place = (self.margin, self.margin + self._px(MEDAL)), "–" if line.place is None else str(line.place)
            self._centred(sides, middle, place, size, Weight.BOLD, theme.muted, ground)
        weight = Weight.BOLD if first else Weight.MEDIUM
        room = self.cells_left - self.name_left - self._px(12)
        name = truncated(drawable(line.name) or MISSING, size, weight, room)
        self._write((self.name_left, middle), name, size, weight, ink, ground)
        tile = theme.background if first else theme.panel
        for column, marks in enumerate(line.cells):
            if not marks:  # a gap, as on the diagonal
                continue
            left = self.cells_left + column * self.cell
            right, inset = left + self.cell - self.gap, self._px(4)
            inner = (left, top + inset, right, bottom - inset)
            rounded_rectangle(self.picture, theme, inner, self._px(8), tile, ground)
            # The results against one opponent stand side by side.
            edges = [left + round((right - left) * part / len(marks)) for part in range(len(marks) + 1)]
            for mark, sides in zip(marks, pairwise(edges), strict=True):
                self._mark(mark, sides, middle, tile, size)
        self._centred((self.points_left, self.right), middle, line.points, size, Weight.BOLD, ink, ground)

    def _flowing(self, legend: Legend) -> list[tuple[int, int, tuple[ResultMark, ...], str]]:
        """Return where each explanation stands: its left end and its row, with its marks and words."""
        places: list[tuple[int, int, tuple[ResultMark, ...], str]] = []
        left, at, size = self.margin, 0, self._px(_SMALL)
        for marks, meaning in legend:
            tiles = len(marks) * self._px(_TILE + 4) + self._px(8)
            words = truncated(drawable(meaning), size, Weight.MEDIUM, self.right - self.margin - tiles)
            wide = tiles + text_width(words, size, Weight.MEDIUM)
            if left > self.margin and left + wide > self.right:
                left, at = self.margin, at + 1
            places.append((left, at, marks, words))
            left += wide + self._px(26)
        return places

    def _explain(self, left: int, middle: int, marks: tuple[ResultMark, ...], words: str) -> None:
        half, wide = self._px(_TILE / 2), self._px(_TILE)
        for mark in marks:
            box = left, middle - half, left + wide, middle + half
            rounded_rectangle(self.picture, self.theme, box, self._px(7), self.theme.panel, self.theme.background)
            self._mark(mark, (left, left + wide), middle, self.theme.panel, self._px(_SMALL))
            left += self._px(_TILE + 4)
        place = left + self._px(8), middle
        self._write(place, words, self._px(_SMALL), Weight.MEDIUM, self.theme.muted, self.theme.background)

    def _mark(self, mark: ResultMark, sides: tuple[int, int], middle: int, tile: RGB, size: int) -> None:
        theme = self.theme
        if mark in (ResultMark.PLAYING, ResultMark.TO_PLAY):
            radius = self._px(_DOT if mark is ResultMark.PLAYING else 4)
            centre = sum(sides) // 2
            disc = (centre - radius, middle - radius, centre + radius, middle + radius)
            face = theme.look(Colour.SEAT1).face if mark is ResultMark.PLAYING else theme.muted
            rounded_rectangle(self.picture, theme, disc, radius, face, tile)
            if mark is ResultMark.PLAYING:
                hole = radius - max(2, self._px(4))
                ring = (centre - hole, middle - hole, centre + hole, middle + hole)
                rounded_rectangle(self.picture, theme, ring, hole, tile, face)
            return
        won = mark in (ResultMark.WON, ResultMark.AWARDED)
        ink = theme.text if won or mark is ResultMark.DRAWN else theme.muted
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


@lru_cache(maxsize=16)
def trophy(theme: Theme, side: int) -> Image.Image:
    """Return a golden cup on a panel, ``side`` pixels high and wide."""
    canvas, look = Canvas((side, side), side, theme.panel), theme.look(Colour.GOLD)
    edge = theme.edge(look, theme.panel)
    for grown, fill in ((0.022, edge), (0.0, look.face)):
        for x in (0.27, 0.73):
            canvas.ring(x, 0.27, 0.13, 0.055 + 2 * grown, fill)
        canvas.rounded_rectangle((0.24 - grown, 0.06 - grown, 0.76 + grown, 0.16 + grown), 0.04, fill)
        bowl = ((0.27 - grown, 0.12), (0.73 + grown, 0.12), (0.71 + grown, 0.34), (0.29 - grown, 0.34))
        canvas.polygon(bowl, fill)
        canvas.disc(0.5, 0.34, 0.21 + grown, fill)
        canvas.rounded_rectangle((0.455 - grown, 0.5, 0.545 + grown, 0.76), 0.02, fill)
        canvas.disc(0.5, 0.63, 0.07 + grown, fill)
        canvas.rounded_rectangle((0.35 - grown, 0.74 - grown, 0.65 + grown, 0.81 + grown), 0.03, fill)
        canvas.rounded_rectangle((0.27 - grown, 0.84 - grown, 0.73 + grown, 0.95 + grown), 0.03, fill)
    canvas.star(0.5, 0.31, 0.14, look.ink)
    return canvas.finish(palette(theme))
