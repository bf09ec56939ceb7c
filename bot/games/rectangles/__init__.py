"""Rectangles of Distinction: draw rectangles with new corners and new areas; the last one to draw wins."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Final

from bot.games.game import Game, Position, Variant, View
from bot.games.rectangles import scene
from bot.games.rectangles.board import Turn
from bot.games.rectangles.rules import PLAYERS, SEAT_NAMES, RectanglesPosition, decode, start
from bot.games.rectangles.search import RectanglesState
from bot.games.symmetry import canonical_form, square_symmetries
from renderers.i18n import gettext_lazy as _
from renderers.i18n import pgettext_lazy as _p
from renderers.scene import Scene

__all__ = ["RECTANGLES", "Rectangles"]

_UPRIGHT: Final = _("Sides run along the grid.")
_TILTED: Final = _("Sides may run at any angle, as long as the four corners are dots.")
_BY_PLAYERS: Final = _("I never end the game: it is over when a player says that they are stuck, true or not.")


def _variants(dots: int) -> tuple[Variant, ...]:
    name, players = _("{dots} × {dots} dots", dots=dots), PLAYERS[dots]
    by_players = Variant(
        f"{dots}x{dots}-by-players",
        _("{name}, you say when it's over", name=name),
        players,
        {"dots": dots, "by_players": True},
        _BY_PLAYERS,
    )
    return (
        Variant(f"{dots}x{dots}", name, players, {"dots": dots}, _UPRIGHT),
        Variant(
            f"{dots}x{dots}-tilted",
            _("{name}, tilted", name=name),
            players,
            {"dots": dots, "tilted": True},
            _TILTED,
        ),
        # Among 4 x 4 dots everybody sees what is left.
        *([by_players] if dots > 4 else []),
    )


class Rectangles(Game):
    """Leroy Quet's game of 2009 for two to six players, on 4, 6, 8 or 10 dots a side, upright or tilted."""

    key: ClassVar[str] = "rectangles"
    name: ClassVar[str] = scene.TITLE
    designer: ClassVar[str] = "Leroy Quet"
    players: ClassVar[range] = range(2, 7)
    levels: ClassVar[int] = 8
    variants: ClassVar[tuple[Variant, ...]] = tuple(v for dots in (6, 8, 10, 4) for v in _variants(dots))
    # Translators: the words that people may type to say that they are stuck, with commas between.
    typed_words: ClassVar[Mapping[str, str]] = {"stuck": _p("typed move", "stuck")}
    summary: ClassVar[str] = _("Draw rectangles, no two of the same area; the last to draw one wins.")
    options: ClassVar[frozenset[str]] = frozenset({"dots", "tilted", "by_players"})
    showpiece = "8 upright 2 2 - 1:d1-f6,2:f7-g8,1:c6-h7,2:b1-e3,1:c2-f3,2:c1-h8,1:b4-f5 -"
    seat_names: ClassVar[tuple[str, ...]] = SEAT_NAMES
    positions: ClassVar[tuple[type[Position], ...]] = (RectanglesPosition,)

    finding: ClassVar[str] = _("a rectangle that can still be drawn: free corners, and an area that nobody has used")

    def first(self, players: int, **options: Any) -> RectanglesPosition:
        """Return the empty board.

        Options: ``dots`` a side (6), ``tilted`` rectangles (False), ``by_players`` whether only they end it (False).
        """
        dots, tilted = options.get("dots", 6), options.get("tilted", False)
        by_players = options.get("by_players", False)
        if not isinstance(dots, int) or not isinstance(tilted, bool) or not isinstance(by_players, bool):
            raise ValueError(f"dots is a number, other options are True or False, not {options!r}")
        return start(players, dots, tilted, by_players)

    def decode(self, text: str) -> RectanglesPosition:
        return decode(text)

    def search_state(self, position: RectanglesPosition) -> RectanglesState:
        return RectanglesState(position)

    def canonical_form(self, position: RectanglesPosition) -> Hashable:
        """Return the corners in use as the symmetries of a square see them, the areas in use and who still plays.

        The seat to move and the owners of rectangles are left out: every player may draw whatever is left.
        """
        count = position.dots * position.dots
        corners = bytes([position.taken >> dot & 1 for dot in range(count)])
        playing = position.players - len(position.gone)
        arranged, _side = canonical_form(corners, 0, square_symmetries(position.dots))
        return position.tilted, position.by_players, playing, arranged, position.taken >> count

    def draw(self, position: RectanglesPosition, view: View[RectanglesPosition, Turn]) -> Scene:
        return scene.draw(position, view)

    def pieces_in_words(self, position: RectanglesPosition) -> Sequence[str]:
        return scene.pieces_in_words(position)

    def move_in_words(self, before: RectanglesPosition, move: Turn) -> str:
        return scene.move_in_words(move)


RECTANGLES: Final = Rectangles()
