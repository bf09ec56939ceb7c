"""Opens the thread of a match, on the card of its challenge if that still stands.

A match of one person against the bot that has no card gets a private thread where the bot may open one.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import discord
import structlog

from bot.delivery import threads
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import RefusedError, RejectedError, UnavailableError
from bot.delivery.dispatcher import Done
from bot.delivery.handlers.card import find_card
from bot.matches.model.game_state import RESIGNS
from bot.messages.board import thread_name
from bot.storage import challenges, guilds, matches
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Entry, Match, MatchState

log = structlog.get_logger(__name__)

HARDLY_PLAYED = 5
"""The move before which a match is resigned whose thread is archived at once."""


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Open the thread, unless it exists or the match is played in the channel."""
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
        challenge = await challenges.of_match(tx, message.payload["match"])
        if challenge is not None and challenge.rematch_of is not None and len(challenge.joined) == 1:
            challenge = None  # A rematch with computer players needs no answer, so it has no card.
    if match is None or match.thread_id is not None:
        return None
    channel = await _channel(context, match)
    if channel is None:
        # One that begins in a private thread, such as that of an earlier match, is played there and as private.
        place = context.client.get_channel(match.channel_id)
        private = isinstance(place, discord.Thread) and place.is_private()
        return Done(partial(matches.change, match_id=match.id, private=True)) if private else None
    posted = None if challenge is None else await find_card(context, challenge, search=True)
    card_id, again = None if posted is None else posted[1], message.attempts > 0
    alone = card_id is None and not match.between_people
    private_id = await _open_privately(channel, match, again=again) if alone else None
    if private_id is None and not channel.permissions_for(channel.guild.me).create_public_threads:
        return None
    try:
        thread_id = private_id or await _open(channel, card_id, thread_name(match), again=again)
    except RefusedError as error:
        log.info("no thread possible, playing in the channel", match=match.id, error=str(error))
        return None
    if card_id is not None:
        # The card shows the thread; the line says it once more. Without a card the line is the way into the thread.
        with suppress(RefusedError, RejectedError, UnavailableError):
            await threads.remove_announcement(context.client, channel.id, thread_id)
    return Done(partial(matches.change, match_id=match.id, thread_id=thread_id, private=private_id is not None))


async def archive_soon(context: DeliveryContext, match: Match) -> None:
    """Have Discord archive the thread of a match that is over before long. Raises ``UnavailableError``."""
    if match.thread_id is None:
        return
    try:
        await threads.archive_soon(context.client, match.thread_id)
    except (RefusedError, RejectedError) as error:
        log.info("thread left open", match=match.id, error=str(error))


async def archive_if_hardly_played(context: DeliveryContext, match: Match, entry: Entry | None) -> None:
    """Archive the thread of a match against the bot that was resigned by ``entry`` after a few moves, at once.

    A server may have a thousand open threads. Raises ``UnavailableError``.
    """
    if match.thread_id is None or match.between_people or match.state is not MatchState.OVER:
        return
    if entry is None or entry.text != RESIGNS or entry.ply > HARDLY_PLAYED:
        return
    try:
        await threads.archive(context.client, match.thread_id)
    except (RefusedError, RejectedError) as error:
        log.info("thread left open", match=match.id, error=str(error))


async def _open_privately(channel: discord.TextChannel, match: Match, *, again: bool) -> int | None:
    """Open a private thread with the only person of a match; return None where that is not possible."""
    person = next(seat.person for seat in match.seats if not seat.person.computer)
    allowed = channel.permissions_for(channel.guild.me).create_private_threads
    if not allowed or channel.is_news() or not person.mentionable:
        return None
    try:
        return await threads.open_private_thread(channel, thread_name(match), person.id, again=again)
    except (RefusedError, RejectedError) as error:
        log.info("no private thread possible", match=match.id, error=str(error))
        return None


async def _open(channel: discord.TextChannel, card_id: int | None, name: str, *, again: bool) -> int:
    """Open a thread on the card, or without a card if that is gone."""
    try:
        return await threads.open_thread(channel, card_id, name, again=again)
    except RefusedError as error:
        if card_id is None or not error.gone:
            raise
    return await threads.open_thread(channel, None, name, again=again)


async def _channel(context: DeliveryContext, match: Match) -> discord.TextChannel | None:
    """Return the channel of a match if it may have threads in which the bot may post."""
    channel = context.client.get_channel(match.channel_id)
    if not context.threads or not isinstance(channel, discord.TextChannel):
        return None
    if not (await context.services.read(guilds.settings, match.guild_id)).threads:
        return None
    return channel if channel.permissions_for(channel.guild.me).send_messages_in_threads else None
