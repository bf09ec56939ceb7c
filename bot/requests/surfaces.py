"""What a person puts a move together on: a match, a place of a plan, or a puzzle, in Discord and on the page alike.

A surface answers what may be chosen next and what the choices do. What becomes of a complete move is for the way in.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.games.game import Game, Position
from bot.games.puzzles import TaskKind
from bot.matches.model.building import BuilderState, Choices, Consent, build
from bot.matches.model.game_state import GameState
from bot.matches.model.plan import NOTHING_TO_PLAN
from bot.matches.model.puzzles import states
from bot.matches.model.refusals import Refusal
from bot.matches.services.plans import PlannedPosition
from bot.matches.services.puzzles import PUZZLE_ENDED, PuzzleView
from bot.messages.drawing import PendingMove, Perspective
from bot.messages.pictures import at_puzzle, perspective
from bot.requests.actions import consent_of
from bot.requests.request import Request
from bot.storage.people import Preferences
from bot.storage.records import AttemptState, Match
from renderers.i18n import LazyText
from renderers.i18n import gettext as _
from renderers.pixels.layout import FULL_WIDTH


@dataclass(frozen=True, slots=True)
class Surface:
    """A position in which a person puts a move together, ``seen`` from their side.

    Pictures of it depend on its ``key`` and how it is looked at. With ``squares_only`` the first choices are squares:
    which of them make a move is the task. ``secret`` is a text that is no example of a move.
    """

    game_state: GameState
    variant: str
    seen: Perspective
    key: tuple[Hashable, ...]
    squares_only: bool = False
    secret: str = ""
    confirmation: str = ""
    """The label of the button that carries a move out, where that is not to play it."""
    closed: LazyText | None = None
    """Why no move can be put together."""

    @property
    def game(self) -> Game:
        return GAMES[self.seen.game]

    @property
    def position(self) -> Position:
        return self.game_state.position

    @property
    def seat(self) -> int:
        return self.seen.seat

    def look(
        self, preferences: Preferences, pending: PendingMove | None = None, width: int = FULL_WIDTH, flip: int = 0
    ) -> Perspective:
        """Return how a person sees it by their preferences: from their side, or ``flip`` seats further."""
        seat = (self.seat + flip) % max(2, len(self.seen.names))
        look = replace(self.seen, seat=seat, theme=preferences.theme, coordinates=preferences.coordinates)
        return replace(look, pending=pending or PendingMove(), width=width)

    def check(self) -> None:
        """Raise ``Refusal`` where no move can be put together."""
        if self.closed is not None:
            raise Refusal(self.closed)

    async def build(self, request: Request, choices: Choices) -> BuilderState:
        """Return what some choices lead to. Raises ``Refusal``."""
        self.check()
        state = await request.services.compute_as(
            JobSpec(Pool.INTERACTIVE, Priority.MOVE),
            build,
            self.game.key,
            self.position,
            choices,
            squares_only=self.squares_only,
            secret=self.secret,
        )
        return replace(state, confirmation=self.confirmation) if self.confirmation and state.move else state

    def agreed(self, request: Request, state: BuilderState, choices: Choices, consent: Consent) -> str | None:
        """Return the move to be carried out, or None where there is more to choose or to ask.

        Where the task is to find a move, a choice that makes none is a guess.
        """
        if state.problem is not None and self.squares_only and consent is not Consent.NONE:
            return "".join(choices)
        return str(state.move) if state.plays(consent_of(request, consent)) else None


def of_match(match: Match, game_state: GameState, seat: int, planned: tuple[str, ...] = ()) -> Surface:
    """Return the board of a match, seen from a seat; ``planned`` are moves that are not played and led to the state."""
    key = "board", match.id, game_state.ply, planned
    return Surface(game_state, match.variant, perspective(match, seat), key)


def of_place(place: PlannedPosition) -> Surface:
    """Return the board that would stand at a place of a plan."""
    surface = of_match(place.view.match, place.game_state, place.view.seat, place.path)
    closed = None if place.game_state.result is None else NOTHING_TO_PLAN
    return replace(surface, confirmation=_("Plan it"), closed=closed)


def of_puzzle(view: PuzzleView, game_state: GameState) -> Surface:
    """Return the board of a puzzle, as far as the person has come."""
    puzzle, ply, is_open = view.puzzle, game_state.ply, view.attempt.state is AttemptState.OPEN
    return Surface(
        game_state,
        puzzle.variant,
        at_puzzle(puzzle, puzzle.seat, Preferences()),
        ("puzzle", puzzle.key, ply),
        squares_only=puzzle.task.kind is TaskKind.FIND,
        secret=puzzle.solution[ply] if is_open else "",
        closed=None if is_open else PUZZLE_ENDED,
    )


async def puzzle_line(request: Request, view: PuzzleView) -> list[tuple[GameState, str]]:
    """Return the states of a puzzle as far as the person has come; all of the solution once they are done."""
    plies = view.attempt.ply if view.attempt.state is AttemptState.OPEN else None
    return await request.services.compute(states, view.puzzle, plies)
