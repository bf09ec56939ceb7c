"""``/challenge``: proposing a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, PACE_CHOICES
from bot.games import GAMES
from bot.games.game import MOST_PLAYERS, Variant
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.opponents import LEVELS
from bot.storage.records import First
from bot.views import against_computer, challenging
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import context_of, guild_of
from bot.views.permissions import check_place
from renderers.i18n import SEMICOLON, gettext_lazy, translated
from renderers.i18n import gettext as _

FIRST_CHOICES = [
    app_commands.Choice(name=gettext_lazy("random"), value=First.RANDOM.value),
    app_commands.Choice(name=gettext_lazy("I begin"), value=First.CHALLENGER.value),
    app_commands.Choice(name=gettext_lazy("my opponent begins"), value=First.OPPONENT.value),
]


class ChallengeCommands(commands.Cog):
    """Proposing games."""

    @app_commands.command(description=gettext_lazy("Challenge somebody, or anyone, to a game"))
    @app_commands.guild_only()
    @app_commands.describe(
        game=gettext_lazy("Which game"),
        opponent=gettext_lazy("Who to challenge: somebody here, or me; leave it out to challenge anyone"),
        variant=gettext_lazy("Which rules or size, where a game has several"),
        first=gettext_lazy("Who takes the first seat"),
        pace=gettext_lazy("Time per move; the server's usual time if left out"),
        players=gettext_lazy("How many seats, in games for more than two"),
        rated=gettext_lazy("Whether it counts for ratings (yes if left out)"),
        level=gettext_lazy("How well I play if you challenge me, from 1 (a beginner) to 5; 2 if left out"),
    )
    @app_commands.choices(first=FIRST_CHOICES)
    @app_commands.choices(pace=PACE_CHOICES)
    async def challenge(
        self,
        interaction: discord.Interaction[Any],
        game: str,
        opponent: discord.User | None = None,
        variant: app_commands.Range[str, 1, 50] | None = None,
        pace: int | None = None,
        first: str = First.RANDOM.value,
        players: app_commands.Range[int, 2, MOST_PLAYERS] | None = None,
        rated: bool = True,
        level: app_commands.Range[int, LEVELS[0], LEVELS[-1]] | None = None,
    ) -> None:
        """Store a challenge; its card follows from the outbox. A match against the bot itself begins at once."""

        async def work() -> Reply:
            check_place(interaction)
            chosen = _variant(game, variant)
            seats = players or _seats(chosen, opponent is not None)
            usual = (await context_of(interaction).services.server_settings.of(guild_of(interaction))).pace
            terms = Terms(game, chosen.key, seats, First(first), rated, usual if pace is None else pace or None)
            if opponent is not None and opponent == interaction.client.user:
                unhurried = replace(terms, rated=False, pace=pace or None)
                return await against_computer.begin(interaction, unhurried, level or against_computer.USUAL_LEVEL)
            if level is not None:
                raise Refusal(
                    _("A level is for matches against me. Choose me as the opponent, or leave the level out.")
                )
            return await challenging.offer(interaction, challenging.check_opponent(opponent), terms)

        await answer_privately(interaction, work)

    @challenge.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants of the game chosen."""
        game = GAMES.get(str(interaction.namespace.game))
        if game is None:
            return []
        named = [(translated(variant.name), variant.key) for variant in game.variants]
        found = [(name, key) for name, key in named if typed.casefold() in name.casefold()]
        return [app_commands.Choice(name=name[:100], value=key) for name, key in found[:CHOICES]]


def _variant(game: str, key: str | None) -> Variant:
    if game not in GAMES:
        raise Refusal(_("I don't know that game. `/games` lists the ones I do."))
    known = GAMES[game].variants
    found = [variant for variant in known if key is None or key.casefold() in _names(variant)]
    if not found:
        names = translated(SEMICOLON).join(translated(variant.name) for variant in known)
        raise Refusal(_("{game} doesn't have that variant. It has: {variants}.", game=GAMES[game].name, variants=names))
    return found[0]


def _names(variant: Variant) -> tuple[str, ...]:
    """Return what a variant may be called when it is chosen."""
    return variant.key, variant.name.casefold(), translated(variant.name).casefold()


def _seats(variant: Variant, direct: bool) -> int:
    return variant.players.start if direct else variant.players.stop - 1
