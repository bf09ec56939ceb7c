"""The play of Redtangle after both set-ups: positions, turns and the end of the game.

Knows neither the set-up (``setup``) nor the look of a position (``scene``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from bot.games.game import IllegalMove, Move, Result, SequentialPosition, Step
from bot.games.redtangle import choices, endgame
from bot.games.redtangle.generation import board_after, moves_from, moves_on
from bot.games.redtangle.moves import PASS_MOVE, Jump, Pass, PlayMove, Turn, Walk, origin_of
from bot.games.redtangle.notation import OWNER_LETTERS, entered, read_board, read_move, write_board
from bot.games.redtangle.pieces import (
    BLACK,
    FIRST_BLACK_CODE,
    PIECES,
    RECTANGLES,
    WHITE,
    piece_on,
)
from bot.games.redtangle.validation import why_illegal
from renderers.i18n import gettext_lazy as _

QUIET_LIMIT: Final = 120
"""Plies without a capture after which the game is drawn (``RULES.md``, "Draw"); ``_QUIET`` says the number, too."""
REPETITIONS: Final = 3

_BOTH: Final = frozenset({WHITE, BLACK})
_ENTERED: Final = (
    Result(frozenset({WHITE}), _("a white piece entered Black's red rectangle")),
    Result(frozenset({BLACK}), _("a black piece entered White's red rectangle")),
)
_TAKEN: Final = (
    Result(frozenset({WHITE}), _("no black piece is left")),
    Result(frozenset({BLACK}), _("no white piece is left")),
)
_NO_PIECES: Final = Result(_BOTH, _("no piece is left on either side"))
_STALEMATE: Final = Result(_BOTH, _("stalemate, neither of the two last pieces can force a win"))
_REPEATED: Final = Result(_BOTH, _("third repetition"))
_QUIET: Final = Result(_BOTH, _("120 turns without a capture"))

_FINGERPRINT_ENDS: Final = (b"w", b"b")


@dataclass(frozen=True, slots=True)
class RedtanglePosition(SequentialPosition):
    """A position in which both players have arranged their pieces.

    ``board`` is described in ``pieces``; ``side`` is the seat whose turn it is, or would be if the game were not over;
    ``quiet`` counts the plies since the last capture or the set-up. ``seen`` counts how often each arrangement with a
    side to move has occurred in that time, by ``fingerprint(board, side)``, this one included.
    """

    board: bytes
    side: int
    quiet: int
    seen: Mapping[bytes, int] = field(hash=False)
    outcome: Result | None = field(compare=False)

    def legal_moves(self) -> Sequence[PlayMove]:
        if self.outcome:
            return ()
        return moves_on(self.board, self.side) or (PASS_MOVE,)

    def play(self, move: Move) -> RedtanglePosition:
        if not isinstance(move, Walk | Turn | Jump | Pass):
            raise TypeError(f"{move!r} is no move of Redtangle's play")
        board = self.board if isinstance(move, Pass) else board_after(self.board, move)
        if isinstance(move, Jump):
            return fresh(board, 1 - self.side)
        now = fingerprint(board, 1 - self.side)
        seen = {**self.seen, now: self.seen.get(now, 0) + 1}
        return position_of(board, 1 - self.side, self.quiet + 1, seen)

    def parse(self, text: str) -> PlayMove:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        move = read_move(text)
        if isinstance(move, Walk) and move.first is not None:
            # A rotation is written only if it changes the piece (``RULES.md``, "Notation").
            piece = piece_on(self.board, move.origin)
            if piece is not None and piece.first == move.first:
                move = Walk(move.origin, move.target)
        if not self._allows(move):
            raise IllegalMove(why_illegal(self.board, self.side, move))
        return move

    def _allows(self, move: PlayMove) -> bool:
        """Tell whether ``move`` is among the legal moves, without listing those of all pieces."""
        if isinstance(move, Pass):
            return not moves_on(self.board, self.side)
        origin = origin_of(move)
        piece = piece_on(self.board, origin)
        return piece is not None and piece.owner == self.side and move in moves_from(self.board, (origin,))

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        return choices.step(self.board, self.side, prefix, key, move)

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        if not prefix:
            return _("Which piece?")
        if len(prefix) == 1:
            return _("Where to, or which way round?")
        # After a jump it may jump again, and after a step it may turn.
        return _("Jump again?") if prefix[-1].startswith("x") else _("Turn it as well?")

    def encode(self) -> str:
        """Return ``board side quiet earlier``, such as ``8/.../2w01w43/8 b 1 8/.../w:1``.

        ``earlier`` lists the arrangements before this one since the last capture, each with how often it occurred.
        """
        now = fingerprint(self.board, self.side)
        earlier = {**self.seen, now: self.seen[now] - 1}
        texts = (f"{write_board(past[:64])}:{chr(past[64])}:{count}" for past, count in earlier.items() if count)
        return f"{write_board(self.board)} {OWNER_LETTERS[self.side]} {self.quiet} {','.join(sorted(texts)) or '-'}"


def fingerprint(board: bytes, side: int) -> bytes:
    """Return what repetition compares of a position: the arrangement and the side to move."""
    return board + _FINGERPRINT_ENDS[side]


def fresh(board: bytes, side: int) -> RedtanglePosition:
    """Return the position right after a capture or the set-ups, where all counters begin anew."""
    return position_of(board, side, 0, {fingerprint(board, side): 1})


def position_of(board: bytes, side: int, quiet: int, seen: Mapping[bytes, int]) -> RedtanglePosition:
    """Return the position with these counters and with its outcome."""
    return RedtanglePosition(board, side, quiet, seen, ending(board, side, quiet, seen[fingerprint(board, side)]))


_CODES_IN: Final = tuple(itemgetter(*sorted(area)) for area in RECTANGLES)
"""By seat: takes the contents of its rectangle from a board."""
_NOT_WHITE: Final = bytes([0, *range(FIRST_BLACK_CODE, 256)])
_NOT_BLACK: Final = bytes(range(FIRST_BLACK_CODE))


def ending(board: bytes, side: int, quiet: int, occurrences: int) -> Result | None:
    """Return how the game has ended with ``side`` to move, or None. Wins and losses on the board go before draws."""
    if bytes(_CODES_IN[BLACK](board)).translate(None, _NOT_WHITE):
        return _ENTERED[WHITE]
    if bytes(_CODES_IN[WHITE](board)).translate(None, _NOT_BLACK):
        return _ENTERED[BLACK]
    white, black = board.translate(None, _NOT_WHITE), board.translate(None, _NOT_BLACK)
    if not white or not black:
        return _TAKEN[WHITE] if white else _TAKEN[BLACK] if black else _NO_PIECES
    if len(white) == len(black) == 1:
        white_piece, black_piece = PIECES[white[0] - 1], PIECES[black[0] - 1]
        if endgame.winner(white_piece, board.index(white), black_piece, board.index(black), side) is None:
            return _STALEMATE
    if occurrences >= REPETITIONS:
        return _REPEATED
    return _QUIET if quiet >= QUIET_LIMIT else None


_EARLIER: Final = re.compile(r"([^:,]+):([wb]):([12])")


def decode_play(board: bytes, side: int, quiet: str, earlier: str) -> RedtanglePosition:
    """Restore a position from the fields ``encode`` wrote. Raises ``ValueError`` for anything else."""
    if not re.fullmatch(r"[0-9]{1,3}", quiet) or int(quiet) > QUIET_LIMIT:
        raise ValueError(f"plies without a capture are counted from 0 to {QUIET_LIMIT}")
    if entered(board, side) or len(entered(board, 1 - side)) > 1:
        raise ValueError("only the piece that ended the game can stand in the opponent's rectangle")
    now = fingerprint(board, side)
    seen = {now: 1}
    for item in [] if earlier == "-" else earlier.split(","):
        form = _EARLIER.fullmatch(item)
        if form is None:
            raise ValueError("an earlier arrangement is written: board:side:count")
        past = fingerprint(read_board(form[1]), OWNER_LETTERS.index(form[2]))
        seen[past] = int(form[3]) + (past == now)
    return position_of(board, side, int(quiet), seen)
