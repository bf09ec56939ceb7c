"""Positions of Redtangle as scenes and in words. Decides no rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.games.game import IllegalMove, View, caption
from bot.games.redtangle.generation import board_after
from bot.games.redtangle.moves import RAYS, Arrangement, Jump, Pass, PlayMove, Turn, Walk, between
from bot.games.redtangle.pieces import (
    BLACK,
    RECTANGLES,
    SEAT_NAMES,
    SET_UP_SQUARES,
    SQUARE_NUMBERS,
    SQUARES,
    WHITE,
    kind_in_words,
    lies_in_words,
    own_sides,
    own_sides_in_short,
    piece_on,
    squares_of,
)
from bot.games.redtangle.pieces import Piece as BoardPiece
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.setup import SetUpPosition, placed_by
from renderers.i18n import COMMA, LazyJoin, LazyList, LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n
from renderers.scene import Colour, Ground, Mark, Path, Piece, Region, Scene, Shape, Side, Tray

AnyPosition = SetUpPosition | RedtanglePosition
AnyMove = Arrangement | PlayMove

_COLOURS: Final = (Colour.WHITE, Colour.BLACK)
_HEADINGS: Final = (Side.TOP, Side.BOTTOM)
_TILES: Final = tuple(Colour.RED if any(square in area for area in RECTANGLES) else Colour.GOLD for square in range(64))
_REGIONS: Final = tuple(
    Region(tuple(SQUARES[square] for square in squares), colour, label)
    for squares, colour, label in zip(
        SET_UP_SQUARES, _COLOURS, (_("White's rectangle"), _("Black's rectangle")), strict=True
    )
)
_SYMBOLS: Final = _(
    "A piece: w or b for its owner, its number of sides in that colour, and the direction of the first of them, "
    "clockwise (N is up for White), or A if all sides are alike."
)
_TURNED: Final = _("Seen from Black's side: in typed moves, N points down.")
_PIECES: Final = (
    _("White, with the sides that are white: {pieces}"),
    _("Black, with the sides that are black: {pieces}"),
)
_WALKED_TURNING: Final = (
    _("moves {origin}-{target}, turned so that white faces {sides}"),
    _("moves {origin}-{target}, turned so that black faces {sides}"),
)
_TURNS: Final = (
    _("turns {square} so that white faces {sides}"),
    _("turns {square} so that black faces {sides}"),
)
"""By the colour of the piece's owner, like those above."""


def draw(position: AnyPosition, view: View[AnyPosition, AnyMove]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says. The marks of the last move need no earlier position."""
    stops, board, begun = _under_construction(position, view.chosen)
    setting_up, seat = isinstance(position, SetUpPosition), SEAT_NAMES[position.side]
    turn = _("{seat} to arrange eight pieces", seat=seat) if setting_up else _("{seat} to move", seat=seat)
    return Scene(
        files=8,
        ranks=8,
        ground=Ground.TILES,
        tiles=_TILES,
        pieces=tuple(_drawn(square, piece, view.seat) for square in range(64) if (piece := piece_on(board, square))),
        marks=(
            *_marks_of(view.last),
            # One piece in the other player's rectangle ends the game, so pieces are there only then.
            *(
                (Mark.WINNING, SQUARES[square])
                for owner in (WHITE, BLACK)
                for square in squares_of(position.board, owner)
                if square in RECTANGLES[1 - owner]
            ),
            *((Mark.CAPTURED, SQUARES[square]) for square in (begun.captured if begun else ())),
            *((Mark.CHOSEN, SQUARES[square]) for square in dict.fromkeys(stops)),
            *((Mark.TARGET, square) for square in view.targets),
        ),
        regions=_REGIONS,
        paths=tuple(_path_of(jump) for jump in (view.last, begun) if isinstance(jump, Jump)),
        trays=tuple(_tray(position, owner) for owner in (WHITE, BLACK)),
        notes=(_TURNED,) if view.seat == BLACK else (),
        turned=view.seat == BLACK,
        coordinates=view.coordinates,
        title=_("Redtangle"),
        # The text of a set-up says nothing to people who do not type.
        caption=caption(
            position.result,
            turn,
            SEAT_NAMES,
            None if isinstance(view.last, Arrangement) else view.last,
        ),
        words=pieces_in_words(position, view.seat),
        legend=_SYMBOLS,
    )


def _drawn(square: int, piece: BoardPiece, seat: int) -> Piece:
    text = piece.text if piece.first is not None else f"{piece.text}A"
    return Piece(
        square=SQUARES[square],
        shape=Shape.QUARTERS,
        colour=_COLOURS[piece.owner],
        symbol=text if piece.owner == WHITE else text.lower(),
        value=piece.kind,
        sides=tuple(_COLOURS[piece.colour_of_side(direction)] for direction in range(4)),
        words=kind_in_words(piece.owner, piece.kind) if piece.first is None else lies_in_words(piece, seat),
    )


def _under_construction(position: AnyPosition, chosen: Sequence[str]) -> tuple[tuple[int, ...], bytes, Jump | None]:
    """Return the squares that the steps chosen so far name, the board after them, and their jumps.

    The piece already lies on its new square in its new rotation; jumped pieces stay until the move is over.
    """
    board = bytearray(position.board)
    if isinstance(position, SetUpPosition):
        placed = placed_by(chosen, position.side)
        for square, piece in zip(SET_UP_SQUARES[position.side], placed, strict=False):
            board[square] = piece.code
        return SET_UP_SQUARES[position.side][: len(placed)], bytes(board), None
    try:
        move = position.parse("".join(chosen))
    except IllegalMove:
        return tuple(SQUARE_NUMBERS[key] for key in chosen if key in SQUARE_NUMBERS), position.board, None
    match move:
        case Walk(origin, target):
            return (origin, target), board_after(position.board, move), None
        case Turn(square):
            return (square,), board_after(position.board, move), None
        case Jump(stops, off):
            jumper, board[stops[0]] = board[stops[0]], 0
            if off is None:
                board[stops[-1]] = jumper
            return stops, bytes(board), move
        case Pass():
            return (), position.board, None


def _marks_of(last: AnyMove | None) -> list[tuple[Mark, str]]:
    match last:
        case Walk(origin, target, first):
            turned = [] if first is None else [(Mark.TURNED, SQUARES[target])]
            return [(Mark.LEFT, SQUARES[origin]), (Mark.ENTERED, SQUARES[target]), *turned]
        case Turn(square):
            return [(Mark.ENTERED, SQUARES[square]), (Mark.TURNED, SQUARES[square])]
        case Jump(stops, off):
            passed, ends = (stops[1:], ()) if off is not None else (stops[1:-1], stops[-1:])
            return [
                (Mark.LEFT, SQUARES[stops[0]]),
                *((Mark.PASSED, SQUARES[stop]) for stop in dict.fromkeys(passed)),
                *((Mark.CAPTURED, SQUARES[square]) for square in last.captured),
                *((Mark.ENTERED, SQUARES[end]) for end in ends),
            ]
        case _:
            return []


def _path_of(jump: Jump) -> Path:
    """Return the path of a jump. A jump off the board ends on the last square before the edge."""
    edge = () if jump.off is None else RAYS[jump.stops[-1]][jump.off][-1:]
    return Path(tuple(SQUARES[square] for square in (*jump.stops, *edge)))


def _tray(position: AnyPosition, owner: int) -> Tray:
    count = len(squares_of(position.board, owner))
    arranging = isinstance(position, SetUpPosition) and not count
    return Tray(
        seat=owner,
        name=SEAT_NAMES[owner],
        colour=_COLOURS[owner],
        # Translators: beside the name of a seat: its pieces are.
        label=_("to be set up") if arranging else _n("{n} piece", "{n} pieces", count),
        to_move=owner == position.to_move,
        heading=_HEADINGS[owner],
    )


def pieces_in_words(position: AnyPosition, seat: int = WHITE) -> tuple[str, ...]:
    """Return a line for each player with the pieces by square and the sides that show their owner's colour.

    Directions are those of ``seat``'s view.
    """
    lines = []
    for owner in (WHITE, BLACK):
        told = []
        for square in squares_of(position.board, owner):
            piece = piece_on(position.board, square)
            assert piece is not None, "squares of pieces are told"
            # Translators: a square, and which sides of the piece there have its owner's colour: "d1 up right".
            told.append(_("{square} {sides}", square=SQUARES[square], sides=own_sides_in_short(piece, seat)))
        if told:
            lines.append(_PIECES[owner].filled(pieces=LazyJoin(COMMA, told)))
        else:
            lines.append(_("{seat}: no pieces on the board", seat=SEAT_NAMES[owner]))
    return tuple(lines)


def move_in_words(before: AnyPosition, move: AnyMove) -> LazyText:
    """Return a move in words: "moves c2-c3, turned so that white faces right and down".

    Directions are those of the board with White at the bottom, for all viewers.
    """
    match move:
        case Arrangement():
            return _("sets up the pieces")
        case Pass():
            return _("passes, as no piece can move")
        case Walk():
            origin, target = SQUARES[move.origin], SQUARES[move.target]
            if move.first is None:
                return _("moves {origin}-{target}", origin=origin, target=target)
            piece = _turned(before, move.origin, move.first)
            return _WALKED_TURNING[piece.owner].filled(origin=origin, target=target, sides=own_sides(piece, WHITE))
        case Turn(square, first):
            piece = _turned(before, square, first)
            return _TURNS[piece.owner].filled(square=SQUARES[square], sides=own_sides(piece, WHITE))
        case Jump():
            return _jump_in_words(move)


def _turned(before: AnyPosition, square: int, first: int) -> BoardPiece:
    piece = piece_on(before.board, square)
    assert piece is not None, "a turn is of a piece"
    return piece.turned(first)


def _jump_in_words(jump: Jump) -> LazyText:
    start = SQUARES[jump.stops[0]]
    told: LazyText | None = None
    for here, there in pairwise(jump.stops):
        over, end = _names(between(here, there)), SQUARES[there]
        if told is None:
            told = _("jumps {origin} over {squares} to {end}", origin=start, squares=over, end=end)
        else:
            # Translators: {jumps} is what was done before: "jumps c3 over c4 to c5, over d5 to e5".
            told = _("{jumps}, over {squares} to {end}", jumps=told, squares=over, end=end)
    if jump.off is not None:
        over = _names(RAYS[jump.stops[-1]][jump.off])
        if told is None:
            told = _("jumps {origin} over {squares} off the board", origin=start, squares=over)
        else:
            told = _("{jumps}, over {squares} off the board", jumps=told, squares=over)
    assert told is not None, "a jump goes somewhere"
    return _n("{jumps}, taking {n} piece", "{jumps}, taking {n} pieces", len(jump.captured), jumps=told)


def _names(squares: Sequence[int]) -> LazyText:
    return LazyList(SQUARES[square] for square in squares)
