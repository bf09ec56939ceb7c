"""A person's data: the export of everything stored about them, its deletion, and where they are signed in."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.personal_data import zipped
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, line, row
from bot.messages.pictures import Attachment
from bot.requests.context import EXPORT
from bot.requests.request import Request
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, prose
from renderers.i18n import ngettext as _n

SESSIONS = 10
"""Sessions in a list, the newest first; *Sign out everywhere* ends the others, too."""
EVERY_BROWSER = "all"
ERASE_WARNING = gettext_lazy(
    "This deletes your preferences, absences, blocks, open challenges, ratings, puzzles, levels beaten "
    "and name, in every server, withdraws you from cups, and resigns the matches you are playing. Your opponents keep "
    "their games with your name removed. If you are barred from playing somewhere, that stays. It cannot "
    "be undone."
)


class PrivacyButton(Control, of=custom_ids.PRIVACY):
    """Deletes everything about a person, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_in_place(interaction, _keep if match["verb"] == "keep" else _erase)


class SessionButton(Control, of=custom_ids.SESSION):
    """Signs the person out of the board page, in one browser or in all."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        session = match["session"]
        await answer_in_place(interaction, _sign_out, None if session == EVERY_BROWSER else int(session))


async def export(request: Request, size_limit: int) -> Reply:
    """Return everything stored about a person as a file, zipped where it is over ``size_limit`` bytes."""
    request.context.check_rate_limit(request.person.id, EXPORT)
    services = request.services
    kept, name = await services.privacy.export(request.person.id), "tavoliere.json"
    if len(kept) > size_limit:
        spec = JobSpec(Pool.PICTURES, Priority.LOOK)
        kept = await services.context.compute_as(spec, zipped, kept, name)
        name = "tavoliere.zip"
    return Reply(_("This is everything stored about you."), attachments=(Attachment(kept, name),))


async def ask_erasure(_request: Request) -> Reply:
    """Return the question whether the person means to delete everything."""
    erase, keep = (custom_ids.PRIVACY(verb=verb) for verb in ("erase", "keep"))
    buttons = row(button(erase, _("Delete everything"), discord.ButtonStyle.danger), button(keep, _("Keep it")))
    return Reply(view=layout(ERASE_WARNING, buttons))


async def sessions(request: Request) -> Reply:
    """Return the browsers in which the person is signed in to the board page, with buttons that sign them out."""
    found = (await request.services.page_access.sessions(request.person.id))[::-1]
    if not found:
        return Reply(view=layout(_("You aren't signed in to the board page in any browser.")))
    parts: list[Part] = [_("### Where you are signed in")]
    for session in found[:SESSIONS]:
        begun, until = (discord.utils.format_dt(at, "f") for at in (session.begun_at, session.expires_at))
        words = (
            _("Matches of this server: since {begun}, at the longest until {until}", begun=begun, until=until)
            if session.guild_id == request.place.guild_id
            else _("Matches of another server: since {begun}, at the longest until {until}", begun=begun, until=until)
        )
        parts.append(line(words, button(custom_ids.SESSION(session=session.id), _("Sign out"))))
    if len(found) > 1:
        parts.append(row(button(custom_ids.SESSION(session=EVERY_BROWSER), _("Sign out everywhere"))))
    return Reply(view=layout(*parts))


async def _sign_out(request: Request, session_id: int | None) -> Reply:
    """End a session, or all of them, and return those that are left."""
    await request.services.page_access.end(request.person.id, session_id)
    return await sessions(request)


async def _keep(_request: Request) -> Reply:
    return Reply(view=layout(_("Nothing was deleted.")))


async def _erase(request: Request) -> Reply:
    services = request.services
    resigned = await services.privacy.erase(request.person, request.id)
    services.personal_settings.forget(request.person.id)
    words = _("Everything about you has been deleted.")
    if resigned:
        ended = _n(
            "You resigned {n} running match.",
            "You resigned {n} running matches.",
            resigned,
        )
        words = prose([words, ended])
    return Reply(view=layout(words))
