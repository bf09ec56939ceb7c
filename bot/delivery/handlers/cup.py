"""Posts the message of a cup once and keeps it up to date in place; posts the final table; asks who is still there."""

from __future__ import annotations

from functools import partial

from bot.delivery import discord_calls, telling
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import RefusedError, UndeliverableError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import find_in, nonce, notify_directly, post_once, rewrite
from bot.matches.services.cup_queries import CupView
from bot.messages import cup as messages
from bot.messages.layout import Outgoing
from bot.storage import cups
from bot.storage.contest_states import CupState
from bot.storage.outbox import OutboxMessage


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Change the message of a cup to how it stands, or post it if there is none. A deleted one is posted again."""
    view = await context.services.cup_queries.find_view(message.payload["cup"])
    if view is None:
        return None
    cup, outgoing = view.cup, await messages.message(context.renderer, view)
    message_id = cup.message_id
    if message_id is None or not await rewrite(context, (cup.channel_id, message_id), outgoing.view, outgoing.attached):
        # An earlier attempt may have posted one that was not remembered.
        marker = messages.marker(cup)
        message_id = await find_in(context, cup.channel_id, marker, cup.created_at) if message.attempts else None
        if message_id is None or not await rewrite(
            context, (cup.channel_id, message_id), outgoing.view, outgoing.attached
        ):
            if cup.state not in cups.UNENDED:
                return None
            message_id = await _post(context, message, view, outgoing)
    return Done(partial(cups.set_message, cup_id=cup.id, channel_id=cup.channel_id, message_id=message_id))


async def send_result(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the final table of a cup, unless an earlier attempt did."""
    view = await context.services.cup_queries.find_view(message.payload["cup"])
    if view is None or view.table is None or view.cup.state is not CupState.OVER:
        return None
    cup, outgoing = view.cup, await messages.result(context.renderer, view)
    await post_once(context, message, cup.channel_id, outgoing)
    return Done()


async def check_member(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Ask Discord whether a player is still in the server; one who is not withdraws."""
    view = await context.services.cup_queries.find_view(message.payload["cup"])
    if view is None or view.table is None or view.cup.state is not CupState.RUNNING:
        return None
    cup, player = view.cup, view.table.players[message.payload["player"]]
    if player.withdrawal is not None or not player.person.mentionable:
        return None
    if await discord_calls.has_left(context.client, cup.guild_id, player.person.id):
        await context.services.cups.withdraw_departed(cup.id, player.person.id)
    return Done()


async def send_out(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell a player directly that they are out of a cup."""
    view = await context.services.cup_queries.find_view(message.payload["cup"])
    if view is None or view.table is None:
        return None
    player = view.table.players[message.payload["player"]]
    if player.withdrawal is None or not player.person.mentionable:
        return None
    await notify_directly(context, message, player.person.id, partial(messages.out, view.cup, player.withdrawal))
    return Done()


async def _post(context: DeliveryContext, message: OutboxMessage, view: CupView, outgoing: Outgoing) -> int:
    """Post the message of a cup. If its channel refuses an open one, cancel the cup and tell the person it is of."""
    cup = view.cup
    outgoing = await telling.invited(context, message, cup.guild_id, outgoing)
    try:
        return await discord_calls.post(context.client, cup.channel_id, outgoing, nonce(message, cup.channel_id))
    except RefusedError as error:
        if cup.state is CupState.OPEN:
            if cup.starter_id > 0:
                await notify_directly(context, message, cup.starter_id, partial(messages.lost_card, cup))
            await context.services.cups.cancel_silently(cup.id)
        raise UndeliverableError(str(error)) from error
