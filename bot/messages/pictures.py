"""Pictures for messages, each with its alternative text, and which worker draws them. Does not know Discord."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

from bot.compute.job import JobDropped, JobSpec, Pool, Priority
from bot.games import GAMES
from bot.games.faults import leaving_out
from bot.games.game import Game
from bot.games.guides import Diagram
from bot.games.puzzles import Puzzle
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.messages import drawing
from bot.messages.drawing import Drawn, Perspective, Stepped
from bot.messages.wording import ENDS, place_in_words, shorten, without_mentions
from bot.storage.people import Preferences
from bot.storage.records import Entry, Match
from renderers.charts import crosstable, line_chart, profile, ranking
from renderers.i18n import SEMICOLON, enumerated, gettext_lazy, headed, prose, sentence, translated, ungrouped
from renderers.i18n import gettext as _
from renderers.pixels.theme import MEDIUM

P = ParamSpec("P")
T = TypeVar("T")

FILENAME = "board.png"
DESCRIPTION_LIMIT = 1024
"""Discord's limit for alternative text."""
PUBLIC = Preferences(theme=MEDIUM.name)
"""How pictures look that everybody sees, in a light chat or a dark one."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to be sent along."""

    data: bytes
    filename: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn board with its alternative text (at most 1024 characters, Discord's limit)."""

    data: bytes
    description: str
    filename: str = FILENAME


class BoardRenderer:
    """Draws off the event loop: the boards of turns in the pool for turns, everything else in the interactive pool."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def warm_up(self) -> None:
        """Have a worker ready before the first person needs one."""
        spec = JobSpec(Pool.INTERACTIVE, Priority.BACKGROUND)
        for theme in (PUBLIC.theme, Preferences().theme):
            await self._context.compute_as(spec, drawing.showpiece, next(iter(GAMES.values())), theme)

    async def diagram(self, diagram: Diagram, theme: str) -> Picture:
        """Draw a diagram of a guide."""
        return _picture(await self._draw_once(drawing.diagram, diagram, theme))

    async def showpiece(self, game: Game, theme: str = PUBLIC.theme) -> Picture | None:
        """Draw a small picture of a game; None if the game fails to."""
        spec = JobSpec(key=("showpiece", game.key, theme))
        with leaving_out(game, passing=(JobDropped, Refusal)):
            return _picture(
                await self._context.compute_as(spec, drawing.showpiece, game, theme), f"{game.key}-board.png"
            )
        return None

    async def thumbnail(self, game: Game, theme: str = PUBLIC.theme) -> Picture | None:
        """Draw a picture of a game that is shown very small; None if the game fails to."""
        spec = JobSpec(key=("thumbnail", game.key, theme))
        with leaving_out(game, passing=(JobDropped, Refusal)):
            return _picture(await self._context.compute_as(spec, drawing.thumbnail, game, theme), f"{game.key}.png")
        return None

    async def win(self, game: Game, theme: str = PUBLIC.theme) -> Picture | None:
        """Draw a small picture of a game that has just been won, or return None where there is none."""
        drawn = None
        with leaving_out(game, passing=(JobDropped, Refusal)):
            drawn = await self._context.compute_as(JobSpec(key=("win", game.key, theme)), drawing.win, game, theme)
        return None if drawn is None else _picture(drawn, "win.png")

    async def board(
        self, match: Match, game_state: GameState, seat: int = 0, preferences: Preferences = PUBLIC
    ) -> Picture:
        """Draw the board of a match for its message, seen from a seat: for everybody, or by a person's preferences."""
        return _picture(await self._context.compute(drawing.board, game_state, perspective(match, seat, preferences)))

    async def describe(self, match: Match, game_state: GameState, seat: int) -> str:
        """Return the alternative text of ``board``."""
        words = await self._context.compute(drawing.description, game_state, perspective(match, seat))
        return shorten(without_mentions(words), DESCRIPTION_LIMIT)

    async def drawn(
        self, game_state: GameState, look: Perspective, key: tuple[Hashable, ...], priority: Priority = Priority.LOOK
    ) -> Picture:
        """Draw a board as a person looks at it. ``key`` is what it depends on beside that."""
        spec = JobSpec(Pool.INTERACTIVE, priority, (*key, look))
        return _picture(await self._context.compute_as(spec, drawing.board, game_state, look))

    async def letters(self, game_state: GameState, look: Perspective, priority: Priority = Priority.LOOK) -> str:
        """Return a board in letters, for a code block."""
        spec = JobSpec(Pool.INTERACTIVE, priority)
        return without_mentions(await self._context.compute_as(spec, drawing.letters, game_state, look))

    async def look(self, match: Match, game_state: GameState, seat: int, preferences: Preferences) -> Picture:
        """Draw the board of a match, seen from a seat, by a person's preferences."""
        key = "board", match.id, game_state.ply, ()
        return await self.drawn(game_state, perspective(match, seat, preferences), key)

    async def puzzle(self, puzzle: Puzzle, game_state: GameState, seat: int, preferences: Preferences) -> Picture:
        """Draw the board of a puzzle, seen from a seat."""
        key = "puzzle", puzzle.key, game_state.ply
        return await self.drawn(game_state, at_puzzle(puzzle, seat, preferences), key)

    async def replay(
        self, match: Match, played: Sequence[Entry], seat: int, preferences: Preferences, *, end_first: bool = False
    ) -> Picture:
        """Draw a match as an animation through every position, seen from a seat, by a person's preferences.

        With ``end_first`` it begins with the last position.
        """
        look = perspective(match, seat, preferences)
        key = ("replay", match.id, len(played), look, end_first)
        spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, key, long=True)
        drawn = await self._context.compute_as(spec, drawing.replay, match.variant, played, look, end_first)
        return _picture(drawn, "replay.gif")

    async def replay_position(
        self,
        match: Match,
        played: Sequence[Entry],
        number: int,
        seat: int,
        preferences: Preferences,
        *,
        letters: bool,
        instead: str | None = None,
    ) -> tuple[Stepped, Picture | str]:
        """Return one position of a match, as a picture or in letters.

        With a move ``instead``, it is the position after that move.
        """
        look = perspective(match, seat, preferences)
        key = ("stepped", match.id, len(played), number, look, letters, instead)
        position = await self._context.compute_as(
            JobSpec(Pool.INTERACTIVE, Priority.LOOK, key),
            drawing.replay_position,
            match.variant,
            played,
            number,
            look,
            letters=letters,
            instead=instead,
        )
        shown = position.shown
        return position, without_mentions(shown) if isinstance(shown, str) else _picture(shown)

    async def comparison(
        self,
        match: Match,
        played: Sequence[Entry],
        better: Sequence[tuple[int, str]],
        seat: int,
        preferences: Preferences,
    ) -> list[tuple[Picture, Picture, str, str]]:
        """Draw moves of a match beside ``better`` ones: each a position's number and the text of a move.

        Return for each the two pictures, and both moves in words.
        """
        look = perspective(match, seat, preferences)
        spec = JobSpec(
            Pool.INTERACTIVE, Priority.LOOK, ("compared", match.id, len(played), tuple(better), look), long=True
        )
        comparisons = await self._context.compute_as(spec, drawing.comparison, match.variant, played, better, look)
        return [
            (
                _picture(compared.played, f"{number}-played.png"),
                _picture(compared.better, f"{number}-better.png"),
                compared.played_words,
                compared.better_words,
            )
            for (number, _), compared in zip(better, comparisons, strict=True)
        ]

    async def chances(self, chart: line_chart.Chart, words: str, theme: str) -> Picture:
        """Draw the chances to win over the moves of a match; ``words`` say the same."""
        data = await self._draw_once(line_chart.png, chart, theme)
        return _picture((data, prose([sentence(chart.title), words])), "chances.png")

    async def profile(
        self, name: str, rows: Sequence[profile.ProfileRow], chart: line_chart.Chart | None, theme: str
    ) -> Picture:
        """Draw how a person fares in each game, with their ratings over their rated matches in a ``chart``."""
        data = await self._draw_once(profile.png, name, tuple(rows), chart, theme)
        said = [sentence(_("Profile of {person}", person=name))]
        for row in rows:
            ends = _("last matches: {ends}", ends=enumerated(translated(ENDS[won]) for won in row.results))
            said.append(sentence(headed(row.name, translated(SEMICOLON).join([row.value, row.words, ends]))))
        if chart is not None:
            said += [
                _(
                    "{name}: from {first} to {last}.",
                    name=series.name,
                    first=ungrouped(series.points[0][1]),
                    last=ungrouped(series.points[-1][1]),
                )
                for series in chart.series
            ]
            said.append(sentence(chart.unit))
        return _picture((data, prose(said)), "profile.png")

    async def ranks(self, rows: Sequence[ranking.Row], title: str, theme: str) -> Picture:
        """Draw a page of a leaderboard."""
        data = await self._draw_once(ranking.png, tuple(rows), title, theme)
        words = enumerated(f"{place_in_words(row.rank)} {row.name} {row.value}" for row in rows)
        return _picture((data, sentence(headed(title, words))), "ranks.png")

    async def crosstable(
        self,
        lines: Sequence[crosstable.TableRow],
        points: str,
        legend: crosstable.Legend,
        winner: crosstable.Winner | None,
        words: str,
        theme: str = PUBLIC.theme,
    ) -> Picture:
        """Draw the table of a cup; ``words`` say the same."""
        data = await self._draw_once(crosstable.png, tuple(lines), points, tuple(legend), winner, theme)
        return _picture((data, words), "cup.png")

    async def text_board(self, match: Match, game_state: GameState, seat: int = 0) -> str:
        """Return the board of a match in letters, for a code block."""
        return await self.letters(game_state, perspective(match, seat))

    async def _draw_once(self, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a picture that is determined by its arguments, which are also its cache key."""
        given = args, tuple(sorted(kwargs.items()))
        spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, (draw.__module__, draw.__qualname__, given))
        return await self._context.compute_as(spec, draw, *args, **kwargs)


def perspective(match: Match, seat: int, preferences: Preferences = PUBLIC) -> Perspective:
    """Return how a match is seen from a seat, by a person's preferences."""
    many = len(match.seats) > 2  # then there is room for a short name of a computer player only
    people = (taken.person for taken in match.seats)
    names = tuple(
        gettext_lazy("Level {level}", level=person.level) if many and person.computer else person.name
        for person in people
    )
    return Perspective(match.game, names, seat, preferences.theme, preferences.coordinates)


def nameless(match: Match) -> Match:
    """Return a match whose boards name no person, for pictures that stay as they are when data is deleted."""
    seats = tuple(
        seat if seat.person.computer else replace(seat, person=replace(seat.person, name="")) for seat in match.seats
    )
    return replace(match, seats=seats)


def at_puzzle(puzzle: Puzzle, seat: int, preferences: Preferences) -> Perspective:
    """Return how a puzzle is seen from a seat, by a person's preferences."""
    return Perspective(puzzle.game.key, (), seat, preferences.theme, preferences.coordinates)


def _picture(drawn: Drawn, filename: str = FILENAME) -> Picture:
    """Return a picture with its alternative text, which holds no mentions or links."""
    data, description = drawn
    return Picture(data, shorten(without_mentions(description), DESCRIPTION_LIMIT), filename)
