"""**Challenge** in the menu on a person, which right-clicking or holding down opens."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.views import person_menu
from bot.views.answers import answer_privately
from renderers.i18n import gettext_lazy

CHALLENGE = gettext_lazy("Challenge")


@app_commands.context_menu(name=CHALLENGE)
@app_commands.guild_only()
async def challenge_person(interaction: discord.Interaction[Any], person: discord.User) -> None:
    """Ask to which game somebody is to be challenged."""
    await answer_privately(interaction, lambda: person_menu.opened(interaction, person))
