"""Having everything about oneself deleted: the question whether it is meant, and what its buttons do."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of, person_of
from bot.views.controls import Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, prose
from renderers.i18n import ngettext as _n

ERASE_WARNING = gettext_lazy(
    "This deletes your preferences, absences, blocks, open challenges, ratings, puzzles, levels beaten "
    "and name, in every server, and resigns the matches you are playing. Your opponents keep their "
    "games with your name removed. If you are barred from playing somewhere, that stays. It cannot "
    "be undone."
)


class PrivacyButton(Control, of=custom_ids.PRIVACY):
    """Deletes everything about a person, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            if match["verb"] == "keep":
                return Reply(view=layout(_("Nothing was deleted.")))
            services = context_of(interaction).services
            resigned = await services.privacy.erase(person_of(interaction), interaction.id)
            services.personal_settings.forget(interaction.user.id)
            words = _("Everything about you has been deleted.")
            if resigned:
                ended = _n(
                    "{n} running match of yours ended with your resignation.",
                    "{n} running matches of yours ended with your resignation.",
                    resigned,
                )
                words = prose([words, ended])
            return Reply(view=layout(words))

        await answer_in_place(interaction, work)


def question() -> discord.ui.LayoutView:
    """Return the question whether everything is to be deleted."""
    erase, keep = (custom_ids.PRIVACY(verb=verb) for verb in ("erase", "keep"))
    buttons = row(button(erase, _("Delete everything"), discord.ButtonStyle.danger), button(keep, _("Keep it")))
    return layout(ERASE_WARNING, buttons)
