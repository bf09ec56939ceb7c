"""A person's data: the export of everything stored about them, and its deletion."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.personal_data import zipped
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.pictures import Attachment
from bot.requests.context import EXPORT
from bot.requests.request import Request
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, prose
from renderers.i18n import ngettext as _n

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
