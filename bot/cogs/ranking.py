"""``/leaderboard`` and ``/profile``."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import GAME_CHOICES
from bot.games import GAMES
from bot.matches.overview import Profile
from bot.storage.queries.ratings import OVERALL
from bot.views.answers import Reply, answer_privately
from bot.views.host import guild_of, host_of
from bot.views.standings import EVERY_GAME, By, leaderboard
from bot.views.wording import mention, record

BY_CHOICES = [
    app_commands.Choice(name="rating", value=By.RATING.value),
    app_commands.Choice(name="games won this month", value=By.MONTH.value),
]


class Ranking(commands.Cog):
    """Leaderboards and profiles."""

    @app_commands.command(description="Who plays best here")
    @app_commands.guild_only()
    @app_commands.describe(game="One game, or all of them together if you leave it out", by="What counts")
    @app_commands.choices(game=GAME_CHOICES, by=BY_CHOICES)
    async def leaderboard(
        self, interaction: discord.Interaction[Any], game: str = EVERY_GAME, by: str = By.RATING.value
    ) -> None:
        """Show the first page of a leaderboard."""
        host = host_of(interaction)
        await answer_privately(
            interaction, lambda: leaderboard(host, guild_of(interaction), interaction.user.id, game, By(by), 0)
        )

    @app_commands.command(description="Somebody's ratings and results")
    @app_commands.guild_only()
    @app_commands.describe(person="Whose; your own if you leave it out")
    async def profile(self, interaction: discord.Interaction[Any], person: discord.User | None = None) -> None:
        """Show somebody's ratings and results in this server."""
        user = person or interaction.user

        async def work() -> Reply:
            if user.bot:
                return Reply("Bots have no profile here.")
            overview = host_of(interaction).services.overview
            profile = await overview.profile(guild_of(interaction), user.id, interaction.user.id, OVERALL)
            view = discord.ui.LayoutView(timeout=None)
            view.add_item(discord.ui.Container(discord.ui.TextDisplay(_text(profile, user.id))))
            return Reply(view=view)

        await answer_privately(interaction, work)


def _text(profile: Profile, user_id: int) -> str:
    lines = [f"### {mention(user_id)}"]
    overall = profile.ratings[OVERALL]
    if overall.games:
        lines.append(f"All games: {record(overall)}")
    lines += [f"{GAMES[key].name}: {record(rating)}" for key, rating in profile.ratings.items() if key in GAMES]
    finished = sum(results.games for results in profile.records.values())
    if not finished:
        lines.append("No match finished here yet.")
    if abs(profile.streak) > 1:
        lines.append(f"{abs(profile.streak)} {'wins' if profile.streak > 0 else 'losses'} in a row.")
    lines.append(f"{finished} finished, {profile.running} running.")
    if profile.against.games:
        against = profile.against
        lines.append(f"Against you: {against.wins} won, {against.draws} drawn, {against.losses} lost.")
    return "\n".join(lines)
