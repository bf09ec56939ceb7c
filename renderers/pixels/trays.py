"""The trays beside the board, one for every seat: name, pieces in hand, score, direction of play, whose turn it is and
who has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image

from renderers.i18n import gettext, translated
from renderers.pixels import cells, lines
from renderers.pixels.canvas import Canvas, rounded_rectangle
from renderers.pixels.layout import Layout, Pixels, opposite
from renderers.pixels.lettering import (
    Weight,
    draw_text,
    drawable,
    in_two_lines,
    line_height,
    text_width,
    truncated,
)
from renderers.pixels.palette import palette
from renderers.pixels.pieces import Figure
from renderers.pixels.theme import RGB, Theme
from renderers.scene import COLOURS, OUTCOMES, Colour, Ground, Outcome, Scene, Shape, Side, Tray
from renderers.scripts.bidi import isolated

_NAME = 31
_NAME_SIZES = (31, 27, 23)
"""Sizes of a name in a wide tray: the first in which it fits on one line, else two lines of the last."""
_SMALL_NAME_SIZES = (26, 23, 20)
_SMALL_LABEL = 22
_PIECE = 46
_SMALLEST_PIECE = 22
_SHARE, _SHARE_LABEL = 220, 25
_HEADINGS = {Side.TOP: -90, Side.RIGHT: 0, Side.BOTTOM: 90, Side.LEFT: 180}


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    backs = colours_of_backs(layout.scene)
    for tray, place in layout.trays:
        # Nothing but the frame and the sign changes with the turn: that keeps the frames of a replay small.
        corner, line, high = layout.px(12), layout.px(4), layout.px(30)
        won = tray.outcome is Outcome.WON
        if tray.to_move or won:
            colour = (theme.won if won else theme.next).on(theme.panel)
            inner = place[0] + line, place[1] + line, place[2] - line, place[3] - line
            rounded_rectangle(picture, theme, place, corner, colour, theme.background)
            rounded_rectangle(picture, theme, inner, max(1, corner - line), theme.panel, colour)
            corners = place[2] - high - layout.px(6), place[1] + layout.px(10)
            middle = place[0] + layout.px(12), (place[1] + place[3] - high) // 2
            picture.paste(_sign(theme, high, colour, star=won), corners if len(layout.trays) > 2 else middle)
        else:
            rounded_rectangle(picture, theme, place, corner, theme.panel, theme.background)
        if len(layout.trays) > 2:
            left, right = place[0] + layout.px(14), place[2] - layout.px(10)
            label_size = layout.px(_SMALL_LABEL)
            upper = place[1] + layout.px(25)
            gap, sign = layout.px(10), high if tray.to_move or won else 0
            # The outcome is shown even where six trays share the width: the line gets shorter for it.
            spare = right - left - sign - gap - text_width(_label_of(tray), label_size, Weight.BOLD)
            end = _draw_line(picture, layout, theme, tray, (left, upper), max(layout.px(22), min(layout.px(64), spare)))
            label = truncated(_label_of(tray), label_size, Weight.BOLD, max(0, right - end - gap - sign))
            _write(picture, theme, (end + gap, upper), label, label_size)
            sizes = tuple(map(layout.px, _SMALL_NAME_SIZES))
            size, lines = written_name("", drawable(tray.player) or name_of(tray), sizes, right - left)
            lower = place[1] + layout.px(65 if len(lines) == 1 else 62)
            _write_name(picture, theme, (left, lower), size, lines)
        else:
            _draw_wide(picture, layout, theme, tray, place, backs.get(tray.colour, tray.colour))


def colours_of_backs(scene: Scene) -> dict[Colour, Colour]:
    """Return the colour of the other face of each seat's discs: with two seats, the other seat's, as discs are turned
    over.
    """
    colours = [tray.colour for tray in scene.trays]
    return dict(zip(colours, reversed(colours), strict=True)) if len(colours) == 2 else {}


def name_of(tray: Tray) -> str:
    """Return the drawable name of a seat; without one, the name of its colour."""
    colour = translated(COLOURS.get(tray.colour, ""))
    colour = colour[:1].upper() + colour[1:]
    return drawable(tray.name) or colour or gettext("Player {number}", number=tray.seat + 1)


def written_name(seat: str, player: str, sizes: Sequence[int], room: int) -> tuple[int, tuple[str, ...]]:
    """Return in which size, and on which one or two lines, a tray has the names of a seat and its player.

    ``room`` is the width of the lines in pixels. A long name is written smaller, then below that of the seat, then
    without that of the seat, whose sign stands beside it. Only a name that is too long for two lines is shortened.
    """
    parts = list(filter(None, (seat, player)))
    whole = parts[0] if len(parts) == 1 else " · ".join(map(isolated, parts))
    for size in sizes:
        if text_width(whole, size, Weight.BOLD) <= room:
            return size, (whole,)
    smallest = sizes[-1]
    if seat and player and text_width(player, smallest, Weight.BOLD) <= room:
        return smallest, (truncated(seat, smallest, Weight.BOLD, room), player)
    return smallest, in_two_lines(player or seat, smallest, Weight.BOLD, room)


@lru_cache(maxsize=64)
def _sign(theme: Theme, size: int, colour: RGB, *, star: bool) -> Image.Image:
    """Return a star, or a solid triangle that points right."""
    canvas = Canvas((size, size), size, theme.panel)
    if star:
        canvas.star(0.5, 0.53, 0.48, colour)
    else:
        turns = [more * pi / 180 for more in (0, 125, 235)]
        canvas.polygon([(0.46 + 0.42 * cos(turn), 0.5 + 0.42 * sin(turn)) for turn in turns], colour)
    return canvas.finish(palette(theme))


@lru_cache(maxsize=64)
def _badge(theme: Theme, size: int, colour: Colour, degrees: int | None) -> Image.Image:
    """Return the sign of a seat: a disc in its colour, with an arrow the way it plays if that is said."""
    canvas, look = Canvas((size, size), size, theme.panel), theme.look(colour)
    canvas.disc(0.5, 0.5, 0.48, theme.edge(look, theme.panel))
    canvas.disc(0.5, 0.5, 0.43, look.face)
    if degrees is not None:
        x, y = cos(degrees * pi / 180), sin(degrees * pi / 180)

        def at(along: float, aside: float) -> tuple[float, float]:
            return 0.5 + along * x - aside * y, 0.5 + along * y + aside * x

        canvas.line((at(-0.22, 0), at(0.2, 0)), 0.1, look.ink)
        canvas.line((at(0.02, -0.2), at(0.22, 0), at(0.02, 0.2)), 0.1, look.ink)
    return canvas.finish(palette(theme))


def _label_of(tray: Tray) -> str:
    """Return the words at the far end of a tray: how the game ended for the seat, and the label of the scene."""
    outcome = "" if tray.outcome is None else translated(OUTCOMES[tray.outcome])
    return drawable(" · ".join(filter(None, (outcome, tray.label))))


def _write(picture: Image.Image, theme: Theme, at: tuple[int, int], text: str, size: int) -> None:
    draw_text(picture, theme, at, text, size, Weight.BOLD, theme.text, theme.panel)


def _write_name(picture: Image.Image, theme: Theme, at: tuple[int, int], size: int, lines: Sequence[str]) -> None:
    """Write the lines of a name, their left end and the middle of their height on a pixel."""
    (left, middle), high = at, line_height(size, Weight.BOLD)
    for number, line in enumerate(lines):
        at = left, middle + (2 * number + 1 - len(lines)) * high // 2
        # Two lines need all the height there is: they must not take away the frame, nor parts of each other.
        draw_text(picture, theme, at, line, size, Weight.BOLD, theme.text, theme.panel, letters_only=len(lines) > 1)


def _draw_wide(picture: Image.Image, layout: Layout, theme: Theme, tray: Tray, place: Pixels, back: Colour) -> None:
    """Draw a tray as wide as the picture: sign and name on the left, pieces and label on the right."""
    left, right = place[0] + layout.px(50), place[2] - layout.px(16)
    middle = (place[1] + place[3]) // 2
    size = layout.px(_NAME)
    if layout.scene.ground is Ground.DOTS:
        left = _draw_line(picture, layout, theme, tray, (left, middle), layout.px(64)) + layout.px(16)
    else:
        badge = layout.px(42)
        sign = _badge(
            theme,
            badge,
            tray.colour,
            (
                None
                if tray.heading is None
                else _HEADINGS[opposite(tray.heading) if layout.scene.turned else tray.heading]
            ),
        )
        picture.paste(sign, (left, middle - badge // 2))
        left += badge + layout.px(14)
    if tray.share is not None:
        right = _draw_share(picture, layout, theme, tray, place) - layout.px(22)
    elif label := truncated(_label_of(tray), size, Weight.BOLD, (right - left) // 2):
        right -= text_width(label, size, Weight.BOLD)
        _write(picture, theme, (right, middle), label, size)
        right -= layout.px(22)
    if tray.shape is not None:
        right = _draw_pieces(picture, layout, theme, tray, back, (left, right, middle)) - layout.px(18)
    sizes = tuple(map(layout.px, _NAME_SIZES))
    size, lines = written_name(name_of(tray), drawable(tray.player), sizes, max(0, right - left))
    _write_name(picture, theme, (left, middle), size, lines)


def _draw_share(picture: Image.Image, layout: Layout, theme: Theme, tray: Tray, place: Pixels) -> int:
    """Draw how much a seat has as a bar, below the label that says the same in words; return their left end.

    The bars of all seats are as long as the longest label, so that they can be compared.
    """
    high, line = layout.px(11), layout.px(2)
    size, right = layout.px(_SHARE_LABEL), place[2] - layout.px(16)
    labels = {
        other.seat: truncated(_label_of(other), size, Weight.BOLD, (place[2] - place[0]) // 2)
        for other, _place in layout.trays
    }
    wide = text_width(labels[tray.seat], size, Weight.BOLD)
    _write(picture, theme, (right - wide, place[1] + layout.px(21)), labels[tray.seat], size)
    long = max(layout.px(_SHARE), *(text_width(label, size, Weight.BOLD) for label in labels.values()))
    left, top = right - long, place[3] - layout.px(12) - high
    look, corner = theme.look(tray.colour), layout.px(6)
    rounded_rectangle(picture, theme, (left, top, right, top + high), corner, theme.background, theme.panel)
    filled = round(long * min(1.0, max(0.0, tray.share or 0.0)))
    if filled > 2 * line:
        edge = theme.edge(look, theme.panel)
        rounded_rectangle(picture, theme, (left, top, left + filled, top + high), corner, edge, theme.panel)
        inner = left + line, top + line, left + filled - line, top + high - line
        rounded_rectangle(picture, theme, inner, max(1, corner - line), look.face, edge)
    return left


def _draw_pieces(
    picture: Image.Image,
    layout: Layout,
    theme: Theme,
    tray: Tray,
    back: Colour,
    room: tuple[int, int, int],
) -> int:
    """Draw the pieces of a tray, at most two thirds of the room from ``left`` to ``right``; return their left end."""
    left, right, middle = room
    places = max(tray.count, tray.capacity)
    if places <= 0 or tray.shape is None:
        return right
    size = min(layout.px(_PIECE), (right - left) * 2 // 3 // places)
    figure = Figure(tray.shape, tray.colour, back, sides=(tray.colour,) * 4 if tray.shape is Shape.QUARTERS else ())
    if size < layout.px(_SMALLEST_PIECE):
        size, places, text = layout.px(_PIECE), 1, f"× {tray.count}"
        right -= text_width(text, layout.px(_NAME), Weight.BOLD)
        _write(picture, theme, (right, middle), text, layout.px(_NAME))
        right -= layout.px(6)
    start = right - size * places
    for at in range(places):
        sprite = cells.figure(theme, size, figure if at < tray.count else None, theme.panel)
        picture.paste(sprite, (start + at * size, middle - size // 2))
    return start


def _draw_line(
    picture: Image.Image, layout: Layout, theme: Theme, tray: Tray, start: tuple[int, int], long: int
) -> int:
    """Draw a piece of a seat's line from a point to the right; return where it ends."""
    style, colour = lines.style_of(theme, tray.colour, layout.px(1200) / 1000), theme.look(tray.colour).face
    lines.draw(picture, theme, style, colour, (start, (start[0] + long, start[1])), theme.panel)
    return start[0] + long
