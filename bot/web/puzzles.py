"""Puzzles on the page: the same board and the same choices as in a match, and tries in the place of moves."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from bot.compute.job import JobSpec, Pool, Priority
from bot.games.puzzles import TaskKind
from bot.matches.model.building import Consent, build
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import states
from bot.matches.model.refusals import Refusal
from bot.matches.services.puzzles import PuzzleView
from bot.messages.drawing import PendingMove, Perspective
from bot.messages.guides import guide_pages
from bot.messages.pictures import at_puzzle
from bot.messages.puzzle_words import game_of, task, tried_words, verdict, why
from bot.requests import actions
from bot.requests.context import SUGGESTION
from bot.requests.outcome import execute
from bot.requests.request import Request
from bot.storage.puzzles import versions
from bot.storage.records import AttemptState
from bot.web import boards
from bot.web.api import Api, Data, choices_asked, json_answer, letters_asked, ply_asked
from bot.web.guards import keys_in, number_in
from bot.web.match_state import in_letters, width_of
from bot.web.sharing import channel_for_puzzles
from bot.web.visitors import request_of
from renderers.i18n import gettext as _
from renderers.i18n import translated


class PuzzleRoutes:
    """The addresses of puzzles under ``prefix``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        puzzle = prefix + r"/api/puzzle/{attempt:\d{1,18}}"
        router.add_get(puzzle, self._state)
        router.add_get(puzzle + "/choices", self._choices)
        router.add_get(puzzle + "/picture", self._picture)
        router.add_get(puzzle + "/rules", self._rules)
        router.add_get(puzzle + "/live", self._live)
        router.add_post(puzzle + "/move", self._move)
        router.add_post(puzzle + "/show", self._show)
        router.add_post(puzzle + "/another", self._another)

    async def _state(self, http: web.Request) -> web.StreamResponse:
        attempt_id, width = int(http.match_info["attempt"]), width_of(number_in(http.query.get("width"), 10_000))
        letters = letters_asked(http.query)
        return json_answer(
            await self._api.read(http, "puzzle", lambda request: _state(request, attempt_id, width, letters))
        )

    async def _choices(self, http: web.Request) -> web.StreamResponse:
        attempt_id, keys = int(http.match_info["attempt"]), choices_asked(http.query.get("keys", "[]"))

        async def choices(request: Request) -> Data:
            view = await request.services.puzzles.view(request.person.id, attempt_id)
            return await _choices(request, view, await _reached(request, view), keys)

        return json_answer(await self._api.read(http, "choices", choices))

    async def _picture(self, http: web.Request) -> web.StreamResponse:
        attempt_id, keys = int(http.match_info["attempt"]), choices_asked(http.query.get("keys", "[]"))
        width = width_of(number_in(http.query.get("width"), 10_000))

        async def picture(request: Request) -> bytes:
            view = await request.services.puzzles.view(request.person.id, attempt_id)
            reached = (await _reached(request, view))[-1][0]
            look = _look(request, view, reached, width, keys)
            spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page puzzle", view.puzzle.key, reached.ply, look))
            return await request.services.compute_as(spec, boards.picture, reached, look)

        outcome = await self._api.read(http, "picture", picture)
        return (
            json_answer(outcome)
            if outcome.value is None
            else web.Response(body=outcome.value, content_type="image/png")
        )

    async def _rules(self, http: web.Request) -> web.StreamResponse:
        attempt_id = int(http.match_info["attempt"])

        async def rules(request: Request) -> Data:
            puzzle = (await request.services.puzzles.view(request.person.id, attempt_id)).puzzle
            pages = guide_pages(puzzle.game, puzzle.game.variant(puzzle.variant))
            return {"pages": [{"title": translated(page.title), "text": translated(page.text)} for page in pages]}

        return json_answer(await self._api.read(http, "rules", rules))

    async def _live(self, http: web.Request) -> web.StreamResponse:
        attempt_id, visitor = int(http.match_info["attempt"]), await self._api.visitor(http)
        request = request_of(self._api.context(), visitor, "live")
        outcome = await execute(
            request, lambda begun: begun.services.puzzles.view(begun.person.id, attempt_id), points=SUGGESTION
        )
        if outcome.value is None:
            return json_answer(outcome)
        return await self._api.news().attend(http, visitor, ("puzzle", attempt_id))

    async def _move(self, http: web.Request) -> web.StreamResponse:
        """Try the move that some choices make, or ask about it first."""
        attempt_id, (visitor, data) = int(http.match_info["attempt"]), await self._api.posted(http)
        keys, ply = keys_in(data.get("keys")), ply_asked(data)
        consent = Consent.CONFIRMED if data.get("confirmed") is True else Consent.CHOICE

        async def tried(request: Request) -> Data:
            view = await request.services.puzzles.view(request.person.id, attempt_id)
            reached = await _reached(request, view)
            state = await request.services.compute(build, view.puzzle.game.key, reached[-1][0].position, keys)
            guessed = state.problem is not None and view.puzzle.task.kind is TaskKind.FIND
            if not guessed and not state.plays(actions.consent_of(request, consent)):
                return {"building": await _choices(request, view, reached, keys)}
            text = "".join(keys) if guessed else str(state.move)
            done = await request.services.puzzles.try_move(request.person.id, attempt_id, ply, text, request.id)
            return {"played": text, "right": done.tried.right, "words": tried_words(done.view, done.tried)}

        return await self._api.execute(visitor, data, "try", tried)

    async def _show(self, http: web.Request) -> web.StreamResponse:
        """Give the puzzle up."""
        attempt_id, (visitor, data) = int(http.match_info["attempt"]), await self._api.posted(http)

        async def show(request: Request) -> Data:
            await request.services.puzzles.show(request.person.id, attempt_id, request.id)
            return {"words": ""}

        return await self._api.execute(visitor, data, "show", show)

    async def _another(self, http: web.Request) -> web.StreamResponse:
        """Begin another puzzle of the same game."""
        attempt_id, (visitor, data) = int(http.match_info["attempt"]), await self._api.posted(http)

        async def another(request: Request) -> Data:
            puzzles, person = request.services.puzzles, request.person.id
            following = await puzzles.begin(person, (await puzzles.view(person, attempt_id)).puzzle.game.key)
            return {"words": "", "path": f"puzzle/{following.attempt.id}"}

        return await self._api.execute(visitor, data, "another", another)


async def _state(request: Request, attempt_id: int, width: int, asked_letters: bool | None) -> dict[str, Any]:
    """Return a puzzle as far as a person has come, in the shape of a match. Raises ``Refusal``."""
    version = (await request.services.read(versions, [attempt_id])).get(attempt_id, "")
    view = await request.services.puzzles.view(request.person.id, attempt_id)
    reached = await _reached(request, view)
    game_state, puzzle, is_open = reached[-1][0], view.puzzle, view.attempt.state is AttemptState.OPEN
    look, letters = _look(request, view, game_state, width), in_letters(request, asked_letters)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, ("page puzzle board", puzzle.key, game_state.ply, look, letters))
    board = await request.services.compute_as(spec, boards.shown, game_state, look, letters=letters)
    lines = [task(puzzle)]
    if not is_open:
        lines = [verdict(view), *(f"{state.ply}. {does}" for state, does in reached[1:]), why(view, game_state)]
    acts = [("show", _("Give up"))] if is_open else [("another", _("Next puzzle"))]
    if view.attempt.state is AttemptState.SOLVED and await channel_for_puzzles(request) is not None:
        acts.append(("share", _("Share")))
    names = puzzle.game.seat_names
    return {
        "version": version,
        "ply": view.attempt.ply,
        "title": _("**Puzzle · {game}**", game=game_of(puzzle)).replace("**", ""),
        "game": {"name": translated(puzzle.game.name), "summary": translated(puzzle.game.summary)},
        "people": {},
        "players": [],
        "status": "\n".join(line for line in lines if line),
        "over": not is_open,
        "board": {**board, "flip": 0, "key": f"{game_state.ply}-{look.theme}-{int(look.coordinates)}"},
        "turn": await _choices(request, view, reached, ()) if is_open else None,
        "acts": [{"act": act, "label": label} for act, label in acts],
        "offers": [],
        "moves": [
            {
                "number": one.ply,
                "seat": one.last_seat or 0,
                "seatName": translated(names[one.last_seat or 0]),
                "text": str(one.last),
            }
            for one, _does in reached[1:]
        ],
        "stepping": False,
        "next": None,
        "letters": letters,
        "theme": request.preferences.theme,
    }


async def _reached(request: Request, view: PuzzleView) -> list[tuple[GameState, str]]:
    """Return the states as far as the person has come; all of the solution once they are done."""
    plies = view.attempt.ply if view.attempt.state is AttemptState.OPEN else None
    return await request.services.compute(states, view.puzzle, plies)


def _look(
    request: Request, view: PuzzleView, game_state: GameState, width: int, keys: tuple[str, ...] = ()
) -> Perspective:
    return at_puzzle(view.puzzle, view.puzzle.seat, request.preferences, PendingMove(keys), width)


async def _choices(
    request: Request, view: PuzzleView, reached: list[tuple[GameState, str]], keys: tuple[str, ...]
) -> Data:
    if view.attempt.state is not AttemptState.OPEN:
        raise Refusal(_("You're done with this puzzle. `/puzzle` has another one."))
    spec, game = JobSpec(Pool.INTERACTIVE, Priority.MOVE), view.puzzle.game.key
    only = view.puzzle.task.kind is TaskKind.FIND
    return await request.services.compute_as(
        spec, boards.choices, game, reached[-1][0].position, keys, squares_only=only
    )
