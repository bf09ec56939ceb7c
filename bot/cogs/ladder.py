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

    @app_commands.command(
        description=gettext_lazy("The ladder: each week a match against somebody near in rating. See it, and join it")
    )
    @app_commands.describe(
        game=gettext_lazy("Joins with this game; use this again for one more"),
        pace=gettext_lazy("Joins with this least time for a move; your opponent may want more"),
    )
    @app_commands.choices(pace=PACE_CHOICES)
    async def ladder(
        self, interaction: discord.Interaction[Any], game: str | None = None, pace: int | None = None
    ) -> None:
        """Show the ladder, or join it with what is given."""
        if game is None and pace is None:
            await answer_privately(interaction, ladder.show)
        else:
            await answer_privately(interaction, ladder.join, game, pace)
