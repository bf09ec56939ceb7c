"""Moderation by people who manage a server: voiding a match, barring a person."""

from __future__ import annotations

import discord

from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.wording import listed, mention, players, title
from bot.requests.context import ChosenPerson
from bot.requests.outcome import read_or
from bot.requests.request import Request
from bot.storage import bars
from bot.storage.match_lists import running_of
from bot.views.answers import Reply
from bot.views.controls import in_place
from bot.views.which_match import match_to_void
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import prose


@in_place(custom_ids.VOID)
async def on_void(request: Request, ids: custom_ids.MatchAnswer) -> Reply:
    """Void a match, or do not."""
    request.check_can_manage_server()
    if not ids.sure:
        return Reply(view=layout(_("The match stays as it is.")))
    person = request.person
    await request.services.voiding.void(request.server, ids.match, person.id, request.id, person.name)
    words = _("Match {match_id} is voided. I'll tell the players in the channel it was played in.", match_id=ids.match)
    return Reply(view=layout(words))


async def ask_voiding(request: Request, number: int | None) -> Reply:
    """Return the question whether to void a match. Raises ``Refusal`` where it cannot be voided."""
    request.check_can_manage_server()
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
    yes, no = (custom_ids.VOID(sure=sure, match=match.id) for sure in (True, False))
    buttons = row(button(yes, _("Yes, void it"), discord.ButtonStyle.danger), button(no, _("No, keep it")))
    return Reply(view=layout(words, buttons))


async def bar(request: Request, chosen: ChosenPerson) -> Reply:
    """Bar a person from playing in this server. Raises ``Refusal``."""
    request.check_can_manage_server()
    if chosen.bot:
        raise Refusal(_("Bots don't play here; there is nobody to bar."))
    user_id = chosen.person.id
    if user_id == request.person.id:
        raise Refusal(_("You can't bar yourself."))
    await request.services.bars.bar(request.server, user_id, request.id, by=request.person.id)
    running = await read_or(request.services.read(running_of, request.server, user_id), None)
    if running is None:
        go_on = _("Matches they are in go on; `/manage void` ends one without a result.")
    elif not running:
        go_on = _("They aren't in any match here.")
    else:
        go_on = _n(
            "The match they are in goes on; `/manage void` ends one without a result.",
            "The {n} matches they are in go on; `/manage void` ends one without a result.",
            len(running),
        )
    return Reply(
        _(
            "{person} can't start or join games in this server any more. {go_on} `/manage unbar` lifts the bar.",
            person=mention(user_id),
            go_on=go_on,
        )
    )


async def unbar(request: Request, user_id: int) -> Reply:
    """Let a person play in this server again. Raises ``Refusal``."""
    request.check_can_manage_server()
    await request.services.bars.unbar(request.server, user_id)
    return Reply(_("{person} can play in this server again.", person=mention(user_id)))


async def barred(request: Request) -> Reply:
    """List the people who are barred from playing in this server. Raises ``Refusal``."""
    request.check_can_manage_server()
    bars_here = await request.services.read(bars.in_server, request.server)
    if not bars_here:
        return Reply(_("Nobody is barred from playing in this server."))
    since = (
        _("{person} (since {time})", person=mention(bar.user_id), time=discord.utils.format_dt(bar.at, "d"))
        for bar in bars_here
    )
    return Reply(_("Barred from playing in this server: {people}.", people=listed(since)))
