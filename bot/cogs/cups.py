"""``/cup``: small tournaments that run themselves."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import TypedPace, suggested_paces, suggestions, variant_choices
from bot.matches.model.cups import FEWEST, MOST
from bot.storage.contest_states import CupStart
from bot.views import cups
from bot.views.answers import answer_privately
from renderers.i18n import gettext_lazy

HOUR, DAY = 3600, 86400
BEGIN_CHOICES = [
    app_commands.Choice(name=gettext_lazy("when it's full"), value=CupStart.FULL.value),
    app_commands.Choice(name=gettext_lazy("when I press Begin"), value=CupStart.BUTTON.value),
    app_commands.Choice(name=gettext_lazy("in an hour"), value=str(HOUR)),
    app_commands.Choice(name=gettext_lazy("in 6 hours"), value=str(6 * HOUR)),
    app_commands.Choice(name=gettext_lazy("in a day"), value=str(DAY)),
    app_commands.Choice(name=gettext_lazy("in 2 days"), value=str(2 * DAY)),
    app_commands.Choice(name=gettext_lazy("in 3 days"), value=str(3 * DAY)),
    app_commands.Choice(name=gettext_lazy("in a week"), value=str(7 * DAY)),
]
"""When a cup begins: a ``CupStart``, or a number of seconds from now."""
WHICH = gettext_lazy("Which cup: its number is in its name; you can leave it out where only one is meant")


class CupCommands(commands.Cog):
    """Cups: everyone plays everyone."""

    @app_commands.command(description=gettext_lazy("Cups: start one, look at one, or see which there are"))
    @app_commands.describe(
        game=gettext_lazy("Starts a cup for 3 to 8 people in this channel: everyone plays everyone"),
        cup=gettext_lazy("Shows a cup: its number is in its name"),
        variant=gettext_lazy("Which rules or size, where a game has several"),
        players=gettext_lazy("How many may join; 8 if left out"),
        pace=gettext_lazy("Pace: 3 days a move, or 10m+30s, a bank each move adds to; 2 days a move if left out"),
        begins=gettext_lazy("When it begins; if left out, when it's full"),
        rated=gettext_lazy("Whether it counts for ratings, once each has moved twice (yes if left out)"),
        grace=gettext_lazy("Use a player's day away before they lose on time; the server's usual if left out"),
        rest=gettext_lazy("Whether players' weekly rest stops their clocks; as in this server if left out"),
        text=gettext_lazy("As text"),
    )
    @app_commands.autocomplete(pace=suggested_paces)
    @app_commands.choices(begins=BEGIN_CHOICES)
    async def cup(
        self,
        interaction: discord.Interaction[Any],
        game: str | None = None,
        cup: int | None = None,
        variant: app_commands.Range[str, 1, 50] | None = None,
        players: app_commands.Range[int, FEWEST, MOST] | None = None,
        pace: TypedPace | None = None,
        begins: str = CupStart.FULL.value,
        rated: bool = True,
        grace: bool | None = None,
        rest: bool | None = None,
        text: bool | None = None,
    ) -> None:
        """Start a cup, whose card follows from the outbox, show a cup, or list those of the server."""
        if game is not None:
            seconds = int(begins) if begins.isdigit() else None
            how = CupStart.TIME if seconds is not None else CupStart(begins)
            starts_in = None if seconds is None else timedelta(seconds=seconds)
            terms = (game, variant, players, pace, how, starts_in)
            await answer_privately(interaction, cups.start, *terms, rated=rated, grace=grace, rest=rest)
        elif cup is not None or text is not None:
            await answer_privately(interaction, cups.shown_cup, cup, text)
        else:
            await answer_privately(interaction, cups.cups)

    @cup.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants for two of the game chosen."""
        return variant_choices(interaction, typed, 2)

    @cup.autocomplete("cup")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest cups of the server."""
        return await suggestions(interaction, cups.suggested, typed)
