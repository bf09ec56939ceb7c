"""The buttons of a challenge's card and of the offer of a rematch."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.messages import custom_ids
from bot.views import rules_pages
from bot.views.answers import Reply, answer_in_place, answer_privately
from bot.views.bot_context import context_of, guild_of, person_of
from bot.views.controls import Control
from renderers.i18n import gettext as _


class ChallengeButton(Control, of=custom_ids.CHALLENGE):
    """Accept or Join, Decline, Leave, Start, Cancel."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            service = context_of(interaction).services.challenges
            act = getattr(service, match["verb"])
            await act(guild_of(interaction), int(match["challenge"]), person_of(interaction), interaction.id)
            return None

        await answer_in_place(interaction, work)


class RematchButton(Control, of=custom_ids.REMATCH):
    """Offers a rematch, or accepts the one offered."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply | None:
            match_id = int(match["match"])
            parent_id = getattr(interaction.channel, "parent_id", None)
            started = await context_of(interaction).services.rematches.ask(
                guild_of(interaction), match_id, person_of(interaction), interaction.id, parent_id=parent_id
            )
            if started is not None:
                return Reply(_("The rematch is on: match {match}.", match=started))
            return Reply(_("Rematch offered. It starts as soon as it's accepted."))

        await answer_privately(interaction, work)


class RulesButton(Control, of=custom_ids.RULES):
    """Shows the rules of a game, in the variant it stands under, to whoever asks."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await answer_privately(interaction, lambda: rules_pages.page(interaction, match["game"], match["variant"]))
