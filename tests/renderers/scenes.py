"""One believable position of each game in the vocabulary of scenes, with everything its pictures must be able to say.

These are scenes, not positions: no rule is asked, so that the renderers are tested without the games.
"""

from __future__ import annotations

from collections.abc import Mapping

from renderers.scene import (
    Colour,
    EdgeMark,
    Goal,
    Ground,
    Mark,
    Outline,
    Path,
    Piece,
    Region,
    Scene,
    Shape,
    Side,
    Slot,
    Tray,
)


def _tiles(*rows: str) -> tuple[Colour, ...]:
    """Read rows of letters, the highest rank first, as the tiles of a scene."""
    colours = {"b": Colour.BLUE, "w": Colour.WHITE, "/": Colour.SPLIT, "g": Colour.GOLD, "r": Colour.RED}
    return tuple(colours[letter] for row in reversed(rows) for letter in row)


def _discs(squares: str, colour: Colour, symbol: str, shape: Shape = Shape.DISC) -> tuple[Piece, ...]:
    return tuple(Piece(square, shape, colour, symbol) for square in squares.split())


def yonmoque() -> Scene:
    """Blue has moved e1-d2 and flipped two discs; White chooses."""
    return Scene(
        files=5,
        ranks=5,
        ground=Ground.TILES,
        tiles=_tiles("/wbw/", "wbwbw", "bw/wb", "wbwbw", "/wbw/"),
        pieces=(
            *_discs("b2 c2 c3 d2 d4", Colour.BLUE, "B"),
            *_discs("a1 b4 d3 e5", Colour.WHITE, "W"),
        ),
        marks=((Mark.LEFT, "e1"), (Mark.ENTERED, "d2"), (Mark.CHANGED, "c2"), (Mark.CHANGED, "c3")),
        trays=(
            Tray(0, "Alice", Colour.BLUE, Shape.DISC, 1, 6),
            Tray(1, "Bob", Colour.WHITE, Shape.DISC, 2, 6, to_move=True),
        ),
        title="Yonmoque",
        caption="White to move. Last move: e1-d2.",
        words=("Blue: 1 in hand; on blue: b2, d2, d4", "White: 2 in hand; on white: b4, d3"),
    )


def gyges() -> Scene:
    """South has moved with two bounces; both border rows are marked."""
    values = {
        "a1": 2,
        "c1": 3,
        "f1": 1,
        "b2": 1,
        "c3": 1,
        "e4": 3,
        "d4": 2,
        "b5": 3,
        "d6": 2,
        "a6": 1,
        "f6": 3,
        "e6": 2,
    }
    return Scene(
        files=6,
        ranks=6,
        ground=Ground.CELLS,
        tiles=(Colour.WOOD,) * 36,
        pieces=tuple(Piece(square, Shape.RINGS, Colour.WOOD, str(v), v) for square, v in values.items()),
        marks=((Mark.LEFT, "d1"), (Mark.PASSED, "c3"), (Mark.PASSED, "d4"), (Mark.ENTERED, "b5")),
        paths=(Path(("d1", "d2", "d3", "c3", "c4", "d4", "d5", "c5", "b5")),),
        regions=(Region(("a6", "b6", "c6", "d6", "e6", "f6"), Colour.SEAT4, "North's border row", tinted=True),),
        goals=(
            Goal("N", Side.TOP, "South wins here", Colour.SEAT1),
            Goal("S", Side.BOTTOM, "North wins here", Colour.SEAT4),
        ),
        edges=(
            EdgeMark(1, Side.RIGHT, Colour.SEAT1, "South's border row"),
            EdgeMark(6, Side.RIGHT, Colour.SEAT4, "North's border row"),
        ),
        trays=(
            Tray(0, "Alice", Colour.SEAT1, heading=Side.TOP),
            Tray(1, "Bob", Colour.SEAT4, heading=Side.BOTTOM, to_move=True),
        ),
        title="Gygès",
        caption="North to move. Last move: d1-c3-d4-b5.",
        words=("Rank 1: a1 2, c1 3, f1 1",),
    )


def redo() -> Scene:
    """A White tower has jumped a disc; three pieces changed their colour."""
    return Scene(
        files=7,
        ranks=8,
        ground=Ground.TILES,
        tiles=tuple((Colour.SHADE, Colour.PLAIN)[(file + rank) % 2] for rank in range(8) for file in range(7)),
        pieces=(
            *_discs("a1 c1 d1 g1 a2 b3 e3 g2 d5 e6 f4", Colour.WHITE, "w"),
            *_discs("e5 b1", Colour.WHITE, "W", Shape.TOWER),
            *_discs("a8 b8 d8 e8 g8 a7 c7 g7 c5 b6 g5", Colour.RED, "r"),
            *_discs("f7 c3", Colour.RED, "R", Shape.TOWER),
        ),
        marks=(
            (Mark.LEFT, "g3"),
            (Mark.ENTERED, "e5"),
            (Mark.CHANGED, "d5"),
            (Mark.CHANGED, "e6"),
            (Mark.CHANGED, "f4"),
        ),
        paths=(Path(("g3", "e5")),),
        homes=((Side.BOTTOM, Colour.WHITE), (Side.TOP, Colour.RED)),
        trays=(
            Tray(0, "Alice", Colour.WHITE, label="13 pieces", heading=Side.TOP, share=0.5),
            Tray(1, "Bob", Colour.RED, label="13 pieces", heading=Side.BOTTOM, to_move=True, share=0.5),
        ),
        title="Redo",
        caption="Red to move. Last move: g3xe5.",
        words=("White: discs a1, c1, d1", "Red: discs a8, b8"),
    )


def _quarters(square: str, code: str, owner: Colour) -> Piece:
    other = Colour.BLACK if owner is Colour.WHITE else Colour.WHITE
    first = "NESW".index(code[1]) if len(code) > 1 else 0
    sides = tuple(owner if (side - first) % 4 < int(code[0]) else other for side in range(4))
    return Piece(square, Shape.QUARTERS, owner, code, int(code[0]), sides)


def redtangle() -> Scene:
    """White has jumped two pieces in a chain and may be answered."""
    white = {"c1": "2N", "e1": "4", "f2": "1E", "d3": "3W", "c5": "2S", "g4": "0"}
    black = {"c8": "3N", "e8": "2W", "f7": "4", "d6": "1S", "b6": "2E", "e4": "0"}
    return Scene(
        files=8,
        ranks=8,
        ground=Ground.TILES,
        tiles=_tiles("ggrrrrgg", "ggrrrrgg", *["gggggggg"] * 4, "ggrrrrgg", "ggrrrrgg"),
        pieces=(
            *(_quarters(square, code, Colour.WHITE) for square, code in white.items()),
            *(_quarters(square, code, Colour.BLACK) for square, code in black.items()),
        ),
        marks=(
            (Mark.LEFT, "a3"),
            (Mark.CAPTURED, "b3"),
            (Mark.PASSED, "c3"),
            (Mark.CAPTURED, "c4"),
            (Mark.ENTERED, "c5"),
            (Mark.TURNED, "g4"),
        ),
        regions=(
            Region(("c1", "d1", "e1", "f1", "c2", "d2", "e2", "f2"), Colour.WHITE, "White's rectangle"),
            Region(("c7", "d7", "e7", "f7", "c8", "d8", "e8", "f8"), Colour.BLACK, "Black's rectangle"),
        ),
        paths=(Path(("a3", "c3", "c5")),),
        trays=(
            Tray(0, "Alice", Colour.WHITE, label="6", heading=Side.TOP),
            Tray(1, "Bob", Colour.BLACK, label="6", heading=Side.BOTTOM, to_move=True),
        ),
        title="Redtangle",
        caption="Black to move. Last move: a3xc3xc5.",
        words=("White: c1 2N, e1 4", "Black: c8 3N, e8 2W"),
    )


def rectangles() -> Scene:
    """Four players, seven rectangles, one of them tilted."""
    outlines = (
        Outline(("a1", "f1", "f6", "a6"), Colour.SEAT1, "25"),
        Outline(("b2", "e2", "e5", "b5"), Colour.SEAT2, "9"),
        Outline(("c1", "d1", "d5", "c5"), Colour.SEAT3, "4"),
        Outline(("b1", "f5", "e6", "a2"), Colour.SEAT4, "8"),
        Outline(("a3", "f3", "f4", "a4"), Colour.SEAT1, "5"),
        Outline(("b3", "d3", "d6", "b6"), Colour.SEAT2, "6", latest=True),
    )
    used = {int(outline.label): outline.colour for outline in outlines}
    crossed = tuple((Mark.USED, corner) for outline in outlines for corner in outline.corners)
    names = ("Alice", "Bob", "Carol", "Dave")
    colours = (Colour.SEAT1, Colour.SEAT2, Colour.SEAT3, Colour.SEAT4)
    return Scene(
        files=6,
        ranks=6,
        ground=Ground.DOTS,
        marks=crossed,
        outlines=outlines,
        trays=tuple(
            Tray(seat, name, colour, label=str(2 if seat < 2 else 1), to_move=seat == 2)
            for seat, (name, colour) in enumerate(zip(names, colours, strict=True))
        ),
        strip=tuple(Slot(str(area), used.get(area)) for area in (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 25)),
        notes=("Used: 4, 5, 6, 8, 9, 25", "Free: 1, 2, 3, 10, 12, 15, 16, 20"),
        title="Rectangles of Distinction",
        caption="Carol to move. Last move: b3-d6.",
        words=("Alice: a1-f6 (25), a3-f4 (5)", "Bob: b2-e5 (9), b3-d6 (6)"),
    )


FIVE: Mapping[str, Scene] = {
    "yonmoque": yonmoque(),
    "gyges": gyges(),
    "redo": redo(),
    "redtangle": redtangle(),
    "rectangles": rectangles(),
}
