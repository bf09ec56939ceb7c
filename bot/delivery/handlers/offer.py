"""Posts an offer and keeps it up to date."""

from __future__ import annotations

from functools import partial

from bot.delivery import telling
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import Posted, find_posted, post, rewrite
from bot.matches.model.policies.news import Kind
from bot.messages.offer import offer_message
from bot.storage import matches
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EntryKind, OfferState


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post an open offer, or change the one posted."""
    async with context.services.database.read() as tx:
        offer = await matches.offer(tx, message.payload["offer"])
        move = ""
        if offer is not None:
            # The last move that the offering seat had made by then.
            played = (await matches.moves_of(tx, offer.match_id))[: offer.ply]
            own = [entry for entry in played if entry.seat == offer.seat and entry.kind is EntryKind.MOVE]
            move = own[-1].text if own else ""
    match_view = None if offer is None else await context.services.queries.find_match_view(offer.match_id)
    if offer is None or match_view is None:
        return None
    outgoing = offer_message(match_view, offer, move)
    posted: Posted | None
    if offer.channel_id is not None and offer.message_id is not None:
        posted = offer.channel_id, offer.message_id
    else:
        posted = await find_posted(context, message, match_view.match, outgoing.marker)
    if posted is not None:
        await rewrite(context, posted, outgoing.view, answered=match_view.match.answered)
    elif offer.state is OfferState.OPEN:
        outgoing = await telling.announced(context, message, match_view.match, Kind.OFFER, outgoing)
        posted = await post(context, message, match_view.match, outgoing)
    else:
        return None
    return Done(partial(matches.change_offer, offer_id=offer.id, channel_id=posted[0], message_id=posted[1]))
