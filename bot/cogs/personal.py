"""``/preferences``, ``/block`` and ``/privacy``: what people decide for themselves, and what is kept of them."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.compute.job import JobSpec, Pool, Priority
from bot.languages.catalogues import OFFERED
from bot.matches.model.personal_data import zipped
from bot.matches.services.absences import AWAY_BUDGET
from bot.messages.pictures import Attachment
from bot.messages.preferences import OF_DISCORD, THEME_NAMES
from bot.messages.wording import listed, mention
from bot.views import preferences, privacy
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import EXPORT, context_of
from renderers.i18n import gettext_lazy, translated
from renderers.i18n import gettext_lazy as _

LANGUAGE_CHOICES = [
    app_commands.Choice(name=_("the language of my Discord"), value=OF_DISCORD),
    *(app_commands.Choice(name=name, value=code) for code, name in OFFERED.items()),
]
THEME_CHOICES = [app_commands.Choice(name=name, value=theme) for theme, name in THEME_NAMES.items()]


class PersonalCommands(commands.Cog):
    """What people decide for themselves."""

    privacy_group = app_commands.Group(
        name="privacy", description=gettext_lazy("What is stored about you"), guild_only=True
    )

    @app_commands.command(description=gettext_lazy("How boards are shown to you, reminders, and being away"))
    @app_commands.guild_only()
    @app_commands.describe(
        theme=gettext_lazy("Colours of the pictures only you see"),
        coordinates=gettext_lazy("Letters and numbers beside the board"),
        confirm=gettext_lazy("Confirm every move built with Play before it's played"),
        text_boards=gettext_lazy("Show boards as text, for screen readers"),
        reminders=gettext_lazy("Remind me when a quarter of my time is left"),
        language=gettext_lazy("The language I speak with you"),
        away_days=gettext_lazy(
            "Pause my clocks for this many days (0: I'm back); at most {days} days a year", days=AWAY_BUDGET.days
        ),
    )
    @app_commands.choices(theme=THEME_CHOICES, language=LANGUAGE_CHOICES)
    async def preferences(
        self,
        interaction: discord.Interaction[Any],
        theme: str | None = None,
        coordinates: bool | None = None,
        confirm: bool | None = None,
        text_boards: bool | None = None,
        reminders: bool | None = None,
        language: str | None = None,
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
            if language is not None:
                await preferences.change(interaction, {"language": preferences.chosen_language(language)})
            return await preferences.change(interaction, {name: one for name, one in given.items() if one is not None})

        await answer_privately(interaction, work)

    @app_commands.command(description=gettext_lazy("Block somebody's challenges, or allow them again"))
    @app_commands.guild_only()
    @app_commands.describe(
        person=gettext_lazy("Who to block; leave it out to see who you've blocked"),
        blocked=gettext_lazy("False allows them again"),
    )
    async def block(
        self, interaction: discord.Interaction[Any], person: discord.User | None = None, blocked: bool = True
    ) -> None:
        """Block somebody, or no longer, or list whom one has blocked."""

        async def work() -> Reply:
            service, user_id = context_of(interaction).services.personal_settings, interaction.user.id
            if person is not None:
                await service.block(user_id, person.id, blocked=blocked)
                done = (
                    _("{person} can no longer challenge you or join your challenges. Matches that are running go on.")
                    if blocked
                    else _("{person} can challenge you again. Matches that are running go on.")
                )
                return Reply(translated(done.filled(person=mention(person.id))))
            found = await service.blocked(user_id)
            return Reply(
                _("You have blocked {people}.", people=listed(map(mention, found)))
                if found
                else _("You haven't blocked anybody.")
            )

        await answer_privately(interaction, work)

    @privacy_group.command(description=gettext_lazy("Everything stored about you, as a file"))
    async def export(self, interaction: discord.Interaction[Any]) -> None:
        """Give everything kept of a person."""

        async def work() -> Reply:
            context = context_of(interaction)
            context.check_rate_limit(interaction, EXPORT)
            services = context.services
            kept, name = await services.privacy.export(interaction.user.id), "tavoliere.json"
            if len(kept) > interaction.filesize_limit:
                spec = JobSpec(Pool.PICTURES, Priority.LOOK)
                kept = await services.context.compute_as(spec, zipped, kept, name)
                name = "tavoliere.zip"
            return Reply(_("This is everything stored about you."), attachments=(Attachment(kept, name),))

        await answer_privately(interaction, work)

    @privacy_group.command(description=gettext_lazy("Delete everything about you"))
    async def delete(self, interaction: discord.Interaction[Any]) -> None:
        """Ask whether everything is to be deleted."""

        async def work() -> Reply:
            return Reply(view=privacy.question())

        await answer_privately(interaction, work)
