"""Sends a challenge on behalf of whoever asks for one, wherever that is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import discord

from bot.delivery import discord_calls
from bot.delivery.errors import UnavailableError
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.services.eligibility import Terms
from bot.storage.records import Person
from bot.views.answers import Reply
from bot.views.bot_context import context_of, guild_of, known_as, person_of, place_of
from bot.views.languages import public_language
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy


async def offer(
    interaction: discord.Interaction[Any], opponent: Person | None, terms: Terms, asked: int | None = None
) -> Reply:
    """Store a challenge, calling those off whose cards are deleted if there are too many. Raises ``Refusal``.

    ``asked`` is the message with the question this answers, if any: it is answered once.
    """
    terms = replace(terms, language=await public_language(interaction))
    send = partial(
        context_of(interaction).services.challenges.offer,
        guild_of(interaction),
        place_of(interaction),
        person_of(interaction),
        opponent,
        terms,
        asked or interaction.id,
        parent_id=getattr(interaction.channel, "parent_id", None),
    )
    try:
        await send()
    except LimitReached:
        if not await _drop_unseen(interaction):
            raise
        await send()
    return Reply(_("Challenge sent. It's posted below."))


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


def check_opponent(user: discord.User | discord.Member | None) -> Person | None:
    """Return whom somebody wants to challenge, None for anyone. Raises ``Refusal`` for bots and strangers."""
    if user is None:
        return None
    if user.bot:
        raise Refusal(_("You can only challenge people, and me; other bots don't play here."))
    if not isinstance(user, discord.Member):
        raise Refusal(gettext_lazy("{person} isn't in this server."), person=known_as(user).name)
    return known_as(user)
