"""Where and when a server has its puzzle of the day: what the controls of ``/settings`` change about it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.delivery.discord_calls import may_post
from bot.matches.model.refusals import Channels, Refusal
from bot.messages import custom_ids
from bot.views import server_settings
from bot.views.answers import Reply, answer_in_place
from bot.views.bot_context import check_manages, context_of, guild_of
from bot.views.controls import ChannelChoice, Choice, Control
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy


class PuzzleChannelChoice(ChannelChoice, of=custom_ids.PUZZLE_CHANNEL):
    """Has a puzzle posted in a channel every day."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], channel_id: int) -> None:
        await _changed(interaction, lambda: announce(interaction, channel_id))


class PuzzleHourChoice(Choice, of=custom_ids.PUZZLE_HOUR):
    """Chooses the hour of the puzzle."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        async def change() -> None:
            if int(value) not in range(24):
                raise Refusal(_("A day has the hours 0 to 23."))
            await announce(interaction, hour=int(value))

        await _changed(interaction, change)


class PuzzleZoneChoice(Choice, of=custom_ids.PUZZLE_ZONE):
    """Chooses the time zone of that hour."""

    async def chosen(self, interaction: discord.Interaction[Any], match: re.Match[str], value: str) -> None:
        await _changed(interaction, lambda: announce(interaction, zone=value))


class NoPuzzlesButton(Control, of=custom_ids.NO_PUZZLES):
    """Has no more puzzles posted."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        await _changed(interaction, lambda: stop(interaction))


async def announce(
    interaction: discord.Interaction[Any],
    channel_id: int | None = None,
    hour: int | None = None,
    zone: str | None = None,
) -> None:
    """Have a puzzle posted every day; what is not given stays as it was. Raises ``Refusal``."""
    check_manages(interaction)
    if channel_id is not None:
        place = interaction.guild and interaction.guild.get_channel_or_thread(channel_id)
        if place is None or not may_post(place):
            raise Refusal(
                gettext_lazy(
                    "I can't post in {channel}: I need the permissions View Channel, Send Messages and Attach Files "
                    "there."
                ),
                channel=Channels((channel_id,)),
            )
    await context_of(interaction).services.daily_puzzles.announce(guild_of(interaction), channel_id, hour, zone)


async def stop(interaction: discord.Interaction[Any]) -> None:
    """Have no more puzzles posted. Raises ``Refusal``."""
    check_manages(interaction)
    await context_of(interaction).services.daily_puzzles.stop(guild_of(interaction))


async def _changed(interaction: discord.Interaction[Any], change: Callable[[], Awaitable[None]]) -> None:
    """Answer with the list of settings as it is after a change."""

    async def work() -> Reply:
        await change()
        return await server_settings.change(interaction, lambda before: before)

    await answer_in_place(interaction, work)
