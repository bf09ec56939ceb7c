"""``/manage``: voiding a match, barring a person, closing a cup, for those who manage a server."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.cups import WHICH
from bot.cogs.options import suggestions
from bot.views import cups, moderation
from bot.views.answers import answer_privately
from bot.views.discord_servers import chosen_person
from bot.views.which_match import suggested_to_void
from renderers.i18n import gettext_lazy


class ModerationCommands(commands.Cog):
    """Commands for people who manage a server, about matches and players."""

    manage = app_commands.Group(
        name="manage",
        description=gettext_lazy("Void a match or bar somebody from playing (needs Manage Server)"),
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @manage.command(
        description=gettext_lazy("Void a match: it counts for nobody, and ratings are as if it had not been played")
    )
    @app_commands.describe(
        match=gettext_lazy("Which match: its number is on its board; in its thread you can leave it out")
    )
    async def void(self, interaction: discord.Interaction[Any], match: int | None = None) -> None:
        """Ask the manager to confirm that a match is voided."""
        await answer_privately(interaction, moderation.ask_voiding, match)

    @void.autocomplete("match")
    async def which(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest the newest matches of the place."""
        return await suggestions(interaction, suggested_to_void, typed)

    @manage.command(description=gettext_lazy("Bar somebody from playing in this server; matches they are in go on"))
    @app_commands.describe(person=gettext_lazy("Who may no longer play here"))
    async def bar(self, interaction: discord.Interaction[Any], person: discord.User) -> None:
        """Bar a person."""
        await answer_privately(interaction, moderation.bar, chosen_person(person, interaction.client))

    @manage.command(description=gettext_lazy("Let somebody play in this server again"))
    @app_commands.describe(person=gettext_lazy("Who may play here again"))
    async def unbar(self, interaction: discord.Interaction[Any], person: discord.User) -> None:
        """Lift a bar."""
        await answer_privately(interaction, moderation.unbar, person.id)

    @manage.command(description=gettext_lazy("Close a cup without results; matches that are running go on"))
    @app_commands.describe(cup=WHICH)
    async def close(self, interaction: discord.Interaction[Any], cup: int | None = None) -> None:
        """Ask the manager to confirm that a cup is closed."""
        await answer_privately(interaction, cups.ask_closing, cup)

    @manage.command(description=gettext_lazy("Remove somebody from a cup"))
    @app_commands.describe(person=gettext_lazy("Who to remove"), cup=WHICH)
    async def remove(self, interaction: discord.Interaction[Any], person: discord.User, cup: int | None = None) -> None:
        """Ask the manager to confirm that a person is removed from a cup."""
        await answer_privately(interaction, cups.ask_removing, chosen_person(person, interaction.client), cup)

    @close.autocomplete("cup")
    @remove.autocomplete("cup")
    async def which_cup(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
        """Suggest cups of the server."""
        return await suggestions(interaction, cups.suggested, typed)

    @manage.command(description=gettext_lazy("Who is barred from playing in this server"))
    async def barred(self, interaction: discord.Interaction[Any]) -> None:
        """List the people who are barred."""
        await answer_privately(interaction, moderation.barred)
