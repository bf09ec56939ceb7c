"""``/leaderboard`` and ``/profile``."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.games import GAMES
from bot.matches.model.rating import format_rating, points
from bot.matches.services.match_queries import Profile
from bot.messages.layout import box, layout
from bot.messages.puzzle import rated_record
from bot.messages.wording import listed, mention, results
from bot.storage.puzzles import PuzzleRating
from bot.storage.ratings import OVERALL
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import context_of, guild_of, known_as, wanted_by
from bot.views.leaderboard import EVERY_GAME, WHY_OVERALL, By, leaderboard
from renderers.charts.line_chart import MOST_SERIES, Series
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, headed, number, translated
from renderers.i18n import ngettext as _n

BY_CHOICES = [
    app_commands.Choice(name=gettext_lazy("rating"), value=By.RATING.value),
    app_commands.Choice(name=gettext_lazy("games won this month"), value=By.MONTH.value),
]


class LeaderboardCommands(commands.Cog):
    """Leaderboards and profiles."""

    @app_commands.command(description=gettext_lazy("Who plays best here"))
    @app_commands.guild_only()
    @app_commands.describe(
        game=gettext_lazy("One game, or all of them together if you leave it out"), by=gettext_lazy("What counts")
    )
    @app_commands.choices(by=BY_CHOICES)
    async def leaderboard(
        self, interaction: discord.Interaction[Any], game: str = EVERY_GAME, by: str = By.RATING.value
    ) -> None:
        """Show the first page of a leaderboard."""
        context = context_of(interaction)
        await answer_privately(
            interaction, lambda: leaderboard(context, guild_of(interaction), interaction.user.id, game, By(by), 0)
        )

    @app_commands.command(description=gettext_lazy("Somebody's ratings and results"))
    @app_commands.guild_only()
    @app_commands.describe(person=gettext_lazy("Whose; your own if you leave it out"))
    async def profile(self, interaction: discord.Interaction[Any], person: discord.User | None = None) -> None:
        """Show somebody's ratings and results in this server."""
        user = person or interaction.user

        async def work() -> Reply:
            if user.bot:
                return Reply(_("Bots have no profile here."))
            context = context_of(interaction)
            profile = await context.services.queries.profile(guild_of(interaction), user.id, interaction.user.id)
            puzzles = await context.services.puzzles.record(user.id)
            words, series = _text(profile, user.id, puzzles), _series(profile)
            if not series:
                return Reply(view=layout(box(words)))
            theme = (await wanted_by(interaction)).theme
            graph = await context.renderer.ratings(series, _("Ratings of {person}", person=known_as(user).name), theme)
            return Reply(view=layout(box(words, graph.gallery())), attachments=(graph,))

        await answer_privately(interaction, work)


def _text(profile: Profile, user_id: int, puzzles: PuzzleRating | None) -> str:
    lines = [f"### {mention(user_id)}"]
    finished = sum(of.games for of in profile.records.values())
    if not finished:
        lines.append(_("No matches finished here yet."))
    if len(profile.records) > 1:
        lines.append(_("All games: {rating}", rating=_rated(profile, OVERALL)))
    lines += [
        headed(GAMES[key].name, f"{_rated(profile, key)} · {results(of)}")
        for key, of in profile.records.items()
        if key in GAMES
    ]
    beaten = [f"{translated(GAMES[key].name)} {level}" for key, level in profile.levels_beaten.items() if key in GAMES]
    if beaten:
        lines.append(_("Highest level of mine beaten, in any server: {levels}", levels=listed(beaten)))
    if profile.against.games:
        lines.append(_("Against you: {results}", results=results(profile.against)))
    if abs(profile.streak) > 1:
        lines.append(_streak(profile.streak))
    if puzzles is not None:
        lines.append(_("Puzzles, in every server: {results}", results=rated_record(puzzles)))
    if len(profile.records) > 1:
        lines.append(f"-# {translated(WHY_OVERALL)}")
    lines.append(
        _(
            "-# {finished} finished, {running} running, rated or not",
            finished=number(finished),
            running=number(profile.running),
        )
    )
    return "\n".join(lines)


def _streak(matches: int) -> str:
    if matches > 0:
        return _n("{n} win in a row", "{n} wins in a row", matches)
    return _n("{n} loss in a row", "{n} losses in a row", -matches)


def _rated(profile: Profile, key: str) -> str:
    rating = profile.ratings.get(key)
    return f"**{format_rating(rating)}**" if rating is not None and rating.games else _("not rated")


def _series(profile: Profile) -> list[Series]:
    """Return the lines of the rating graph: all games together first, then each game if there is more than one."""
    known = [key for key in profile.histories if key in GAMES and profile.histories[key]]
    keys = [OVERALL, *sorted(known, key=lambda key: -len(profile.histories[key]))] if len(known) > 1 else known
    return [
        Series(
            _("All games") if key == OVERALL else translated(GAMES[key].name),
            tuple((change.at, float(points(change.mu_after))) for change in profile.histories[key]),
        )
        for key in keys[:MOST_SERIES]
    ]
