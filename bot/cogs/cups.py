"""``/cup``: small tournaments that run themselves."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import TypedPace, suggested_paces, suggestions, variant_choices
from bot.matches.model.cups import FEWEST, MOST
from bot.storage.records import CupStart
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

    cup = app_commands.Group(
        name="cup",
        description=gettext_lazy("Cups: everyone plays everyone, and nobody has to run them"),
    )

    @cup.command(description=gettext_lazy("Start a cup for 3 to 8 people in this channel"))
    @app_commands.describe(
        game=gettext_lazy("Which game"),
        variant=gettext_lazy("Which rules or size, where a game has several"),
        players=gettext_lazy("How many may join; 8 if left out"),
        pace=gettext_lazy("Time to think, such as 3 days or 10m+30s; 2 days a move if left out"),
        begins=gettext_lazy("When it begins; if left out, when it's full"),
        rated=gettext_lazy("Whether it counts for ratings, once each has moved twice (yes if left out)"),
        grace=gettext_lazy("Spend a day away before somebody loses on time; as usual in the server if left out"),
        rest=gettext_lazy("Whether players' weekly rest stops their clocks; as in this server if left out"),
    )
    @app_commands.autocomplete(pace=suggested_paces)
    @app_commands.choices(begins=BEGIN_CHOICES)
    async def start(
        self,
        interaction: discord.Interaction[Any],
        game: str,
        variant: app_commands.Range[str, 1, 50] | None = None,
        players: app_commands.Range[int, FEWEST, MOST] | None = None,
        pace: TypedPace | None = None,
        begins: str = CupStart.FULL.value,
        rated: bool = True,
        grace: bool | None = None,
        rest: bool | None = None,
    ) -> None:
        """Store a cup; its card follows from the outbox."""
        seconds = int(begins) if begins.isdigit() else None
        how = CupStart.TIME if seconds is not None else CupStart(begins)
        starts_in = None if seconds is None else timedelta(seconds=seconds)
        await answer_privately(
            interaction, cups.start, game, variant, players, pace, how, starts_in, rated=rated, grace=grace, rest=rest
        )

    @start.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants for two of the game chosen."""
        return variant_choices(interaction, typed, 2)

    @cup.command(name="list", description=gettext_lazy("The cups of this server"))
    @app_commands.describe(ended=gettext_lazy("Choose True to list those that have ended"))
    async def list_(self, interaction: discord.Interaction[Any], ended: bool = False) -> None:
        """List cups."""
        await answer_privately(interaction, cups.cups, ended=ended)

    @cup.command(description=gettext_lazy("The table of a cup"))
    @app_commands.describe(cup=WHICH, text=gettext_lazy("As text"))
    async def show(
        self, interaction: discord.Interaction[Any], cup: int | None = None, text: bool | None = None
    ) -> None:
        """Show a cup."""
        await answer_privately(interaction, cups.shown_cup, cup, text)

    @cup.command(description=gettext_lazy("A cup as a text file: its table and all matches"))
    @app_commands.describe(cup=WHICH)
    async def export(self, interaction: discord.Interaction[Any], cup: int | None = None) -> None:
        """Give the text of a cup."""
        await answer_privately(interaction, cups.export, cup)

    @cup.command(description=gettext_lazy("Leave a cup that is open, or withdraw from one that is running"))
    @app_commands.describe(cup=WHICH)
    async def leave(self, interaction: discord.Interaction[Any], cup: int | None = None) -> None:
        """Leave a cup, or ask whether the person means to withdraw."""
        await answer_privately(interaction, cups.ask_leaving, cup)

    @cup.command(description=gettext_lazy("The rules of cups"))
    async def rules(self, interaction: discord.Interaction[Any]) -> None:
        """Show the rules of cups."""
        await answer_privately(interaction, cups.rules)

    @show.autocomplete("cup")
    @export.autocomplete("cup")
    @leave.autocomplete("cup")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest cups of the server."""
        return await suggestions(interaction, cups.suggested, typed)
