"""Planned replies: a private message in which a player sees their plan, on the boards that would stand, and changes it.

Its state is in the ``custom_id`` of its controls, which number the places of a plan in the order in which it is told.
"""

from __future__ import annotations

import discord

from bot.matches.model import plan as model
from bot.matches.model.building import Choices, Consent
from bot.matches.model.plan import MOST_EXPECTED, Path
from bot.matches.model.refusals import Stale
from bot.matches.model.typed import typed_list
from bot.matches.services.plans import PLAN_CHANGED, PlanView
from bot.messages import custom_ids
from bot.messages.layout import OPTION_LIMIT, OPTIONS, Part, box, button, gallery, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import title
from bot.requests.plan_words import asks, ended_words, in_turn, outline
from bot.requests.request import Request
from bot.requests.surfaces import of_place
from bot.storage.people import Preferences
from bot.storage.records import Match
from bot.views import builder_ids
from bot.views.answers import Reply
from bot.views.builder import YOUR_MOVE, Builder, BuilderControls, builds
from bot.views.controls import in_place, menu, page_of, privately
from bot.views.which_match import resolve_match_id
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy
from renderers.i18n import pgettext as _p


@privately(custom_ids.PLAN)
async def on_plan(request: Request, ids: custom_ids.OfMatch) -> Reply:
    """Show a person's plan, or begin one."""
    return await plan(request, ids.match)


@in_place(builder_ids.PLAN_ACTION)
async def on_plan_action(request: Request, ids: builder_ids.PlanAction) -> Reply:
    """Show a place of the plan, add a move there, or take out the move that leads there, or all."""
    view, path = await _plan_and_path(request, *ids[1:])
    match ids.verb:
        case "show":
            return await show(request, view, path)
        case "add":
            return await choose(request, view, path)
    removed = path if ids.verb == "remove" else ()
    view = await request.services.plans.remove(request.actor, ids.of, ids.ply, ids.version, removed)
    if not view.tree:
        return Reply(view=layout(_("Nothing is planned.")))
    return await show(request, view, removed[:-1])


@menu(builder_ids.PLAN_PLACE)
async def on_plan_place(request: Request, ids: builder_ids.PlanPlace, place: str) -> Reply:
    """Go to another place of the plan."""
    return await show(request, *await _plan_and_path(request, *ids[:-1], page_of(place)))


async def plan(request: Request, number: int | None, moves: str = "") -> Reply:
    """Show a person's plan, or begin one; add ``moves`` to it, which are a list in turn.

    Raises ``Refusal``.
    """
    view = await request.services.plans.view(request.actor, await resolve_match_id(request, number), None)
    if texts := typed_list(moves):
        return await _add(request, view, (), texts)
    return await (show if view.tree or view.ended is not None else choose)(request, view, ())


async def begin_after(request: Request, match_id: int, ply: int, choices: Choices) -> Reply:
    """Begin a plan after a move that is built and not played yet. Raises ``Refusal``."""
    view = await request.services.plans.view(request.actor, match_id, ply)
    return await choose(request, view, (), choices, Consent.CONFIRMED)


async def _plan_and_path(request: Request, match_id: int, ply: int, version: int, place: int) -> tuple[PlanView, Path]:
    """Return the plan of the person, and the place that a control means. Raises ``Refusal``."""
    view = await request.services.plans.view(request.actor, match_id, ply)
    every = list(model.paths(view.tree))
    if view.plan.version != version or place >= len(every):
        raise Stale(PLAN_CHANGED)
    return view, every[place]


async def show_or_plan(
    request: Request,
    match_id: int,
    ply: int,
    version: int,
    place: int,
    choices: Choices,
    consent: Consent = Consent.NONE,
    page: int = 0,
) -> Reply:
    """Return the builder after some choices, or plan the move if the person has agreed to it. Raises ``Refusal``."""
    view, path = await _plan_and_path(request, match_id, ply, version, place)
    if consent is Consent.TEXT and (texts := typed_list(*choices)):
        return await _add(request, view, path, texts)
    return await choose(request, view, path, choices, consent, page)


async def _add(
    request: Request, view: PlanView, path: Path, texts: tuple[str, ...], *, confirmed: bool = False
) -> Reply:
    """Plan moves after a path; return the builder for what is to be planned next, or the plan."""
    asked = request.actor, view.match.id, view.match.ply, view.plan.version
    done = await request.services.plans.add(*asked, path, texts, confirmed=confirmed)
    if done.question is not None:
        return await choose(request, done.view, done.path, (done.question,))
    place = await request.services.plans.at(done.view, done.path)
    begun = len(done.path) == 1 and view.seat == view.match.to_move
    if place.game_state.result is None and (place.answers or (begun and not place.own)):
        return await choose(request, done.view, done.path)
    return await show(request, done.view, done.path)


async def choose(
    request: Request,
    view: PlanView,
    path: Path,
    choices: Choices = (),
    consent: Consent = Consent.NONE,
    page: int = 0,
) -> Reply:
    """Return the builder of the move after a path, or plan the move if the person has agreed to it."""
    place = await request.services.plans.at(view, path)
    surface, match = of_place(place), view.match
    state = await surface.build(request, choices)
    if (text := surface.agreed(request, state, choices, consent)) is not None:
        return await _add(request, view, path, (text,), confirmed=True)
    at = match.id, match.ply, view.plan.version, list(model.paths(view.tree)).index(path)
    if view.tree:
        leave = button(builder_ids.PLAN_ACTION("show", *at), _("My plan"))
    else:
        leave = button(builder_ids.PLAN_BUILDER("cancel", *at, 0, ()), _p("building a move", "Cancel"))
    does = YOUR_MOVE if place.own else gettext_lazy("The move you expect: {moves}")
    controls = BuilderControls(builder_ids.OF_PLAN, at, leave)
    builder = Builder(surface, f"-# {title(match)}\n{asks(place)}", controls, does)
    return await builder.reply(request, state, page, news=ended_words(view) if not path else "")


async def show(request: Request, view: PlanView, path: Path) -> Reply:
    """Return a person's plan in words, the board that would stand at one of its places, and what can be changed."""
    match, place = view.match, await request.services.plans.at(view, path)
    movers = await request.services.plans.places(view)
    at = match.id, match.ply, view.plan.version
    number = list(movers).index(path)
    parts: list[Part] = [
        _("### Your plan\n-# {match} · Only you can see it.", match=title(match)),
        "\n".join(outline(view, movers)) or ended_words(view),
    ]
    pictures: tuple[Picture, ...] = ()
    surface, renderer = of_place(place), request.context.renderer
    if request.preferences.text_boards:
        letters = await renderer.letters(place.game_state, surface.look(Preferences()))
        parts.append(f"```\n{letters}\n```")
    else:
        pictures = (await renderer.drawn(place.game_state, surface.look(request.preferences), surface.key),)
        parts.append(gallery(*pictures))
    parts.append(_("The board after {moves}", moves=in_turn(path)) if path else _("The board as it stands"))
    menus = [
        (index, "…" + name[1 - OPTION_LIMIT :] if len(name) > OPTION_LIMIT else name)
        for index, (path_there, mover) in enumerate(movers.items())
        if mover != view.seat or not model.subtree(view.tree, path_there)
        for name in [", ".join(path_there) or _("The board as it stands")]
    ]
    rows = [
        row(
            select(
                builder_ids.PLAN_PLACE(*at, begin // OPTIONS),
                _("Elsewhere in your plan"),
                [
                    discord.SelectOption(label=name, value=str(index), default=index == number)
                    for index, name in menus[begin : begin + OPTIONS]
                ],
            )
        )
        for begin in range(0, len(menus) if len(menus) > 1 else 0, OPTIONS)
    ]
    controls = []
    planned = len(model.subtree(view.tree, path))
    if movers[path] == view.seat:
        adds = builder_ids.PLAN_ACTION("add", *at, number)
        controls.append(button(adds, _("Plan my move"), discord.ButtonStyle.primary))
    elif movers[path] is not None and planned < MOST_EXPECTED:
        adds = builder_ids.PLAN_ACTION("add", *at, number)
        controls.append(button(adds, _("Add a move you expect"), discord.ButtonStyle.primary))
    if path:
        controls.append(button(builder_ids.PLAN_ACTION("remove", *at, number), _("Remove {move}", move=path[-1])))
    if view.tree or view.ended is not None:
        controls.append(
            button(builder_ids.PLAN_ACTION("clear", *at, 0), _("Clear the plan"), discord.ButtonStyle.danger)
        )
    return Reply(view=layout(box(*parts), *rows, row(*controls)), attachments=pictures)


async def ended_lately(request: Request, match: Match) -> str:
    """Return what became of the person's plan in a match, if the turn that is now theirs has ended it."""
    if not match.plans_version:
        return ""
    view = await request.services.plans.view(request.actor, match, match.ply)
    return ended_words(view) if view.plan.ply == match.ply else ""


async def _leave(_request: Request, _ids: builder_ids.PlanButton) -> Reply:
    return Reply(view=layout(_("Nothing is planned.")))


builds(builder_ids.OF_PLAN, show_or_plan, {"cancel": _leave})
