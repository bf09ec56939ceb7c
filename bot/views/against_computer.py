"""Starts a match of whoever asks against the bot itself, wherever that is asked for."""

from __future__ import annotations

from typing import Any

import discord

from bot.matches.model.terms import Terms
from bot.views.answers import Reply
from bot.views.bot_context import context_of, guild_of, person_of, place_of

USUAL_LEVEL = 2
"""How well the bot plays where nobody says."""


async def begin(
    interaction: discord.Interaction[Any], terms: Terms, level: int = USUAL_LEVEL, asked: int | None = None
) -> Reply:
    """Start the match; nobody has to accept it. ``asked`` is the question this answers, if any. Raises ``Refusal``."""
    match_id = await context_of(interaction).services.challenges.play_computer(
        guild_of(interaction),
        place_of(interaction),
        person_of(interaction),
        level,
        terms,
        asked or interaction.id,
        parent_id=getattr(interaction.channel, "parent_id", None),
    )
    return Reply(f"Match {match_id} is on, against me at level {level}. The board is posted below.")
