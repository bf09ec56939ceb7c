"""Which moves are legal on a board, and what a move does to it. It knows no counters and no end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from bot.games.redtangle.moves import NO_FIRST, RAYS, TURNS, WALKS, Jump, PlayMove, Turn, Walk
from bot.games.redtangle.pieces import BLACK, FIRST_BLACK_CODE, PIECES, RECTANGLES, WHITE, Piece

_FIRSTS = (NO_FIRST, *(NO_FIRST if piece.first is None else piece.first for piece in PIECES))
"""The first own side of every code, as ``WALKS`` and ``TURNS`` count them."""


def can_be_jumped(jumped: Piece, jumper: Piece, direction: int) -> bool:
    """Tell whether the sides allow ``jumper`` to jump ``jumped`` in ``direction``, wherever the two stand.

    The side facing the jumper must have the opposite colour of the jumper's leading side, and one's own pieces cannot
    be jumped (``RULES.md``, "Jump").
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
"""For every code and direction, the codes it can jump."""


def moves_on(board: bytes, seat: int) -> list[PlayMove]:
    """Return every move of ``seat``, each once, in order of the squares moved from; a pass is not among them."""
    low, high = (1, FIRST_BLACK_CODE) if seat == WHITE else (FIRST_BLACK_CODE, 256)
    found: list[PlayMove] = []
    for square, code in enumerate(board):
        if low <= code < high:
            first = _FIRSTS[code]
            for target, walks in WALKS[seat][square][first]:
                if not board[target]:
                    found += walks
            found += TURNS[square][first]
            for ray, prey in zip(RAYS[square], PREY[code], strict=True):
                if ray and board[ray[0]] in prey:
                    found += jumps_from(board, square)
                    break
    return found


def jumps_from(board: bytes, origin: int) -> list[Jump]:
    """Return every jump and chain of jumps of the piece on ``origin``, shorter ones before those that go on."""
    jumper = board[origin]
    emptied = bytearray(board)
    emptied[origin] = 0
    goal = RECTANGLES[WHITE if jumper >= FIRST_BLACK_CODE else BLACK]
    return list(_chains(emptied, PREY[jumper], goal, (origin,), frozenset()))


def _chains(
    board: bytearray,
    prey: tuple[frozenset[int], ...],
    goal: frozenset[int],
    stops: tuple[int, ...],
    jumped: frozenset[int],
) -> Iterator[Jump]:
    """Yield the jumps that go on from the last of ``stops``; ``jumped`` pieces stay and cannot be jumped again."""
    for direction, ray in enumerate(RAYS[stops[-1]]):
        for length, square in enumerate(ray):
            occupant = board[square]
            if occupant in prey[direction] and square not in jumped:
                continue
            if length and not occupant:
                onward = (*stops, square)
                yield Jump(onward)
                if square not in goal:
                    yield from _chains(board, prey, goal, onward, jumped.union(ray[:length]))
            break
        else:
            if ray:
                yield Jump(stops, direction)


def board_after(board: bytes, move: Walk | Turn | Jump) -> bytes:
    """Return the board after a legal move."""
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
