"""``/challenge``: proposing a game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, PACE_CHOICES, missing_permissions
from bot.delivery import discord_calls
from bot.delivery.errors import UnavailableError
from bot.games import GAMES
from bot.games.game import MOST_PLAYERS, Variant
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.model.terms import Terms
from bot.messages.wording import plain
from bot.opponents import LEVELS
from bot.storage.records import First, Person
from bot.views import against_computer
from bot.views.answers import Reply, answer_privately
from bot.views.bot_context import context_of, guild_of, known_as, person_of, place_of

FIRST_CHOICES = [
    app_commands.Choice(name="random", value=First.RANDOM.value),
    app_commands.Choice(name="I begin", value=First.CHALLENGER.value),
    app_commands.Choice(name="my opponent begins", value=First.OPPONENT.value),
]


class Challenging(commands.Cog):
    """Proposing games."""

    @app_commands.command(description="Challenge somebody, or anyone, to a game")
    @app_commands.guild_only()
    @app_commands.describe(
        game="Which game",
        opponent="Who to challenge, me for instance; leave it out to challenge anyone",
        variant="Which rules or size, where a game has several",
        first="Who takes the first seat",
        pace="Time per move; the server's usual time if left out",
        players="How many seats, in games for more than two",
        rated="Whether it counts for ratings (yes if left out)",
        level="How well I play if you challenge me, from 1 (a beginner) to 5; 2 if left out",
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
                raise Refusal("A level is for matches against me. Choose me as the opponent, or leave the level out.")
            return await _offer(interaction, _opponent(interaction, opponent), terms)

        await answer_privately(interaction, work)

    @challenge.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants of the game chosen."""
        game = GAMES.get(str(interaction.namespace.game))
        if game is None:
            return []
        found = [variant for variant in game.variants if typed.casefold() in variant.name.casefold()]
        return [app_commands.Choice(name=variant.name[:100], value=variant.key) for variant in found[:CHOICES]]


async def _offer(interaction: discord.Interaction[Any], opponent: Person | None, terms: Terms) -> Reply:
    """Store a challenge, calling those off whose cards are deleted if there are too many. Raises ``Refusal``."""
    offer = partial(
        context_of(interaction).services.challenges.offer,
        guild_of(interaction),
        place_of(interaction),
        person_of(interaction),
        opponent,
        terms,
        interaction.id,
        parent_id=getattr(interaction.channel, "parent_id", None),
    )
    try:
        await offer()
    except LimitReached:
        if not await _drop_unseen(interaction):
            raise
        await offer()
    return Reply("Challenge sent. It's posted below.")


def check_place(interaction: discord.Interaction[Any]) -> None:
    """Raise ``Refusal`` naming the permissions the bot lacks to play where the command was used."""
    missing = missing_permissions(interaction)
    if missing:
        raise Refusal(
            f"I cannot play in this channel: I am missing the permission {', '.join(missing)}. "
            "Ask somebody who manages the server to allow it, or use another channel."
        )


async def _drop_unseen(interaction: discord.Interaction[Any]) -> bool:
    """Call those of the sender's challenges off whose cards are deleted; return whether there were any."""
    service, dropped = context_of(interaction).services.challenges, False
    for challenge in await service.open_of(guild_of(interaction), person_of(interaction)):
        if challenge.message_id is None:
            continue
        try:
            seen = await discord_calls.exists(interaction.client, challenge.channel_id, challenge.message_id)
        except UnavailableError:
            continue
        if not seen:
            await service.drop(challenge.id)
            dropped = True
    return dropped


def _variant(game: str, key: str | None) -> Variant:
    if game not in GAMES:
        raise Refusal("I don't know that game. `/games` lists the ones I do.")
    known = GAMES[game].variants
    found = [variant for variant in known if key is None or key.casefold() in (variant.key, variant.name.casefold())]
    if not found:
        names = ", ".join(variant.name for variant in known)
        raise Refusal(f"{GAMES[game].name} has no such variant. There is: {names}.")
    return found[0]


def _seats(variant: Variant, direct: bool) -> int:
    return variant.players.start if direct else variant.players.stop - 1


def _opponent(interaction: discord.Interaction[Any], user: discord.User | discord.Member | None) -> Person | None:
    if user is None:
        return None
    if user.bot:
        raise Refusal("You can only challenge people, and me; other bots don't play here.")
    if not isinstance(user, discord.Member):
        raise Refusal(f"{plain(known_as(user).name)} isn't in this server.")
    return known_as(user)
