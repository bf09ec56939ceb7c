"""Takes the controls off messages of an earlier turn: a board, a reminder, a late notice."""

from __future__ import annotations

from contextlib import suppress

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import rewrite
from bot.languages.speaking import language
from bot.matches.model.refusals import Quarantined
from bot.matches.services.match_queries import EarlierTurn
from bot.matches.writing.move_log import Retired
from bot.matches.writing.outbox_messages import Kind
from bot.messages.board import retired_board
from bot.messages.notices import retired_notice
from bot.storage.outbox import OutboxMessage
from renderers.i18n import speaking


async def send_board(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave the picture of an earlier board, and say which entry followed."""
    turn = await context.services.queries.earlier_turn(message.payload["match"], message.payload["ply"])
    return None if turn is None else await _retire(context, message, turn)


async def retire(context: DeliveryContext, retired: Retired) -> Done | None:
    """Do the same for a board with its match and entry at hand."""
    with speaking(language(retired.match.language)), suppress(Quarantined):
        game_state = await context.services.game_states.at(retired.match, retired.ply)
        return await _retire(context, retired.message, EarlierTurn(retired.match, game_state, retired.entry))
    return None


async def _retire(context: DeliveryContext, message: OutboxMessage, turn: EarlierTurn) -> Done | None:
    view = await retired_board(context.renderer, turn)
    posted = message.payload["channel"], message.payload["message"]
    return Done() if await rewrite(context, posted, view) else None


async def send_notice(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave one line of a reminder or late notice."""
    payload = message.payload
    turn = await context.services.queries.earlier_turn(payload["match"], payload["ply"])
    if turn is None:
        return None
    view = retired_notice(turn, Kind(payload["notice"]))
    return Done() if await rewrite(context, (payload["channel"], payload["message"]), view) else None
