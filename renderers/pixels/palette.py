"""The 256 colours of a theme: one palette for every sprite, picture and frame, so that composing is only pasting.

All mixing of colours happens while sprites are made; a finished picture holds indices into this palette.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from PIL import Image

from renderers.pixels.theme import RGB, Theme, faded, mix
from renderers.scene import SEATS, Colour

SIZE = 255
"""Colours in use; one index is left over, for what is transparent in an animation."""
TRANSPARENT = 255
LEVELS = 3
"""Steps in which an edge fades into its background where it is drawn on a finished picture."""


class Palette:
    """The colours of one theme and the ways between indices, colours and palette images."""

    def __init__(self, colours: Sequence[RGB]) -> None:
        self.colours = tuple(colours)
        self.flat = [channel for colour in (*colours, (0, 0, 0)) for channel in colour]
        # Pillow looks colours up in steps of four, from below: with a table in the same steps it finds areas exactly.
        # It may only find colours in use, so the transparent one repeats the first for it.
        self._reference = Image.new("P", (1, 1))
        self._reference.putpalette([channel for colour in (*colours, colours[0]) for channel in _step(colour)])
        self._indices = {_step(colour): at for at, colour in reversed(list(enumerate(colours)))}
        self._blend_tables: dict[tuple[RGB, int], bytes] = {}
        # Pillow sets a palette up on its first use: two threads that do it at once get wrong colours, or a crash.
        self.reduce(Image.new("RGB", (1, 1)))

    def index(self, colour: RGB) -> int:
        step = _step(colour)
        index = self._indices.get(step)
        if index is None:
            # Compare the step, not the colour: the result must not depend on which colour of the step came first.
            distances = [_distance(step, other) for other in self.colours]
            index = self._indices[step] = distances.index(min(distances))
        return index

    def image(self, size: tuple[int, int], background: RGB) -> Image.Image:
        picture = Image.new("P", size, self.index(background))
        picture.putpalette(self.flat)
        return picture

    def reduce(self, picture: Image.Image) -> Image.Image:
        return picture.quantize(palette=self._reference, dither=Image.Dither.NONE)

    def ramp(self, background: RGB, colour: RGB) -> list[int]:
        """Return 256 indices: from ``background`` to ``colour``, for masks of letters on a known background."""
        steps = [self.index(mix(background, colour, step / 16)) for step in range(17)]
        return [steps[(value + 7) // 16] for value in range(256)]

    def blend_table(self, colour: RGB, level: int) -> bytes:
        """Return, for every index, the one it becomes beneath ``level`` / ``LEVELS`` of ``colour``."""
        table = self._blend_tables.get((colour, level))
        if table is None:
            mixed = [self.index(mix(under, colour, level / LEVELS)) for under in self.colours]
            table = self._blend_tables[colour, level] = bytes(mixed).ljust(256, b"\0")
        return table

    def replacement(self, old: RGB, new: RGB) -> list[int]:
        """Return a table that maps the index of ``old`` to that of ``new``, and every other index to itself."""
        table = list(range(256))
        table[self.index(old)] = self.index(new)
        return table


@lru_cache(maxsize=8)
def palette(theme: Theme) -> Palette:
    """Return the palette of a theme: its own colours, then the mixtures along edges that these serve worst."""
    fixed = list({_step(colour): colour for colour in _plain_colours(theme)}.values())
    fixed_steps = {_step(colour) for colour in fixed}
    # The colours that meet along an edge, and from them the mixtures.
    pairs: list[tuple[RGB, RGB]] = []
    for background in _backgrounds(theme):
        over = chain.from_iterable((look.face, look.rim) for look in theme.looks.values())
        lines = (theme.last.light, theme.last.dark, theme.next.on(background), theme.frame)
        pairs += [(background, colour) for colour in (*over, *lines)]
    for look in theme.looks.values():
        pairs += [(look.face, look.rim), (look.face, look.ink)]
    pairs += [(background, ink) for background in (theme.background, theme.panel) for ink in (theme.text, theme.muted)]
    edges = [mix(first, second, step / 4) for first, second in pairs for step in range(1, 4)]
    mixtures = list({_step(colour): colour for colour in edges if _step(colour) not in fixed_steps}.values())
    nearest = [min(_distance(colour, other) for other in fixed) for colour in mixtures]
    while len(fixed) < SIZE and max(nearest) > 0:
        worst = mixtures[nearest.index(max(nearest))]
        fixed.append(worst)
        nearest = [min(old, _distance(colour, worst)) for colour, old in zip(mixtures, nearest, strict=True)]
    fixed += [fixed[0]] * (SIZE - len(fixed))
    return Palette(fixed)


def _distance(first: RGB, second: RGB) -> int:
    """Return how different two colours look, as a weighted square (green counts most)."""
    return 2 * (first[0] - second[0]) ** 2 + 4 * (first[1] - second[1]) ** 2 + 3 * (first[2] - second[2]) ** 2


def _step(colour: RGB) -> RGB:
    """Return a colour in steps of four: colours that share it are taken for one."""
    return colour[0] & ~3, colour[1] & ~3, colour[2] & ~3


def hollow(tile: RGB) -> RGB:
    return mix(tile, (0, 0, 0), 0.16)


def region_tint(tile: RGB, colour: RGB) -> RGB:
    return mix(tile, colour, 0.2)


def quiet(field: RGB, text: RGB) -> RGB:
    """Return the colour of things that must not attract the eye."""
    return mix(field, text, 0.4)


def under(field: RGB, line: RGB) -> RGB:
    """Return the colour of the area under a line of a chart, which is of colour ``line``."""
    return mix(field, line, 0.16)


def filled(theme: Theme, colour: Colour) -> RGB:
    """Return the colour of the area of a seat's outline, if it is the latest."""
    return mix(theme.field, theme.look(colour).face, 0.28)


AGES = (3.0, 3.2, 3.5)
"""Contrast with the field of the lines of earlier outlines, from the oldest to those just before the latest: some 60%
of a seat's colour."""


def aged(theme: Theme, colour: Colour, age: int) -> RGB:
    """Return the colour of the lines of a seat's earlier outline; ``age`` is an index of ``AGES``."""
    return faded(theme.field, theme.look(colour).face, AGES[age])


PANES = (0.3, 0.46)
"""How much of a seat's colour there is in its panes of glass: two strengths, so that neighbours can be told apart."""


def glass(theme: Theme, colour: Colour, strength: int) -> RGB:
    """Return the colour of a pane of a seat; ``strength`` is an index of ``PANES``."""
    return mix(theme.field, theme.look(colour).face, PANES[strength])


def _backgrounds(theme: Theme) -> list[RGB]:
    wood = theme.tile(Colour.WOOD)
    return [*theme.tiles.values(), hollow(wood), theme.field, theme.panel, theme.background, theme.bar(Colour.WOOD)]


def _plain_colours(theme: Theme) -> Iterable[RGB]:
    """Yield the colours that fill areas: they must be exact."""
    yield from (theme.background, theme.panel, theme.frame, theme.field, theme.dot, theme.text, theme.muted)
    yield from _backgrounds(theme)
    for look in theme.looks.values():
        yield from (look.face, look.rim, look.ink)
    yield from (
        theme.last.light,
        theme.last.dark,
        theme.won.light,
        theme.won.dark,
        theme.next.light,
        theme.next.dark,
    )
    yield quiet(theme.field, theme.muted)
    for tile in [region_tint(theme.tile(Colour.WOOD), theme.look(seat).face) for seat in SEATS]:
        yield from (tile, hollow(tile), mix(hollow(tile), (0, 0, 0), theme.shade), mix(tile, (0, 0, 0), theme.shade))
    for seat in SEATS:
        yield theme.bar(seat)
        yield filled(theme, seat)
        yield from (aged(theme, seat, age) for age in range(len(AGES)))
        yield from (glass(theme, seat, strength) for strength in range(len(PANES)))
    for look in theme.looks.values():
        yield under(theme.field, look.face)
    for background in _backgrounds(theme):
        yield mix(background, (0, 0, 0), theme.shade)
        yield mix(background, theme.next.on(background), 0.3)
