"""Restores positions of Redtangle from the text that ``encode`` wrote, and refuses every other text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from bot.games.redtangle.notation import OWNER_LETTERS, entered, equipment, read_board
from bot.games.redtangle.pieces import BLACK, EMPTY_BOARD, EQUIPMENT, SET_UP_SQUARES, WHITE
from bot.games.redtangle.rules import QUIET_LIMIT, RedtanglePosition, fingerprint, position_of
from bot.games.redtangle.setup import SET_UP, SetUpPosition

_EARLIER: Final = re.compile(r"([^:,]+):([wb]):([12])")


def decode(text: str) -> SetUpPosition | RedtanglePosition:
    """Restore what ``Position.encode`` wrote. Raises ``ValueError`` for anything else."""
    fields = text.split(" ")
    if len(fields) not in (3, 4) or fields[1] not in ("w", "b"):
        raise ValueError("a position of Redtangle is written: board side set-up, or: board side quiet earlier")
    board, side = read_board(fields[0]), OWNER_LETTERS.index(fields[1])
    set_up = len(fields) == 3
    position = _decode_set_up(board, side, fields[2]) if set_up else _decode_play(board, side, fields[2], fields[3])
    if position.encode() != text:
        raise ValueError("that is not how this position of Redtangle is written")
    return position


def _decode_set_up(board: bytes, side: int, word: str) -> SetUpPosition:
    if word != SET_UP:
        raise ValueError(f"a set-up is written with the word {SET_UP}")
    if side == WHITE:
        if board != EMPTY_BOARD:
            raise ValueError("the board is empty when White arranges the pieces")
    elif equipment(board, WHITE) != Counter(EQUIPMENT) or not all(board[square] for square in SET_UP_SQUARES[WHITE]):
        raise ValueError("White's pieces all stand in the red rectangle, and nothing else, when Black arranges")
    elif equipment(board, BLACK):
        raise ValueError("Black has no pieces on the board before the set-up")
    return SetUpPosition(board, side)


def _decode_play(board: bytes, side: int, quiet: str, earlier: str) -> RedtanglePosition:
    if not re.fullmatch(r"[0-9]{1,3}", quiet) or int(quiet) > QUIET_LIMIT:
        raise ValueError(f"plies without a capture are counted from 0 to {QUIET_LIMIT}")
    if entered(board, side) or len(entered(board, 1 - side)) > 1:
        raise ValueError("only the piece that ended the game can stand in the opponent's rectangle")
    now = fingerprint(board, side)
    seen = {now: 1}
    for item in [] if earlier == "-" else earlier.split(","):
        past, count = _read_earlier(item)
        seen[past] = count + (past == now)
    return position_of(board, side, int(quiet), seen)


def _read_earlier(item: str) -> tuple[bytes, int]:
    form = _EARLIER.fullmatch(item)
    if form is None:
        raise ValueError("an earlier arrangement is written: board:side:count")
    past, side = read_board(form[1]), OWNER_LETTERS.index(form[2])
    return fingerprint(past, side), int(form[3])
