"""``/preferences``, ``/block`` and ``/privacy``: a person's own choices, and the data stored about them."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import anywhere, zone_choices
from bot.languages.catalogues import OFFERED
from bot.matches.model.rest import NIGHT
from bot.matches.services.absences import AWAY_BUDGET
from bot.storage.records import News
from bot.views import preferences, privacy
from bot.views.answers import answer_privately
from bot.views.news import NEWS_NAMES
from bot.views.preferences import OF_DISCORD, THEME_NAMES
from bot.views.rest import suggested_rests
from renderers.i18n import gettext_lazy
from renderers.i18n import gettext_lazy as _

LANGUAGE_CHOICES = [
    app_commands.Choice(name=_("the language of my Discord"), value=OF_DISCORD),
    *(app_commands.Choice(name=name, value=code) for code, name in OFFERED.items()),
]
NEWS_CHOICES = [app_commands.Choice(name=name, value=news.value) for news, name in NEWS_NAMES.items()]
PRIVACY_CHOICES = [app_commands.Choice(name=name, value=action) for action, name in privacy.ACTIONS.items()]
THEME_CHOICES = [app_commands.Choice(name=name, value=theme) for theme, name in THEME_NAMES.items()]


class PersonalCommands(commands.Cog):
    """Commands about a person's own preferences, blocks and data."""

    @anywhere
    @app_commands.command(description=gettext_lazy("How boards are shown to you, reminders, and being away"))
    @app_commands.describe(
        theme=gettext_lazy("Colours of the pictures only you see"),
        coordinates=gettext_lazy("Letters and numbers beside the board"),
        confirm=gettext_lazy("Confirm every move built with Play before it's played"),
        text_boards=gettext_lazy("Show boards as text, for screen readers"),
        reminders=gettext_lazy("Remind me when a quarter of my time is left"),
        news=gettext_lazy("Where I'm told that it's my turn"),
        quiet_from=gettext_lazy("The hour from which I'm not told of turns, 0 to 23"),
        quiet_until=gettext_lazy("The hour my quiet hours end, 0 to 23; the hour they begin for none"),
        zone=gettext_lazy("My time zone, such as Europe/Rome"),
        digest=gettext_lazy("The hour of a daily direct message on what waits and what has ended; -1 for none"),
        rest=gettext_lazy(
            "My clocks stop on up to 2 days a week, or in hours such as {night}; 0 for none", night=NIGHT
        ),
        language=gettext_lazy("The language I speak with you"),
        away_days=gettext_lazy(
            "Pause my clocks for this many days (0: I'm back); at most {days} days a year", days=AWAY_BUDGET.days
        ),
    )
    @app_commands.choices(theme=THEME_CHOICES, language=LANGUAGE_CHOICES, news=NEWS_CHOICES)
    async def preferences(
        self,
        interaction: discord.Interaction[Any],
        theme: str | None = None,
        coordinates: bool | None = None,
        confirm: bool | None = None,
        text_boards: bool | None = None,
        reminders: bool | None = None,
        news: str | None = None,
        quiet_from: app_commands.Range[int, 0, 23] | None = None,
        quiet_until: app_commands.Range[int, 0, 23] | None = None,
        zone: str | None = None,
        digest: app_commands.Range[int, -1, 23] | None = None,
        rest: app_commands.Range[str, 1, 60] | None = None,
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
            "news": None if news is None else News(news),
            "quiet_from": quiet_from,
            "quiet_until": quiet_until,
            "zone": zone,
            "language": language,
        }
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if digest is not None:
            changes["digest_hour"] = None if digest < 0 else digest
        await answer_privately(interaction, preferences.change, changes, away_days, rest)

    @preferences.autocomplete("rest")
    async def suggest_rest(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the rests of the menu by any part of their words."""
        return [app_commands.Choice(name=words, value=times) for words, times in suggested_rests(typed)]

    @preferences.autocomplete("zone")
    async def suggest_zone(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones by any part of their names."""
        return zone_choices(typed)

    @app_commands.command(description=gettext_lazy("Block somebody's challenges, or allow them again"))
    @app_commands.describe(
        person=gettext_lazy("Who to block; leave it out to see who you've blocked"),
        blocked=gettext_lazy("Choose False to allow them again"),
    )
    async def block(
        self, interaction: discord.Interaction[Any], person: discord.User | None = None, blocked: bool = True
    ) -> None:
        """Block or unblock a person, or list the blocked."""
        await answer_privately(interaction, preferences.block, None if person is None else person.id, blocked=blocked)

    @anywhere
    @app_commands.command(description=gettext_lazy("What is stored about you: see it, or delete it"))
    @app_commands.describe(action=gettext_lazy("What to do; leave it out to be asked"))
    @app_commands.choices(action=PRIVACY_CHOICES)
    async def privacy(self, interaction: discord.Interaction[Any], action: str | None = None) -> None:
        """Show what a person can do about their data, or do it."""
        await privacy.act(interaction, "" if action is None else action)
