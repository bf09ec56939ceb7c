"""Sends a person their daily digest directly. A person who takes no direct messages is told once, in a channel.

There it makes a sound only if no other mention waits for their answer, and they have not just moved in the server.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from bot.delivery import telling
from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.dispatcher import Done
from bot.delivery.posting import sent_directly
from bot.messages import digest
from bot.storage import mentions
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
        outgoing = digest.directly(view, message.id)
    if await sent_directly(context, message, person, outgoing) is not None:
        return Done()
    here, _elsewhere = await telling.told_together(context, view.every)
    if not here:
        await context.services.digests.refuse(person.id)
        return None
    match = here[0]
    outgoing = digest.here(view.only(here), message.id)
    outgoing = await telling.refused(context, message, match, outgoing, of_server=True)
    await telling.post_told(context, message, match, outgoing)
    await context.services.digests.refuse(person.id)
    if outgoing.silent or match not in view.waiting:
        return Done()
    return Done(partial(mentions.note, match_id=match.id, ply=match.ply, at=message.begun_at or message.created_at))
