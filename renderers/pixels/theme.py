"""The colours of pictures: what every role of ``scene.Colour`` looks like in each theme, and how clearly it shows.

A theme is data. It knows neither shapes nor games; ``palette`` makes the 256 colours of a picture from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from renderers.scene import Colour

RGB = tuple[int, int, int]


def rgb(code: str) -> RGB:
    return int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16)


def mix(first: RGB, second: RGB, share: float) -> RGB:
    """Return ``first`` with ``share`` (0 to 1) of it replaced by ``second``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


@cache
def luminance(colour: RGB) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: RGB, second: RGB) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=256)
def faded(background: RGB, colour: RGB, ratio: float) -> RGB:
    """Return a mixture with ``background`` as near to it as a contrast ratio of ``ratio`` with it allows."""
    for step in range(1, 50):
        mixed = mix(background, colour, step / 50)
        if contrast(mixed, background) >= ratio:
            return mixed
    return colour


@dataclass(frozen=True, slots=True)
class Look:
    """A colour on a piece: its ``face``, the ``rim`` around it and the ``ink`` of what is drawn on the face."""

    face: RGB
    rim: RGB
    ink: RGB


@dataclass(frozen=True, slots=True)
class Accent:
    """A colour of marks in two strengths: a line in the one that shows better, an edge around it in the other."""

    light: RGB
    dark: RGB

    def edge(self, background: RGB) -> RGB:
        """Return the strength for the edge of a line on ``background``."""
        return self.dark if self.on(background) == self.light else self.light

    def on(self, background: RGB) -> RGB:
        """Return the strength that stands out from ``background``."""
        return max((self.light, self.dark), key=lambda colour: contrast(colour, background))


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one theme.

    ``background`` is the picture's own, ``panel`` what is raised from it, ``frame`` what shows between tiles, ``field``
    lies beneath dots. ``last`` marks what the last move did, ``won`` who has won and by what, ``next`` what may be
    chosen. ``shade`` (0 to 1) is the strength of shadows, ``stroke`` the thickness of rims
    and marks (1 is normal).
    """

    name: str
    background: RGB
    panel: RGB
    frame: RGB
    field: RGB
    dot: RGB
    text: RGB
    muted: RGB
    tiles: Mapping[Colour, RGB]
    looks: Mapping[Colour, Look]
    last: Accent
    won: Accent
    next: Accent
    shade: float
    stroke: float

    def __hash__(self) -> int:
        return hash(self.name)

    def tile(self, colour: Colour) -> RGB:
        return self.tiles.get(colour, self.tiles[Colour.PLAIN])

    def bar(self, colour: Colour) -> RGB:
        """Return the colour of the goal of a seat, or dark wood for a goal without a seat."""
        if colour is Colour.WOOD:
            return mix(self.tile(Colour.WOOD), self.look(Colour.WOOD).ink, 0.55)
        return mix(self.look(colour).face, self.frame, 0.15)

    def look(self, colour: Colour) -> Look:
        """Return the colours of a piece; a piece cannot be split and takes the plain look instead."""
        return self.looks.get(colour, self.looks[Colour.PLAIN])

    def edge(self, look: Look, background: RGB) -> RGB:
        """Return what to draw round a sign in ``look`` so that it stands out from the background or a panel."""
        if contrast(look.face, background) >= 3:
            return look.rim
        return max((look.rim, self.muted), key=lambda colour: contrast(colour, background))


def _looks(table: str) -> dict[Colour, Look]:
    """Read lines of ``role face rim ink``."""
    rows = (line.split() for line in table.strip().splitlines())
    return {Colour(role): Look(rgb(face), rgb(rim), rgb(ink)) for role, face, rim, ink in rows}


def _tiles(table: str) -> dict[Colour, RGB]:
    """Read lines of ``role tile``."""
    rows = (line.split() for line in table.strip().splitlines())
    return {Colour(role): rgb(tile) for role, tile in rows}


DARK = Theme(
    name="dark",
    background=rgb("1e1f24"),
    panel=rgb("2f3138"),
    frame=rgb("15161a"),
    field=rgb("282a30"),
    dot=rgb("8f95a3"),
    text=rgb("f2f3f5"),
    muted=rgb("b4b9c4"),
    tiles=_tiles("""
        plain d3b88c
        shade c2a474
        blue  6592cb
        white e6e0d3
        black 2c2e34
        red   a83a33
        gold  bfa263
        wood  a87e54
    """),
    looks=_looks("""
        plain c6cad3 3c4049 262931
        shade 949aa8 2b2e36 15161a
        blue  1f4da3 0e2657 dce8fd
        white faf8f2 4b505c 353841
        black 26282e 0b0c0e efece4
        red   c8352b 6e1a14 fff3f0
        gold  f1cb62 6f5110 4a3604
        wood  f1e1c4 482d14 4c3119
        seat1 5ea9ff 173e6b 0d2238
        seat2 ff9f40 6b3a05 331c02
        seat3 52d68d 0d5230 06281a
        seat4 ff7fba 6e1d47 360d22
        seat5 f3da5b 625306 2e2702
        seat6 b9a2ff 3d2a7d 1c133b
    """),
    last=Accent(light=rgb("f3d3ff"), dark=rgb("5e0b8a")),
    won=Accent(light=rgb("ffc53d"), dark=rgb("612200")),
    next=Accent(light=rgb("5be3a9"), dark=rgb("003f2d")),
    shade=0.3,
    stroke=1.0,
)

LIGHT = Theme(
    name="light",
    background=rgb("f7f6f3"),
    panel=rgb("e7e5df"),
    frame=rgb("8a8780"),
    field=rgb("ffffff"),
    dot=rgb("77787f"),
    text=rgb("1f2126"),
    muted=rgb("555963"),
    tiles=_tiles("""
        plain ead9b8
        shade dcc596
        blue  7ba5d8
        white f4f0e6
        black 4a4c53
        red   bb4a41
        gold  d3bd84
        wood  c69868
    """),
    looks=_looks("""
        plain 6c717d 33363e ffffff
        shade 4d515b 25272d ffffff
        blue  1f4da3 0e2657 e3edff
        white ffffff 4d515c 353841
        black 2a2c32 0b0c0e f4f1e9
        red   c9382e 6e1a14 fff3f0
        gold  e9b93a 5f450a 4a3604
        wood  f7ead2 573a1e 4c3119
        seat1 1668c4 0c3d77 ffffff
        seat2 b85800 6b3300 ffffff
        seat3 0d7d47 06482a ffffff
        seat4 c02473 6f0f40 ffffff
        seat5 5f6b00 394000 ffffff
        seat6 6a48c9 3a2478 ffffff
    """),
    last=Accent(light=rgb("f7dcff"), dark=rgb("5e0b8a")),
    won=Accent(light=rgb("ffa824"), dark=rgb("742800")),
    next=Accent(light=rgb("a0f5d0"), dark=rgb("005a40")),
    shade=0.2,
    stroke=1.0,
)

HIGH_CONTRAST = Theme(
    name="high-contrast",
    background=rgb("000000"),
    panel=rgb("26262a"),
    frame=rgb("000000"),
    field=rgb("0a0a0c"),
    dot=rgb("d8d8dc"),
    text=rgb("ffffff"),
    muted=rgb("e4e4e8"),
    tiles=_tiles("""
        plain 3d2c1c
        shade 2a1d11
        blue  79b0f2
        white ffffff
        black 101013
        red   c4211c
        gold  ffd24a
        wood  d9a566
    """),
    looks=_looks("""
        plain f2f2f2 000000 000000
        shade c4c6cc 000000 000000
        blue  0a2f86 000000 ffffff
        white ffffff 000000 000000
        black 000000 000000 ffffff
        red   ff7a6e 000000 000000
        gold  ffdf70 000000 000000
        wood  fff6e2 000000 000000
        seat1 6cb6ff 000000 000000
        seat2 ffa53d 000000 000000
        seat3 4dee9c 000000 000000
        seat4 ff8cc6 000000 000000
        seat5 ffee63 000000 000000
        seat6 c7b5ff 000000 000000
    """),
    last=Accent(light=rgb("f6d0ff"), dark=rgb("4d0075")),
    won=Accent(light=rgb("ffd400"), dark=rgb("5c1a00")),
    next=Accent(light=rgb("4dffb8"), dark=rgb("003d2b")),
    shade=0.0,
    stroke=1.3,
)

MEDIUM = replace(
    DARK,
    name="medium",
    background=rgb("51555f"),
    panel=rgb("3d414a"),
    frame=rgb("202227"),
    field=rgb("33363e"),
    text=rgb("ffffff"),
    muted=rgb("e8eaf0"),
)
"""A calm frame in light and in dark chats. Its background is as light as text (7:1) and seats (3:1) on it allow."""

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (DARK, LIGHT, HIGH_CONTRAST, MEDIUM)}


def theme_named(name: str) -> Theme:
    """Return the theme with this name. Raises ``ValueError`` for an unknown name."""
    try:
        return THEMES[name]
    except KeyError:
        raise ValueError(f"no theme {name!r}; there are {', '.join(THEMES)}") from None
