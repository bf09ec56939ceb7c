"""``/challenge``, and **Challenge** in the menu on a person, which right-clicking or holding down opens."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import TypedPace, anywhere, suggested_paces, variant_choices
from bot.games.game import MOST_PLAYERS
from bot.opponents import LEVELS
from bot.storage.records import First
from bot.views import challenges
from bot.views.answers import answer_privately, answer_with_post
from bot.views.discord_servers import chosen_person
from bot.views.helping import CHALLENGE_MENU
from renderers.i18n import gettext_lazy

FIRST_CHOICES = [
    app_commands.Choice(name=gettext_lazy("random"), value=First.RANDOM.value),
    app_commands.Choice(name=gettext_lazy("I go first"), value=First.CHALLENGER.value),
    app_commands.Choice(name=gettext_lazy("my opponent goes first"), value=First.OPPONENT.value),
]


class ChallengeCommands(commands.Cog):
    """Proposing games."""

    @anywhere
    @app_commands.command(description=gettext_lazy("Challenge someone to a game, or leave it open to anyone"))
    @app_commands.describe(
        game=gettext_lazy("Which game"),
        opponent=gettext_lazy("Who to challenge: somebody here, or me; leave it out to challenge anyone"),
        variant=gettext_lazy("Which rules or size, where a game has several"),
        first=gettext_lazy("Who goes first"),
        pace=gettext_lazy("Pace: 3 days a move, or 10m+30s, a bank each move adds to; the server's usual if left out"),
        players=gettext_lazy("How many players, in games for more than two"),
        rated=gettext_lazy("Whether it counts for ratings, once each has moved twice (yes if left out)"),
        level=gettext_lazy("From 1, a beginner, to 10, the strongest; if left out, the level that fits you"),
        code=gettext_lazy("Instead of all this: the code or link of a challenge that you take up"),
    )
    @app_commands.choices(first=FIRST_CHOICES)
    @app_commands.autocomplete(pace=suggested_paces)
    async def challenge(
        self,
        interaction: discord.Interaction[Any],
        game: str | None = None,
        opponent: discord.User | None = None,
        variant: app_commands.Range[str, 1, 50] | None = None,
        pace: TypedPace | None = None,
        first: str = First.RANDOM.value,
        players: app_commands.Range[int, 2, MOST_PLAYERS] | None = None,
        rated: bool = True,
        level: app_commands.Range[int, LEVELS[0], LEVELS[-1]] | None = None,
        code: app_commands.Range[str, 1, 300] | None = None,
    ) -> None:
        """Store a challenge; its card follows from the outbox. A match against the bot itself begins at once."""
        chosen = None if opponent is None else chosen_person(opponent, interaction.client)
        await answer_with_post(
            interaction,
            challenges.challenge,
            game=game,
            opponent=chosen,
            variant=variant,
            pace=pace,
            first=First(first),
            players=players,
            rated=rated,
            level=level,
            code=code,
        )

    @challenge.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants of the game chosen."""
        return variant_choices(interaction, typed)


@app_commands.context_menu(name=CHALLENGE_MENU)
async def challenge_person(interaction: discord.Interaction[Any], person: discord.User) -> None:
    """Ask for the game to challenge a person to."""
    await answer_privately(interaction, challenges.ask_game_for, chosen_person(person, interaction.client))
