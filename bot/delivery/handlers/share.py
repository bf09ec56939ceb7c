"""Posts what people share, once; takes the name off it after a deletion of their data."""

from __future__ import annotations

from functools import partial

from bot.delivery import discord_calls
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import RefusedError, UndeliverableError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import find_in, nonce, notify_directly, rewrite
from bot.matches.services.shares import SharedView
from bot.messages import share as messages
from bot.messages.layout import Outgoing
from bot.storage import shares
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post what a person shares, unless an earlier attempt did; bring a posted one up to date."""
    # Versions without pictures in shares stored no share; what they had not posted yet is left out.
    view = await context.services.shares.find(message.payload.get("share", 0))
    if view is None:
        return None
    share, outgoing = view.share, await messages.share_message(context.renderer, view)
    if share.message_id is not None:
        return Done() if await rewrite(context, (share.channel_id, share.message_id), outgoing.view) else None
    # An earlier attempt may have posted one that was not remembered.
    marker = messages.marker(view)
    message_id = await find_in(context, share.channel_id, marker, share.at) if message.attempts else None
    if message_id is None:
        if share.user_id is None:
            return Done(partial(shares.remove, share_id=share.id))
        message_id = await _post(context, message, view, outgoing)
    return Done(partial(shares.set_message, share_id=share.id, message_id=message_id))


async def _post(context: DeliveryContext, message: OutboxMessage, view: SharedView, outgoing: Outgoing) -> int:
    """Post a share. If its channel refuses it, tell the person, who can share it elsewhere."""
    share = view.share
    try:
        return await discord_calls.post(context.client, share.channel_id, outgoing, nonce(message, share.channel_id))
    except RefusedError as error:
        if share.user_id is not None:
            await notify_directly(context, message, share.user_id, partial(messages.share_failed, view))
        await context.services.shares.drop(share.id)
        raise UndeliverableError(str(error)) from error
