"""Plans on the page: the same board and the same choices as in a match, on the boards that would stand.

A place of a plan has an address of its own. Instead of a ply the page is sent a number that changes with the plan.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.model import plan as model
from bot.matches.model.building import Consent, build
from bot.matches.model.plan import Path, check_goes_on
from bot.matches.model.refusals import Stale
from bot.matches.services.plans import PLAN_CHANGED, PlannedPosition, PlanView
from bot.messages.wording import title
from bot.requests import actions
from bot.requests.plan_words import asks, ended_words, outline
from bot.requests.request import Request
from bot.web import boards
from bot.web.api import Api, Data, choices_asked, json_answer, letters_asked, ply_asked
from bot.web.guards import keys_in, number_in
from bot.web.match_state import in_letters, look_at, width_of
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p
from renderers.i18n import translated

_VERSIONS, _NUMBERS = 1000, 1_000_000


class PlanRoutes:
    """The addresses of plans under ``prefix``."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def add_to(self, router: web.UrlDispatcher, prefix: str = "") -> None:
        plan = prefix + r"/api/plan/{match:\d{1,18}}/{place:\d{1,3}}"
        router.add_post(prefix + r"/api/match/{match:\d{1,18}}/plan", self._begin)
        router.add_get(plan, self._state)
        router.add_get(plan + "/choices", self._choices)
        router.add_get(plan + "/picture", self._picture)
        router.add_post(plan + "/move", self._move)
        router.add_post(plan + "/remove", self._remove)
        router.add_post(plan + "/clear", self._remove)
        router.add_post(plan + r"/go/{to:match|\d{1,3}}", self._go)

    async def _begin(self, http: web.Request) -> web.StreamResponse:
        match_id, (visitor, data) = int(http.match_info["match"]), await self._api.posted(http)

        async def begin(request: Request) -> Data:
            await request.services.plans.view(request.turn_request(match_id))
            return {"words": "", "path": f"plan/{match_id}/0"}

        return await self._api.execute(visitor, data, "plan", begin)

    async def _state(self, http: web.Request) -> web.StreamResponse:
        query = http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        letters = letters_asked(query)
        return await self._read(http, "plan", lambda request, place: _state(request, place, width, flip, letters))

    async def _choices(self, http: web.Request) -> web.StreamResponse:
        keys = choices_asked(http.query.get("keys", "[]"))
        return await self._read(http, "choices", lambda request, place: _built(request, place, keys))

    async def _read(
        self, http: web.Request, control: str, work: Callable[[Request, PlannedPosition], Awaitable[Data]]
    ) -> web.StreamResponse:
        async def read(request: Request) -> Data:
            return await work(request, await _found(request, http))

        return json_answer(await self._api.read(http, control, read))

    async def _picture(self, http: web.Request) -> web.StreamResponse:
        query = http.query
        width, flip = width_of(number_in(query.get("width"), 10_000)), number_in(query.get("flip"), 5) or 0
        keys = choices_asked(query.get("keys", "[]"))

        async def picture(request: Request) -> bytes:
            place = await _found(request, http)
            match = place.view.match
            look = look_at(request, match, width, chosen=keys, flip=flip)
            key = ("page plan picture", match.id, match.ply, place.path, look)
            spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, key)
            return await request.services.compute_as(spec, boards.picture, place.game_state, look)

        outcome = await self._api.read(http, "picture", picture)
        if outcome.value is None:
            return json_answer(outcome)
        return web.Response(body=outcome.value, content_type="image/png")

    async def _move(self, http: web.Request) -> web.StreamResponse:
        """Plan the move that some choices make, or ask about it first; lead to the board that would stand then."""
        visitor, data = await self._api.posted(http)
        keys = keys_in(data.get("keys"))
        consent = Consent.CONFIRMED if data.get("confirmed") is True else Consent.CHOICE

        async def plan(request: Request) -> Data:
            place = await _found(request, http, ply_asked(data))
            view, spec = place.view, JobSpec(Pool.INTERACTIVE, Priority.MOVE)
            state = await request.services.compute_as(spec, build, view.match.game, place.position, keys)
            if not state.plays(actions.consent_of(request, consent)):
                return {"building": await _built(request, place, keys)}
            turn, version = request.turn_request(view.match.id, view.match.ply), view.plan.version
            done = await request.services.plans.add(turn, version, place.path, (str(state.move),), confirmed=True)
            return {"played": str(state.move), "path": _address(done.view, done.path)}

        return await self._api.execute(visitor, data, "plan", plan)

    async def _remove(self, http: web.Request) -> web.StreamResponse:
        """Take out the move that leads to this place, or, at the beginning, all."""
        visitor, data = await self._api.posted(http)

        async def remove(request: Request) -> Data:
            place = await _found(request, http, ply_asked(data))
            turn = request.turn_request(place.view.match.id, place.view.match.ply)
            path = () if http.path.endswith("clear") else place.path
            view = await request.services.plans.remove(turn, place.view.plan.version, path)
            return {"words": "", "path": _address(view, path[:-1])}

        return await self._api.execute(visitor, data, "plan", remove)

    async def _go(self, http: web.Request) -> web.StreamResponse:
        """Lead to another place of the plan, or back to the match."""
        match_id, to, (visitor, data) = http.match_info["match"], http.match_info["to"], await self._api.posted(http)

        async def go(_request: Request) -> Data:
            return {"words": "", "path": f"match/{match_id}" if to == "match" else f"plan/{match_id}/{int(to)}"}

        return await self._api.execute(visitor, data, "plan", go)


async def _found(request: Request, http: web.Request, number: int | None = None) -> PlannedPosition:
    """Return the place that an address names, the beginning if there is no such place any more.

    Raises ``Refusal``, and ``Stale`` if the plan has no longer the ``number`` that the page shows.
    """
    view = await request.services.plans.view(request.turn_request(int(http.match_info["match"])))
    if number not in (None, _number(view)):
        raise Stale(PLAN_CHANGED)
    every = list(model.paths(view.tree))
    at = int(http.match_info["place"])
    return await request.services.plans.at(view, every[at] if at < len(every) else ())


def _number(view: PlanView) -> int:
    return (view.match.ply * _VERSIONS + view.plan.version % _VERSIONS) % _NUMBERS


def _address(view: PlanView, path: Path) -> str:
    return f"plan/{view.match.id}/{list(model.paths(view.tree)).index(path)}"


async def _built(request: Request, place: PlannedPosition, keys: tuple[str, ...]) -> Data:
    """Return what follows some choices of a move that is planned. Raises ``Refusal`` where the match would be over."""
    check_goes_on(place.game_state)
    spec, game = JobSpec(Pool.INTERACTIVE, Priority.MOVE), place.view.match.game
    found = await request.services.compute_as(spec, boards.choices, game, place.position, keys)
    return {**found, "confirmation": _("Plan it") if found["move"] else ""}


async def _state(
    request: Request, place: PlannedPosition, width: int, flip: int, asked_letters: bool | None
) -> dict[str, Any]:
    """Return a place of a plan in the shape of a match."""
    view, game = place.view, GAMES[place.view.match.game]
    match, number, over = view.match, _number(view), place.game_state.result is not None
    look, letters = look_at(request, match, width, flip=flip), in_letters(request, asked_letters)
    key = ("page plan board", match.id, match.ply, place.path, look, letters)
    spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK, key)
    board = await request.services.compute_as(spec, boards.shown, place.game_state, look, letters=letters)
    every = list(model.paths(view.tree))
    here = every.index(place.path)
    acts = [("go/match", _("Board"))]
    if place.path:
        acts.append((f"go/{every.index(place.path[:-1])}", _("Back")))
    acts += [
        (f"go/{index}", ", ".join(path))
        for index, path in enumerate(every)
        if path[:-1] == place.path and path != place.path
    ]
    if place.path:
        acts.append(("remove", _("Remove {move}", move=place.path[-1])))
    if view.tree or view.ended is not None:
        acts.append(("clear", _("Clear the plan")))
    lines = [*outline(view, await request.services.plans.places(view)), "" if over else asks(place), ended_words(view)]
    beside = await request.services.queries.beside(request.server, match.id, request.person.id)
    return {
        "version": beside.version,
        "ply": number,
        "title": title(match),
        "game": {"name": translated(game.name), "summary": translated(game.summary)},
        "people": {},
        "players": [],
        "status": "\n".join(line for line in lines if line),
        "over": False,
        "board": {**board, "flip": flip, "key": f"{number}-{here}-{look.theme}-{int(look.coordinates)}"},
        "turn": None if over else await _built(request, place, ()),
        "acts": [{"act": act, "label": label} for act, label in acts],
        "offers": [],
        "moves": [],
        "stepping": False,
        "next": None,
        "letters": letters,
        "theme": request.preferences.theme,
    }


def plan_words() -> dict[str, str]:
    """Return the texts of the page that are others for a plan than for a match."""
    return {"yourTurn": _p("button", "Plan"), "playIt": _("Plan it")}
