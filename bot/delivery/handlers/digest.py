"""Sends a person their daily digest directly. A person who takes no direct messages is told once, in a channel."""

from __future__ import annotations

from datetime import datetime

from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.dispatcher import Done
from bot.delivery.handlers.turn import sent_directly
from bot.delivery.posting import post
from bot.messages import digest
from bot.storage.outbox import OutboxMessage
from renderers.i18n import speaking


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Send a digest as things stand, unless there is nothing in it any more."""
    since = datetime.fromisoformat(message.payload["since"])
    view = await context.services.digests.view(message.payload["digest"], since)
    if view is None:
        return None
    person = view.person
    with speaking(await language_of(context, person.id)):
        outgoing = digest.directly(view)
    if await sent_directly(context, message, person, outgoing):
        return Done()
    match = view.every[0]
    await post(context, message, match, digest.here(view.only_in(match.guild_id)))
    await context.services.digests.refuse(person.id)
    return Done()
