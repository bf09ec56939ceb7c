"""Takes the controls off messages of an earlier turn: a board, a reminder, a late notice."""

from __future__ import annotations

from contextlib import suppress

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import rewrite
from bot.languages.speaking import language
from bot.matches.model.refusals import Quarantined
from bot.matches.services.match_queries import Past
from bot.matches.writing.board_posted import Retired
from bot.matches.writing.outbox_messages import Kind
from bot.messages.board import past_board
from bot.messages.notices import past_notice
from bot.storage.outbox import OutboxMessage
from renderers.i18n import speaking


async def send_board(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave the picture of an earlier board, and say which entry followed."""
    past = await context.services.queries.past(message.payload["match"], message.payload["ply"])
    return None if past is None else await _retire(context, message, past)


async def retire(context: DeliveryContext, retired: Retired) -> Done | None:
    """Do the same for a board with its match and entry at hand."""
    with speaking(language(retired.match.language)), suppress(Quarantined):
        game_state = await context.services.game_states.at(retired.match, retired.ply)
        return await _retire(context, retired.message, Past(retired.match, game_state, retired.entry))
    return None


async def _retire(context: DeliveryContext, message: OutboxMessage, past: Past) -> Done | None:
    view = await past_board(context.renderer, past)
    posted = message.payload["channel"], message.payload["message"]
    return Done() if await rewrite(context, posted, view) else None


async def send_notice(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave one line of a reminder or late notice."""
    payload = message.payload
    past = await context.services.queries.past(payload["match"], payload["ply"])
    if past is None:
        return None
    view = past_notice(past, Kind(payload["notice"]))
    return Done() if await rewrite(context, (payload["channel"], payload["message"]), view) else None
