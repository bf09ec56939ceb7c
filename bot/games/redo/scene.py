"""Positions of Redo as scenes and in words. Decides no rule."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from bot.games.game import IllegalMove, View, caption
from bot.games.redo.board import COORDINATES, FILES, NAMES, PLACES, RANKS, RED, SEATS, Turn, members
from bot.games.redo.notation import letter
from bot.games.redo.rules import SEAT_NAMES, RedoPosition
from renderers.i18n import COMMA, SEMICOLON, LazyJoin
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n
from renderers.scene import Colour, Ground, Mark, Path, Piece, Scene, Shape, Side, Tray

_COLOURS: Final = (Colour.WHITE, Colour.RED)
_HEADINGS: Final = (Side.TOP, Side.BOTTOM)
_TILES: Final = tuple((Colour.SHADE, Colour.PLAIN)[(file + rank) % 2] for file, rank in COORDINATES)


def draw(position: RedoPosition, view: View[RedoPosition, Turn]) -> Scene:
    """Return the scene of ``position``, seen as ``view`` says.

    A complete move under construction appears as if it were played, except in the trays.
    """
    begun: Turn | None = None
    with suppress(IllegalMove):
        turn = position.parse("".join(view.chosen))
        begun = turn if turn.target else None  # a pass changes nothing
    shown = position if begun is None else position.play(begun)
    marks: list[tuple[Mark, str]] = []
    if view.last is not None and view.last.target:
        marks = [(Mark.LEFT, NAMES[view.last.origin]), (Mark.ENTERED, NAMES[view.last.target])]
        marks += _changes(view.last, view.before)
    squares = [square for key in view.chosen if (square := key.lstrip("-x").rstrip("+")) in PLACES]
    return Scene(
        files=FILES,
        ranks=RANKS,
        ground=Ground.TILES,
        tiles=_TILES,
        pieces=tuple(_piece(shown, owner, at) for owner in SEATS for at in members(shown.pieces[owner])),
        marks=(
            *marks,
            *((Mark.CHOSEN, square) for square in squares),
            *((Mark.TARGET, square) for square in view.targets),
            *_changes(begun, position),
        ),
        paths=_way(begun) if begun is not None else _way(view.last) if view.last and view.last.jumped else (),
        trays=tuple(
            Tray(
                seat=owner,
                name=SEAT_NAMES[owner],
                colour=_COLOURS[owner],
                label=_n("{n} piece", "{n} pieces", position.points[owner]),
                to_move=owner == position.to_move,
                heading=_HEADINGS[owner],
                share=position.points[owner] / max(1, sum(position.points)),
            )
            for owner in SEATS
        ),
        homes=tuple(zip(reversed(_HEADINGS), _COLOURS, strict=True)),
        turned=view.seat == RED,
        coordinates=view.coordinates,
        title=_("Redo"),
        caption=caption(position.result, _("{seat} to move", seat=SEAT_NAMES[position.side]), SEAT_NAMES, view.last),
        words=pieces_in_words(shown),
    )


def _piece(position: RedoPosition, owner: int, square: int) -> Piece:
    # "wt" rather than the notation's "W" for a tower: a screen reader reads capitals and small letters alike.
    shape, after = (Shape.TOWER, "t") if position.towers & square else (Shape.DISC, "")
    return Piece(NAMES[square], shape, _COLOURS[owner], letter(owner, tower=False) + after)


def _way(turn: Turn) -> tuple[Path, ...]:
    return (Path((NAMES[turn.origin], NAMES[turn.target])),)


def _changes(turn: Turn | None, before: RedoPosition | None) -> list[tuple[Mark, str]]:
    return [(Mark.CHANGED, NAMES[square]) for square in members(before.converted(turn))] if turn and before else []


def pieces_in_words(position: RedoPosition) -> tuple[str, ...]:
    """Return a line for each player with the numbers and squares of discs and towers."""
    lines = []
    for owner in SEATS:
        own = position.pieces[owner]
        discs, towers = members(own & ~position.towers), members(own & position.towers)
        groups = []
        if discs:
            where = LazyJoin(COMMA, [NAMES[square] for square in discs])
            groups.append(_n("{n} disc on {squares}", "{n} discs on {squares}", len(discs), squares=where))
        if towers:
            where = LazyJoin(COMMA, [NAMES[square] for square in towers])
            groups.append(_n("{n} tower on {squares}", "{n} towers on {squares}", len(towers), squares=where))
        if groups:
            lines.append(_("{head}: {text}", head=SEAT_NAMES[owner], text=LazyJoin(SEMICOLON, groups)))
        else:
            lines.append(_("{seat}: no pieces on the board", seat=SEAT_NAMES[owner]))
    return tuple(lines)


def move_in_words(before: RedoPosition, turn: Turn) -> str:
    """Return a turn in words: "moves c2-c3", "promotes c1-c2+", "jumps c4xc6 and converts b6, c5", "passes"."""
    if not turn.target:
        return _("passes") if len(before.legal_moves()) > 1 else _("has no move and passes")
    if turn.promotes:
        return _("stacks {start} on {end}: a tower", start=NAMES[turn.origin], end=NAMES[turn.target])
    converted = LazyJoin(COMMA, [NAMES[square] for square in members(before.converted(turn))])
    if not converted:
        return _("jumps {move}", move=turn) if turn.jumped else _("moves {move}", move=turn)
    done = _("jumps {move} and converts {squares}") if turn.jumped else _("moves {move} and converts {squares}")
    return done.filled(move=turn, squares=converted)
