"""``/challenge``: proposing a game."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.options import CHOICES, GAME_CHOICES, PACE_CHOICES, missing_permissions
from bot.delivery import discord_calls
from bot.delivery.courier import LaterError
from bot.games import GAMES
from bot.games.game import Variant
from bot.matches.challenges import Terms
from bot.matches.refusals import LimitReached, Refusal
from bot.storage.records import First, Person
from bot.views.answers import Reply, answer_privately
from bot.views.host import guild_of, host_of, known_as, person_of, place_of
from bot.views.wording import plain

FIRST_CHOICES = [
    app_commands.Choice(name="drawn by lot", value=First.RANDOM.value),
    app_commands.Choice(name="I begin", value=First.CHALLENGER.value),
    app_commands.Choice(name="my opponent begins", value=First.OPPONENT.value),
]


class Challenging(commands.Cog):
    """Proposing games."""

    @app_commands.command(description="Challenge somebody, or anyone, to a game")
    @app_commands.guild_only()
    @app_commands.describe(
        game="Which game",
        opponent="Whom you challenge; leave it out to challenge anyone",
        variant="Which rules or size, where a game has several",
        first="Who takes the first seat",
        pace="Time for each move; the server's usual one if you leave it out",
        players="How many seats, in games for more than two",
        rated="Whether it counts for the ratings (it does unless you say no)",
    )
    @app_commands.choices(game=GAME_CHOICES, first=FIRST_CHOICES)
    @app_commands.choices(pace=PACE_CHOICES)
    async def challenge(
        self,
        interaction: discord.Interaction[Any],
        game: str,
        opponent: discord.User | None = None,
        variant: app_commands.Range[str, 1, 50] | None = None,
        pace: int | None = None,
        first: str = First.RANDOM.value,
        players: app_commands.Range[int, 2, 6] | None = None,
        rated: bool = True,
    ) -> None:
        """Store a challenge; its card follows from the outbox."""

        async def work() -> Reply:
            check_place(interaction)
            chosen = _variant(game, variant)
            seats = players or _seats(chosen, opponent is not None)
            services = host_of(interaction).services
            usual = (await services.personal.settings(guild_of(interaction))).pace
            seconds = usual if pace is None else pace or None
            offer = partial(
                services.challenges.offer,
                guild_of(interaction),
                place_of(interaction),
                person_of(interaction),
                _opponent(interaction, opponent),
                Terms(game, chosen.key, seats, First(first), rated, seconds),
                interaction.id,
                parent_id=getattr(interaction.channel, "parent_id", None),
            )
            try:
                await offer()
            except LimitReached:
                if not await _drop_unseen(interaction):
                    raise
                await offer()
            return Reply("Your challenge is on its way. Its card appears below in a moment.")

        await answer_privately(interaction, work)

    @challenge.autocomplete("variant")
    async def variants(self, interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the variants of the game chosen."""
        game = GAMES.get(str(interaction.namespace.game))
        if game is None:
            return []
        found = [variant for variant in game.variants if typed.casefold() in variant.name.casefold()]
        return [app_commands.Choice(name=variant.name[:100], value=variant.key) for variant in found[:CHOICES]]


def check_place(interaction: discord.Interaction[Any]) -> None:
    """Raise ``Refusal`` naming the permissions the bot lacks to play where the command was used."""
    missing = missing_permissions(interaction)
    if missing:
        raise Refusal(
            f"I cannot play in this channel: I am missing the permission {', '.join(missing)}. "
            "Somebody who manages the server can grant it, or you can challenge in another channel."
        )


async def _drop_unseen(interaction: discord.Interaction[Any]) -> bool:
    """Call those of the sender's challenges off whose cards are deleted; return whether there were any."""
    service, dropped = host_of(interaction).services.challenges, False
    for challenge in await service.open_of(guild_of(interaction), person_of(interaction)):
        if challenge.message_id is None:
            continue
        try:
            seen = await discord_calls.exists(interaction.client, challenge.channel_id, challenge.message_id)
        except LaterError:
            continue
        if not seen:
            await service.drop(challenge.id)
            dropped = True
    return dropped


def _variant(game: str, key: str | None) -> Variant:
    if game not in GAMES:
        raise Refusal("I do not know that game. `/games` lists those I do.")
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
        raise Refusal("You can challenge people only; bots do not play here yet.")
    if not isinstance(user, discord.Member):
        raise Refusal(f"{plain(known_as(user).name)} is not in this server (any more).")
    return known_as(user)
