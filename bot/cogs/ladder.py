"""``/ladder``: a match against a player of a near rating each week."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.matches.services.ladders import PACES
from bot.views import ladder
from bot.views.answers import answer_privately
from renderers.i18n import gettext_lazy

PACE_CHOICES = [
    app_commands.Choice(name=name, value=seconds)
    for name, seconds in zip(
        (
            gettext_lazy("1 day a move"),
            gettext_lazy("2 days a move"),
            gettext_lazy("3 days a move"),
            gettext_lazy("7 days a move"),
        ),
        PACES,
        strict=True,
    )
]


class LadderCommands(commands.Cog):
    """The ladder, which pairs people each week."""

    ladder = app_commands.Group(
        name="ladder", description=gettext_lazy("The ladder: each week a match against somebody near in rating")
    )

    @ladder.command(description=gettext_lazy("Get a match each week against somebody near in rating"))
    @app_commands.describe(
        game=gettext_lazy("A game to play there; use this again for one more, or leave it out for all"),
        pace=gettext_lazy("The least time for a move; your opponent may want more"),
    )
    @app_commands.choices(pace=PACE_CHOICES)
    async def join(
        self, interaction: discord.Interaction[Any], game: str | None = None, pace: int | None = None
    ) -> None:
        """Join the ladder."""
        await answer_privately(interaction, ladder.join, game, pace)

    @ladder.command(description=gettext_lazy("Leave the ladder; matches that are running go on"))
    async def leave(self, interaction: discord.Interaction[Any]) -> None:
        """Leave the ladder."""
        await answer_privately(interaction, ladder.leave)

    @ladder.command(description=gettext_lazy("Who is in the ladder, and who plays whom this week"))
    async def show(self, interaction: discord.Interaction[Any]) -> None:
        """Show the ladder."""
        await answer_privately(interaction, ladder.show)
