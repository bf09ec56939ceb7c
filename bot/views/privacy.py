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

ERASE_WARNING = (
    "This deletes your preferences, absences, blocks, open challenges, ratings, levels beaten and name, in every "
    "server, and resigns the matches you are playing. Your opponents keep their games with your name removed. If you "
    "are barred from playing somewhere, that stays. It cannot be undone."
)


class PrivacyButton(Control, of=custom_ids.PRIVACY):
    """Deletes everything about a person, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            if match["verb"] == "keep":
                return Reply(view=layout("Nothing was deleted."))
            resigned = await context_of(interaction).services.privacy.erase(person_of(interaction), interaction.id)
            matches = "1 running match" if resigned == 1 else f"{resigned} running matches"
            ended = f" {matches} of yours ended with your resignation." if resigned else ""
            return Reply(view=layout(f"Everything about you has been deleted.{ended}"))

        await answer_in_place(interaction, work)


def question() -> discord.ui.LayoutView:
    """Return the question whether everything is to be deleted."""
    erase, keep = (custom_ids.PRIVACY(verb=verb) for verb in ("erase", "keep"))
    buttons = row(button(erase, "Delete everything", discord.ButtonStyle.danger), button(keep, "Keep it"))
    return layout(ERASE_WARNING, buttons)
