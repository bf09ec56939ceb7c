"""The marks of a square, drawn on its canvas: each has a form of its own, a line with an edge.

The marks of the last move have one colour in all games: a dark line with a light edge or, on dark ground, the other way
round.

They are frames (brackets where it began, a whole frame where it ended, a dashed one where it stopped on its way),
arrows round a piece that changed sides or in the middle of a piece that was turned, and a cross where a piece was
taken. Stars mark the pieces that won the game. Dots mark the squares that may be chosen next.
"""

from __future__ import annotations

from itertools import product
from math import cos, pi, sin

from renderers.pixels.canvas import Canvas
from renderers.pixels.lines import Point
from renderers.pixels.theme import RGB, Accent, Theme
from renderers.scene import Mark

_INSET = 0.03
_WIDTH = 0.046
_EDGE = 0.016
"""How far the dark edge of a mark reaches beyond its line, in cells."""


class Pen:
    """Draws lines twice: wider in one strength of an accent, then in the other.

    The line is light and its edge dark, unless that would be lost on what it lies ``on``.
    """

    def __init__(self, canvas: Canvas, accent: Accent, theme: Theme, on: RGB | None = None) -> None:
        self._canvas = canvas
        self._width = _WIDTH * theme.stroke
        self._edge = _EDGE * theme.stroke
        self._passes: tuple[tuple[float, RGB], ...] = (
            ((self._edge, accent.dark), (0.0, accent.light))
            if on is None
            else ((self._edge, accent.edge(on)), (0.0, accent.on(on)))
        )

    def frame(self) -> None:
        """Draw a frame just inside the square."""
        for grow, colour in self._passes:
            self._frame(grow, colour)

    def _frame(self, grow: float, colour: RGB) -> None:
        near, far = _INSET - grow, 1 - _INSET + grow
        self._canvas.frame((near, near, far, far), 0.06 + grow, self._width + 2 * grow, colour)

    def lines(self, lines: list[list[Point]], scale: float = 1.0) -> None:
        """Draw lines, all edges before the lines themselves."""
        for grow, colour in self._passes:
            for points in lines:
                self._canvas.line(points, self._width * scale + 2 * grow, colour)

    def disc(self, radius: float, x: float = 0.5, y: float = 0.5) -> None:
        """Draw a dot, by default in the middle of the square; its edge is twice as wide, because a dot is small."""
        for grow, colour in self._passes:
            self._canvas.disc(x, y, radius + 2 * grow, colour)

    def star(self, radius: float) -> None:
        """Draw a star in the middle of the square's piece, which is seen a little from below."""
        for grow, colour in self._passes:
            self._canvas.star(0.5, 0.475, radius + 2.5 * grow, colour)

    def corners(self, lines: list[list[Point]], *, framed: bool = False) -> None:
        """Fill triangles, together with the frame of the square if that is wanted: one form, one edge around it."""
        for grow, colour in self._passes:
            if framed:
                self._frame(grow, colour)
            for points in lines:
                self._canvas.polygon(points, colour)
                if grow:
                    self._canvas.line([*points, points[0]], 2 * grow, colour)

    def turning(
        self, radius: float, head: float = 0.075, starts: tuple[int, ...] = (-52, 128), sweep: int = 105
    ) -> None:
        """Draw two arrows that follow each other round the middle of the square; ``head`` is half the width of their
        heads.
        """
        for grow, colour in self._passes:
            for start in starts:
                self._canvas.arc(0.5, 0.5, radius, self._width + 2 * grow, start, start + sweep, colour)
                tip = _arrow_head(radius, start + sweep, head + 1.9 * grow, 1.7 * head + 2.9 * grow, grow)
                self._canvas.polygon(tip, colour)


def _arrow_head(radius: float, degrees: float, half: float, long: float, back: float) -> list[Point]:
    """Return the corners of an arrow head that leaves a circle round the middle clockwise, along its tangent.

    Its base lies ``back`` behind the place on the circle at the angle, its tip ``long`` before the base.
    """
    angle = degrees * pi / 180
    x, y = cos(angle), sin(angle)

    def at(along: float, outward: float) -> Point:
        reach = radius + outward
        return 0.5 + reach * x - along * y, 0.5 + reach * y + along * x

    # The tip leans inwards, so that the head follows the circle.
    return [at(long - back, -0.045), at(-back, half), at(-back, -half)]


def _mirrored(points: list[Point]) -> list[list[Point]]:
    """Return a line in the upper left corner and its images in the other three."""
    return [
        points,
        [(1 - x, y) for x, y in points],
        [(1 - x, 1 - y) for x, y in points],
        [(x, 1 - y) for x, y in points],
    ]


ABOVE = frozenset({Mark.CHANGED, Mark.TURNED, Mark.WINNING, Mark.CAPTURED, Mark.USED})
"""The marks that lie over a piece; all others lie below it."""


def draw(canvas: Canvas, mark: Mark, theme: Theme, ground: RGB, face: RGB | None = None) -> None:
    """Draw a mark on the canvas of a square whose tile is ``ground``, and that has a piece of that ``face``, if any."""
    # A turned piece has its mark on its face; all other marks lie around the piece.
    last = Pen(canvas, theme.last, theme, ground if face is None or mark is not Mark.TURNED else face)
    following = Pen(canvas, theme.next, theme)
    near, reach = _INSET + _WIDTH / 2, 0.24
    match mark:
        case Mark.LEFT:
            last.lines(_mirrored([(near, reach), (near, near), (reach, near)]))
        case Mark.ENTERED:
            last.frame()
        case Mark.PASSED:
            lines: list[list[Point]] = []
            for (start, end), across in product(((0.14, 0.26), (0.44, 0.56), (0.74, 0.86)), (near, 1 - near)):
                lines += [[(start, across), (end, across)], [(across, start), (across, end)]]
            last.lines(lines)
        case Mark.CHANGED:
            last.turning(0.435)
        case Mark.TURNED:
            last.turning(0.115, 0.062, starts=(-60,), sweep=250)
        case Mark.WINNING:
            Pen(canvas, theme.won, theme).star(0.2)
        case Mark.CAPTURED:
            near, far = (0.33, 0.67) if face is None else (0.06, 0.22)
            last.lines([[(near, near), (far, far)], [(near, far), (far, near)]], 1.5)
        case Mark.TARGET if face is None:
            following.disc(0.13)
        case Mark.CHOSEN | Mark.TARGET:
            near = _INSET + 0.01
            corners = _mirrored([(near, near), (reach, near), (near, reach)])
            following.corners(corners, framed=mark is Mark.CHOSEN)
        case Mark.USED:
            cross = ([(0.36, 0.36), (0.64, 0.64)], [(0.36, 0.64), (0.64, 0.36)])
            for (grow, colour), points in product(((_EDGE, theme.frame), (0.0, theme.muted)), cross):
                canvas.line(points, _WIDTH * theme.stroke + 2 * grow, colour)
