"""What the controls of ``/preferences`` change: each what it names and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord

from bot.languages.catalogues import OFFERED
from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.preferences import BACK, OF_DISCORD, SWITCHES, preferences
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import context_of
from bot.views.controls import Choice, Control
from bot.views.languages import speak_to
from renderers.i18n import gettext_lazy as _
from renderers.pixels.theme import THEMES

_FIELDS = {switch.verb: switch.field for switch in SWITCHES}


class PreferenceButton(Control, of=custom_ids.PREFERENCE):
    """Turns one preference on or off."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            return await change(interaction, {_FIELDS[match["verb"]]: match["on"] == "yes"})

        await answer_in_place(interaction, work)


class ThemeChoice(Choice, of=custom_ids.PREFERRED_THEME):
    """Chooses the colours of pictures."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            if value not in THEMES:
                raise Refusal(_("There is no such theme any more."))
            return await change(interaction, {"theme": value})

        await answer_in_place(interaction, work)


class LanguageChoice(Choice, of=custom_ids.PREFERRED_LANGUAGE):
    """Chooses the language the bot speaks with somebody."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            return await change(interaction, {"language": chosen_language(value)})

        await answer_in_place(interaction, work)


class AwayChoice(Choice, of=custom_ids.AWAY):
    """Begins or ends an absence."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            await be_away(interaction, int(value))
            return await change(interaction, {})

        await answer_in_place(interaction, work)


def chosen_language(value: str) -> str | None:
    """Return the language a choice stands for, None for that of Discord. Raises ``Refusal``."""
    if value not in (OF_DISCORD, *OFFERED):
        raise Refusal(_("I don't speak that language any more."))
    return None if value == OF_DISCORD else value


async def be_away(interaction: discord.Interaction[Any], days: int) -> None:
    """Stop somebody's clocks for some days from now, or with ``BACK`` no longer. Raises ``Refusal``."""
    services, user_id = context_of(interaction).services, interaction.user.id
    if days == BACK:
        await services.absences.come_back(user_id)
    else:
        await services.absences.leave_until(user_id, services.context.clock() + timedelta(days=days))


async def change(interaction: discord.Interaction[Any], changes: dict[str, Any]) -> Reply:
    """Change what is given of somebody's preferences, and return all of them as they are then."""
    services, user_id = context_of(interaction).services, interaction.user.id
    wanted = await (
        services.personal_settings.prefer(user_id, lambda before: replace(before, **changes))
        if changes
        else services.personal_settings.preferences(user_id)
    )
    await speak_to(interaction)
    absence = await services.absences.absence(user_id)
    return Reply(view=preferences(wanted, None if absence is None else absence.ends_at))
