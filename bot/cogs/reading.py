"""``/games``, ``/rules``, ``/help`` and ``/about``: where to start and what there is."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import bot
from bot.cogs.options import GAME_CHOICES
from bot.games import GAMES
from bot.invitation import invite_link
from bot.views import rules_pages
from bot.views.answers import Reply, answer_privately
from bot.views.challenge_card import RulesButton
from bot.views.controls import row
from bot.views.host import host_of, wanted_by

HELP = """### How it works
1. `/challenge` somebody, or leave the opponent out to challenge anyone. A card appears with **Accept**.
2. When it is accepted the board is posted, and whoever is to move is mentioned.
3. Press **Play** under the board and put your move together by choosing, or type it with `/move`.
4. Play at your own pace: a match waits for days. `/matches` lists yours, those waiting for you first.

**Look** `/board` a match, also as text · `/matches` · `/leaderboard` · `/profile`
**Learn** `/games` what there is · `/rules` with diagrams
**Yours** `/preferences` for themes, text boards, reminders and being away · `/privacy`
**End** `/match draw` or `/match resign` · **Rematch** under a result swaps the seats"""


class Reading(commands.Cog):
    """Where to start and what there is."""

    @app_commands.command(description="The games you can play here, with pictures")
    @app_commands.guild_only()
    async def games(self, interaction: discord.Interaction[Any]) -> None:
        """List the games."""
        await answer_privately(interaction, lambda: _games(interaction))

    @app_commands.command(description="The rules of a game, with diagrams")
    @app_commands.guild_only()
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=GAME_CHOICES)
    async def rules(self, interaction: discord.Interaction[Any], game: str) -> None:
        """Show the first page of a game's rules."""
        await answer_privately(interaction, lambda: rules_pages.page(interaction, game, 0))

    @app_commands.command(description="Where to start")
    @app_commands.guild_only()
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Explain how to begin."""

        async def work() -> Reply:
            view = discord.ui.LayoutView(timeout=None)
            view.add_item(discord.ui.TextDisplay(HELP))
            return Reply(view=view)

        await answer_privately(interaction, work)

    @app_commands.command(description="What this bot is, its version, source and invite link")
    @app_commands.guild_only()
    async def about(self, interaction: discord.Interaction[Any]) -> None:
        """Say what this is."""

        async def work() -> Reply:
            view = discord.ui.LayoutView(timeout=None)
            names = ", ".join(game.name for game in GAMES.values())
            source, link = host_of(interaction).settings.source_url, invite_link(interaction.application_id)
            links = [f"[source]({source})"] if source else []
            links.append(f"[add me to another server]({link})")
            view.add_item(
                discord.ui.TextDisplay(
                    f"### Tavoliere {bot.__version__}\nAbstract board games that can be played hardly anywhere else: "
                    f"{names}.\nFree software under the MIT licence · {' · '.join(links)}"
                )
            )
            return Reply(view=view)

        await answer_privately(interaction, work)


async def _games(interaction: discord.Interaction[Any]) -> Reply:
    studio, theme = host_of(interaction).studio, (await wanted_by(interaction)).theme
    view = discord.ui.LayoutView(timeout=None)
    pictures = []
    for key, game in GAMES.items():
        picture = await studio.showpiece(game, theme)
        pictures.append(picture)
        designer = "Designer unknown" if game.designer == "unknown" else f"By {game.designer}"
        players = game.players
        count = f"{players.start}" if len(players) == 1 else f"{players.start} to {players.stop - 1}"
        view.add_item(
            discord.ui.Container(
                picture.beside(f"### {game.name}\n{game.sentence}\n-# {designer} · {count} players"),
                row(RulesButton.create(f"rules-of:{key}", f"Rules of {game.name}")),
            )
        )
    return Reply(view=view, attachments=tuple(pictures))
