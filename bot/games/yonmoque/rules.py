"""The rules of Yonmoque: positions, turns and the end of the game. Knows no scene."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.game import IllegalMove, Move, Result, SequentialPosition, Step
from bot.games.yonmoque.board import (
    BLUE,
    BRACKETS,
    COLOURS,
    FIVES,
    FOURS,
    NAMES,
    NEIGHBOURS,
    NEUTRAL,
    PUTS,
    SIZE,
    WAYS,
    WHITE,
    Turn,
    members,
)
from bot.games.yonmoque.notation import read, read_pieces, read_side, write_pieces, write_side
from renderers.i18n import COMMA, LazyJoin
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

HAND: Final = 6
"""Pieces each player begins with."""
_NOT_YOURS: Final = {
    BLUE: _("{start} holds a blue piece: it is not yours to move"),
    WHITE: _("{start} holds a white piece: it is not yours to move"),
}
_NO_SLIDE: Final = {
    (BLUE, WHITE): _("{start} is a white square: a blue piece slides only from a blue one"),
    (BLUE, NEUTRAL): _("{start} is a neutral square: a blue piece slides only from a blue one"),
    (WHITE, BLUE): _("{start} is a blue square: a white piece slides only from a white one"),
    (WHITE, NEUTRAL): _("{start} is a neutral square: a white piece slides only from a white one"),
}
"""Why a piece does not slide from a square, by its owner and the colour of the square."""
_AREA: Final = SIZE * SIZE

_FOUR: Final = tuple(Result(frozenset({seat}), _("four in a row")) for seat in (BLUE, WHITE))
_FIVE: Final = tuple(Result(frozenset({1 - seat}), _("five in a row")) for seat in (BLUE, WHITE))
_STUCK: Final = tuple(Result(frozenset({1 - seat}), _("no move left")) for seat in (BLUE, WHITE))
_REPEATED: Final = Result(frozenset({BLUE, WHITE}), _("third repetition"))


@dataclass(frozen=True, slots=True)
class YonmoquePosition(SequentialPosition):
    """A position of Yonmoque.

    ``pieces`` are the squares each seat occupies, as bits; ``hands`` the pieces left in each hand; ``side`` the seat
    whose turn it is, or would be if the game were not over. ``earlier`` lists, sorted, the arrangements since the last
    put: a put takes a piece from a hand for good, so no arrangement before it can come back.
    """

    pieces: tuple[int, int] = (0, 0)
    hands: tuple[int, int] = (HAND, HAND)
    side: int = BLUE
    earlier: tuple[int, ...] = ()
    outcome: Result | None = None

    def legal_moves(self) -> Sequence[Turn]:
        if self.outcome:
            return ()
        own = self.pieces[self.side]
        occupied = own | self.pieces[1 - self.side]
        turns = [turn for square, turn in PUTS if not occupied & square] if self.hands[self.side] else []
        for square, ways in WAYS[self.side]:
            if own & square:
                turns += [turn for way, turn in ways if not occupied & way]
        return turns

    def play(self, move: Move) -> YonmoquePosition:
        turn = _turn(move)
        if turn.origin is None:
            side = self.side
            own, enemy = self.pieces[side] | 1 << turn.target, self.pieces[1 - side]
            hand, other = self.hands[side] - 1, self.hands[1 - side]
            pieces, hands = ((own, enemy), (hand, other)) if side == BLUE else ((enemy, own), (other, hand))
            return YonmoquePosition(pieces, hands, 1 - side, (), ending(pieces, hands, 1 - side, ()))
        side = self.side
        flipped = self.flips(Turn(turn.origin, turn.target))
        changed = flipped | 1 << turn.target
        own, enemy = self.pieces[side] ^ 1 << turn.origin | changed, self.pieces[1 - side] & ~flipped
        pieces = (own, enemy) if side == BLUE else (enemy, own)
        earlier = [*self.earlier]
        insort(earlier, arrangement(self.pieces, side))
        history = tuple(earlier)
        # Five goes before four, and a four counts only if this move made it (``RULES.md``, "End").
        outcome = ending(pieces, self.hands, 1 - side, history, won=makes_four(own, changed))
        return YonmoquePosition(pieces, self.hands, 1 - side, history, outcome)

    def flips(self, move: Move) -> int:
        """Return the squares, as bits, of the pieces ``move`` flips: none for a put."""
        turn = _turn(move)
        if turn.origin is None:
            return 0
        own, enemy = self.pieces[self.side], self.pieces[1 - self.side]
        flipped = 0  # The square left ends no run: between it and the target there are at most empty squares.
        for run, end in BRACKETS[turn.target]:
            if own & end and enemy & run == run:
                flipped |= run
        return flipped

    def parse(self, text: str) -> Turn:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        turn = read(text)
        if not self._allows(turn):
            raise IllegalMove(self._why_illegal(turn))
        return turn

    def _allows(self, turn: Turn) -> bool:
        """Tell whether ``turn`` is among the legal moves, without listing those of all pieces."""
        origin, target = turn.origin, turn.target
        own = self.pieces[self.side]
        occupied = own | self.pieces[1 - self.side]
        if origin is None:
            return self.hands[self.side] > 0 and not occupied >> target & 1
        square, ways = WAYS[self.side][origin]
        return bool(own & square) and any(move.target == target and not occupied & way for way, move in ways)

    def _why_illegal(self, turn: Turn) -> str:
        origin, target = turn.origin, turn.target
        if origin is None:
            if self._owner(target) is not None:
                return _("{square} is taken: a piece is placed on an empty square", square=NAMES[target])
            return _("you have no pieces left in hand")
        start, end = NAMES[origin], NAMES[target]
        owner = self._owner(origin)
        if owner is None:
            return _("{start} is empty: there is no piece to move", start=start)
        if owner != self.side:
            return _NOT_YOURS[owner].filled(start=start)
        if origin == target:
            return _("the piece already stands on {start}", start=start)
        if self._owner(target) is not None:
            return _("{end} is taken: a piece moves to an empty square", end=end)
        files, ranks = target % SIZE - origin % SIZE, target // SIZE - origin // SIZE
        if abs(files) != abs(ranks):
            return _(
                "{end} is out of reach: a piece goes one square in any direction, further only along a diagonal",
                end=end,
            )
        if COLOURS[origin] != self.side:
            return _NO_SLIDE[self.side, COLOURS[origin]].filled(start=start)
        step = (target - origin) // abs(files)
        stop = next(
            sq
            for sq in range(origin + step, target + step, step)
            if COLOURS[sq] == NEUTRAL or self._owner(sq) is not None
        )
        if COLOURS[stop] == NEUTRAL:
            return _("{square} is a neutral square: the slide stops before it", square=NAMES[stop])
        return _("{square} is taken: the slide stops before it", square=NAMES[stop])

    def _owner(self, square: int) -> int | None:
        return next((seat for seat in (BLUE, WHITE) if self.pieces[seat] >> square & 1), None)

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        square = key.removeprefix("-")
        if prefix:
            flipped = self.flips(_turn(move)).bit_count() if move else 0
            if not flipped:
                return Step(key, _("to {square}", square=square), square, move)
            return Step(
                key,
                _n("to {square}, flips {n}", "to {square}, flips {n}", flipped, square=square),
                square,
                move,
            )
        if move is not None:
            return Step(key, _("Place on {square}", square=square), square, move)
        return Step(key, _("Move {square}", square=square), square)

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        if prefix:
            told = []
            for step in self.steps(prefix):
                count = 0 if step.move is None else self.flips(step.move).bit_count()
                if count:  # said here, because buttons in five columns are too narrow to say so
                    # Translators: how many pieces a move to a square flips: "Where to? (c3 flips 2, d4 flips 1)"
                    told.append(_n("{square} flips {n}", "{square} flips {n}", count, square=step.square))
            return _("Where to? ({flipping})", flipping=LazyJoin(COMMA, told)) if told else _("Where to?")
        if not self.hands[self.side]:
            return _("Which piece?")
        if not self.pieces[self.side]:
            return _("Where do you place a piece?")
        return _("Where do you place a piece, or which piece do you move?")

    def encode(self) -> str:
        """Return ``pieces side hands four earlier``, such as ``5/5/2b2/5/5 w 5,6 - -``.

        ``four`` marks a position that a four has won, because the arrangement alone does not show it.
        """
        hands = ",".join(map(str, self.hands))
        won = "four" if self.outcome in _FOUR else "-"
        earlier = ",".join(
            f"{write_pieces(pieces)}:{write_side(side)}" for pieces, side in map(split_arrangement, self.earlier)
        )
        return f"{write_pieces(self.pieces)} {write_side(self.side)} {hands} {won} {earlier or '-'}"


def decode(text: str) -> YonmoquePosition:
    """Restore what ``YonmoquePosition.encode`` wrote. Raises ``ValueError`` for anything else."""
    fields = text.split(" ")
    if len(fields) != 5 or not re.fullmatch(r"[0-6],[0-6]", fields[2]):
        raise ValueError("a position of Yonmoque is written: pieces side hands four earlier")
    pieces, side = read_pieces(fields[0]), read_side(fields[1])
    hands = (int(fields[2][0]), int(fields[2][2]))
    arrangements = []
    for item in [] if fields[4] == "-" else fields[4].split(","):
        arranged, _colon, letter = item.partition(":")
        arrangements.append(arrangement(read_pieces(arranged), read_side(letter)))
    earlier = tuple(sorted(arrangements))
    won = fields[3] == "four"
    on_board = 2 * HAND - sum(hands)
    if sum(map(int.bit_count, pieces)) != on_board:
        raise ValueError(f"{on_board} of the {2 * HAND} pieces are on the board, the others in hand")
    if has_line(pieces[side], FIVES):
        raise ValueError("five in a row had ended the game before")
    if won and not has_line(pieces[1 - side], FOURS):
        raise ValueError("there is no four in a row")
    position = YonmoquePosition(pieces, hands, side, earlier, ending(pieces, hands, side, earlier, won=won))
    if position.encode() != text:
        raise ValueError("that is not how this position of Yonmoque is written")
    return position


def _turn(move: Move) -> Turn:
    if not isinstance(move, Turn):
        raise TypeError(f"{move!r} is no turn of Yonmoque")
    return move


def arrangement(pieces: tuple[int, int], side: int) -> int:
    """Return the arrangement and the side to move in one integer; its order has no meaning."""
    return pieces[BLUE] << _AREA + 1 | pieces[WHITE] << 1 | side


def split_arrangement(packed: int) -> tuple[tuple[int, int], int]:
    return (packed >> _AREA + 1, packed >> 1 & (1 << _AREA) - 1), packed & 1


def makes_four(own: int, changed: int) -> bool:
    """Tell whether ``own`` has a line of four that contains one of the ``changed`` squares."""
    return own.bit_count() >= 4 and any(own & four == four and changed & four for four in FOURS)


def has_line(own: int, lines: tuple[int, ...]) -> bool:
    """Tell whether ``own`` fills one of the ``lines``."""
    return any(own & line == line for line in lines)


def ending(
    pieces: tuple[int, int], hands: tuple[int, int], side: int, earlier: tuple[int, ...], *, won: bool = False
) -> Result | None:
    """Return how the game has ended with ``side`` to move, or None.

    ``won`` says that the move that led here made a line of four. The order is that of ``RULES.md``, "End": wins and
    losses go before draws.
    """
    mover = 1 - side
    if pieces[mover].bit_count() >= SIZE and has_line(pieces[mover], FIVES):
        return _FIVE[mover]
    if won:
        return _FOUR[mover]
    if not hands[side] and not can_move(pieces, side):
        return _STUCK[side]
    if earlier and earlier.count(arrangement(pieces, side)) >= 2:
        return _REPEATED
    return None


def can_move(pieces: tuple[int, int], side: int) -> bool:
    """Tell whether a piece of ``side`` has an empty neighbour; every slide begins on one."""
    empty = ~(pieces[BLUE] | pieces[WHITE])
    return any(NEIGHBOURS[square] & empty for square in members(pieces[side]))
