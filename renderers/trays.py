"""What stands beside the board for every seat: name, pieces in hand, score, direction of play, whose turn it is and
who has won."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw

from renderers import cells, lines, strokes
from renderers.layout import Layout, Pixels, opposite
from renderers.lettering import Weight, cut, drawable, length, write
from renderers.palette import palette
from renderers.pieces import Figure
from renderers.scene import Colour, Ground, Outcome, Scene, Shape, Side, Tray
from renderers.sheet import Sheet
from renderers.theme import RGB, Theme

_NAME = 31
_SMALL_NAME = 26
_PIECE = 46
_SMALLEST_PIECE = 22
_HEADINGS = {Side.TOP: -90, Side.RIGHT: 0, Side.BOTTOM: 90, Side.LEFT: 180}


def draw(picture: Image.Image, layout: Layout, theme: Theme) -> None:
    """Draw all trays of a scene."""
    backs = colours_of_backs(layout.scene)
    for tray, place in layout.trays:
        _panel(picture, layout, theme, place, tray)
        if len(layout.trays) > 2:
            _draw_small(picture, layout, theme, tray, place)
        else:
            _draw_wide(picture, layout, theme, tray, place, backs.get(tray.colour, tray.colour))


def colours_of_backs(scene: Scene) -> dict[Colour, Colour]:
    """Return what colour a disc has on its other face: with two sides, discs are those of the other one turned over."""
    colours = [tray.colour for tray in scene.trays]
    return dict(zip(colours, reversed(colours), strict=True)) if len(colours) == 2 else {}


def name_of(tray: Tray) -> str:
    """Return the name of a seat as it can be drawn; one without any letter of the font is told by its colour."""
    colour = "" if tray.colour.startswith("seat") else tray.colour.capitalize()
    return drawable(tray.name) or colour or f"Player {tray.seat + 1}"


def _whole_name_of(tray: Tray) -> str:
    """Return the name of a seat and of who has it."""
    return " · ".join(filter(None, (name_of(tray), drawable(tray.player))))


def _panel(picture: Image.Image, layout: Layout, theme: Theme, place: Pixels, tray: Tray) -> None:
    """Draw the panel of a tray, with a frame and a sign for the one whose turn it is or who has won.

    Nothing but the frame and the sign changes with the turn: that keeps the frames of a replay small.
    """
    corner, line = layout.px(12), layout.px(4)
    won = tray.outcome is Outcome.WON
    if not (tray.to_move or won):
        strokes.plate(picture, theme, place, corner, theme.panel, theme.ground)
        return
    colour = (theme.last if won else theme.next).on(theme.panel)
    left, top, right, bottom = place
    inner = left + line, top + line, right - line, bottom - line
    strokes.plate(picture, theme, place, corner, colour, theme.ground)
    strokes.plate(picture, theme, inner, max(1, corner - line), theme.panel, colour)
    high = layout.px(30)
    sign = _sign(theme, high, colour, star=won)
    if len(layout.trays) > 2:
        picture.paste(sign, (place[2] - high - layout.px(6), place[1] + layout.px(10)))
    else:
        picture.paste(sign, (place[0] + layout.px(12), (place[1] + place[3] - high) // 2))


@lru_cache(maxsize=64)
def _sign(theme: Theme, size: int, colour: RGB, *, star: bool) -> Image.Image:
    """Return a star, or a solid triangle that points right."""
    sheet = Sheet((size, size), size, theme.panel)
    if star:
        sheet.star(0.5, 0.53, 0.48, colour)
    else:
        turns = [more * pi / 180 for more in (0, 125, 235)]
        sheet.polygon([(0.46 + 0.42 * cos(turn), 0.5 + 0.42 * sin(turn)) for turn in turns], colour)
    return sheet.finish(palette(theme))


@lru_cache(maxsize=64)
def _badge(theme: Theme, size: int, colour: Colour, degrees: int | None) -> Image.Image:
    """Return the sign of a seat: a disc in its colour, with an arrow the way it plays if that is said."""
    sheet, look = Sheet((size, size), size, theme.panel), theme.look(colour)
    sheet.disc(0.5, 0.5, 0.48, theme.edge(look, theme.panel))
    sheet.disc(0.5, 0.5, 0.43, look.face)
    if degrees is not None:
        x, y = cos(degrees * pi / 180), sin(degrees * pi / 180)

        def at(along: float, aside: float) -> tuple[float, float]:
            return 0.5 + along * x - aside * y, 0.5 + along * y + aside * x

        sheet.line((at(-0.22, 0), at(0.2, 0)), 0.1, look.ink)
        sheet.line((at(0.02, -0.2), at(0.22, 0), at(0.02, 0.2)), 0.1, look.ink)
    return sheet.finish(palette(theme))


def _label_of(tray: Tray) -> str:
    """Return what stands at the far end of a tray: how the game ended for the seat, and what the scene says."""
    return drawable(" · ".join(filter(None, (tray.outcome, tray.label))))


def _heading(layout: Layout, tray: Tray) -> int | None:
    if tray.heading is None:
        return None
    return _HEADINGS[opposite(tray.heading) if layout.scene.turned else tray.heading]


def _write(picture: Image.Image, theme: Theme, at: tuple[int, int], text: str, size: int) -> None:
    """Write bold text on a panel."""
    write(picture, theme, at, text, size, Weight.BOLD, theme.text, theme.panel)


def _draw_wide(picture: Image.Image, layout: Layout, theme: Theme, tray: Tray, place: Pixels, back: Colour) -> None:
    """Draw a tray as wide as the picture: sign and name on the left, pieces and label on the right."""
    left, right = place[0] + layout.px(50), place[2] - layout.px(16)
    middle = (place[1] + place[3]) // 2
    size = layout.px(_NAME)
    if layout.scene.ground is Ground.DOTS:
        left = _draw_line(picture, layout, theme, tray, (left, middle), layout.px(64)) + layout.px(16)
    else:
        badge = layout.px(42)
        sign = _badge(theme, badge, tray.colour, _heading(layout, tray))
        picture.paste(sign, (left, middle - badge // 2))
        left += badge + layout.px(14)
    label = cut(_label_of(tray), size, Weight.BOLD, (right - left) // 2)
    if label:
        right -= length(label, size, Weight.BOLD)
        _write(picture, theme, (right, middle), label, size)
        right -= layout.px(22)
    if tray.shape is not None:
        right = _draw_pieces(picture, layout, theme, tray, back, (left, right, middle)) - layout.px(18)
    name = cut(_whole_name_of(tray), size, Weight.BOLD, max(0, right - left))
    _write(picture, theme, (left, middle), name, size)


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
        right -= length(text, layout.px(_NAME), Weight.BOLD)
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
    stroke = lines.stroke_of(theme, tray.colour, theme.panel, layout.px(1200) / 1000)
    lines.draw(ImageDraw.Draw(picture), theme, stroke, (start, (start[0] + long, start[1])))
    return start[0] + long


def _draw_small(picture: Image.Image, layout: Layout, theme: Theme, tray: Tray, place: Pixels) -> None:
    """Draw a tray of several in a row: the seat's line and its label above, its player below."""
    left, right = place[0] + layout.px(14), place[2] - layout.px(10)
    size = layout.px(_SMALL_NAME)
    upper, lower = place[1] + layout.px(25), place[1] + layout.px(65)
    end = _draw_line(picture, layout, theme, tray, (left, upper), min(layout.px(64), (right - left) // 2))
    room = right - end - layout.px(12) - (layout.px(30) if tray.to_move or tray.outcome else 0)
    label = cut(_label_of(tray), size, Weight.BOLD, room)
    _write(picture, theme, (end + layout.px(12), upper), label, size)
    name = cut(drawable(tray.player) or name_of(tray), size, Weight.BOLD, right - left)
    _write(picture, theme, (left, lower), name, size)
