"""A person's data: the export of everything stored about them, its deletion, and where they are signed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.personal_data import zip_archive
from bot.messages import custom_ids
from bot.messages.layout import Part, button, layout, line, row
from bot.messages.pictures import Attachment
from bot.requests.context import EXPORT
from bot.requests.request import Request
from bot.storage.homes import is_private
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.controls import Interaction, control, in_place
from renderers.i18n import LazyText, gettext_lazy, prose, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

SESSIONS = 10
"""Sessions in a list, the newest first; *Sign out everywhere* ends the others, too."""
ERASE_WARNING = gettext_lazy(
    "**Deleted** in every server: your name, preferences, absences, blocks, notes, plans, ratings, puzzles "
    "and levels beaten\n"
    "**Given up**: your running matches; your places in cups and ladders; open challenges; you are signed "
    "out of every browser\n"
    "**Kept**: your opponents' matches and what you have shared, without your name; your bars from playing\n"
    "**It cannot be undone.**"
)

ACTIONS: Final[Mapping[Literal["export", "sessions", "delete"], LazyText]] = {
    "export": gettext_lazy("Everything stored about you, as a file"),
    "sessions": gettext_lazy("Where you're signed in to the board page"),
    "delete": gettext_lazy("Delete everything about you"),
}
"""What a person can do about their data, with its name."""


@control(custom_ids.PRIVACY)
async def on_privacy(interaction: Interaction, ids: custom_ids.PrivacyVerb) -> None:
    """Do what a person has chosen, or delete everything about them, or do not."""
    if ids.verb in ("erase", "keep"):
        await answer_in_place(interaction, erase, ids.verb == "erase")
    else:
        await act(interaction, ids.verb)


async def act(interaction: Interaction, action: str) -> None:
    """Do one of ``ACTIONS``; without one show all of them."""
    match action:
        case "export":
            await answer_privately(interaction, export, interaction.filesize_limit)
        case "sessions":
            await answer_privately(interaction, sessions)
        case "delete":
            await answer_privately(interaction, ask_erasure)
        case _:
            await answer_privately(interaction, choices)


async def choices(_request: Request) -> Reply:
    """Return what a person can do about their data."""
    danger, secondary = discord.ButtonStyle.danger, discord.ButtonStyle.secondary
    buttons = [
        button(custom_ids.PRIVACY(verb=action), translated(name), danger if action == "delete" else secondary)
        for action, name in ACTIONS.items()
    ]
    return Reply(view=layout(_("### What is stored about you"), row(*buttons)))


async def erase(request: Request, sure: bool) -> Reply:
    """Delete everything about a person if they are ``sure``."""
    if not sure:
        return Reply(view=layout(_("Nothing was deleted.")))
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


@in_place(custom_ids.SESSION)
async def on_session(request: Request, ids: custom_ids.OfSession) -> Reply:
    """Sign the person out of the board page, in one browser or in all, and list those that are left."""
    await request.services.page_access.end(request.person.id, ids.session)
    return await sessions(request)


async def export(request: Request, size_limit: int) -> Reply:
    """Return everything stored about a person as a file, zipped where it is over ``size_limit`` bytes."""
    request.context.check_rate_limit(request.person.id, EXPORT)
    services = request.services
    kept, name = await services.privacy.export(request.person.id), "tavoliere.json"
    if len(kept) > size_limit:
        spec = JobSpec(Pool.INTERACTIVE, Priority.LOOK)
        kept = await services.compute_as(spec, zip_archive, kept, name)
        name = "tavoliere.zip"
    return Reply(_("This is everything stored about you."), attachments=(Attachment(kept, name),))


async def ask_erasure(_request: Request) -> Reply:
    """Return the question whether the person means to delete everything."""
    erase, keep = custom_ids.PRIVACY(verb="erase"), custom_ids.PRIVACY(verb="keep")
    buttons = row(button(erase, _("Delete everything"), discord.ButtonStyle.danger), button(keep, _("Keep it")))
    return Reply(view=layout(ERASE_WARNING, buttons))


async def sessions(request: Request) -> Reply:
    """Return the browsers in which the person is signed in to the board page, with buttons that sign them out."""
    signed_in = (await request.services.page_access.sessions(request.person.id))[::-1]
    if not signed_in:
        return Reply(view=layout(_("You aren't signed in to the board page in any browser.")))
    parts: list[Part] = [_("### Where you are signed in")]
    for session in signed_in[:SESSIONS]:
        begun, until = (discord.utils.format_dt(at, "f") for at in (session.begun_at, session.expires_at))
        if is_private(session.guild_id):
            words = _(
                "For matches in direct messages or a group: signed in {begun}, until {until} at the latest",
                begun=begun,
                until=until,
            )
        elif session.guild_id == request.place.guild_id:
            words = _(
                "For this server's matches: signed in {begun}, until {until} at the latest", begun=begun, until=until
            )
        else:
            words = _(
                "For another server's matches: signed in {begun}, until {until} at the latest", begun=begun, until=until
            )
        parts.append(line(words, button(custom_ids.SESSION(session=session.id), _("Sign out"))))
    if len(signed_in) > 1:
        parts.append(row(button(custom_ids.SESSION(session=None), _("Sign out everywhere"))))
    return Reply(view=layout(*parts))
