"""What people look up: ``/games``, ``/help``, ``/puzzle``, ``/leaderboard``, ``/profile``."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import anywhere
from bot.views import helping, leaderboards, puzzles, reference
from bot.views.answers import answer_privately
from bot.views.discord_servers import chosen_person
from renderers.i18n import gettext_lazy


class ReferenceCommands(commands.Cog):
    """Help, games, rules and puzzles."""

    @anywhere
    @app_commands.command(description=gettext_lazy("The games you can play here, and the rules of each"))
    @app_commands.describe(game=gettext_lazy("Shows the rules of this game, with diagrams"))
    async def games(self, interaction: discord.Interaction[Any], game: str | None = None) -> None:
        """Show the first page of the games, or of a game's rules."""
        if game is None:
            await answer_privately(interaction, reference.games)
        else:
            await answer_privately(interaction, reference.rules, game)

    @anywhere
    @app_commands.command(description=gettext_lazy("Where to start, what else there is, and about this bot"))
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Explain how to begin."""
        await answer_privately(interaction, helping.help_page, interaction.application_id)

    @anywhere
    @app_commands.command(description=gettext_lazy("A puzzle to solve, only you see it"))
    @app_commands.describe(game=gettext_lazy("Of which game; any if you leave it out"))
    async def puzzle(self, interaction: discord.Interaction[Any], game: str | None = None) -> None:
        """Show the puzzle the person is at, or a new one."""
        await answer_privately(interaction, puzzles.given, game)


BY_CHOICES = [
    app_commands.Choice(name=gettext_lazy("rating"), value=leaderboards.By.RATING.value),
    app_commands.Choice(name=gettext_lazy("matches won this month"), value=leaderboards.By.MONTH.value),
]


class LeaderboardCommands(commands.Cog):
    """Leaderboards and profiles."""

    @app_commands.command(description=gettext_lazy("Who plays best here"))
    @app_commands.describe(
        game=gettext_lazy("One game, or all of them together if you leave it out"), by=gettext_lazy("What counts")
    )
    @app_commands.choices(by=BY_CHOICES)
    async def leaderboard(
        self,
        interaction: discord.Interaction[Any],
        game: str = leaderboards.EVERY_GAME,
        by: str = leaderboards.By.RATING.value,
    ) -> None:
        """Show the first page of a leaderboard."""
        await answer_privately(interaction, leaderboards.leaderboard, game, leaderboards.By(by))

    @app_commands.command(description=gettext_lazy("Somebody's ratings and results"))
    @app_commands.describe(person=gettext_lazy("Whose; your own if you leave it out"))
    async def profile(self, interaction: discord.Interaction[Any], person: discord.User | None = None) -> None:
        """Show a person's ratings and results in this server."""
        chosen = chosen_person(person or interaction.user, interaction.client)
        await answer_privately(interaction, leaderboards.profile, chosen)
