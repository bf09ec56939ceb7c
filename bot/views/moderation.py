"""Moderation by people who manage a server: voiding a match, barring a person."""

from __future__ import annotations

import re
from time import monotonic
from typing import Any

import discord

from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.wording import listed, mention, players, title
from bot.requests.context import ChosenPerson
from bot.requests.outcome import if_readable
from bot.requests.request import Request
from bot.views.answers import EDITABLE, EVERY, Reply, answer_in_place, update_answer
from bot.views.controls import Control
from bot.views.which_match import match_to_void
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import prose

AT_ONCE = 1.5
"""Seconds for which the answer waits, so that it can say that the match is voided."""


class VoidButton(Control, of=custom_ids.VOID):
    """Voids a match, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        match_id = int(match["match"])
        if match["verb"] == "no":
            await answer_in_place(interaction, _keep, match_id)
        else:
            await _void(interaction, match_id)


async def ask_voiding(request: Request, number: int | None) -> Reply:
    """Return the question whether to void a match. Raises ``Refusal`` where it cannot be voided."""
    request.check_manages()
    match, counts = await request.services.voiding.may_void(
        request.server, await match_to_void(request, number), request.person.id
    )
    words = _(
        "Do you want to void **{match}**? {players}\nIt ends here and counts for nobody.",
        match=title(match),
        players=players(match),
    )
    rated = [_("Ratings are computed again as if it had not been played.")] if counts else []
    words = prose([words, *rated, _("This can't be undone.")])
    yes, no = (custom_ids.VOID(verb=verb, match=match.id) for verb in ("yes", "no"))
    buttons = row(button(yes, _("Yes, void it"), discord.ButtonStyle.danger), button(no, _("No, keep it")))
    return Reply(view=layout(words, buttons))


async def bar(request: Request, chosen: ChosenPerson) -> Reply:
    """Bar a person from playing in this server. Raises ``Refusal``."""
    request.check_manages()
    if chosen.bot:
        raise Refusal(_("Bots don't play here; there is nobody to bar."))
    user_id = chosen.person.id
    if user_id == request.person.id:
        raise Refusal(_("You can't bar yourself."))
    await request.services.bars.bar(request.server, user_id, request.id, by=request.person.id)
    running = await if_readable(request.services.queries.running(request.server, user_id), None)
    return Reply(
        _(
            "{person} can't start or join games in this server any more. {go_on} `/manage unbar` lifts the bar.",
            person=mention(user_id),
            go_on=_go_on(None if running is None else len(running)),
        )
    )


async def unbar(request: Request, user_id: int) -> Reply:
    """Let a person play in this server again. Raises ``Refusal``."""
    request.check_manages()
    await request.services.bars.unbar(request.server, user_id)
    return Reply(_("{person} can play in this server again.", person=mention(user_id)))


async def barred(request: Request) -> Reply:
    """List the people who are barred from playing in this server. Raises ``Refusal``."""
    request.check_manages()
    found = await request.services.bars.of_server(request.server)
    if not found:
        return Reply(_("Nobody is barred from playing in this server."))
    since = (
        _("{person} (since {time})", person=mention(bar.user_id), time=discord.utils.format_dt(bar.at, "d"))
        for bar in found
    )
    return Reply(_("Barred from playing in this server: {people}.", people=listed(since)))


async def _keep(request: Request, _match_id: int) -> Reply:
    request.check_manages()
    return Reply(view=layout(_("The match stays as it is.")))


async def _void(interaction: discord.Interaction[Any], match_id: int) -> None:
    """Void a match, and tell the manager when that is done: rating many matches again takes some seconds."""
    context, until = interaction.client.context, monotonic() + EDITABLE
    going_on = False

    async def asked(request: Request) -> Reply:
        nonlocal going_on
        request.check_manages()
        voiding = request.services.voiding
        if await voiding.ask(request.server, match_id, request.person.id, request.id):
            return _voided(match_id)
        await voiding.finished(match_id, AT_ONCE)
        going_on = await if_readable(voiding.under_way(match_id), True)
        return _being_voided(match_id) if going_on else _voided(match_id)

    async def changed(request: Request) -> Reply:
        nonlocal going_on
        under_way = await request.services.voiding.under_way(match_id)
        going_on = under_way and monotonic() < until
        return _being_voided(match_id) if under_way else _voided(match_id)

    await answer_in_place(interaction, asked)
    while going_on:
        waiting = context.services.voiding.finished(match_id, EVERY)
        await interaction.client.idle(waiting, reason="a match is being voided")
        if context.in_flight.closed or not await update_answer(interaction, changed):
            return


def _voided(match_id: int) -> Reply:
    words = _("Match {match_id} is voided. I'll tell the players in the channel it was played in.", match_id=match_id)
    return Reply(view=layout(words))


def _being_voided(match_id: int) -> Reply:
    return Reply(
        view=layout(
            _(
                "Match {match_id} is being voided: I'm rating the matches after it again. I'll tell you here and the "
                "players in the channel it was played in when it's done.",
                match_id=match_id,
            )
        )
    )


def _go_on(running: int | None) -> str:
    """Return what becomes of running matches; ``running`` None is a number that cannot be read."""
    if running is None:
        return _("Matches they are in go on; `/manage void` ends one without a result.")
    if not running:
        return _("They aren't in any match here.")
    return _n(
        "The match they are in goes on; `/manage void` ends one without a result.",
        "The {n} matches they are in go on; `/manage void` ends one without a result.",
        running,
    )
