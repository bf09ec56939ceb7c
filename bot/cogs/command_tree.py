"""The tree of slash commands: its cogs, its translation, and the answer to an unexpected error."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType
from discord.app_commands import TranslationContextLocation as Location
from discord.ext import commands

from bot.cogs.challenges import ChallengeCommands, challenge_person
from bot.cogs.cups import CupCommands
from bot.cogs.ladder import LadderCommands
from bot.cogs.moderation import ModerationCommands
from bot.cogs.options import are_offered, offer_games
from bot.cogs.personal import PersonalCommands
from bot.cogs.play import PlayCommands
from bot.cogs.reference import LeaderboardCommands, ReferenceCommands
from bot.cogs.server_settings import ServerSettingsCommands
from bot.languages.speaking import COMMAND, OPTION, CommandLinks, language, language_for
from bot.views.answers import apology, refuse_value, use_language_of
from renderers.i18n import ENGLISH, LazyText, gettext_lazy, speaking, translated

COGS = (
    ChallengeCommands,
    CupCommands,
    LadderCommands,
    ServerSettingsCommands,
    ModerationCommands,
    PersonalCommands,
    PlayCommands,
    LeaderboardCommands,
    ReferenceCommands,
)
_NAMES = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: OPTION,
}
"""The contexts of names in catalogues, by their place in a command."""


class CommandTree(app_commands.CommandTree[Any]):
    """The slash commands. An unexpected error is answered with a reference that is in the log."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Speak the language of the person who asks; return whether this bot carries the command out.

        It does not where another process answers, and refuses a command with values that it does not offer.
        """
        use_language_of(interaction)
        if not await interaction.client.answers(interaction):
            return False
        if are_offered(interaction):
            if interaction.type is discord.InteractionType.application_command:
                used: Any = interaction.data
                learn(interaction.client.context.command_links, self, used["name"], int(used["id"]))
            return True
        if interaction.type is discord.InteractionType.application_command:
            await refuse_value(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        """Answer an unexpected error."""
        try:
            raise error
        except app_commands.AppCommandError:
            text = apology(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            return
        with contextlib.suppress(discord.HTTPException, discord.RateLimited):
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True)
            else:
                await interaction.response.send_message(text, ephemeral=True)


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
                translation = spoken.messages.pgettext(_NAMES[context.location], string.message)
            else:
                lazy = string.message if isinstance(string.message, LazyText) else gettext_lazy(string.message)
                translation = translated(lazy)
        return None if translation == string.message else translation


def learn(links: CommandLinks, tree: app_commands.CommandTree[Any], name: str, command_id: int) -> None:
    """Note the id that Discord gave to a slash command, for what can be used of it. Context menus have no links."""
    command = tree.get_command(name)
    if isinstance(command, app_commands.Group):
        used = (each for each in command.walk_commands() if isinstance(each, app_commands.Command))
        links.learn(command_id, (each.qualified_name for each in used))
    elif command is not None:
        links.learn(command_id, [command.qualified_name])


def offer_to_persons(tree: app_commands.CommandTree[Any]) -> None:
    """Offer what can be used in direct messages to people who install the bot for themselves, wherever they are.

    Discord refuses all commands if one has a kind of installation that is switched off in the developer portal.
    """
    for command in tree.get_commands():
        if command.allowed_contexts is not None and command.allowed_contexts.dm_channel:
            command.allowed_installs = AppInstallationType(guild=True, user=True)
            command.allowed_contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=True)


async def add_commands(bot: commands.AutoShardedBot) -> None:
    """Add every command to a bot's tree, with the games that are offered now."""
    for cog in COGS:
        await bot.add_cog(cog())
    bot.tree.add_command(challenge_person)
    offer_games(bot.tree)


def words() -> Iterator[tuple[str, str]]:
    """Yield every word of the tree that has a translation, after its context in the catalogues.

    A word is the name of a command (``COMMAND``) or of an option (``OPTION``). Some words are yielded several times.
    """
    for cog in COGS:
        for command in cog().walk_app_commands():
            yield COMMAND, command.name
            if isinstance(command, app_commands.Command):
                yield from ((OPTION, option.name) for option in command.parameters)
