"""The rules of Rectangles of Distinction: positions, turns and the end of the game. Knows no scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from bot.games.game import IllegalMove, Move, Result, SequentialPosition, Step
from bot.games.rectangles import choices
from bot.games.rectangles.board import STUCK, Board, Turn, board
from bot.games.rectangles.notation import in_line, read
from renderers.i18n import LazyList
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

PLAYERS: Final = {4: range(2, 3), 6: range(2, 5), 8: range(2, 7), 10: range(2, 7)}
"""By dots on a side: the numbers of players on that board."""
SEAT_NAMES: Final = tuple(_("Player {number}", number=number) for number in range(1, 7))


SURE: Final = _("This ends the game at once, whether it is true or not. Do you mean it?")


@dataclass(frozen=True, slots=True)
class RectanglesPosition(SequentialPosition):
    """A position of Rectangles of Distinction.

    ``taken`` has a bit for every dot that is a corner and for every area used, as in ``Turn.claims``; ``side`` is the
    seat whose turn it is, or would be if the game were not over; ``gone`` are the seats that have dropped out, and
    ``stuck`` says that ``side`` has claimed to be stuck. ``drawn`` lists each rectangle with its seat, for display
    only: nothing that can still happen depends on it, so equal positions may differ in it. ``possible`` are the
    rectangles that ``taken`` still allows. Where ``by_players`` is true only a player ends the game.
    """

    dots: int
    tilted: bool
    by_players: bool
    players: int
    side: int = 0
    taken: int = 0
    gone: frozenset[int] = frozenset()
    stuck: bool = False
    drawn: tuple[tuple[int, Turn], ...] = field(default=(), compare=False)
    possible: tuple[Turn, ...] = field(default=(), compare=False, repr=False)
    outcome: Result | None = None

    @property
    def board(self) -> Board:
        """The dots and all their rectangles."""
        return board(self.dots, self.tilted)

    def legal_moves(self) -> Sequence[Turn]:
        return () if self.outcome else (*self.possible, STUCK)

    def play(self, move: Move) -> RectanglesPosition:
        turn = own_turn(move)
        if turn == STUCK:
            return _with_outcome(replace(self, stuck=True))
        claims = turn.claims
        return _with_outcome(
            replace(
                self,
                side=self.next_seat(self.side),
                taken=self.taken | claims,
                drawn=(*self.drawn, (self.side, turn)),
                possible=tuple([other for other in self.possible if not other.claims & claims]),
            )
        )

    def drop(self, seat: int) -> RectanglesPosition:
        """Return the position after ``seat`` has left; the last one left wins. Raises ``ValueError`` if it is out."""
        if self.outcome or seat in self.gone or seat not in range(self.players):
            raise ValueError(f"seat {seat} is not playing")
        after = replace(self, gone=self.gone | {seat})
        return _with_outcome(replace(after, side=after.next_seat(seat)) if seat == self.side else after)

    def next_seat(self, seat: int, way: int = 1) -> int:
        """Return the next seat that is still in, going round forwards (``way`` 1) or backwards (-1)."""
        around = ((seat + way * steps) % self.players for steps in range(1, self.players + 1))
        return next(other for other in around if other not in self.gone)

    def parse(self, text: str) -> Turn:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        turn = read(text, self.board)
        if used := [f"{dot}" for dot in turn.corners if self.taken & self.board.dot_bit(dot)]:
            raise IllegalMove(
                _n("{dots} is already a corner", "{dots} are already corners", len(used), dots=LazyList(used))
            )
        if turn.claims & self.taken:
            raise IllegalMove(_("area {area} is already used", area=turn.area))
        return turn

    def question(self, move: Move) -> str | None:
        """Ask players who claim to be stuck whether they mean it. The question tells them nothing."""
        return SURE if move == STUCK else None

    def confirmation(self, move: Move) -> str:
        turn = own_turn(move)
        if turn == STUCK:
            return _("End the game")
        return _("Draw it upright") if self.tilted and not turn.tilted else SequentialPosition.confirmation(self, move)

    def example(self) -> str:
        """Return two free dots that are not on one line, whether their rectangle is legal or not."""
        free = self.board.free(self.taken)
        return next((f"{dot}-{other}" for dot, other in combinations(free, 2) if not in_line(dot, other)), STUCK.text)

    def steps(self, prefix: Sequence[str] = ()) -> Sequence[Step]:
        return [] if self.outcome else choices.steps(self.board, self.taken, prefix)

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        if not prefix:
            return _("First corner?")
        if not self.tilted:
            return _("Which corner is opposite {dot}? The number beside a dot is the area.", dot=prefix[0])
        if len(prefix) == 1:
            return _("Second corner?")
        return _("Third corner? The number beside a dot is the area.")

    def completions(self, typed: str, limit: int) -> list[str]:
        """Return at most ``limit`` texts to go on with: free dots and ``stuck``, not the legal moves.

        Legal moves would find the rectangles for the player.
        """
        return [] if self.outcome else choices.completions(self.board, self.taken, typed, limit)

    def encode(self) -> str:
        """Return ``dots sides players side gone drawn claim``, such as ``6 upright 2 1 - - -``.

        ``sides`` ends in ``-by-players`` where only a player ends the game.

        Seats are counted from 1; ``gone`` lists those that have left, ``drawn`` is a list of ``seat:rectangle``, and
        ``claim`` is ``stuck`` once the seat to move has claimed it.
        """
        sides = ("tilted" if self.tilted else "upright") + ("-by-players" if self.by_players else "")
        gone = ",".join(f"{seat + 1}" for seat in sorted(self.gone))
        drawn = ",".join(f"{seat + 1}:{turn}" for seat, turn in self.drawn)
        claim = STUCK.text if self.stuck else "-"
        return f"{self.dots} {sides} {self.players} {self.side + 1} {gone or '-'} {drawn or '-'} {claim}"


def start(players: int, dots: int, tilted: bool, by_players: bool = False) -> RectanglesPosition:
    """Return the first position. Raises ``ValueError`` for other boards or numbers of players."""
    if dots not in PLAYERS:
        raise ValueError(f"there are boards of {', '.join(map(str, PLAYERS))} dots a side, not of {dots}")
    if players not in PLAYERS[dots]:
        most = PLAYERS[dots].stop - 1
        raise ValueError(f"{dots} dots a side are for {'two players' if most == 2 else f'two to {most} players'}")
    return RectanglesPosition(dots, tilted, by_players, players, possible=board(dots, tilted).rectangles)


def own_turn(move: Move) -> Turn:
    """Return ``move`` as a turn of this game. Raises ``TypeError`` for a move of another game."""
    if not isinstance(move, Turn):
        raise TypeError(f"{move!r} is no turn of Rectangles of Distinction")
    return move


def _with_outcome(position: RectanglesPosition) -> RectanglesPosition:
    """Return ``position`` with its outcome, if it has one.

    If a seat claims to be stuck, or no rectangle is left where the bot ends the game, the winner is the seat still in
    before the one to move (``RULES.md``, "End"). That seat drew the last rectangle, unless nothing was drawn or that
    player has dropped out.
    """
    players, gone, side = position.players, position.gone, position.side
    if len(gone) == players - 1:
        outcome = Result(frozenset(range(players)) - gone, _("everybody else has left"))
    elif position.stuck:
        outcome = Result(frozenset({position.next_seat(side, -1)}), _("{seat} said stuck", seat=SEAT_NAMES[side]))
    elif not position.possible and not position.by_players:
        outcome = Result(frozenset({position.next_seat(side, -1)}), _("no rectangle is left to draw"))
    else:
        return position
    return replace(position, outcome=outcome)


_FORM: Final = re.compile(
    r"(4|6|8|10) (upright|tilted)(-by-players)? ([2-6]) ([1-6]) "
    r"(-|[1-6](?:,[1-6])*) (-|[1-6]:[a-j0-9-]+(?:,[1-6]:[a-j0-9-]+)*) (-|stuck)"
)


def decode(text: str) -> RectanglesPosition:
    """Restore what ``RectanglesPosition.encode`` wrote. Raises ``ValueError`` for anything else."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError("a position of Rectangles of Distinction is written: dots sides players side gone drawn claim")
    position = start(int(form[4]), int(form[1]), form[2] == "tilted", form[3] is not None)
    gone = frozenset(int(seat) - 1 for seat in form[6].split(",")) if form[6] != "-" else frozenset()
    drawn = [entry.split(":") for entry in form[7].split(",")] if form[7] != "-" else []
    side, players = int(form[5]) - 1, set(range(position.players))
    if side not in players - gone or not {*gone, *(int(seat) - 1 for seat, _ in drawn)} <= players:
        raise ValueError("the seats of this position cannot be")
    for seat, rectangle in drawn:
        position = replace(position, side=int(seat) - 1).play(position.parse(rectangle))
    position = _with_outcome(replace(position, side=side, gone=gone, stuck=form[8] == STUCK.text, outcome=None))
    if position.encode() != text:
        raise ValueError("that is not how this position of Rectangles of Distinction is written")
    return position
