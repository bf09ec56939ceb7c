"""The legal moves on a board, and the board after a move. Knows no counters and no end of the game."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from bot.games.redtangle.moves import NO_FIRST, RAYS, TURNS, WALKS, Jump, PlayMove, Turn, Walk
from bot.games.redtangle.pieces import BLACK, FIRST_BLACK_CODE, PIECES, RECTANGLES, WHITE, Piece

_FIRSTS = (NO_FIRST, *(NO_FIRST if piece.first is None else piece.first for piece in PIECES))
"""The first own side by code, as ``WALKS`` and ``TURNS`` count them."""


def can_be_jumped(jumped: Piece, jumper: Piece, direction: int) -> bool:
    """Tell whether the sides allow ``jumper`` to jump ``jumped`` in ``direction``, wherever the two stand.

    The side facing the jumper must have the opposite colour of the jumper's leading side, and a piece jumps none of
    its own colour (``RULES.md``, "Jump").
    """
    facing = jumped.colour_of_side((direction + 2) % 4)
    return jumped.owner != jumper.owner and facing != jumper.colour_of_side(direction)


PREY = (
    (frozenset[int](),) * 4,
    *(
        tuple(
            frozenset(prey.code for prey in PIECES if can_be_jumped(prey, piece, direction)) for direction in range(4)
        )
        for piece in PIECES
    ),
)
"""By code and direction: the codes a piece can jump."""


def moves_on(board: bytes, seat: int) -> list[PlayMove]:
    """Return every move of ``seat``, each once, in order of the squares moved from. A pass is not among them."""
    low, high = (1, FIRST_BLACK_CODE) if seat == WHITE else (FIRST_BLACK_CODE, 256)
    return moves_from(board, [square for square, code in enumerate(board) if low <= code < high])


def moves_from(board: bytes, squares: Iterable[int]) -> list[PlayMove]:
    """Return every move of the pieces on ``squares``, each once and piece by piece: steps, turns, then jumps."""
    moves: list[PlayMove] = []
    for square in squares:
        code = board[square]
        first = _FIRSTS[code]
        for target, walks in WALKS[code >= FIRST_BLACK_CODE][square][first]:
            if not board[target]:
                moves += walks
        moves += TURNS[square][first]
        for ray, prey in zip(RAYS[square], PREY[code], strict=True):
            if ray and board[ray[0]] in prey:
                moves += jumps_from(board, square)
                break
    return moves


def jumps_from(board: bytes, origin: int) -> list[Jump]:
    """Return every jump and chain of jumps of the piece on ``origin``, shorter ones before those that go on."""
    jumper = board[origin]
    goal = RECTANGLES[WHITE if jumper >= FIRST_BLACK_CODE else BLACK]
    return list(_chains(without(board, origin), PREY[jumper], goal, (origin,), frozenset()))


def _chains(
    board: bytes,
    prey: tuple[frozenset[int], ...],
    goal: frozenset[int],
    stops: tuple[int, ...],
    jumped: frozenset[int],
) -> Iterator[Jump]:
    """Yield the jumps that go on from the last of ``stops``; ``jumped`` pieces stay and cannot be jumped again."""
    for direction, ray in enumerate(RAYS[stops[-1]]):
        if not ray or board[ray[0]] not in prey[direction]:  # Most directions: not worth a call.
            continue
        length = row_length(board, prey[direction], ray, jumped)
        if not length:
            continue
        if length == len(ray):
            yield Jump(stops, direction)
        elif not board[ray[length]]:
            onward = (*stops, ray[length])
            yield Jump(onward)
            if ray[length] not in goal:
                yield from _chains(board, prey, goal, onward, jumped.union(ray[:length]))


def row_length(board: bytes, prey: Container[int], ray: Sequence[int], jumped: Container[int]) -> int:
    """Return how many squares of ``ray``, from its first, hold pieces that can be jumped (``RULES.md``, "Jump").

    ``prey`` has the codes of such pieces; those already ``jumped`` block the way.
    """
    length = 0
    for square in ray:
        if board[square] not in prey or square in jumped:
            break
        length += 1
    return length


def without(board: bytes, square: int) -> bytes:
    return board[:square] + b"\0" + board[square + 1 :]


def board_after(board: bytes, move: Walk | Turn | Jump) -> bytes:
    after = bytearray(board)
    match move:
        case Walk(origin, target, first):
            after[target], after[origin] = _turned(after[origin], first), 0
        case Turn(square, first):
            after[square] = _turned(after[square], first)
        case Jump(stops, off):
            jumper, after[stops[0]] = after[stops[0]], 0
            for square in move.captured:
                after[square] = 0
            if off is None:
                after[stops[-1]] = jumper
    return bytes(after)


def _turned(code: int, first: int | None) -> int:
    """Return the code of the same piece with another first own side; the four rotations have consecutive codes."""
    return code if first is None else code - _FIRSTS[code] + first
