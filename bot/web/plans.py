"""Plans on the page: the same board and the same choices as in a match, on the boards that would stand.

A place of a plan has an address of its own. Instead of a ply the page is sent a stamp of the plan as it is.
"""

from __future__ import annotations

from dataclasses import replace

from bot.matches.model import plan as model
from bot.matches.model.plan import Path
from bot.matches.model.refusals import Stale
from bot.matches.services.plans import PLAN_CHANGED, PlannedPosition, PlanView
from bot.messages.wording import title
from bot.requests.plan_words import asks, ended_words, outline
from bot.requests.request import Request
from bot.requests.surfaces import Surface, of_place
from bot.web.api import MATCH, PLAN, Api, Asked, Data
from bot.web.building import Act, Building, agreed, page, shown, steps
from bot.web.match_state import check_own
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

_VERSIONS, _STAMPS = 1000, 1_000_000


def add_plans(api: Api) -> None:
    PlanBuilding().add_to(api)
    api.post(MATCH + "/plan", "plan", _begin)
    api.post(PLAN + "/remove", "plan", _remove, ("ply",))
    api.post(PLAN + "/clear", "plan", _clear, ("ply",))
    api.post(PLAN + "/go/match", "plan", _go)
    api.post(PLAN + r"/go/{to:\d{1,3}}", "plan", _go)


class PlanBuilding(Building):
    """A place of a plan."""

    address, subject = PLAN, "match"

    async def surface(self, request: Request, asked: Asked) -> Surface:
        return of_place(await _place(request, asked))

    async def number(self, request: Request, asked: Asked) -> int:
        await check_own(request, asked.match)
        return asked.match

    async def move(self, request: Request, asked: Asked) -> Data:
        """Plan the move that some choices make, or ask about it first; lead to the board that would stand then."""
        place = await _place(request, asked, seen=asked.ply)
        view, surface = place.view, of_place(place)
        text = await agreed(request, surface, asked)
        if not isinstance(text, str):
            return text
        seen = request.actor, view.match.id, view.match.ply, view.plan.version
        done = await request.services.plans.add(*seen, place.path, (text,), confirmed=True)
        return {"played": text, "path": _address(done.view, done.path)}

    async def state(self, request: Request, asked: Asked) -> Data:
        place = await _place(request, asked)
        view, surface, over = place.view, of_place(place), place.game_state.result is not None
        every = list(model.paths(view.tree))
        here, stamp = every.index(place.path), _stamp(view)
        acts: list[Act] = [("go/match", _p("button", "Done"))]
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
        told = outline(view, await request.services.plans.places(view))
        beside = await request.services.queries.beside(request.home, view.match.id, request.person.id)
        return page(
            request,
            asked,
            surface,
            await shown(request, asked, surface),
            f"{stamp}-{here}",
            version=beside.version,
            ply=stamp,
            title=title(view.match),
            status=[
                _("-# You alone see your plan. When one of its moves is played, your reply follows at once."),
                *told,
                "" if over else asks(place),
                ended_words(view),
            ],
            over=False,
            turn=None if over else await steps(request, surface),
            acts=acts,
            stepping=False,
        )


async def _begin(request: Request, asked: Asked) -> Data:
    await request.services.plans.view(request.actor, asked.match, None)
    return {"words": "", "path": f"plan/{asked.match}/0"}


async def _remove(request: Request, asked: Asked) -> Data:
    """Take out the move that leads to this place, with all that follows it."""
    return await _without(request, await _place(request, asked, seen=asked.ply))


async def _clear(request: Request, asked: Asked) -> Data:
    return await _without(request, await _place(request, replace(asked, place=0), seen=asked.ply))


async def _without(request: Request, place: PlannedPosition) -> Data:
    view = place.view
    seen = request.actor, view.match.id, view.match.ply, view.plan.version
    changed = await request.services.plans.remove(*seen, place.path)
    return {"words": "", "path": _address(changed, place.path[:-1])}


async def _go(_request: Request, asked: Asked) -> Data:
    """Lead to another place of the plan, or back to the match."""
    return {"words": "", "path": f"match/{asked.match}" if asked.to is None else f"plan/{asked.match}/{asked.to}"}


async def _place(request: Request, asked: Asked, seen: int | None = None) -> PlannedPosition:
    """Return the place that an address names, the beginning if there is no such place any more.

    Raises ``Refusal``, and ``Stale`` if the plan has no longer the stamp that the page has ``seen``.
    """
    view = await request.services.plans.view(request.actor, asked.match, None)
    if seen not in (None, _stamp(view)):
        raise Stale(PLAN_CHANGED)
    every = list(model.paths(view.tree))
    return await request.services.plans.at(view, every[asked.place] if asked.place < len(every) else ())


def _stamp(view: PlanView) -> int:
    """Return ``ply * 1000 + version % 1000``, below a million.

    Two states of a plan with the same stamp are a thousand changes or plies apart; the services compare the version.
    """
    return (view.match.ply * _VERSIONS + view.plan.version % _VERSIONS) % _STAMPS


def _address(view: PlanView, path: Path) -> str:
    return f"plan/{view.match.id}/{list(model.paths(view.tree)).index(path)}"


def plan_words() -> dict[str, str]:
    """Return the texts of the page that are others for a plan than for a match."""
    return {"yourTurn": _p("button", "Plan"), "playIt": _("Plan it")}
