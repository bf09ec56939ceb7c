"""Positions of Yonmoque as scenes and in words. Decides no rule."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from bot.games.game import IllegalMove, View, caption
from bot.games.yonmoque.board import BLUE, COLOURS, FOURS, NAMES, SIZE, WHITE, Turn, members
from bot.games.yonmoque.rules import HAND, YonmoquePosition
from renderers.i18n import COMMA, SEMICOLON, LazyJoin
from renderers.i18n import gettext_lazy as _
from renderers.scene import Colour, Ground, Mark, Path, Piece, Scene, Shape, Tray

SEAT_NAMES: Final = (_("Blue"), _("White"))
_DISCS: Final = (Colour.BLUE, Colour.WHITE)
_TILES: Final = tuple((Colour.BLUE, Colour.WHITE, Colour.SPLIT)[colour] for colour in COLOURS)


def draw(position: YonmoquePosition, view: View[YonmoquePosition, Turn]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says.

    A complete move under construction appears as if it were played, except in the trays.
    """
    begun: Turn | None = None
    with suppress(IllegalMove):
        begun = position.parse("".join(view.chosen))
    shown = position if begun is None else position.play(begun)
    squares = [key.removeprefix("-") for key in view.chosen]
    return Scene(
        files=SIZE,
        ranks=SIZE,
        ground=Ground.TILES,
        tiles=_TILES,
        pieces=tuple(
            Piece(NAMES[square], Shape.DISC, _DISCS[owner], SEAT_NAMES[owner][0])
            for owner in (BLUE, WHITE)
            for square in members(shown.pieces[owner])
        ),
        marks=(
            *_marks_of(view.last, view.before),
            *((Mark.CHOSEN, square) for square in squares),
            *((Mark.TARGET, square) for square in view.targets),
            *_changes(begun, position),
            *_winning(position, view.last, view.before),
        ),
        paths=() if begun is None or begun.origin is None else (Path((NAMES[begun.origin], NAMES[begun.target])),),
        trays=tuple(
            Tray(
                seat=owner,
                name=SEAT_NAMES[owner],
                colour=_DISCS[owner],
                shape=Shape.DISC,
                count=position.hands[owner],
                capacity=HAND,
                to_move=owner == position.to_move,
            )
            for owner in (BLUE, WHITE)
        ),
        turned=view.seat == WHITE,
        coordinates=view.coordinates,
        title=_("Yonmoque"),
        caption=caption(position.result, _("{seat} to move", seat=SEAT_NAMES[position.side]), SEAT_NAMES, view.last),
        # The trays say what is in hand.
        words=tuple(_("{head}: {text}", head=SEAT_NAMES[owner], text=_where(shown, owner)) for owner in (BLUE, WHITE)),
    )


def _marks_of(last: Turn | None, before: YonmoquePosition | None) -> list[tuple[Mark, str]]:
    if last is None:
        return []
    marks = [] if last.origin is None else [(Mark.LEFT, NAMES[last.origin])]
    return [*marks, (Mark.ENTERED, NAMES[last.target]), *_changes(last, before)]


def _changes(turn: Turn | None, before: YonmoquePosition | None) -> list[tuple[Mark, str]]:
    return [(Mark.CHANGED, NAMES[square]) for square in members(before.flips(turn))] if turn and before else []


def _winning(position: YonmoquePosition, last: Turn | None, before: YonmoquePosition | None) -> list[tuple[Mark, str]]:
    """Mark the four that the last move made, if it won; a five, which loses, fills a whole line and needs no mark."""
    if position.outcome is None or position.outcome.reason != "four in a row" or last is None or before is None:
        return []
    own, changed = position.pieces[before.side], before.flips(last) | 1 << last.target
    squares = {square for four in FOURS if own & four == four and changed & four for square in members(four)}
    return [(Mark.WINNING, NAMES[square]) for square in sorted(squares)]


def pieces_in_words(position: YonmoquePosition) -> tuple[str, ...]:
    """Return a line for each player: pieces in hand, and those on the board by the colour of their squares."""
    return tuple(
        _(
            "{seat}: {number} in hand, {where}",
            seat=SEAT_NAMES[owner],
            number=position.hands[owner],
            where=_where(position, owner),
        )
        for owner in (BLUE, WHITE)
    )


_STANDING_ON: Final = (_("on blue {squares}"), _("on white {squares}"), _("on neutral {squares}"))
"""By the colour of the squares."""


def _where(position: YonmoquePosition, owner: int) -> str:
    """Return the squares of a player's pieces, grouped by colour, on which sliding depends."""
    squares = members(position.pieces[owner])
    groups = [
        ground.filled(squares=LazyJoin(COMMA, [NAMES[square] for square in squares if COLOURS[square] == colour]))
        for colour, ground in enumerate(_STANDING_ON)
        if any(COLOURS[square] == colour for square in squares)
    ]
    return LazyJoin(SEMICOLON, groups) if groups else _("none on the board")


def move_in_words(before: YonmoquePosition, turn: Turn) -> str:
    """Return a turn in words: "places a piece on c3", "moves a1-b2 and flips a2, a3"."""
    if turn.origin is None:
        return _("places a piece on {square}", square=turn)
    flipped = LazyJoin(COMMA, [NAMES[square] for square in members(before.flips(turn))])
    if not flipped:
        return _("moves {move}", move=turn)
    return _("moves {move} and flips {squares}", move=turn, squares=flipped)
