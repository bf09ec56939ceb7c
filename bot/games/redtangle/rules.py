"""The play of Redtangle once both set-ups are done: positions, turns and how the game ends.

It knows nothing of the set-up (``setup``) nor of how any of it is shown (``scene``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.games.game import IllegalMove, Move, Position, Result, Step
from bot.games.redtangle import endgame, objections
from bot.games.redtangle.generation import board_after, moves_on
from bot.games.redtangle.moves import PASS_MOVE, RAYS, Jump, Pass, PlayMove, Turn, Walk, between
from bot.games.redtangle.notation import OWNER_LETTERS, read_move, write_board
from bot.games.redtangle.pieces import (
    BLACK,
    COLOUR_NAMES,
    DIRECTIONS,
    FIRST_BLACK_CODE,
    PIECES,
    RECTANGLES,
    SEAT_NAMES,
    SQUARE_NUMBERS,
    SQUARES,
    WHITE,
    looks_in_words,
    piece_on,
)

QUIET_LIMIT: Final = 120
"""Plies without a capture after which the game is drawn (GAMES.md, Redtangle, Draw)."""
_REPETITIONS: Final = 3

_BOTH: Final = frozenset({WHITE, BLACK})
_ENTERED: Final = tuple(
    Result(frozenset({seat}), f"a {COLOUR_NAMES[seat]} piece entered {SEAT_NAMES[1 - seat]}'s red rectangle")
    for seat in (WHITE, BLACK)
)
_TAKEN: Final = tuple(
    Result(frozenset({seat}), f"no {COLOUR_NAMES[1 - seat]} piece is left") for seat in (WHITE, BLACK)
)
_NOBODY: Final = Result(_BOTH, "no piece is left on either side")
_STALEMATE: Final = Result(_BOTH, "stalemate, neither of the two last pieces can force a win")
_REPEATED: Final = Result(_BOTH, "third repetition")
_QUIET: Final = Result(_BOTH, f"{QUIET_LIMIT} plies without a capture")

_KEY_ENDS: Final = (b"w", b"b")


@dataclass(frozen=True, slots=True)
class RedtanglePosition(Position):
    """A position in which both players have arranged their pieces.

    ``board`` is described in ``pieces``; ``side`` is the seat whose turn it is, or would be if the game were not over;
    ``quiet`` counts the plies since the last capture or the set-up, and ``seen`` how often each arrangement with a side
    to move has stood on the board in that time, this one included: ``key(board, side)`` tells them apart.
    """

    board: bytes
    side: int
    quiet: int
    seen: Mapping[bytes, int] = field(hash=False)
    outcome: Result | None = field(compare=False)

    @property
    def to_move(self) -> frozenset[int]:
        return frozenset() if self.outcome else frozenset({self.side})

    @property
    def result(self) -> Result | None:
        return self.outcome

    def legal_moves(self) -> Sequence[PlayMove]:
        if self.outcome:
            return ()
        return moves_on(self.board, self.side) or (PASS_MOVE,)

    def play(self, move: Move) -> RedtanglePosition:
        move = _own(move)
        board = self.board if isinstance(move, Pass) else board_after(self.board, move)
        if isinstance(move, Jump):
            return fresh(board, 1 - self.side)
        now = key(board, 1 - self.side)
        seen = {**self.seen, now: self.seen.get(now, 0) + 1}
        return position_of(board, 1 - self.side, self.quiet + 1, seen)

    def parse(self, text: str) -> PlayMove:
        if self.outcome:
            raise IllegalMove(f"the game is over: {self.outcome.reason}")
        move = read_move(text)
        if isinstance(move, Pass) and not moves_on(self.board, self.side):
            return move
        reason = objections.to_move(self.board, self.side, move)
        if reason:
            raise IllegalMove(reason)
        piece = piece_on(self.board, move.origin) if isinstance(move, Walk) else None
        # A rotation is written only if it changes (GAMES.md, Redtangle, Notation).
        return (
            Walk(move.origin, move.target) if isinstance(move, Walk) and piece and piece.first == move.first else move
        )

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        name = prefix[0] if prefix else key
        piece = piece_on(self.board, SQUARE_NUMBERS[name]) if name in SQUARE_NUMBERS else None
        if piece is None:
            return Step(key, "Pass: no piece can move", None, move)
        if not prefix:
            return Step(key, f"{key}: the {piece.text}, {looks_in_words(piece)}", key, move)
        here = prefix[-1][-2:]
        if key[0] == "@":
            turned = looks_in_words(piece.turned(DIRECTIONS.index(key[1])))
            return Step(key, f"{here}, turned so that {turned}", None, move)
        if key[0] == "-":
            win = ", into the red rectangle" if SQUARE_NUMBERS[key[1:]] in RECTANGLES[1 - self.side] else ""
            return Step(key, f"to {key[1:]}{win}", key[1:], move)
        return self._jump_step(SQUARE_NUMBERS[here], key, move)

    def _jump_step(self, here: int, key: str, move: Move | None) -> Step:
        end = key[1:]
        if end in DIRECTIONS:
            row = RAYS[here][DIRECTIONS.index(end)]
            return Step(key, f"jump over {_names(row)} off the board", None, move)
        row = between(here, SQUARE_NUMBERS[end])
        win = ", into the red rectangle" if SQUARE_NUMBERS[end] in RECTANGLES[1 - self.side] else ""
        return Step(key, f"jump over {_names(row)} to {end}{win}", end, move)

    def encode(self) -> str:
        """Return ``board side quiet earlier``, such as ``8/.../2w01w43/8 b 1 8/.../w:1``.

        ``earlier`` lists the arrangements before this one since the last capture, each with how often it occurred.
        """
        now = key(self.board, self.side)
        earlier = {**self.seen, now: self.seen[now] - 1}
        texts = (f"{write_board(k[:64])}:{chr(k[64])}:{count}" for k, count in earlier.items() if count)
        return f"{write_board(self.board)} {OWNER_LETTERS[self.side]} {self.quiet} {','.join(sorted(texts)) or '-'}"


def key(board: bytes, side: int) -> bytes:
    """Return what makes two positions the same for repetition: the arrangement and the side to move."""
    return board + _KEY_ENDS[side]


def fresh(board: bytes, side: int) -> RedtanglePosition:
    """Return the position right after a capture or the set-ups, from which everything is counted anew."""
    return position_of(board, side, 0, {key(board, side): 1})


def position_of(board: bytes, side: int, quiet: int, seen: Mapping[bytes, int]) -> RedtanglePosition:
    """Return the position with these counters, and whether the game is over with it."""
    return RedtanglePosition(board, side, quiet, seen, ending(board, side, quiet, seen[key(board, side)]))


_NOT_WHITE: Final = bytes([0, *range(FIRST_BLACK_CODE, 256)])
_NOT_BLACK: Final = bytes(range(FIRST_BLACK_CODE))


def ending(board: bytes, side: int, quiet: int, occurrences: int) -> Result | None:
    """Return how the game is over with ``side`` to move, or None. A win or loss on the board goes before draws."""
    if (board[50:54] + board[58:62]).translate(None, _NOT_WHITE):
        return _ENTERED[WHITE]
    if (board[2:6] + board[10:14]).translate(None, _NOT_BLACK):
        return _ENTERED[BLACK]
    white, black = board.translate(None, _NOT_WHITE), board.translate(None, _NOT_BLACK)
    if not white or not black:
        return _TAKEN[WHITE] if white else _TAKEN[BLACK] if black else _NOBODY
    if len(white) == len(black) == 1 and _stalemate(board, white[0], black[0], side):
        return _STALEMATE
    if occurrences >= _REPETITIONS:
        return _REPEATED
    return _QUIET if quiet >= QUIET_LIMIT else None


def _stalemate(board: bytes, white: int, black: int, side: int) -> bool:
    pieces = PIECES[white - 1], PIECES[black - 1]
    return endgame.winner(pieces[0], board.index(white), pieces[1], board.index(black), side) is None


def _names(squares: Sequence[int]) -> str:
    return ", ".join(SQUARES[square] for square in squares)


def _own(move: Move) -> PlayMove:
    if not isinstance(move, Walk | Turn | Jump | Pass):
        raise TypeError(f"{move!r} is no move of Redtangle's play")
    return move
