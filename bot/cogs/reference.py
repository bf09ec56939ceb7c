"""``/games``, ``/rules``, ``/help`` and ``/about``: where to start and what there is."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import bot
from bot.cogs.person_menu import CHALLENGE
from bot.games import GAMES
from bot.languages.speaking import as_discord_shows
from bot.messages.layout import layout
from bot.messages.review import marks_explained
from bot.views import games_pages, rules_pages
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import context_of
from bot.views.permissions import invite_link
from renderers.i18n import enumerated, gettext_lazy
from renderers.i18n import gettext as _

# Translators: a menu of Discord itself, as it is called in your language.
_APPS = gettext_lazy("Apps")


def _help() -> str:
    """Return where to start."""
    return _(
        "### How it works\n"
        "1. `/challenge` somebody, or leave the opponent out to challenge anyone. A card appears with "
        "**Accept**.\n"
        "   Or right-click somebody (hold down on a phone): **{apps}**, **{challenge}**.\n"
        "   Nobody there? **Play the bot** under any of the `/games`, on a challenge nobody takes, or "
        "in a free seat.\n"
        "2. When it is accepted the board is posted, and whoever is to move is mentioned.\n"
        "3. Press **Play** under the board and choose your move step by step, or type it with `/move`.\n"
        "4. Play at your own pace: a match waits for days. `/matches` lists yours, those waiting for "
        "you first.\n"
        "\n"
        "**Look** `/board` a match, also as text · `/matches` · `/leaderboard` · `/profile`\n"
        "**Learn** `/games` what there is · `/rules` with diagrams · `/puzzle` to solve alone, rated "
        "across all servers\n"
        "**Look back** `/matches finished:True` · `/match replay`, and **Step through** it · **Review** "
        "under a result says where it turned. {marks_explained}\n"
        "**Hints** are for matches against me (`/match hint`, or **Hint** beside your choices) and for "
        "those that are over, never for a position that stands in a match you're playing against "
        "somebody. A second account gets round that: I can't tell whose it is.\n"
        "**Yours** `/preferences` for themes, text boards, reminders and being away · `/privacy`\n"
        "**Manage** `/settings` for those who manage the server · `/manage` to void a match or bar "
        "somebody\n"
        "**End** `/match draw` or `/match resign` · **Rematch** under a result lets the other player go "
        "first",
        apps=as_discord_shows(_APPS),
        challenge=as_discord_shows(CHALLENGE),
        marks_explained=marks_explained(),
    )


class ReferenceCommands(commands.Cog):
    """Where to start and what there is."""

    @app_commands.command(description=gettext_lazy("The games you can play here, with pictures"))
    @app_commands.guild_only()
    async def games(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first page of the games."""
        await answer_privately(interaction, lambda: games_pages.page(interaction, 0))

    @app_commands.command(description=gettext_lazy("The rules of a game, with diagrams"))
    @app_commands.guild_only()
    @app_commands.describe(game=gettext_lazy("Which game"))
    async def rules(self, interaction: discord.Interaction[Any], game: str) -> None:
        """Show the first page of a game's rules."""
        await answer_privately(interaction, lambda: rules_pages.page(interaction, game))

    @app_commands.command(description=gettext_lazy("Where to start"))
    @app_commands.guild_only()
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Explain how to begin."""

        async def work() -> Reply:
            return Reply(view=layout(_help()))

        await answer_privately(interaction, work)

    @app_commands.command(description=gettext_lazy("What this bot is, its version, source and invite link"))
    @app_commands.guild_only()
    async def about(self, interaction: discord.Interaction[Any]) -> None:
        """Say what this is."""

        async def work() -> Reply:
            names = enumerated(game.name for game in GAMES.values())
            source, link = context_of(interaction).settings.source_url, invite_link(interaction.application_id)
            links = [_("[source]({source})", source=source)] if source else []
            links.append(_("[add me to another server]({link})", link=link))
            words = _(
                "### Tavoliere {version}\n"
                "Abstract board games that are rarely found elsewhere: {games}.\n"
                "Free software under the MIT licence · {links}",
                version=bot.__version__,
                games=names,
                links=" · ".join(links),
            )
            return Reply(view=layout(words))

        await answer_privately(interaction, work)
