"""``/preferences``, ``/block`` and ``/privacy``: what people decide for themselves, and what is kept of them."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.compute.job import Demand, Pool, Urgency
from bot.matches.model.personal_data import zipped
from bot.matches.services.absences import AWAY_BUDGET
from bot.messages.pictures import Attachment
from bot.messages.preferences import THEME_NAMES
from bot.messages.wording import listed, mention
from bot.views import preferences, privacy
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import EXPORT, context_of

THEME_CHOICES = [app_commands.Choice(name=name, value=theme) for theme, name in THEME_NAMES.items()]


class Personal(commands.Cog):
    """What people decide for themselves."""

    privacy_group = app_commands.Group(name="privacy", description="What is stored about you", guild_only=True)

    @app_commands.command(description="How boards are shown to you, reminders, and being away")
    @app_commands.guild_only()
    @app_commands.describe(
        theme="Colours of the pictures only you see",
        coordinates="Letters and numbers beside the board",
        confirm="Confirm every move built with Play before it's played",
        text_boards="Show boards as text, for screen readers",
        reminders="Remind me when a quarter of my time is left",
        away_days=f"Pause my clocks for this many days (0: I'm back); {AWAY_BUDGET.days} days a year",
    )
    @app_commands.choices(theme=THEME_CHOICES)
    async def preferences(
        self,
        interaction: discord.Interaction[Any],
        theme: str | None = None,
        coordinates: bool | None = None,
        confirm: bool | None = None,
        text_boards: bool | None = None,
        reminders: bool | None = None,
        away_days: app_commands.Range[int, 0, AWAY_BUDGET.days] | None = None,
    ) -> None:
        """Change what is given and show the preferences as they are then."""
        given = {
            "theme": theme,
            "coordinates": coordinates,
            "confirm": confirm,
            "text_boards": text_boards,
            "reminders": reminders,
        }

        async def work() -> Reply:
            if away_days is not None:
                await preferences.be_away(interaction, away_days)
            return await preferences.change(interaction, {name: one for name, one in given.items() if one is not None})

        await answer_privately(interaction, work)

    @app_commands.command(description="Block somebody's challenges, or allow them again")
    @app_commands.guild_only()
    @app_commands.describe(
        person="Who to block; leave it out to see who you've blocked", blocked="False allows them again"
    )
    async def block(
        self, interaction: discord.Interaction[Any], person: discord.User | None = None, blocked: bool = True
    ) -> None:
        """Block somebody, or no longer, or list whom one has blocked."""

        async def work() -> Reply:
            service, user_id = context_of(interaction).services.personal_settings, interaction.user.id
            if person is not None:
                await service.block(user_id, person.id, blocked=blocked)
                verb = "can no longer challenge you or join your challenges" if blocked else "can challenge you again"
                return Reply(f"{mention(person.id)} {verb}. Matches that are running go on.")
            found = await service.blocked(user_id)
            return Reply(
                f"You have blocked {listed(map(mention, found))}." if found else "You haven't blocked anybody."
            )

        await answer_privately(interaction, work)

    @privacy_group.command(description="Everything stored about you, as a file")
    async def export(self, interaction: discord.Interaction[Any]) -> None:
        """Give everything kept of a person."""

        async def work() -> Reply:
            context = context_of(interaction)
            context.check_rate_limit(interaction, EXPORT)
            services = context.services
            kept, name = await services.privacy.export(interaction.user.id), "tavoliere.json"
            if len(kept) > interaction.filesize_limit:
                demand = Demand(Pool.PICTURES, Urgency.LOOK)
                kept = await services.context.compute_as(demand, zipped, kept, name)
                name = "tavoliere.zip"
            return Reply("This is everything stored about you.", attachments=(Attachment(kept, name),))

        await answer_privately(interaction, work)

    @privacy_group.command(description="Delete everything about you")
    async def delete(self, interaction: discord.Interaction[Any]) -> None:
        """Ask whether everything is to be deleted."""

        async def work() -> Reply:
            return Reply(view=privacy.question())

        await answer_privately(interaction, work)
