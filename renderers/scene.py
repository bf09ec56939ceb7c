"""The vocabulary of scenes: what a board looks like, as data.

A scene names squares, shapes, colours and marks; it holds no pixel and no rule. Games make scenes, and ``image``,
``animation`` and ``text`` turn them into something a person can look at.

Squares are named as in the notation: a file letter and a rank number (``a1`` is the lower left one for the first
seat), or the name of a goal. Colours are the names of roles; a theme gives each its pixels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from renderers.i18n import pgettext_lazy, translated


class Ground(StrEnum):
    """The kinds of squares of a board."""

    TILES = "tiles"
    """Separate flat tiles, each with its own colour."""
    CELLS = "cells"
    """Wooden cells with a hollow in each."""
    DOTS = "dots"
    """Points of a grid instead of areas; a square's name is its dot."""


class Colour(StrEnum):
    """The roles colours play. The six ``SEAT`` colours differ in line pattern, too."""

    PLAIN = "plain"
    SHADE = "shade"
    BLUE = "blue"
    WHITE = "white"
    BLACK = "black"
    RED = "red"
    GOLD = "gold"
    WOOD = "wood"
    SPLIT = "split"
    """Half blue, half white: a neutral square."""
    SEAT1 = "seat1"
    SEAT2 = "seat2"
    SEAT3 = "seat3"
    SEAT4 = "seat4"
    SEAT5 = "seat5"
    SEAT6 = "seat6"


SEATS = (Colour.SEAT1, Colour.SEAT2, Colour.SEAT3, Colour.SEAT4, Colour.SEAT5, Colour.SEAT6)


class Shape(StrEnum):
    DISC = "disc"
    TOWER = "tower"
    """A stack of two discs, told from a disc by its outline and an inner mark."""
    RINGS = "rings"
    """A round piece with ``value`` concentric rings and the value legible."""
    QUARTERS = "quarters"
    """A square piece of four triangles and a disc in ``colour``.

    Its ``sides`` are the colours up, right, down and left, as the first seat sees them.
    """


class Mark(StrEnum):
    """The marks of squares. They differ in form, not only in colour."""

    LEFT = "left"
    """The last move began here."""
    ENTERED = "entered"
    """The last move ended here."""
    PASSED = "passed"
    """The last move stopped here on its way."""
    CHANGED = "changed"
    """A piece here changed its owner in the last move."""
    TURNED = "turned"
    """The piece here was turned where it lies, or on its way here, in the last move."""
    WINNING = "winning"
    """The piece here is part of what won the game."""
    CAPTURED = "captured"
    """A piece was taken from here in the last move."""
    CHOSEN = "chosen"
    """Chosen in the move under construction."""
    TARGET = "target"
    """May be chosen next."""
    USED = "used"
    """Crossed out: no longer available."""


class Outcome(StrEnum):
    """How a game ended well for a seat."""

    WON = "won"
    DRAWN = "draw"


OUTCOMES = {
    Outcome.WON: pgettext_lazy("how a game ended for somebody", "won"),
    Outcome.DRAWN: pgettext_lazy("how a game ended for somebody", "draw"),
}
"""The words for an outcome."""
COLOURS = {
    Colour.BLUE: pgettext_lazy("colour", "blue"),
    Colour.WHITE: pgettext_lazy("colour", "white"),
    Colour.BLACK: pgettext_lazy("colour", "black"),
    Colour.RED: pgettext_lazy("colour", "red"),
    Colour.GOLD: pgettext_lazy("colour", "gold"),
}
"""The names of the players' colours."""


class Side(StrEnum):
    """A side of the board, as the first seat sees it."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a square.

    ``symbol`` stands for it on the text board: one character, or two where one is not enough, the same for all pieces
    that look alike. ``value`` is the number of rings, ``sides`` are the colours of quarters; see ``Shape``.
    ``words`` say what shape and colour do not: "white faces up and right".
    """

    square: str
    shape: Shape
    colour: Colour
    symbol: str
    value: int = 0
    sides: tuple[Colour, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """A bar along a whole side of the board (top or bottom) that can be entered and marked like a square.

    ``colour`` is that of its seat; the label, which is written in that colour, says what the goal is for.
    """

    name: str
    side: Side
    label: str
    colour: Colour = Colour.WOOD


@dataclass(frozen=True, slots=True)
class EdgeMark:
    """A small pointer beside a rank, outside the board, such as "South's border row".

    The pointer holds the first letter of its owner's name, or else of the label.
    """

    rank: int
    side: Side
    colour: Colour
    label: str
    whose: str = ""


@dataclass(frozen=True, slots=True)
class Region:
    """Squares that have a meaning together, such as "White's rectangle": framed in a seat's colour, or ``tinted``."""

    squares: tuple[str, ...]
    colour: Colour
    label: str
    tinted: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """A line with an arrow head through the middles of squares (and goals), in order."""

    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between the middles of two squares, in a colour and its line pattern; ``latest`` is a wider one.

    On dots it runs below them, elsewhere over squares and pieces.
    """

    ends: tuple[str, str]
    colour: Colour
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed polygon through the middles of at least three ``corners``, with a label inside.

    They stand in the order in which they were drawn. The ``latest`` one has its seat's colour and line pattern; the
    others are thin and fade with age. A ``pane`` is filled with its seat's colour and has its line pattern.
    """

    corners: tuple[str, ...]
    colour: Colour
    label: str
    latest: bool = False
    pane: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that each game has only once, such as an area: free, or struck out in the colour ``used_by`` a seat."""

    label: str
    used_by: Colour | None = None


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray of one seat beside the board: pieces in hand or taken, a score, a name.

    The tray of the seat at the bottom is drawn below the board and the other above it; with more than two seats all
    stand in one row. ``to_move`` marks the seat whose turn it is, ``heading`` the side of the board it plays towards,
    ``outcome`` says how the game ended for it.
    """

    seat: int
    name: str
    colour: Colour
    shape: Shape | None = None
    count: int = 0
    """Pieces of ``shape`` drawn in the tray."""
    capacity: int = 0
    """Places for pieces; those beyond ``count`` are drawn empty."""
    label: str = ""
    """A short text at the far end, such as a score."""
    to_move: bool = False
    heading: Side | None = None
    outcome: Outcome | None = None
    player: str = ""
    """The player who has the seat, beside its ``name``."""
    share: float | None = None
    """The seat's share of the total (0 to 1), drawn as a bar before the label, which says the same in words."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: a board of ``files`` x ``ranks`` squares with its pieces and marks.

    ``tiles`` gives the colour of every square, rank by rank from the lowest, file by file from the left (for dots it
    may be empty). ``turned`` shows the board rotated by half a turn, as the far side sees it; names of squares stay.
    ``words`` says where everything stands, line by line, for people who do not see the picture, and ``caption`` sums
    up the state in one sentence ("Blue to move. Last move: a1-b2.").
    """

    files: int
    ranks: int
    ground: Ground
    tiles: tuple[Colour, ...] = ()
    pieces: tuple[Piece, ...] = ()
    marks: tuple[tuple[Mark, str], ...] = ()
    paths: tuple[Path, ...] = ()
    lines: tuple[Line, ...] = ()
    outlines: tuple[Outline, ...] = ()
    regions: tuple[Region, ...] = ()
    goals: tuple[Goal, ...] = ()
    edges: tuple[EdgeMark, ...] = ()
    homes: tuple[tuple[Side, Colour], ...] = ()
    """Sides of the board (top or bottom) that are a seat's own, in its colour; headings of trays say it, too."""
    trays: tuple[Tray, ...] = ()
    notes: tuple[str, ...] = ()
    """Lines of small text below the board, such as the areas used and still free."""
    strip: tuple[Slot, ...] = ()
    """The slots that a picture shows in place of the notes, which say the same in words."""
    turned: bool = False
    coordinates: bool = True
    title: str = ""
    """The name of the game, for alternative text; it is not drawn."""
    status: str = ""
    """A line above everything else, such as the number and text of the move a frame of a replay shows."""
    caption: str = ""
    words: tuple[str, ...] = ()
    legend: str = ""
    """How to read the symbols of the text board, where they do not explain themselves."""

    def translated(self) -> Scene:
        return replace(
            self,
            regions=tuple(replace(part, label=translated(part.label)) for part in self.regions),
            goals=tuple(replace(part, label=translated(part.label)) for part in self.goals),
            edges=tuple(
                replace(part, label=translated(part.label), whose=translated(part.whose)) for part in self.edges
            ),
            trays=tuple(
                replace(part, name=translated(part.name), label=translated(part.label), player=translated(part.player))
                for part in self.trays
            ),
            notes=tuple(map(translated, self.notes)),
            title=translated(self.title),
            status=translated(self.status),
            caption=translated(self.caption),
            words=tuple(map(translated, self.words)),
            legend=translated(self.legend),
        )

    def ended(self, winners: Collection[int]) -> Scene:
        """Return the scene of a game that these seats have won, without a seat to move. All of them: a draw.

        Outlines become panes: the board is the picture that the players made.
        """
        outcome = Outcome.DRAWN if len(winners) == len(self.trays) else Outcome.WON
        return replace(
            self,
            outlines=tuple(replace(outline, pane=True) for outline in self.outlines),
            trays=tuple(
                replace(tray, to_move=False, outcome=outcome if tray.seat in winners else None) for tray in self.trays
            ),
        )

    def places(self) -> set[str]:
        """Return the names of all squares and goals."""
        squares = {self.square_name(file, rank) for file in range(self.files) for rank in range(self.ranks)}
        return squares | {goal.name for goal in self.goals}

    def problems(self) -> Iterator[str]:
        """Yield what keeps the scene from being drawn and described as it is meant, without a full stop."""
        if not (1 <= self.files <= 26 and 1 <= self.ranks <= 99):
            yield f"a board of {self.files} x {self.ranks} has no squares, or more than can be named"
            return
        area = self.files * self.ranks
        if len(self.tiles) != area and not (self.ground is Ground.DOTS and not self.tiles):
            yield f"it has {len(self.tiles)} tiles for {area} squares"
        places = self.places()
        for what, fewest, groups in (
            ("a piece", 1, [(piece.square,) for piece in self.pieces]),
            ("a mark", 1, [(square,) for _, square in self.marks]),
            ("a path", 2, [path.squares for path in self.paths]),
            ("a line", 2, [line.ends for line in self.lines]),
            ("an outline", 3, [outline.corners for outline in self.outlines]),
            ("a region", 1, [region.squares for region in self.regions]),
        ):
            for squares in groups:
                if unknown := [square for square in squares if square not in places]:
                    yield f"{what} is on {unknown[0]!r}, which is not on the board"
                if len(squares) < fewest:
                    yield f"{what} goes through {len(squares)} squares, and has to go through {fewest} or more"
        for what, values in (
            ("pieces on one square", [piece.square for piece in self.pieces]),
            ("marks that are the same", self.marks),
            ("trays of one seat", [tray.seat for tray in self.trays]),
        ):
            if len(set(values)) < len(values):
                yield f"it has two {what}"
        symbols = [piece.symbol for piece in self.pieces if not 1 <= len(piece.symbol) <= 3]
        yield from (f"a piece has the symbol {value!r}, and a symbol has from 1 to 3 characters" for value in symbols)
        ranks = [edge.rank for edge in self.edges if not 1 <= edge.rank <= self.ranks]
        yield from (f"an edge mark is at rank {value} of {self.ranks}" for value in ranks)
        yield from (f"a tray holds {tray.count} pieces" for tray in self.trays if tray.count < 0)
        if not (self.title and 0 < len(self.caption) <= 200):
            yield "it has no title, or its caption is empty or longer than 200 characters"
        lines = [line for line in (self.caption, *self.words, *self.notes) if line != " ".join(line.split())]
        yield from (f"the words {line!r} have spaces around them, or are more than one line" for line in lines)

    @staticmethod
    def square_index(square: str) -> tuple[int, int]:
        """Return 0-based (file, rank) of a square's name. Raises ``ValueError`` for a goal or nonsense."""
        return ord(square[0]) - ord("a"), int(square[1:]) - 1

    @staticmethod
    def file_letter(file: int) -> str:
        return chr(ord("a") + file)

    @staticmethod
    def square_name(file: int, rank: int) -> str:
        """Return the name of the square at a 0-based (file, rank): the inverse of ``square_index``."""
        return f"{Scene.file_letter(file)}{rank + 1}"
