"""Sends a person their daily digest directly. A person who takes no direct messages is told once, in a channel.

There it makes a sound only if no other mention waits for their answer, and they have not just moved in the server.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from bot.delivery.context import DeliveryContext, language_of
from bot.delivery.dispatcher import Done
from bot.delivery.handlers.turn import post_told, sent_directly
from bot.matches import presence
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
    match, read = view.every[0], context.services.read
    acted_at = await read(mentions.last_act, match.guild_id, person.id)
    here = acted_at is not None and message.created_at - acted_at < presence.JUST_NOW
    waits = here or await read(mentions.unanswered, match.guild_id, person.id)
    mention = context.services.presence.mention
    silent = waits or not mention(match.guild_id, person.id, message.id, context.services.clock())
    outgoing = replace(digest.here(view.only_in(match.guild_id), message.id), silent=silent)
    await post_told(context, message, match, outgoing)
    await context.services.digests.refuse(person.id)
    if silent or match not in view.waiting:
        return Done()
    return Done(partial(mentions.note, match_id=match.id, ply=match.ply, at=message.begun_at or message.created_at))
