"""The set-up of Redtangle, in which White, then Black, arranges eight pieces; and all positions from their texts.

There are 3,360 orders of eight pieces and 4,096 rotations of each: ``legal_moves`` is lazy, and ``parse`` decides.
Knows nothing of the play except how it begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from bot.games.game import IllegalMove, Move, Position, Step
from bot.games.redtangle.moves import Arrangement
from bot.games.redtangle.notation import OWNER_LETTERS, equipment, read_arrangement, read_board, tidied, write_board
from bot.games.redtangle.pieces import (
    BLACK,
    EMPTY_BOARD,
    EQUIPMENT,
    PIECES,
    SET_UP_SQUARES,
    SQUARES,
    WHITE,
    Piece,
    kind_in_words,
    lies_in_words,
    placed_in_words,
)
from bot.games.redtangle.rules import RedtanglePosition, decode_play, fresh
from bot.games.redtangle.validation import why_no_set_up
from renderers.i18n import gettext_lazy as _

SET_UP: Final = "set-up"
"""The word in an encoded set-up that stands in place of counters."""

_DEFAULT: Final = "0,2N,2W,4,1N,3E,2W,1S"


@dataclass(frozen=True, slots=True)
class SetUpPosition(Position):
    """A position before the play: ``side`` is to arrange its pieces. If that is Black, White's stand already."""

    board: bytes = EMPTY_BOARD
    side: int = WHITE

    @property
    def to_move(self) -> int:
        return self.side

    @property
    def result(self) -> None:
        return None

    def legal_moves(self) -> Iterator[Arrangement]:
        return self._arrangements("")

    def _arrangements(self, begin: str) -> Iterator[Arrangement]:
        """Yield every arrangement whose text begins with ``begin``, written in lower case."""
        yield from map(Arrangement, _ways_to_go_on((), EQUIPMENT, self.side, begin))

    def parse(self, text: str) -> Arrangement:
        pieces = read_arrangement(text, self.side)
        reason = why_no_set_up(pieces)
        if reason:
            raise IllegalMove(reason)
        return Arrangement(pieces)

    def play(self, move: Move) -> SetUpPosition | RedtanglePosition:
        if not isinstance(move, Arrangement):
            raise TypeError(f"{move!r} is no set-up of Redtangle")
        board = bytearray(self.board)
        for square, piece in zip(SET_UP_SQUARES[self.side], move.pieces, strict=True):
            board[square] = piece.code
        return SetUpPosition(bytes(board), BLACK) if self.side == WHITE else fresh(bytes(board), WHITE)

    def forced_move(self) -> None:
        return None

    def steps(self, prefix: Sequence[str] = ()) -> Sequence[Step]:
        """Return the pieces that may stand on the next square, or the ways one may lie; the eighth is the last."""
        begun = begun_by(prefix, self.side)
        if begun is None or len(begun.placed) == len(EQUIPMENT):
            return ()
        if begun.kind is not None:
            return [self._step(begun, piece) for piece in _pieces_of((begun.kind,), self.side)]
        kinds = _without(EQUIPMENT, begun.placed)
        choices = []
        square = SQUARES[SET_UP_SQUARES[self.side][len(begun.placed)]]
        for kind in sorted(set(kinds)):
            pieces = _pieces_of((kind,), self.side)
            if len(pieces) == 1:  # it looks the same from every side, and lies as it must
                choices.append(self._step(begun, pieces[0]))
            else:
                name = kind_in_words(self.side, kind)
                choices.append(Step(f",{kind}" if begun.placed else f"{kind}", name, square, short=name))
        return choices

    def _step(self, begun: Begun, piece: Piece) -> Step:
        """Return the choice that puts ``piece`` on the next square."""
        square = SQUARES[SET_UP_SQUARES[self.side][len(begun.placed)]]
        last = len(begun.placed) == len(EQUIPMENT) - 1
        move = Arrangement((*begun.placed, piece)) if last else None
        label = placed_in_words(square, piece, self.side)
        if begun.kind is not None:
            return Step(piece.text.removeprefix(f"{piece.kind}"), label, None, move, lies_in_words(piece, self.side))
        key = f",{piece.text}" if begun.placed else piece.text
        return Step(key, label, square, move, kind_in_words(self.side, piece.kind))

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        begun = begun_by(prefix, self.side)
        if begun is None or len(begun.placed) == len(EQUIPMENT):
            return ""
        square = SQUARES[SET_UP_SQUARES[self.side][len(begun.placed)]]
        if begun.kind is None:
            return _("Which piece on {square}?", square=square)
        return _("Which way round is the piece on {square}?", square=square)

    def ready_made(self) -> Arrangement:
        return default_arrangement(self.side)

    def shortcuts(self, random: Random) -> Sequence[Step]:
        default, chance = self.ready_made(), random_arrangement(self.side, random)
        return (
            Step(str(default), _("Ready-made set-up"), None, default),
            Step(str(chance), _("Random set-up"), None, chance),
        )

    def completions(self, typed: str, limit: int) -> list[str]:
        try:
            begin = tidied(typed)
        except IllegalMove:
            return []
        return list(islice(map(str, self._arrangements(begin)), limit))

    def encode(self) -> str:
        """Return ``board side set-up``, such as ``8/8/8/8/8/8/8/8 w set-up``."""
        return f"{write_board(self.board)} {OWNER_LETTERS[self.side]} {SET_UP}"


def default_arrangement(seat: int) -> Arrangement:
    """Return an arrangement whose front row shows both colours in turn; Black's is White's turned by half."""
    pieces = read_arrangement(_DEFAULT, WHITE)
    if seat == WHITE:
        return Arrangement(pieces)
    turned = [Piece(BLACK, piece.kind, None if piece.first is None else (piece.first + 2) % 4) for piece in pieces]
    return Arrangement((*reversed(turned[:4]), *reversed(turned[4:])))


def random_arrangement(seat: int, random: Random) -> Arrangement:
    """Return a random arrangement; all are equally likely."""
    kinds = random.sample(EQUIPMENT, len(EQUIPMENT))
    return Arrangement(tuple(random.choice(_pieces_of((kind,), seat)) for kind in kinds))


@dataclass(frozen=True, slots=True)
class Begun:
    """A set-up in the making: the pieces ``placed``, and the ``kind`` of the next one while it is to be turned."""

    placed: tuple[Piece, ...] = ()
    kind: int | None = None


def begun_by(prefix: Sequence[str], seat: int) -> Begun | None:
    """Return the set-up that ``prefix``, keys of ``steps``, begins, or None for other keys."""
    begun = Begun()
    # A shortcut is a whole arrangement in one key.
    for text in "".join(prefix).split(",") if prefix else ():
        pieces = _pieces_of(_without(EQUIPMENT, begun.placed), seat) if begun.kind is None else []
        piece = next((piece for piece in pieces if piece.text == text), None)
        if piece is not None:
            begun = Begun((*begun.placed, piece))
        elif any(text == f"{piece.kind}" for piece in pieces):
            begun = Begun(begun.placed, int(text))
        else:
            return None
    return begun


def placed_by(prefix: Sequence[str], seat: int) -> tuple[Piece, ...]:
    """Return the pieces that ``prefix`` places; one that is still to be turned shows its first own side up."""
    begun = begun_by(prefix, seat) or Begun()
    return begun.placed if begun.kind is None else (*begun.placed, Piece(seat, begun.kind, 0))


def _pieces_of(kinds: Sequence[int], seat: int) -> list[Piece]:
    """Return the pieces of any of ``kinds`` in every rotation, each once."""
    return [piece for piece in PIECES if piece.owner == seat and piece.kind in kinds]


def _without(kinds: Sequence[int], placed: Sequence[Piece]) -> tuple[int, ...]:
    remaining = list(kinds)
    for piece in placed:
        remaining.remove(piece.kind)
    return tuple(remaining)


def _ways_to_go_on(
    placed: tuple[Piece, ...], kinds: Sequence[int], seat: int, begin: str
) -> Iterator[tuple[Piece, ...]]:
    """Yield every completion of ``placed`` by pieces of ``kinds`` whose text agrees with ``begin``."""
    text = str(Arrangement(placed)).casefold()
    if text[: len(begin)] != begin[: len(text)]:
        return
    if kinds:
        for piece in _pieces_of(kinds, seat):
            yield from _ways_to_go_on((*placed, piece), _without(kinds, (piece,)), seat, begin)
    elif text.startswith(begin):
        yield placed


def decode(text: str) -> SetUpPosition | RedtanglePosition:
    """Restore what ``Position.encode`` wrote. Raises ``ValueError`` for anything else."""
    fields = text.split(" ")
    if len(fields) not in (3, 4) or fields[1] not in ("w", "b"):
        raise ValueError("a position of Redtangle is written: board side set-up, or: board side quiet earlier")
    board, side = read_board(fields[0]), OWNER_LETTERS.index(fields[1])
    set_up = len(fields) == 3
    position = _decode_set_up(board, side, fields[2]) if set_up else decode_play(board, side, fields[2], fields[3])
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
