"""Posts messages about a match once, in its thread or else its channel, and changes posted ones. Knows no kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

import discord
import structlog

from bot.delivery import answering, discord_calls
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.discord_calls import RefusedError, UnavailableError, UndeliverableError
from bot.matches.model.policies import news
from bot.messages.layout import Outgoing
from bot.messages.pictures import Attachment, Picture
from bot.storage import interactions, matches
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Match, Person
from renderers.i18n import speaking

log = structlog.get_logger(__name__)

Posted = tuple[int, int]
"""The id of a message's channel or thread, and of the message."""


async def post(context: DeliveryContext, message: OutboxMessage, match: Match, outgoing: Outgoing) -> Posted:
    """Post a message about a match, unless an earlier attempt did.

    If its thread refuses, the message goes to the channel; if the thread is gone, so does the match. Raises
    ``UndeliverableError``, ``RejectedError``, ``UnavailableError`` or ``NoResponseError``.
    """
    if match.answered:
        after = match.board_message_id or 0
        return match.channel_id, await answering.post_by_response(context, message.topic, outgoing, after=after)
    posted = await find_posted(context, message, match, outgoing.marker)
    if posted is not None:
        return posted
    silent = news.is_silent(outgoing.mentions, silent=outgoing.silent, direct=match.direct)
    outgoing = replace(outgoing, silent=silent)
    refused = []
    for place_id in _places(match):
        try:
            return place_id, await discord_calls.post(context.client, place_id, outgoing, nonce(message, place_id))
        except RefusedError as error:
            refused.append(str(error))
            if place_id == match.thread_id and error.gone:
                async with context.services.database.write() as tx:
                    await matches.change(tx, match.id, thread_id=None, private=False)
    raise UndeliverableError("; ".join(refused))


async def post_once(context: DeliveryContext, message: OutboxMessage, place_id: int, outgoing: Outgoing) -> int:
    """Post a message in one place, unless an earlier attempt did; return its id. Raises like ``post``."""
    try:
        if message.attempts:
            posted_id = await find_in(context, place_id, outgoing.marker, message.begun_at or message.created_at)
            if posted_id is not None:
                return posted_id
        return await discord_calls.post(context.client, place_id, outgoing, nonce(message, place_id))
    except RefusedError as error:
        raise UndeliverableError(str(error)) from error


async def find_posted(context: DeliveryContext, message: OutboxMessage, match: Match, marker: str) -> Posted | None:
    """Find a post of an earlier attempt that was not remembered. Raises ``UnavailableError``."""
    for place_id in _places(match) if message.attempts and not match.answered else ():
        posted = await find_in(context, place_id, marker, message.begun_at or message.created_at)
        if posted is not None:
            return place_id, posted
    return None


async def find_in(context: DeliveryContext, place_id: int, marker: str, since: datetime) -> int | None:
    """Find a post in a place that was not made before ``since``; return its id. Raises ``UnavailableError``.

    The search goes back to the last interaction before that, also if the clock was set back since.
    """
    async with context.services.database.read() as tx:
        known_id = await interactions.last(tx, since)
    since = min(since, context.services.clock())
    return await discord_calls.find_posted(context.client, place_id, marker, since, known_id)


async def rewrite(
    context: DeliveryContext,
    posted: Posted,
    view: discord.ui.LayoutView,
    attached: Sequence[Picture | Attachment] | None = None,
    *,
    answered: bool = False,
) -> bool:
    """Change the text and controls of a post, and its pictures where ``attached`` brings others.

    Return whether it exists and, where it is ``answered``, can still be changed. Raises ``UndeliverableError``.
    """
    if answered:
        return await answering.edit_response(context, posted[1], view, attached)
    try:
        await discord_calls.rewrite(context.client, *posted, view, attached)
    except RefusedError as error:
        if not error.gone:
            raise UndeliverableError(str(error)) from error
        return False
    return True


async def notify_directly(
    context: DeliveryContext, message: OutboxMessage, user_id: int, compose: Callable[[], str]
) -> bool:
    """Send a person the text of ``compose`` as a direct message in their language; return whether they take any.

    Raises ``RejectedError`` or ``UnavailableError``.
    """
    with speaking(await language_of(context, user_id)):
        text = compose()
    try:
        await discord_calls.send_directly(context.client, user_id, text, nonce(message, user_id))
    except RefusedError as error:
        _check_refused(error, message, user_id)
        return False
    return True


async def sent_directly(
    context: DeliveryContext, message: OutboxMessage, person: Person, outgoing: Outgoing
) -> Posted | None:
    """Send a direct message, unless an earlier attempt did; return None for a person who takes none.

    Raises ``UndeliverableError`` for a person without an account, ``RejectedError`` or ``UnavailableError``.
    """
    try:
        if message.attempts and outgoing.marker:
            place_id = await discord_calls.direct_place(context.client, person.id)
            since = message.begun_at or message.created_at
            posted_id = await find_in(context, place_id, outgoing.marker, since)
            if posted_id is not None:
                return place_id, posted_id
        return await discord_calls.send_directly(context.client, person.id, outgoing, nonce(message, person.id))
    except RefusedError as error:
        _check_refused(error, message, person.id)
        if error.gone:
            raise UndeliverableError(str(error)) from error
        return None


def _check_refused(error: RefusedError, message: OutboxMessage, user_id: int) -> None:
    """Raise ``UnavailableError`` for a refused direct message, unless the person takes none or has no account."""
    if not (error.by_person or error.gone):
        raise UnavailableError(str(error)) from error
    log.info("direct message refused", user=user_id, outbox_message=message.key, error=str(error))


def nonce(message: OutboxMessage, destination: int) -> str:
    """Return the nonce of a message in a place: unlike every other, at most 25 characters.

    A restored database uses row numbers again, so the nonce contains the database's generation and the row's time, too.
    """
    named = f"{message.generation}:{message.id}:{message.created_at.timestamp()}:{destination}"
    return str(int.from_bytes(blake2b(named.encode(), digest_size=8).digest()))


def _places(match: Match) -> tuple[int, ...]:
    return tuple(dict.fromkeys((match.place_id, match.channel_id)))
