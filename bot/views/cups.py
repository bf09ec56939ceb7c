"""Cups in answers: started, joined and left, their table and pairings, lists, and what managers may do to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Literal

import discord

from bot.matches.model.cups import MOST
from bot.matches.model.pace import Pace, parsed_pace
from bot.matches.model.refusals import Refusal
from bot.matches.model.typed import DAY
from bot.matches.services.cup_queries import CupView, no_such_cup
from bot.matches.services.cups import CupTerms
from bot.messages import custom_ids
from bot.messages.cup import (
    cup_title,
    pairing_words,
    state_in_words,
    table_lines,
    table_picture,
    table_words,
    terms,
    winners,
)
from bot.messages.layout import Part, box, button, gallery, layout, message_link, row
from bot.messages.pictures import Attachment
from bot.messages.wording import (
    channel,
    escaped,
    listed,
    mention,
    one_line,
    shorten,
    that_fit,
    without_mentions,
)
from bot.requests.context import ChosenPerson
from bot.requests.looking import hidden_places
from bot.requests.request import Request
from bot.storage.contest_states import CupStart, CupState
from bot.storage.cups import Cup, boards_of, page_of_server, places
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.challenges import chosen_variant
from bot.views.controls import Interaction, control, in_place, privately
from bot.views.game_menu import known_game
from bot.views.reference import rules_of_cups
from renderers.i18n import folded
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

USUAL_PACE = Pace(2 * DAY)
"""The pace of cups for which none is named: with less, many matches are decided on time."""
PAGE = 8
LISTED = 3600
"""Characters of a list of pairings, so that it fits a message with the words around it."""
_LABEL_LIMIT = 100
_SUGGESTED = 25


@control(custom_ids.CUP)
async def on_cup(interaction: Interaction, ids: custom_ids.Cup) -> None:
    """Join a cup, leave it, begin it, cancel it, start it again, or show its pairings, rules or table."""
    match ids.verb:
        case "matches":
            await answer_privately(interaction, pairings, ids.cup)
        case "rules":
            await answer_privately(interaction, rules)
        case "export":
            await answer_privately(interaction, export, ids.cup)
        case "withdraw":
            await answer_privately(interaction, ask_leaving, ids.cup)
        case "again":
            await answer_privately(interaction, start_again, ids.cup)
        case "picture" | "text":
            await answer_in_place(interaction, show, ids.cup, ids.verb == "text")
        case "join" | "leave" | "begin" | "cancel":
            await answer_in_place(interaction, change, ids.cup, ids.verb)


@privately(custom_ids.CUP_RULES)
async def on_cup_rules(request: Request, _ids: custom_ids.NoIds) -> Reply:
    return await rules(request)


@in_place(custom_ids.CUP_WITHDRAW)
async def on_cup_withdraw(request: Request, ids: custom_ids.CupAnswer) -> Reply:
    """Withdraw from a running cup, or do not."""
    if not ids.sure:
        return Reply(view=layout(_("You play on.")))
    await request.services.cups.leave(request.actor, ids.cup)
    return Reply(view=layout(_("You have withdrawn. Matches that are running go on, but don't count for the cup.")))


@in_place(custom_ids.CUP_CLOSE)
async def on_cup_close(request: Request, ids: custom_ids.CupAnswer) -> Reply:
    """Close a cup without results, or do not."""
    request.check_can_manage_server()
    if not ids.sure:
        return Reply(view=layout(_("Cup {cup} stays as it is.", cup=ids.cup)))
    await request.services.cups.close(request.actor, ids.cup)
    return Reply(view=layout(_("Cup {cup} is closed.", cup=ids.cup)))


@in_place(custom_ids.CUP_REMOVE)
async def on_cup_remove(request: Request, ids: custom_ids.CupRemoval) -> Reply:
    """Remove a person from a cup, or do not."""
    request.check_can_manage_server()
    if not ids.sure:
        return Reply(view=layout(_("Cup {cup} stays as it is.", cup=ids.cup)))
    await request.services.cups.remove(request.actor, ids.cup, ids.person)
    return Reply(view=layout(_("{person} is out of Cup {cup}.", person=mention(ids.person), cup=ids.cup)))


@in_place(custom_ids.CUPS)
async def on_cups(request: Request, ids: custom_ids.CupsPage) -> Reply:
    """Turn to another page of cups, or to those that have ended."""
    return await cups(request, ids.page, ended=ids.listed == "ended")


async def start(
    request: Request,
    game: str,
    variant: str | None,
    places: int | None,
    pace: str | None,
    begins: CupStart,
    starts_in: timedelta | None,
    *,
    rated: bool,
    grace: bool | None,
    rest: bool | None,
) -> Reply:
    """Start a cup; its card follows from the outbox. Raises ``Refusal``.

    ``pace`` is as it was typed, None is ``USUAL_PACE``; ``starts_in`` None is as long as a challenge is open.
    """
    sent_from, request = request.channel, await request.in_public()
    request.check_place()
    game = known_game(game)
    chosen = chosen_variant(game, variant)
    timed = USUAL_PACE if pace is None else parsed_pace(pace)
    terms_chosen = CupTerms(
        *(game, chosen.key, places or MOST, rated),
        0 if timed is None else timed.seconds,
        begins,
        starts_in or timedelta(days=request.services.limits.challenge_days),
        await request.public_language(),
        None if timed is None else timed.increment,
        grace,
        rest,
    )
    cup_id = await request.services.cups.start(request.actor, terms_chosen)
    if request.channel != sent_from:
        return Reply(_("Cup {cup} is open. It's posted in {channel}.", cup=cup_id, channel=channel(request.channel)))
    return Reply(_("Cup {cup} is open. It's posted below.", cup=cup_id))


async def start_again(request: Request, cup_id: int) -> Reply:
    """Open another cup on the same terms. Raises ``Refusal``."""
    new_id = await request.services.cups.again(request.actor, cup_id)
    return Reply(_("Cup {cup} is open. It's posted below.", cup=new_id))


async def change(request: Request, cup_id: int, verb: Literal["join", "leave", "begin", "cancel"]) -> None:
    """Join an open cup, leave it, begin it or cancel it. Raises ``Refusal``."""
    service = request.services.cups
    verbs = {"join": service.join, "leave": service.leave, "begin": service.begin, "cancel": service.cancel}
    await verbs[verb](request.actor, cup_id)


async def cups(request: Request, page: int = 0, *, ended: bool = False) -> Reply:
    """Return one page of the server's cups, the first being 0: those that go on, or those that have ended."""
    every = await _seen(request, ended=ended, offset=page * PAGE, limit=PAGE + 1)
    if not every and page:
        return await cups(request, ended=ended)
    head = _("### Cups that have ended") if ended else _("### Cups that are open or running")
    lines = [head] if every else [head, _("None yet.") if ended else _("None at the moment.")]
    for cup in every[:PAGE]:
        linked = f" · {_link(cup)}" if cup.message_id is not None else ""
        lines.append(f"**{cup_title(cup)}** · {state_in_words(cup)}{linked}")
    lines.append(_("-# `/cup` with a `game` starts one, and with a `cup` shows it."))
    shown: Literal["running", "ended"] = "ended" if ended else "running"

    def turn(to: int, side: custom_ids.Side, label: str, *, disabled: bool) -> discord.ui.Button[discord.ui.LayoutView]:
        return button(custom_ids.CUPS(listed=shown, page=max(to, 0), side=side), label, disabled=disabled)

    turns = []
    if page or len(every) > PAGE:
        turns = [
            turn(page - 1, "back", _p("cup", "← Newer"), disabled=page == 0),
            turn(page + 1, "next", _p("cup", "Older →"), disabled=len(every) <= PAGE),
        ]
    other = custom_ids.CUPS(listed="running" if ended else "ended", page=0, side="next")
    turns.append(button(other, _("Open and running") if ended else _("Ended")))
    turns.append(button(custom_ids.CUP_RULES(), _("Rules")))
    return Reply(view=layout(box("\n".join(lines)), row(*turns)))


async def shown_cup(request: Request, number: int | None, as_text: bool | None) -> Reply:
    """Return a cup; if it goes on and its channel is gone, have it posted here. Raises ``Refusal``."""
    view = await _resolve_cup(request, number)
    cup, lookup, server = view.cup, request.context.lookup, request.server
    # A place that is not known may be an archived thread: the cup's message tells.
    lost = (
        cup.state in (CupState.OPEN, CupState.RUNNING)
        and lookup.may_post(server, cup.channel_id) is None
        and (cup.message_id is None or await lookup.message_is_gone(cup.channel_id, cup.message_id))
    )
    taken_part = cup.player_of(request.person.id) is not None or request.can_manage_server
    elsewhere = request.channel != cup.channel_id and lookup.channel_names(server, [request.channel])
    if lost and taken_part and elsewhere and request.place.bot_may_post:
        await request.services.cups.move(request.actor, cup.id, request.place.parent_id or request.channel)
        return Reply(_("The channel of {cup} is gone; I post it here from now on.", cup=cup_title(cup)))
    return await _cup_reply(request, view, as_text)


async def show(request: Request, cup_id: int, as_text: bool | None) -> Reply:
    """Return a cup as a picture or as text, as the person likes it where ``as_text`` is None. Raises ``Refusal``."""
    return await _cup_reply(request, await request.services.cup_queries.view(request.server, cup_id), as_text)


async def pairings(request: Request, cup_id: int) -> Reply:
    """Return all pairings of a cup, round by round. Raises ``Refusal``."""
    view = await request.services.cup_queries.view(request.server, cup_id)
    boards = await request.services.read(boards_of, cup_id)
    lines = _pairing_lines(view, boards=boards)
    shown = that_fit(lines, LISTED)
    more = len(lines) - len(shown)
    words = [f"### {cup_title(view.cup)}", *shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]
    return Reply(view=layout(box("\n".join(words))))


async def export(request: Request, number: int) -> Reply:
    """Return a cup as a text file: its table and all pairings. Raises ``Refusal``."""
    view = await request.services.cup_queries.view(request.server, number)
    words = [cup_title(view.cup), terms(view.cup), ""]
    if view.table is None:
        words.append(listed(one_line(player.person.name) for player in view.cup.players))
    else:
        words += [*table_lines(view, marked=False), "", *_pairing_lines(view, one_line)]
    attachment = Attachment("\n".join(words).encode(), f"cup-{view.cup.id}.txt")
    return Reply(_("Here is **{match}** as text.", match=cup_title(view.cup)), attachments=(attachment,))


async def rules(_request: Request) -> Reply:
    return Reply(view=layout(box(rules_of_cups())))


async def ask_leaving(request: Request, number: int) -> Reply:
    """Leave an open cup, or return the question whether the person means to withdraw. Raises ``Refusal``."""
    cup = (await request.services.cup_queries.view(request.server, number)).cup
    if cup.state is not CupState.RUNNING or cup.player_of(request.person.id) is None:
        await request.services.cups.leave(request.actor, cup.id)
        return Reply(_("You've left {cup}.", cup=cup_title(cup)))
    question = _(
        "Do you want to withdraw from **{cup}**? With less than half of your matches played, all your results are "
        "annulled; otherwise you forfeit the rest. This can't be undone.",
        cup=cup_title(cup),
    )
    return Reply(
        view=_question(question, partial(custom_ids.CUP_WITHDRAW, cup=cup.id), _("Yes, withdraw"), _("No, play on"))
    )


async def ask_closing(request: Request, number: int | None) -> Reply:
    """Return the question whether a manager means to close a cup without results. Raises ``Refusal``."""
    request.check_can_manage_server()
    cup = (await _resolve_cup(request, number)).cup
    question = _(
        "Do you want to close **{cup}** without results? Matches that are running go on. This can't be undone.",
        cup=cup_title(cup),
    )
    return Reply(
        view=_question(
            question, partial(custom_ids.CUP_CLOSE, cup=cup.id), _("Yes, close it"), _p("cup", "No, keep it")
        )
    )


async def ask_removing(request: Request, chosen: ChosenPerson, number: int | None) -> Reply:
    """Return the question whether a manager means to remove a person from a cup. Raises ``Refusal``."""
    request.check_can_manage_server()
    cup = (await _resolve_cup(request, number)).cup
    question = _(
        "Do you want to remove {person} from **{cup}**? With less than half of their matches played, all their results "
        "are annulled; otherwise they forfeit the rest. This can't be undone.",
        person=mention(chosen.person.id),
        cup=cup_title(cup),
    )
    control = partial(custom_ids.CUP_REMOVE, cup=cup.id, person=chosen.person.id)
    return Reply(view=_question(question, control, _("Yes, remove"), _("No, they stay")))


async def suggested(request: Request, typed: str) -> list[tuple[str, int]]:
    """Suggest cups of the server that the person is shown, those that go on first."""
    every = await _seen(request, limit=_SUGGESTED)
    named = [(shorten(without_mentions(cup_title(cup)), _LABEL_LIMIT), cup.id) for cup in every]
    return [(label, cup_id) for label, cup_id in named if folded(typed) in folded(label)][:_SUGGESTED]


async def _seen(request: Request, *, ended: bool | None = None, offset: int = 0, limit: int) -> list[Cup]:
    """Return a part of the cups of the server that the person is shown: of each kind, if none is given."""
    read, server, viewer = request.services.read, request.server, request.person.id
    hidden, every = await hidden_places(request, await read(places, server)), list[Cup]()
    for kind in (False, True) if ended is None else (ended,):
        every += await read(
            page_of_server, server, ended=kind, hidden=hidden, viewer_id=viewer, offset=offset, limit=limit
        )
    return every


async def _resolve_cup(request: Request, number: int | None) -> CupView:
    """Return the cup a command is about: the one given, or the only one that may be meant. Raises ``Refusal``."""
    service = request.services.cup_queries
    if number is not None:
        view = await service.view(request.server, number)
        if view.cup.player_of(request.person.id) is None and await hidden_places(request, [view.cup.channel_id]):
            raise no_such_cup()
        return view
    going_on = await _seen(request, ended=False, limit=_SUGGESTED)
    mine = [cup for cup in going_on if cup.player_of(request.person.id) is not None]
    for meant in (mine, going_on):
        if len(meant) == 1:
            return await service.view(request.server, meant[0].id)
    if going_on:
        numbers = ", ".join(str(cup.id) for cup in going_on)
        raise Refusal(_("There are several cups here ({numbers}). Choose one with `cup`.", numbers=numbers))
    newest = await _seen(request, ended=True, limit=1)
    if not newest:
        raise Refusal(_("There has been no cup here yet. `/cup` starts one."))
    return await service.view(request.server, newest[0].id)


async def _cup_reply(request: Request, view: CupView, as_text: bool | None) -> Reply:
    cup, preferences = view.cup, request.preferences
    letters = preferences.text_boards if as_text is None else as_text
    controls = [button(custom_ids.CUP(verb="export", cup=cup.id), _("Export"))]
    mine = cup.player_of(request.person.id)
    if cup.state in (CupState.OPEN, CupState.RUNNING) and mine is not None and not mine.withdrawal:
        controls.append(button(custom_ids.CUP(verb="withdraw", cup=cup.id), _("Leave")))
    if view.table is None:
        about = f"### {cup_title(cup)}\n{state_in_words(cup)}\n-# {terms(cup)}\n{_link(cup)}"
        return Reply(view=layout(box(about), row(*controls)))
    words = [f"### {cup_title(cup)}", table_words(view)]
    if cup.state is CupState.OVER:
        words.insert(1, winners(view.table))
    elif cup.state is not CupState.RUNNING:
        words.insert(1, state_in_words(cup))
    words.append(_link(cup))
    matches = button(custom_ids.CUP(verb="matches", cup=cup.id), _("Matches"))
    if letters:
        other = button(custom_ids.CUP(verb="picture", cup=cup.id), _("As a picture"))
        return Reply(view=layout(box("\n".join(words)), row(matches, other, *controls)))
    picture = await table_picture(request.context.renderer, view, preferences.theme)
    other = button(custom_ids.CUP(verb="text", cup=cup.id), _("As text"))
    parts: list[Part] = [gallery(picture), "\n".join(words)]
    return Reply(view=layout(box(*parts), row(matches, other, *controls)), attachments=(picture,))


def _pairing_lines(
    view: CupView, named: Callable[[str], str] = escaped, boards: Mapping[int, tuple[int, int]] | None = None
) -> list[str]:
    """Return the pairings of a cup under the names of their rounds; ``named`` writes the names of people.

    ``boards`` is where boards stand that the lines lead to, by match.
    """
    if view.table is None:
        return [_("This cup has not begun yet.")]
    lines: list[str] = []
    for pairing in view.table.pairings:
        if not lines or pairing.round != view.table.pairings[pairing.number - 1].round:
            head = _("Round {round}", round=pairing.round)
            lines.append(f"**{head}**" if named is escaped else head)
        board = (boards or {}).get(pairing.match_id or 0)
        link = None if board is None else message_link(view.cup.guild_id, *board)
        lines.append(pairing_words(view.table, pairing, named, link))
    return lines


def _link(cup: Cup) -> str:
    if cup.message_id is None:
        return ""
    return _("[Go to the cup]({link})", link=message_link(cup.guild_id, cup.channel_id, cup.message_id))


def _question(question: str, control: Callable[[bool], str], yes: str, no: str) -> discord.ui.LayoutView:
    """Return a question with two answers; ``control`` is the custom id of each."""
    return layout(question, row(button(control(True), yes, discord.ButtonStyle.danger), button(control(False), no)))
