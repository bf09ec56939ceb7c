"""Pictures of positions for messages. Drawn in worker threads; knows how to attach them, not where."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import discord

from bot.games import GAMES
from bot.games.game import Game, Result
from bot.games.guides import guide
from bot.matches.context import Context
from bot.matches.positions import Standing, standings
from bot.storage.records import Match, PlayedMove, Preferences
from bot.views.wording import listed, seat_name, shorten
from renderers import animation, chart, image, ranking, text
from renderers.scene import Scene

FILENAME = "board.png"
SMALL = 450
"""The width of small pictures, in pixels."""
DESCRIPTION_LIMIT = 1024
"""Discord's limit for alternative text."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to be sent along."""

    data: bytes
    filename: str

    def file(self) -> discord.File:
        """Return a new attachment; each can be sent once."""
        return discord.File(io.BytesIO(self.data), self.filename)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn board with its alternative text (at most 1024 characters, Discord's limit)."""

    data: bytes
    description: str
    filename: str = FILENAME

    def file(self) -> discord.File:
        """Return a new attachment; each can be sent once."""
        return discord.File(io.BytesIO(self.data), self.filename, description=self.description)

    def gallery(self) -> discord.ui.MediaGallery[discord.ui.LayoutView]:
        """Return the component that shows the attachment."""
        return gallery(self.description, self.filename)

    def beside(self, words: str) -> discord.ui.Section[discord.ui.LayoutView]:
        """Return words with the attachment as a small picture beside them."""
        thumbnail: discord.ui.Thumbnail[discord.ui.LayoutView] = discord.ui.Thumbnail(
            f"attachment://{self.filename}", description=self.description
        )
        return discord.ui.Section(words, accessory=thumbnail)


def gallery(description: str, filename: str = FILENAME) -> discord.ui.MediaGallery[discord.ui.LayoutView]:
    """Return a component that shows a picture attached to its message."""
    return discord.ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{filename}", description=description))


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A move under construction: the keys of the steps chosen so far, and the squares that may come next."""

    chosen: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class Studio:
    """Draws scenes off the event loop."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def draw(self, scene: Scene, theme: str = "dark") -> Picture:
        """Draw any scene."""
        return await self._context.compute(_draw, scene, theme)

    async def showpiece(self, game: Game, theme: str = "dark") -> Picture:
        """Draw a small picture of a game: the fullest board of its guide, because a first position is often empty."""
        return await self._context.compute(_draw_showpiece, game, theme)

    async def board(
        self,
        match: Match,
        standing: Standing,
        seat: int = 0,
        under_way: UnderWay | None = None,
        wanted: Preferences | None = None,
    ) -> Picture:
        """Draw where a match stands, seen from a seat, as somebody likes to see it, with a move under construction."""
        shown = wanted or Preferences()
        return await self._context.compute(_draw_board, match, standing, seat, under_way, shown)

    async def replay(self, match: Match, played: Sequence[PlayedMove], seat: int, wanted: Preferences) -> Picture:
        """Draw a match as an animation that goes through every position, seen from a seat as somebody likes it."""
        return await self._context.compute(_draw_replay, match, played, seat, wanted)

    async def ratings(self, series: Sequence[chart.Series], title: str, theme: str) -> Picture:
        """Draw how ratings went over time."""
        data = await self._context.compute(chart.lines, series, title, theme)
        last = "; ".join(f"{one.name}: {one.points[-1][1]:.0f} after {len(one.points)} matches" for one in series)
        return Picture(data, shorten(f"{title}. {last}.", DESCRIPTION_LIMIT), "ratings.png")

    async def ranks(self, rows: Sequence[ranking.Row], title: str, theme: str) -> Picture:
        """Draw a page of a leaderboard."""
        data = await self._context.compute(ranking.table, rows, title, theme)
        words = ", ".join(f"{row.rank}. {row.name} {row.value}" for row in rows)
        return Picture(data, shorten(f"{title}: {words}.", DESCRIPTION_LIMIT), "ranks.png")

    async def text_board(
        self, match: Match, standing: Standing, seat: int = 0, under_way: UnderWay | None = None
    ) -> str:
        """Return the board in letters, for a code block."""
        return await self._context.compute(_text_board, match, standing, seat, under_way)

    async def describe(self, match: Match, standing: Standing, seat: int) -> str:
        """Return the alternative text of ``board``."""
        return await self._context.compute(_describe, match, standing, seat)


def _draw(scene: Scene, theme: str) -> Picture:
    return Picture(image.png(scene, theme=theme), text.description(scene))


@cache
def _draw_showpiece(game: Game, theme: str) -> Picture:
    scenes = [diagram.scene() for page in guide(game) for diagram in page.diagrams]
    fullest = max(scenes, key=lambda scene: (len(scene.outlines), len(scene.pieces), len(scene.paths)))
    board = replace(fullest, trays=(), notes=(), edges=(), coordinates=False)
    description = shorten(f"An example: {text.description(fullest)}", DESCRIPTION_LIMIT)
    return Picture(image.png(board, theme, SMALL), description, f"{game.key}.png")


def _draw_board(
    match: Match, standing: Standing, seat: int, under_way: UnderWay | None, wanted: Preferences
) -> Picture:
    return _draw(_scene(match, standing, seat, under_way, coordinates=wanted.coordinates), wanted.theme)


def _draw_replay(match: Match, played: Sequence[PlayedMove], seat: int, wanted: Preferences) -> Picture:
    game = GAMES[match.game]
    every = standings(game, match.variant, len(match.seats), played)
    scenes = [_scene(match, standing, seat, coordinates=wanted.coordinates) for standing in every]
    description = f"A replay in {len(scenes)} positions. The last: {text.description(scenes[-1])}"
    return Picture(animation.gif(scenes, wanted.theme), shorten(description, DESCRIPTION_LIMIT), "replay.gif")


def _text_board(match: Match, standing: Standing, seat: int, under_way: UnderWay | None) -> str:
    return text.board(_scene(match, standing, seat, under_way))


def _describe(match: Match, standing: Standing, seat: int) -> str:
    return text.description(_scene(match, standing, seat))


def _scene(
    match: Match, standing: Standing, seat: int, under_way: UnderWay | None = None, *, coordinates: bool = True
) -> Scene:
    move = under_way or UnderWay()
    # A move under construction shows where things stand now; the marks of the last move would be in its way.
    last, before = (None, None) if move.chosen else (standing.last, standing.before)
    scene = GAMES[match.game].scene(
        standing.position,
        last=last,
        seat=seat,
        before=before,
        chosen=move.chosen,
        targets=move.targets,
        coordinates=coordinates,
    )
    if standing.ended is not None:
        scene = replace(scene, caption=_ended(match, standing.ended))
    if standing.result is not None:
        scene = scene.ended(standing.result.winners)
    names = {taken.seat: taken.person.name for taken in match.seats}
    return replace(
        scene,
        trays=tuple(replace(tray, player=names[tray.seat]) if tray.seat in names else tray for tray in scene.trays),
    )


def _ended(match: Match, ended: Result) -> str:
    """Sum up an end that the board does not show, such as a resignation."""
    if len(ended.winners) == len(match.seats):
        return f"Draw: {ended.reason}."
    names = listed(seat_name(match, seat) for seat in sorted(ended.winners))
    return f"{names} {'wins' if len(ended.winners) == 1 else 'win'}: {ended.reason}."
