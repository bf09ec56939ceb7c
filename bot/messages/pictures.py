"""Pictures for messages, each with its alternative text, and which worker draws them. Does not know Discord."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.games.game import Game
from bot.games.guides import Diagram
from bot.games.puzzles import Puzzle
from bot.matches.model.game_state import GameState
from bot.matches.service_context import ServiceContext
from bot.messages import drawing
from bot.messages.drawing import Drawn, PendingMove, Perspective, Stepped
from bot.messages.wording import inert, shorten
from bot.storage.people import Preferences
from bot.storage.records import Match, Person, PlayedMove
from renderers.charts import crosstable, line_chart, ranking
from renderers.i18n import SEMICOLON, enumerated, gettext_lazy, headed, prose, sentence, translated, ungrouped
from renderers.i18n import ngettext as _n
from renderers.pixels.layout import FULL_WIDTH

P = ParamSpec("P")
T = TypeVar("T")

FILENAME = "board.png"
DESCRIPTION_LIMIT = 1024
"""Discord's limit for alternative text."""


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
    """Draws off the event loop: the boards of turns in the pool for turns, everything else in the pool for pictures."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def warm_up(self) -> None:
        """Have a worker ready before the first person needs one."""
        spec = JobSpec(Pool.PICTURES, Priority.BACKGROUND)
        await self._context.compute_as(spec, drawing.showpiece, next(iter(GAMES.values())), "dark")

    async def diagram(self, diagram: Diagram, theme: str = "dark") -> Picture:
        """Draw a diagram of a guide."""
        return _picture(await self._looked_at(drawing.diagram, diagram, theme))

    async def showpiece(self, game: Game, theme: str = "dark") -> Picture:
        """Draw a small picture of a game."""
        spec = JobSpec(key=("showpiece", game.key, theme))
        drawn = await self._context.compute_as(spec, drawing.showpiece, game, theme)
        return _picture(drawn, f"{game.key}.png")

    async def win(self, game: Game, theme: str = "dark") -> Picture | None:
        """Draw a small picture of a game that has just been won, or return None where there is none."""
        drawn = await self._context.compute_as(JobSpec(key=("win", game.key, theme)), drawing.win, game, theme)
        return None if drawn is None else _picture(drawn, "win.png")

    async def board(self, match: Match, game_state: GameState, seat: int = 0) -> Picture:
        """Draw the board of a match for its public message, seen from a seat."""
        return _picture(await self._context.compute(drawing.board, game_state, perspective(match, seat)))

    async def describe(self, match: Match, game_state: GameState, seat: int) -> str:
        """Return the alternative text of ``board``."""
        words = await self._context.compute(drawing.description, game_state, perspective(match, seat))
        return shorten(inert(words), DESCRIPTION_LIMIT)

    async def look(self, match: Match, game_state: GameState, seat: int, wanted: Preferences) -> Picture:
        """Draw the board of a match, seen from a seat, by a person's preferences."""
        look = perspective(match, seat, wanted)
        spec = JobSpec(Pool.PICTURES, Priority.LOOK, ("board", match.id, game_state.ply, look))
        return _picture(await self._context.compute_as(spec, drawing.board, game_state, look))

    async def pending(
        self, match: Match, game_state: GameState, seat: int, move: PendingMove, wanted: Preferences
    ) -> Picture:
        """Draw a move under construction, by the player's preferences."""
        look = perspective(match, seat, wanted, move)
        spec = JobSpec(Pool.PICTURES, Priority.MOVE, ("board", match.id, game_state.ply, look))
        return _picture(await self._context.compute_as(spec, drawing.board, game_state, look))

    async def puzzle(
        self, puzzle: Puzzle, game_state: GameState, seat: int, wanted: Preferences, pending: PendingMove | None = None
    ) -> Picture:
        """Draw the board of a puzzle, seen from a seat, with the move under construction if there is one."""
        look = at_puzzle(puzzle, seat, wanted, pending)
        priority = Priority.LOOK if pending is None else Priority.MOVE
        spec = JobSpec(Pool.PICTURES, priority, ("puzzle", puzzle.key, game_state.ply, look))
        return _picture(await self._context.compute_as(spec, drawing.board, game_state, look))

    async def puzzle_text(
        self, puzzle: Puzzle, game_state: GameState, seat: int, pending: PendingMove | None = None
    ) -> str:
        """Return the board of a puzzle in letters, for a code block."""
        look = at_puzzle(puzzle, seat, Preferences(), pending)
        spec = JobSpec(Pool.PICTURES, Priority.LOOK if pending is None else Priority.MOVE)
        return inert(await self._context.compute_as(spec, drawing.letters, game_state, look))

    async def replay(self, match: Match, played: Sequence[PlayedMove], seat: int, wanted: Preferences) -> Picture:
        """Draw a match as an animation through every position, seen from a seat, by a person's preferences."""
        look = perspective(match, seat, wanted)
        spec = JobSpec(Pool.PICTURES, Priority.LOOK, ("replay", match.id, len(played), look), long=True)
        drawn = await self._context.compute_as(spec, drawing.replay, match.variant, played, look)
        return _picture(drawn, "replay.gif")

    async def stepped(
        self,
        match: Match,
        played: Sequence[PlayedMove],
        number: int,
        seat: int,
        wanted: Preferences,
        *,
        letters: bool,
        instead: str | None = None,
    ) -> tuple[Stepped, Picture | str]:
        """Return one position of a match, as a picture or in letters.

        With a move ``instead``, it is the position after that move.
        """
        look = perspective(match, seat, wanted)
        key = ("stepped", match.id, len(played), number, look, letters, instead)
        found = await self._context.compute_as(
            JobSpec(Pool.PICTURES, Priority.LOOK, key),
            drawing.stepped,
            match.variant,
            played,
            number,
            look,
            letters=letters,
            instead=instead,
        )
        return found, inert(found.shown) if isinstance(found.shown, str) else _picture(found.shown)

    async def compared(
        self,
        match: Match,
        played: Sequence[PlayedMove],
        better: Sequence[tuple[int, str]],
        seat: int,
        wanted: Preferences,
    ) -> list[tuple[Picture, Picture, str, str]]:
        """Draw moves of a match beside ``better`` ones: each a position's number and the text of a move.

        Return for each the two pictures, and both moves in words.
        """
        look = perspective(match, seat, wanted)
        spec = JobSpec(
            Pool.PICTURES, Priority.LOOK, ("compared", match.id, len(played), tuple(better), look), long=True
        )
        found = await self._context.compute_as(spec, drawing.compared, match.variant, played, better, look)
        return [
            (
                _picture(one.played, f"{number}-played.png"),
                _picture(one.better, f"{number}-better.png"),
                one.played_words,
                one.better_words,
            )
            for (number, _), one in zip(better, found, strict=True)
        ]

    async def chances(self, series: Sequence[line_chart.Series], title: str, words: str, theme: str) -> Picture:
        """Draw the chances to win, in per cent, over the moves of a match; ``words`` say the same."""
        data = await self._looked_at(line_chart.png, tuple(series), title, theme, span=(0, 100))
        return _picture((data, prose([sentence(title), words])), "chances.png")

    async def ratings(self, series: Sequence[line_chart.Series], title: str, theme: str) -> Picture:
        """Draw ratings over time."""
        data = await self._looked_at(line_chart.png, tuple(series), title, theme)
        last = translated(SEMICOLON).join(
            _n(
                "{name}: {rating} after {n} match",
                "{name}: {rating} after {n} matches",
                len(one.points),
                name=one.name,
                rating=ungrouped(one.points[-1][1]),
            )
            for one in series
        )
        return _picture((data, prose([sentence(title), sentence(last)])), "ratings.png")

    async def ranks(self, rows: Sequence[ranking.Row], title: str, theme: str) -> Picture:
        """Draw a page of a leaderboard."""
        data = await self._looked_at(ranking.png, tuple(rows), title, theme)
        words = enumerated(f"{row.rank}. {row.name} {row.value}" for row in rows)
        return _picture((data, sentence(headed(title, words))), "ranks.png")

    async def crosstable(
        self,
        lines: Sequence[crosstable.Line],
        title: str,
        points: str,
        legend: Sequence[str],
        words: str,
        theme: str = "dark",
    ) -> Picture:
        """Draw the table of a cup; ``words`` say the same."""
        data = await self._looked_at(crosstable.png, tuple(lines), title, points, tuple(legend), theme)
        return _picture((data, words), "cup.png")

    async def text_board(
        self, match: Match, game_state: GameState, seat: int = 0, pending: PendingMove | None = None
    ) -> str:
        """Return the board in letters, for a code block."""
        look = perspective(match, seat, Preferences(), pending or PendingMove())
        spec = JobSpec(Pool.PICTURES, Priority.MOVE if pending else Priority.LOOK)
        return inert(await self._context.compute_as(spec, drawing.letters, game_state, look))

    async def _looked_at(self, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Draw a picture that depends on the arguments alone, so that its key is made of them."""
        given = args, tuple(sorted(kwargs.items()))
        spec = JobSpec(Pool.PICTURES, Priority.LOOK, (draw.__module__, draw.__qualname__, given))
        return await self._context.compute_as(spec, draw, *args, **kwargs)


def perspective(
    match: Match,
    seat: int,
    wanted: Preferences | None = None,
    pending: PendingMove | None = None,
    width: int = FULL_WIDTH,
) -> Perspective:
    """Return how a match is seen from a seat, by a person's preferences."""
    shown = wanted or Preferences()
    names = tuple(_named(taken.person, many=len(match.seats) > 2) for taken in match.seats)
    return Perspective(match.game, names, seat, shown.theme, shown.coordinates, pending or PendingMove(), width)


def _named(person: Person, *, many: bool) -> str:
    """Return the name of a player on a board; where there are ``many``, computer players have a short one."""
    return gettext_lazy("Level {level}", level=person.level) if many and person.computer else person.name


def at_puzzle(
    puzzle: Puzzle, seat: int, wanted: Preferences, pending: PendingMove | None, width: int = FULL_WIDTH
) -> Perspective:
    """Return how a puzzle is seen from a seat, by a person's preferences."""
    return Perspective(puzzle.game.key, (), seat, wanted.theme, wanted.coordinates, pending or PendingMove(), width)


def _picture(drawn: Drawn, filename: str = FILENAME) -> Picture:
    """Return a picture with its alternative text, which holds no mentions or links."""
    data, description = drawn
    return Picture(data, shorten(inert(description), DESCRIPTION_LIMIT), filename)
