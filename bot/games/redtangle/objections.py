"""Why a move that is well formed is not legal, said to the player in the game's terms. It decides nothing itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bot.games.redtangle.generation import can_be_jumped
from bot.games.redtangle.moves import RAYS, Jump, Pass, PlayMove, Turn, Walk, between, may_step, neighbours
from bot.games.redtangle.pieces import (
    COLOUR_NAMES,
    EQUIPMENT,
    RECTANGLES,
    SEAT_NAMES,
    SQUARES,
    Piece,
    piece_on,
)


def to_arrangement(pieces: tuple[Piece, ...]) -> str | None:
    """Return what is wrong with a list of pieces as a set-up, or None."""
    have, need = Counter(piece.kind for piece in pieces), Counter(EQUIPMENT)
    if have == need:
        return None
    many, missing = sorted((have - need).elements()), sorted((need - have).elements())
    parts = [f"too many: {_listed(many)}"] * bool(many) + [f"missing: {_listed(missing)}"] * bool(missing)
    return f"a set-up has the eight pieces 0, 1, 1, 2, 2, 2, 3 and 4; {'; '.join(parts)}"


def _listed(kinds: Iterable[int]) -> str:
    return ", ".join(map(str, kinds))


def to_move(board: bytes, seat: int, move: PlayMove) -> str | None:
    """Return what forbids ``move`` to ``seat`` on ``board``, or None if nothing does."""
    if isinstance(move, Pass):
        return "you may pass only if you have no other move"
    origin = move.square if isinstance(move, Turn) else move.stops[0] if isinstance(move, Jump) else move.origin
    piece = piece_on(board, origin)
    if piece is None:
        return f"{SQUARES[origin]} is empty: there is no piece to move"
    if piece.owner != seat:
        return f"the piece on {SQUARES[origin]} is {SEAT_NAMES[piece.owner]}'s: you play {SEAT_NAMES[seat]}"
    match move:
        case Walk():
            return _to_walk(board, piece, move)
        case Turn():
            return _to_turn(piece, move)
        case Jump():
            return _to_jump(board, piece, move)


def _to_walk(board: bytes, piece: Piece, move: Walk) -> str | None:
    here, there = SQUARES[move.origin], SQUARES[move.target]
    if move.origin == move.target:
        return f"the piece already stands on {here}; a turn on the spot is written {here}@E"
    if move.target not in neighbours(move.origin):
        return (
            f"{there} is not next to {here}: a step goes to a neighbouring square, and a jump is written {here}x{there}"
        )
    if board[move.target]:
        return f"{there} is occupied: a step goes to an empty square"
    if not may_step(piece.owner, move.origin, move.target):
        return f"the opponent's red rectangle cannot be entered diagonally, and {here}-{there} is a diagonal step"
    if move.first is not None and piece.first is None:
        return _cannot_turn(piece, here)
    return None


def _cannot_turn(piece: Piece, square: str) -> str:
    return f"the {piece.kind} on {square} looks the same from every side: it cannot be turned"


def _to_turn(piece: Piece, move: Turn) -> str | None:
    here = SQUARES[move.square]
    if piece.first is None:
        return _cannot_turn(piece, here)
    if piece.first == move.first:
        return f"the piece on {here} already lies as {piece.text}: a turn must change what is seen"
    return None


def _to_jump(board: bytes, piece: Piece, move: Jump) -> str | None:
    emptied = board[: move.stops[0]] + b"\0" + board[move.stops[0] + 1 :]
    jumped: set[int] = set()
    for here, there in zip(move.stops, move.stops[1:], strict=False):
        reason = _to_leap(emptied, piece, here, there, jumped)
        if reason:
            return reason
        jumped.update(between(here, there))
    if move.off is None:
        return None
    last = move.stops[-1]
    if last in RECTANGLES[1 - piece.owner]:
        return _over(last)
    row = RAYS[last][move.off]
    if not row:
        return f"{SQUARES[last]} is on that edge: there is no piece to jump over"
    return _to_row(emptied, piece, row, move.off, jumped)


def _over(square: int) -> str:
    return f"the move is over as soon as the piece stands on {SQUARES[square]}, in the opponent's red rectangle"


def _to_leap(board: bytes, piece: Piece, here: int, there: int, jumped: set[int]) -> str | None:
    """Return what forbids one jump from ``here`` to ``there``, with ``jumped`` pieces behind it."""
    start, end = SQUARES[here], SQUARES[there]
    if here in RECTANGLES[1 - piece.owner]:
        return _over(here)
    direction = next((number for number, ray in enumerate(RAYS[here]) if there in ray), None)
    if direction is None:
        return f"{end} does not lie straight ahead, behind, left or right of {start}: jumps go in those directions"
    row = between(here, there)
    if not row:
        return f"{end} is next to {start}: there is no piece in between to jump over"
    return _to_row(board, piece, row, direction, jumped) or (
        f"{end} is occupied: a jump ends on the empty square right behind the row" if board[there] else None
    )


def _to_row(board: bytes, piece: Piece, row: tuple[int, ...], direction: int, jumped: set[int]) -> str | None:
    """Return what forbids jumping over every square of ``row``, the nearest first."""
    for square in row:
        name, prey = SQUARES[square], piece_on(board, square)
        if prey is None:
            return f"{name} is empty: a jump goes over an unbroken row of pieces and lands right behind it"
        if prey.owner == piece.owner:
            return f"the piece on {name} is your own: it cannot be jumped"
        if square in jumped:
            return (
                f"the piece on {name} has already been jumped in this move: it stays and blocks until the move is over"
            )
        if not can_be_jumped(prey, piece, direction):
            colour = COLOUR_NAMES[piece.colour_of_side(direction)]
            return (
                f"the side of {name} that faces your piece is {colour}, as the side you jump with: it cannot be jumped"
            )
    return None
