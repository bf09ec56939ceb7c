"""What the controls of ``/settings`` change, for those who manage the server: each what it names and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.languages.speaking import language_for
from bot.matches.model.refusals import Refusal
from bot.matches.writing.clocks import PACES
from bot.messages import custom_ids
from bot.messages.server_settings import NO_PACE, SWITCHES, server_settings
from bot.storage.guilds import GuildSettings
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import check_manages, context_of, guild_of
from bot.views.controls import ChannelChoice, Choice, Control
from bot.views.preferences import chosen_language
from renderers.i18n import gettext as _

_FIELDS = {switch.verb: switch.field for switch in SWITCHES}
Change = Callable[[GuildSettings], GuildSettings]


class SettingButton(Control, of=custom_ids.SETTING):
    """Turns one setting on or off."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        changed: dict[str, Any] = {_FIELDS[match["verb"]]: match["on"] == "yes"}
        await answer_in_place(interaction, lambda: change(interaction, lambda before: replace(before, **changed)))


class PaceChoice(Choice, of=custom_ids.USUAL_PACE):
    """Chooses the usual time for a move."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            if int(value) not in {NO_PACE, *(int(pace.total_seconds()) for pace in PACES.values())}:
                raise Refusal(_("There is no such pace any more."))
            return await change(interaction, lambda before: replace(before, pace=int(value) or None))

        await answer_in_place(interaction, work)


class AllowChannelChoice(ChannelChoice, of=custom_ids.ALLOW_CHANNEL):
    """Allows play in a channel."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        await answer_in_place(interaction, lambda: change(interaction, lambda before: allowing(before, channel_id)))


class ForbidChannelChoice(Choice, of=custom_ids.FORBID_CHANNEL):
    """No longer allows play in a channel."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await answer_in_place(interaction, lambda: change(interaction, lambda before: forbidding(before, int(value))))


class LanguageChoice(Choice, of=custom_ids.SERVER_LANGUAGE):
    """Chooses the language of what is posted for everybody."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def work() -> Reply:
            language = chosen_language(value)
            return await change(interaction, lambda before: replace(before, language=language))

        await answer_in_place(interaction, work)


def allowing(before: GuildSettings, channel_id: int) -> GuildSettings:
    """Return settings that allow play in a channel as well."""
    return replace(before, channels=tuple(dict.fromkeys((*before.channels, channel_id))))


def forbidding(before: GuildSettings, channel_id: int) -> GuildSettings:
    """Return settings that no longer allow play in a channel."""
    return replace(before, channels=tuple(one for one in before.channels if one != channel_id))


async def change(interaction: discord.Interaction[Any], wanted: Change) -> Reply:
    """Change the settings of a server and return all of them as they are then. Raises ``Refusal``."""
    check_manages(interaction)
    services, guild_id = context_of(interaction).services, guild_of(interaction)
    changed = await services.server_settings.change(guild_id, wanted)
    known = {one: interaction.guild and interaction.guild.get_channel_or_thread(one) for one in changed.channels}
    names = {one: place.name for one, place in known.items() if place is not None}
    own = language_for(interaction.guild_locale)
    return Reply(view=server_settings(changed, names, await services.daily_puzzles.channel(guild_id), own))
