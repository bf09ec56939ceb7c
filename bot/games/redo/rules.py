"""The rules of Redo: positions, turns and the end of the game. Knows no scene."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.games.game import IllegalMove, Move, Result, SequentialPosition, Step
from bot.games.redo.board import (
    CONVERTED,
    DISC_WAYS,
    FIRST_RANKS,
    NAMES,
    PASSING,
    PLACES,
    RED,
    SEATS,
    TOWER_WAYS,
    WHITE,
    Turn,
)
from bot.games.redo.dead import conversion_possible
from bot.games.redo.notation import read, read_board, read_side, write_board, write_side
from bot.games.redo.validation import why_illegal
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

SEAT_NAMES: Final = (_("White"), _("Red"))
QUIET_LIMIT: Final = 40
"""Plies without a conversion, a promotion or a disc move after which the game is over."""
PLY_LIMIT: Final = 300
_BITS: Final = 64
"""Room for one set of squares in ``arrangement``."""
_ALL_SQUARES: Final = (1 << _BITS) - 1


@dataclass(frozen=True, slots=True)
class RedoPosition(SequentialPosition):
    """A position of Redo.

    ``pieces`` are the squares each seat occupies and ``towers`` those of them that hold towers; ``side`` is the seat
    whose turn it is, or would be if the game were not over. ``passes`` counts the latest passes in a row, ``quiet`` the
    latest plies in a row without a conversion, a promotion or a disc move, ``plies`` all plies. ``earlier`` lists,
    sorted, the arrangements since the last promotion. A promotion makes one piece of two for good, so no arrangement
    before it can come back; any later one can, because converted discs move back.
    """

    pieces: tuple[int, int] = FIRST_RANKS
    towers: int = 0
    side: int = WHITE
    passes: int = 0
    quiet: int = 0
    plies: int = 0
    earlier: tuple[int, ...] = ()
    outcome: Result | None = None

    @property
    def points(self) -> tuple[int, int]:
        """The score: one point for each piece, disc or tower."""
        return self.pieces[WHITE].bit_count(), self.pieces[RED].bit_count()

    def legal_moves(self) -> Sequence[Turn]:
        if self.outcome:
            return ()
        side, towers = self.side, self.towers
        own, enemy = self.pieces[side], self.pieces[1 - side]
        occupied = own | enemy
        discs = own & ~towers
        turns: list[Turn] = []
        promotions: list[Turn] = []
        for square, ways in DISC_WAYS[side]:
            if discs & square:
                for target, between, step, promotion in ways:
                    if not occupied & (target | between):
                        turns.append(step)
                    elif discs & target and not occupied & between:
                        promotions.append(promotion)
        enemy_discs = enemy & ~towers
        for square, steps, jumps in TOWER_WAYS if own & towers else ():
            if own & towers & square:
                turns += [turn for target, turn in steps if not occupied & target]
                turns += [turn for over, target, turn in jumps if enemy_discs & over and not occupied & target]
        # A pass stands beside promotions alone, or alone (``RULES.md``, "Pass").
        return turns + promotions if turns else [*promotions, PASSING]

    def forced_move(self) -> Turn | None:
        moves = self.legal_moves()
        return PASSING if len(moves) == 1 and moves[0] is PASSING else None

    def converted(self, move: Move) -> int:
        """Return the squares on which pieces change colour by ``move``: none by a promotion or a pass."""
        turn = own_turn(move)
        if turn.promotes or not turn.target:
            return 0
        return CONVERTED[self.side][turn.target] & self.pieces[1 - self.side] | turn.jumped

    def play(self, move: Move) -> RedoPosition:
        turn = own_turn(move)
        side, towers = self.side, self.towers
        own, enemy = self.pieces[side], self.pieces[1 - side]
        quiet, passes, earlier = 0, 0, self.earlier
        if turn.promotes:
            own ^= turn.origin
            towers |= turn.target
            earlier = ()
        else:
            longer = [*earlier]
            insort(longer, arrangement(self.pieces, towers, side))
            earlier = tuple(longer)
            if not turn.target:
                quiet, passes = self.quiet + 1, self.passes + 1
            else:
                converted = self.converted(turn)
                own = own ^ (turn.origin | turn.target) | converted
                enemy ^= converted
                if towers & turn.origin:
                    towers ^= turn.origin | turn.target
                    quiet = 0 if converted else self.quiet + 1
        pieces = (own, enemy) if side == WHITE else (enemy, own)
        return _with_outcome(RedoPosition(pieces, towers, 1 - side, passes, quiet, self.plies + 1, earlier))

    def parse(self, text: str) -> Turn:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        typed = read(text)
        moves = self.legal_moves()
        if typed is None:
            if PASSING in moves:
                return PASSING
            raise IllegalMove(_("you may pass only when all you could do is promote"))
        turn = next((turn for turn in moves if (turn.origin, turn.target) == (typed.origin, typed.target)), None)
        # A player may leave the signs out, but a sign that is typed must be true.
        if turn is None or typed.promotion > turn.promotes or typed.jump > bool(turn.jumped):
            raise IllegalMove(why_illegal(self.pieces, self.towers, self.side, typed))
        return turn

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        square = key.lstrip("-x").rstrip("+")
        if square not in PLACES:
            return Step(key, _("Pass"), None, move)
        if move is None:
            tower = bool(self.towers & PLACES[square])
            label = _("Tower {square}", square=square) if tower else _("Disc {square}", square=square)
            return Step(key, label, square, None, _("{square} tower", square=square) if tower else "")
        turn = own_turn(move)
        if turn.promotes:
            becomes = _("to {square}, becomes a tower", square=square)
            return Step(key, becomes, square, move, _("{square} tower", square=square))
        way = (
            _("jumps {jumped} to {square}", jumped=NAMES[turn.jumped], square=square)
            if turn.jumped
            else _("to {square}", square=square)
        )
        if not (count := self.converted(turn).bit_count()):
            return Step(key, way, square, move)
        # Translators: on a button: a piece goes to a square and converts so many pieces: "d4, converts 2".
        short = _n("{square}, converts {n}", "{square}, converts {n}", count, square=square)
        return Step(key, _n("{way}, converts {n}", "{way}, converts {n}", count, way=way), square, move, short)

    def encode(self) -> str:
        """Return ``board side passes quiet plies earlier``, as ``rrrrrrr/rrrrrrr/7/7/7/7/wwwwwww/wwwwwww w 0 0 0 -``.

        ``earlier`` lists the arrangements since the last promotion, each as ``board:side``, joined by commas.
        """
        earlier = ",".join(
            f"{write_board(pieces, towers)}:{write_side(side)}"
            for pieces, towers, side in map(split_arrangement, self.earlier)
        )
        board, counters = write_board(self.pieces, self.towers), f"{self.passes} {self.quiet} {self.plies}"
        return f"{board} {write_side(self.side)} {counters} {earlier or '-'}"


def own_turn(move: Move) -> Turn:
    """Return ``move`` as a turn of Redo. Raises ``TypeError`` for a move of another game."""
    if not isinstance(move, Turn):
        raise TypeError(f"{move!r} is no turn of Redo")
    return move


def decode(text: str) -> RedoPosition:
    """Restore what ``RedoPosition.encode`` wrote. Raises ``ValueError`` for anything else."""
    form = re.fullmatch(r"(\S+) (\S) ([0-2]) ([0-9]{1,2}) ([0-9]{1,3}) (\S+)", text, re.ASCII)
    if form is None:
        raise ValueError("a position of Redo is written: board side passes quiet plies earlier")
    (pieces, towers), side = read_board(form[1]), read_side(form[2])
    passes, quiet, plies = int(form[3]), int(form[4]), int(form[5])
    if not passes <= quiet <= min(plies, QUIET_LIMIT) or plies > PLY_LIMIT:
        raise ValueError("the counters of this position cannot be")
    earlier: tuple[int, ...] = ()
    for item in [] if form[6] == "-" else form[6].split(","):
        board, _colon, letter = item.partition(":")
        earlier += (arrangement(*read_board(board), read_side(letter)),)
    if sum(map(int.bit_count, (*pieces, towers))) > sum(map(int.bit_count, FIRST_RANKS)):
        raise ValueError("there are at most 28 discs, two of them in a tower")
    position = _with_outcome(RedoPosition(pieces, towers, side, passes, quiet, plies, earlier))
    if position.encode() != text or earlier != tuple(sorted(earlier)):
        raise ValueError("that is not how this position of Redo is written")
    return position


def arrangement(pieces: tuple[int, int], towers: int, side: int) -> int:
    """Return the arrangement and the side to move in one integer; its order has no meaning."""
    return ((pieces[WHITE] << _BITS | pieces[RED]) << _BITS | towers) << 1 | side


def split_arrangement(packed: int) -> tuple[tuple[int, int], int, int]:
    side, towers = packed & 1, packed >> 1 & _ALL_SQUARES
    white, red = packed >> 2 * _BITS + 1, packed >> _BITS + 1 & _ALL_SQUARES
    return (white, red), towers, side


def _with_outcome(position: RedoPosition) -> RedoPosition:
    """Return ``position`` with its outcome, if it has one.

    Every end is scored: more pieces win, equal numbers are a draw (``RULES.md``, "End" and "Score").
    """
    cause = _end(position)
    if cause is None:
        return position
    white, red = position.points
    winners = frozenset(SEATS) if white == red else frozenset({WHITE if white > red else RED})
    reason = _("{cause}, {most} to {fewest}", cause=cause, most=max(white, red), fewest=min(white, red))
    return replace(position, outcome=Result(winners, reason))


def _end(position: RedoPosition) -> str | None:
    """Return why the game is over, or None. Ends on the board go before repetition and limits."""
    pieces, towers, earlier = position.pieces, position.towers, position.earlier
    if position.passes >= 2:
        return _("both passed, one after the other")
    if not pieces[WHITE] or not pieces[RED]:
        return _("{seat} has no piece left", seat=SEAT_NAMES[RED if pieces[WHITE] else WHITE])
    if not conversion_possible(pieces, towers):
        return _("no conversion is possible any more")
    if len(earlier) > 1 and earlier.count(arrangement(pieces, towers, position.side)) > 1:
        return _("third repetition")
    if position.quiet >= QUIET_LIMIT:
        return _n(
            "{n} turn without a conversion, a promotion or a disc move",
            "{n} turns without a conversion, a promotion or a disc move",
            QUIET_LIMIT,
        )
    return _n("{n} turn", "{n} turns", PLY_LIMIT) if position.plies >= PLY_LIMIT else None
