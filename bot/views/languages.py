"""Which language an interaction is answered in, and in which what follows from it is posted for everybody.

Commands are called as the person's Discord shows them, whatever language they have chosen.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.languages.speaking import language, language_for
from bot.views.bot_context import context_of, guild_of
from renderers.i18n import speak


def greet(interaction: discord.Interaction[Any]) -> None:
    """Speak, from here on, the language of whoever asks as far as that is known without waiting for anything."""
    settings = context_of(interaction).services.personal_settings
    own = language_for(interaction.locale)
    speak(language(settings.last_spoken_with(interaction.user.id, own), own))


async def speak_to(interaction: discord.Interaction[Any]) -> None:
    """Speak, from here on, the language of whoever asks: the one they chose, or that of their Discord."""
    settings = context_of(interaction).services.personal_settings
    own = language_for(interaction.locale)
    spoken = await settings.spoken_with(interaction.user.id, own)
    speak(language(spoken.language if spoken else own, own))


async def public_language(interaction: discord.Interaction[Any]) -> str:
    """Return the tag of a server's language: the one its managers chose, or that of the server itself."""
    settings = await context_of(interaction).services.server_settings.of(guild_of(interaction))
    return settings.language or language_for(interaction.guild_locale)
