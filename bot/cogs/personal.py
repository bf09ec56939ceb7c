"""``/preferences``, ``/block`` and ``/privacy``: what somebody decides for himself, and what is kept of him."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord import app_commands
from discord.ext import commands

from bot.matches.personal import AWAY_BUDGET
from bot.storage.records import Preferences
from bot.views.answers import Reply, answer_in_place, answer_privately, sentence
from bot.views.controls import Control, row
from bot.views.host import host_of, person_of
from bot.views.pictures import Attachment
from bot.views.wording import mention
from renderers.theme import THEMES

THEME_CHOICES = [app_commands.Choice(name=name.replace("-", " "), value=name) for name in THEMES]
ERASE_WARNING = (
    "This deletes your preferences, absences, blocks, open challenges, ratings and name, in every server, and resigns "
    "the matches you are playing. Your opponents keep their games with your name removed. It cannot be undone."
)


class PrivacyButton(Control, template=r"privacy:(?P<verb>erase|keep)"):
    """Deletes everything about a person, or does not."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        async def work() -> Reply:
            if match["verb"] == "keep":
                return Reply(view=sentence("Nothing was deleted."))
            resigned = await host_of(interaction).services.personal.erase(person_of(interaction), interaction.id)
            ended = f" {resigned} running matches were resigned." if resigned else ""
            return Reply(view=sentence(f"Everything about you has been deleted.{ended}"))

        await answer_in_place(interaction, work)


class Personal(commands.Cog):
    """What somebody decides for himself."""

    privacy = app_commands.Group(name="privacy", description="What I keep of you", guild_only=True)

    @app_commands.command(description="How boards are shown to you, reminders, and being away")
    @app_commands.guild_only()
    @app_commands.describe(
        theme="Colours of the pictures only you see",
        coordinates="Letters and numbers beside the board",
        confirm="Ask before a move put together with Play is played",
        text_boards="Show boards as text, for screen readers",
        reminders="Remind me when a quarter of my time is left",
        away_days=f"Stop my clocks for so many days from now (0: I am back); {AWAY_BUDGET.days} days a year",
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
            service, user_id = host_of(interaction).services.personal, interaction.user.id
            if away_days is not None and away_days > 0:
                await service.leave_until(user_id, discord.utils.utcnow() + timedelta(days=away_days))
            elif away_days == 0:
                await service.come_back(user_id)
            wanted = await service.preferences(user_id)
            changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
            if changes:
                wanted = replace(wanted, **changes)
                await service.prefer(user_id, wanted)
            absence = await service.absence(user_id)
            return Reply(_preferences(wanted, None if absence is None else absence.ends_at))

        await answer_privately(interaction, work)

    @app_commands.command(description="Keep somebody's challenges away, or allow them again")
    @app_commands.guild_only()
    @app_commands.describe(person="Whom; leave it out to see whom you have blocked", blocked="False allows them again")
    async def block(
        self, interaction: discord.Interaction[Any], person: discord.User | None = None, blocked: bool = True
    ) -> None:
        """Block somebody, or no longer, or list whom one has blocked."""

        async def work() -> Reply:
            service, user_id = host_of(interaction).services.personal, interaction.user.id
            if person is not None:
                await service.block(user_id, person.id, blocked=blocked)
                verb = "can no longer challenge you or join your challenges" if blocked else "can challenge you again"
                return Reply(f"{mention(person.id)} {verb}. Matches that are running go on.")
            found = await service.blocked(user_id)
            return Reply(f"You have blocked {', '.join(map(mention, found))}." if found else "You have blocked nobody.")

        await answer_privately(interaction, work)

    @privacy.command(description="Everything I keep of you, as a file")
    async def export(self, interaction: discord.Interaction[Any]) -> None:
        """Give everything kept of a person."""

        async def work() -> Reply:
            services = host_of(interaction).services
            kept, name = await services.personal.export(interaction.user.id), "tavoliere.json"
            if len(kept) > interaction.filesize_limit:
                kept, name = await services.context.compute(_zipped, kept, name), "tavoliere.zip"
            return Reply("This is everything I keep of you.", attachments=(Attachment(kept, name),))

        await answer_privately(interaction, work)

    @privacy.command(description="Delete everything about you")
    async def delete(self, interaction: discord.Interaction[Any]) -> None:
        """Ask whether everything is to be deleted."""

        async def work() -> Reply:
            view = discord.ui.LayoutView(timeout=None)
            view.add_item(discord.ui.TextDisplay(ERASE_WARNING))
            view.add_item(
                row(
                    PrivacyButton.create("privacy:erase", "Delete everything", discord.ButtonStyle.danger),
                    PrivacyButton.create("privacy:keep", "Keep it"),
                )
            )
            return Reply(view=view)

        await answer_privately(interaction, work)


def _preferences(wanted: Preferences, away_until: datetime | None) -> str:
    away = "no" if away_until is None else f"until {discord.utils.format_dt(away_until, 'f')}"
    lines = [
        f"Theme: **{wanted.theme}**",
        f"Coordinates: **{_yes(wanted.coordinates)}**",
        f"Confirm before playing: **{_yes(wanted.confirm)}**",
        f"Text boards: **{_yes(wanted.text_boards)}**",
        f"Reminders: **{_yes(wanted.reminders)}**",
        f"Away: **{away}**",
    ]
    return "### Your preferences\n" + "\n".join(lines)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _zipped(content: bytes, name: str) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()
