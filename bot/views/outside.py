"""Interactions from outside: from a group, the direct messages of two people, or a server without the bot.

A person's own installation of the bot leads there. What they do alone belongs to their direct messages with the bot,
and what they play with others to the place where they are (``bot.storage.homes``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.delivery.discord_calls import RefusedError, RejectedError, UnavailableError, expected_errors
from bot.languages.speaking import language_for
from bot.messages.custom_ids import MatchesPage
from bot.requests.context import Place
from bot.requests.request import Request
from bot.storage import matches

log = structlog.get_logger(__name__)

CHALLENGE_COMMAND, MATCHES_COMMAND = "challenge", "matches"
"""The command that begins what several people play, and the one that lists what they play."""
SUBJECT = "subject"
"""The key of what a control is about, the values in its custom id, among an interaction's ``extras``."""


def is_outside(interaction: discord.Interaction[Any]) -> bool:
    """Return whether an interaction comes from a group, or from a server that does not have the bot.

    A person's own installation of the bot leads there. A server that has the bot authorises its interactions, also
    while Discord cannot reach it.
    """
    if interaction.guild_id is None:
        return not interaction.context.dm_channel
    return interaction.client.get_guild(interaction.guild_id) is None and not interaction.is_guild_integration()


async def open_direct_messages(interaction: discord.Interaction[Any]) -> None:
    """Have Discord open the direct messages of the bot and the person who asks, if it does."""
    try:
        async with expected_errors():
            await interaction.user.create_dm()
    except (RefusedError, RejectedError, UnavailableError) as error:
        log.warning("direct messages not opened", interaction=interaction.id, error=str(error))


async def answered_here(request: Request, interaction: discord.Interaction[Any]) -> Request | None:
    """Return a request from outside as one of the place where it was made, if it is about what several play there.

    None stands for the person's direct messages.
    """
    language = language_for(interaction.locale)
    here = replace(request, place=Place(None, interaction.channel_id, language=language, outside=True, answered=True))
    if interaction.channel_id is None:
        return None
    if interaction.message is not None and not interaction.message.flags.ephemeral:
        return here  # only such matches have messages that everybody sees
    command, subject = interaction.command, interaction.extras.get(SUBJECT)
    number = getattr(subject, "match", getattr(subject, "of", None))
    lists = finished = isinstance(subject, MatchesPage)
    if isinstance(command, app_commands.Command):
        if command.qualified_name == CHALLENGE_COMMAND:
            return here
        if command.qualified_name != MATCHES_COMMAND and command.get_parameter("match") is None:
            return None
        typed = getattr(interaction.namespace, "match", None)
        number = typed if isinstance(typed, int) else None  # what is being typed is a text
        lists, finished = number is None, bool(getattr(interaction.namespace, "finished", False))
    if lists:
        queries, person_id = here.services.queries, here.person.id
        candidates = await queries.candidates(here.home, here.channel, person_id, finished=finished)
        return here if any(match.seat_of(here.person.id) is not None for match in candidates) else None
    match = None if number is None else await here.services.read(matches.get, number)
    return here if match is not None and match.guild_id == here.home else None
