"""Why a turn is refused in Redo, said to the player in the game's terms. Decides nothing: ``legal_moves`` does."""

from __future__ import annotations

from typing import Final

from bot.games.redo.board import FORWARD, LOWEST, NAMES, RED, STRIDE, WHITE, bit
from bot.games.redo.notation import Wish

_ADJECTIVES: Final = ("white", "red")


def objection(pieces: tuple[int, int], towers: int, side: int, wish: Wish) -> str:
    """Return what is wrong with ``wish``, which must not be legal for ``side``."""
    origin, target = wish.origin, wish.target
    start, end = NAMES[origin], NAMES[target]
    if pieces[1 - side] & origin:
        return f"{start} holds a {_ADJECTIVES[1 - side]} piece: it is not yours to move"
    if not pieces[side] & origin:
        return f"{start} is empty: there is no piece to move"
    if origin == target:
        return f"the piece already stands on {start}"
    if towers & origin:
        return _objection_to_tower(pieces, towers, side, wish)
    if wish.jump:
        return "a disc does not jump: only towers do"
    if pieces[1 - side] & target:
        return f"{end} holds a {_ADJECTIVES[1 - side]} piece: a disc lands on empty squares and own discs only"
    if towers & target:
        return f"{end} holds a tower: nothing lands on a tower"
    return _objection_to_disc(pieces, side, wish)


def _objection_to_disc(pieces: tuple[int, int], side: int, wish: Wish) -> str:
    (file, rank), (to_file, to_rank) = _place(wish.origin), _place(wish.target)
    across, ahead = abs(to_file - file), (to_rank - rank) * FORWARD[side]
    direction = "up" if side == WHITE else "down"
    if ahead <= 0:
        return f"a {_ADJECTIVES[side]} disc moves only forward, {direction} the board"
    if across == 0 and ahead == 2:
        if rank != LOWEST[side]:
            return f"a {_ADJECTIVES[side]} disc goes two steps only from rank {LOWEST[side] + 1}"
        between = bit(file, rank + FORWARD[side])
        if (pieces[WHITE] | pieces[RED]) & between:
            return f"{NAMES[between]} is in the way: a disc jumps over nothing"
    elif across > 1 or ahead > 1:
        return f"{NAMES[wish.target]} is out of reach: a disc goes one step straight or diagonally forward"
    return f"{NAMES[wish.target]} is empty: a promotion needs a disc of your own there"


def _objection_to_tower(pieces: tuple[int, int], towers: int, side: int, wish: Wish) -> str:
    (file, rank), (to_file, to_rank) = _place(wish.origin), _place(wish.target)
    end, enemy = NAMES[wish.target], _ADJECTIVES[1 - side]
    if (pieces[WHITE] | pieces[RED]) & wish.target:
        return f"{end} is taken: a tower lands on empty squares only"
    if wish.promotion:
        return "a tower is not promoted: only a disc that moves on to another is"
    across, up = abs(to_file - file), abs(to_rank - rank)
    if max(across, up) == 1:
        return f"a jump leads over a {enemy} disc to the square behind it: {end} is next to the tower"
    if {across, up} - {0, 2}:
        return f"{end} is out of reach: a tower goes one step in any direction, or jumps straight over one disc"
    between = bit((file + to_file) // 2, (rank + to_rank) // 2)
    if pieces[side] & between:
        return f"{NAMES[between]} holds your own piece: only {enemy} discs can be jumped"
    if towers & between:
        return f"{NAMES[between]} holds a tower: only discs can be jumped"
    return f"{NAMES[between]} is empty: there is no {enemy} disc to jump"


def _place(square: int) -> tuple[int, int]:
    """Return the file and rank of a square, counted from 0."""
    rank, file = divmod(square.bit_length() - 1, STRIDE)
    return file, rank
