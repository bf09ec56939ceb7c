"""The reasons why a turn of Redo is illegal, for the player, in the game's terms. ``legal_moves`` decides legality."""

from __future__ import annotations

from typing import Final

from bot.games.redo.board import FORWARD, LOWEST, NAMES, RED, STRIDE, WHITE, bit
from bot.games.redo.notation import Typed
from renderers.i18n import gettext_lazy as _

_NOT_YOURS: Final = {
    WHITE: _("{square} holds a white piece: it is not yours to move"),
    RED: _("{square} holds a red piece: it is not yours to move"),
}
_NO_LANDING: Final = {
    WHITE: _("{square} holds a white piece: a disc lands on empty squares and own discs only"),
    RED: _("{square} holds a red piece: a disc lands on empty squares and own discs only"),
}
_ONLY_FORWARD: Final = {
    WHITE: _("a white disc moves only forward, up the board"),
    RED: _("a red disc moves only forward, down the board"),
}
_TWO_STEPS: Final = {
    WHITE: _("a white disc goes two steps only from rank {rank}"),
    RED: _("a red disc goes two steps only from rank {rank}"),
}
_NO_JUMP_TO_NEIGHBOURS: Final = {
    WHITE: _("a jump leads over a white disc to the square behind it: {square} is next to the tower"),
    RED: _("a jump leads over a red disc to the square behind it: {square} is next to the tower"),
}
_OWN_PIECE_BETWEEN: Final = {
    WHITE: _("{square} holds your own piece: only white discs can be jumped"),
    RED: _("{square} holds your own piece: only red discs can be jumped"),
}
_NOTHING_BETWEEN: Final = {
    WHITE: _("{square} is empty: there is no white disc to jump"),
    RED: _("{square} is empty: there is no red disc to jump"),
}
"""By the colour of a piece; for jumps, by the enemy's colour."""


def why_illegal(pieces: tuple[int, int], towers: int, side: int, typed: Typed) -> str:
    """Return why ``side`` cannot play ``typed``, which must be illegal."""
    origin, target = typed.origin, typed.target
    start, end = NAMES[origin], NAMES[target]
    if pieces[1 - side] & origin:
        return _NOT_YOURS[1 - side].filled(square=start)
    if not pieces[side] & origin:
        return _("{square} is empty: there is no piece to move", square=start)
    if origin == target:
        return _("the piece already stands on {square}", square=start)
    if towers & origin:
        return _why_no_tower_turn(pieces, towers, side, typed)
    if typed.jump:
        return _("a disc does not jump: only towers do")
    if pieces[1 - side] & target:
        return _NO_LANDING[1 - side].filled(square=end)
    if towers & target:
        return _("{square} holds a tower: nothing lands on a tower", square=end)
    (file, rank), (to_file, to_rank) = _place(typed.origin), _place(typed.target)
    across, ahead = abs(to_file - file), (to_rank - rank) * FORWARD[side]
    if ahead <= 0:
        return _ONLY_FORWARD[side]
    if across == 0 and ahead == 2:
        if rank != LOWEST[side]:
            return _TWO_STEPS[side].filled(rank=LOWEST[side] + 1)
        between = bit(file, rank + FORWARD[side])
        if (pieces[WHITE] | pieces[RED]) & between:
            return _("{square} is in the way: a disc jumps over nothing", square=NAMES[between])
    elif across > 1 or ahead > 1:
        return _(
            "{square} is out of reach: a disc goes one step straight or diagonally forward", square=NAMES[typed.target]
        )
    return _("{square} is empty: a promotion needs a disc of your own there", square=NAMES[typed.target])


def _why_no_tower_turn(pieces: tuple[int, int], towers: int, side: int, typed: Typed) -> str:
    (file, rank), (to_file, to_rank) = _place(typed.origin), _place(typed.target)
    end, enemy = NAMES[typed.target], 1 - side
    if (pieces[WHITE] | pieces[RED]) & typed.target:
        return _("{square} is taken: a tower lands on empty squares only", square=end)
    if typed.promotion:
        return _("a tower is not promoted: only a disc that moves on to another is")
    across, up = abs(to_file - file), abs(to_rank - rank)
    if max(across, up) == 1:
        return _NO_JUMP_TO_NEIGHBOURS[enemy].filled(square=end)
    if {across, up} - {0, 2}:
        return _(
            "{square} is out of reach: a tower goes one step in any direction, or jumps straight over one disc",
            square=end,
        )
    between = bit((file + to_file) // 2, (rank + to_rank) // 2)
    if pieces[side] & between:
        return _OWN_PIECE_BETWEEN[enemy].filled(square=NAMES[between])
    if towers & between:
        return _("{square} holds a tower: only discs can be jumped", square=NAMES[between])
    return _NOTHING_BETWEEN[enemy].filled(square=NAMES[between])


def _place(square: int) -> tuple[int, int]:
    """Return the file and rank of a square, counted from 0."""
    rank, file = divmod(square.bit_length() - 1, STRIDE)
    return file, rank
