"""``/games``, ``/rules``, ``/help``, ``/about`` and ``/puzzle``: help, reference pages, and puzzles."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.views import helping, puzzles, reference
from bot.views.answers import answer_privately
from renderers.i18n import gettext_lazy


class ReferenceCommands(commands.Cog):
    """Help, games, rules and puzzles."""

    @app_commands.command(description=gettext_lazy("The games you can play here, with pictures"))
    @app_commands.guild_only()
    async def games(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of the games."""
        await answer_privately(interaction, reference.games)

    @app_commands.command(description=gettext_lazy("The rules of a game, with diagrams"))
    @app_commands.guild_only()
    @app_commands.describe(game=gettext_lazy("Which game"))
    async def rules(self, interaction: discord.Interaction[Any], game: str) -> None:
        """Show the first page of a game's rules."""
        await answer_privately(interaction, reference.rules, game)

    @app_commands.command(description=gettext_lazy("Where to start"))
    @app_commands.guild_only()
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Explain how to begin."""
        await answer_privately(interaction, helping.help_page)

    @app_commands.command(description=gettext_lazy("What this bot is, its version, source and invite link"))
    @app_commands.guild_only()
    async def about(self, interaction: discord.Interaction[Any]) -> None:
        """Say what this is."""
        await answer_privately(interaction, reference.about, interaction.application_id)

    @app_commands.command(description=gettext_lazy("A puzzle to solve, only you see it"))
    @app_commands.guild_only()
    @app_commands.describe(game=gettext_lazy("Of which game; any if you leave it out"))
    async def puzzle(self, interaction: discord.Interaction[Any], game: str | None = None) -> None:
        """Show the puzzle the person is at, or a new one."""
        await answer_privately(interaction, puzzles.given, game)
