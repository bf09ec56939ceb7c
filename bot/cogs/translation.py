"""The names of commands, options and choices in those of Discord's languages that the bot speaks."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.languages.speaking import COMMAND, OPTION, language, language_for
from renderers.i18n import ENGLISH, LazyText, gettext_lazy, speaking, translated

_NAMES = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: OPTION,
}
"""The contexts of names in catalogues, by their place in a command."""


class CommandTranslator(app_commands.Translator):
    """Looks names and descriptions up in the catalogues; Discord shows English where there is nothing."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Return a name or description in one of Discord's languages, or None."""
        spoken = language(language_for(locale))
        if spoken is ENGLISH:
            return None
        with speaking(spoken):
            if context.location in _NAMES and not isinstance(context.data, app_commands.ContextMenu):
                found = spoken.messages.pgettext(_NAMES[context.location], string.message)
            else:
                lazy = string.message if isinstance(string.message, LazyText) else gettext_lazy(string.message)
                found = translated(lazy)
        return None if found == string.message else found
