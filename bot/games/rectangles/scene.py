"""Positions of Rectangles of Distinction as scenes and in words. Decides no rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.game import IllegalMove, View, caption
from bot.games.rectangles.board import STUCK, Turn
from bot.games.rectangles.notation import rectangle
from bot.games.rectangles.rules import SEAT_NAMES, RectanglesPosition
from renderers.i18n import COMMA, SEMICOLON, LazyJoin
from renderers.i18n import gettext_lazy as _
from renderers.scene import SEATS, Ground, Mark, Outline, Scene, Slot, Tray

TITLE: Final = _("Rectangles of Distinction")


def draw(position: RectanglesPosition, view: View[RectanglesPosition, Turn]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says.

    It is the same from every seat: no player has a side of the board.
    """
    seat_names = SEAT_NAMES[: position.players]
    dots = [dot for dot in "".join(view.chosen).split("-") if dot and dot != STUCK.text]
    owners = {turn.area: SEATS[owner] for owner, turn in position.drawn}
    return Scene(
        files=position.dots,
        ranks=position.dots,
        ground=Ground.DOTS,
        marks=(
            *((Mark.USED, str(dot)) for dot in position.board.dots if position.taken & position.board.dot_bit(dot)),
            *((Mark.CHOSEN, dot) for dot in dots),
            *((Mark.TARGET, dot) for dot in view.targets),
        ),
        outlines=(
            *(_outline(owner, turn, turn == view.last) for owner, turn in position.drawn),
            *(_outline(position.side, turn, False) for turn in left_over(position)),
            # While a third corner is to come, the upright rectangle with the first two is not what was asked for.
            *(_outline(position.side, turn, True) for turn in _chosen(position, view.chosen) if not view.targets),
        ),
        trays=tuple(
            Tray(
                seat,
                SEAT_NAMES[seat],
                SEATS[seat],
                label=_("out") if seat in position.gone else "",
                to_move=seat == position.to_move,
            )
            for seat in range(position.players)
        ),
        notes=(*areas_in_words(position), *(_("Still to be drawn: {move}", move=turn) for turn in left_over(position))),
        strip=tuple(Slot(str(area), owners.get(area)) for area in position.board.areas),
        coordinates=view.coordinates,
        title=TITLE,
        caption=caption(position.result, _("{seat} to move", seat=seat_names[position.side]), seat_names, view.last),
        words=pieces_in_words(position),
    )


def left_over(position: RectanglesPosition) -> tuple[Turn, ...]:
    """Return a rectangle that was left to draw when a player said stuck: the largest, or none."""
    return tuple(sorted(position.possible, key=lambda turn: turn.area)[-1:]) if position.stuck else ()


def _chosen(position: RectanglesPosition, chosen: Sequence[str]) -> list[Turn]:
    """Return the rectangle that the dots chosen so far define, if any, as a list."""
    names = "".join(chosen).split("-")
    if len(names) < 2 or not position.board.names.keys() >= set(names):
        return []
    try:
        return [rectangle([position.board.names[name] for name in names], position.board)]
    except IllegalMove:
        return []


def _outline(owner: int, turn: Turn, latest: bool) -> Outline:
    return Outline(tuple(map(str, turn.corners)), SEATS[owner], str(turn.area), latest)


def areas_in_words(position: RectanglesPosition) -> tuple[str, str]:
    """Return a line of the areas used and one of the free areas, including those with no rectangle left."""
    board = position.board
    used = [str(area) for area in board.areas if position.taken & board.area_bit(area)]
    free = [str(area) for area in board.areas if not position.taken & board.area_bit(area)]
    return (
        _("Areas used: {areas}", areas=LazyJoin(COMMA, used)) if used else _("Areas used: none"),
        _("Areas free: {areas}", areas=LazyJoin(COMMA, free)) if free else _("Areas free: none"),
    )


def pieces_in_words(position: RectanglesPosition) -> tuple[str, ...]:
    """Return a line for each player with their rectangles, and one of the free dots, rank by rank."""
    players = []
    for seat in range(position.players):
        told = [_("{move} (area {area})", move=turn, area=turn.area) for owner, turn in position.drawn if owner == seat]
        if seat in position.gone:
            told.append(_("has left the game"))
        text = LazyJoin(COMMA, told) if told else _("nothing drawn")
        players.append(_("{head}: {text}", head=SEAT_NAMES[seat], text=text))
    free = position.board.free(position.taken)
    ranks = [" ".join(str(dot) for dot in free if dot.rank == rank) for rank in range(position.dots)]
    dots = LazyJoin(SEMICOLON, [rank for rank in ranks if rank])
    return (*players, _("Free dots: {dots}", dots=dots) if dots else _("Free dots: none"))


def move_in_words(turn: Turn) -> str:
    """Return a turn in words: "draws a1-c4: 2 × 3, area 6", "draws b1-d2-c4: tilted, area 5", "says stuck"."""
    if turn == STUCK:
        return _("says stuck")
    return _("draws {move}: {rectangle}", move=turn, rectangle=turn.in_short)
