"""``/puzzle``."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.views import puzzle_buttons
from bot.views.answers import answer_privately
from renderers.i18n import gettext_lazy


class PuzzleCommands(commands.Cog):
    """Puzzles to solve alone."""

    @app_commands.command(description=gettext_lazy("A puzzle to solve, only you see it"))
    @app_commands.guild_only()
    @app_commands.describe(game=gettext_lazy("Of which game; any if you leave it out"))
    async def puzzle(self, interaction: discord.Interaction[Any], game: str | None = None) -> None:
        """Give somebody the puzzle they are at, or a new one."""
        await answer_privately(interaction, lambda: puzzle_buttons.given(interaction, game))
