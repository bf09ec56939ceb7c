"""Posts the puzzle of the day, and updates its solver count."""

from __future__ import annotations

from datetime import date
from functools import partial

from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.posting import post_once, rewrite
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import states
from bot.matches.services.daily_puzzles import DailyView
from bot.messages import puzzle as messages
from bot.messages.pictures import PUBLIC
from bot.storage import puzzles
from bot.storage.outbox import OutboxMessage


async def send_daily(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post a server's puzzle of a day in the channel chosen for it, unless an earlier attempt did."""
    view = await _view(context, message)
    if view is None or view.daily.message_id is not None:
        return None
    daily = view.daily
    outgoing = await messages.daily_post(context.renderer, view, await _start(context, view))
    message_id = await post_once(context, message, daily.channel_id, outgoing)
    return Done(partial(puzzles.posted_daily, guild_id=daily.guild_id, day=daily.day, message_id=message_id))


async def send_count(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Update the solver count on the post of a puzzle of the day."""
    view = await _view(context, message)
    if view is None or view.daily.message_id is None:
        return None
    start = await _start(context, view)
    described = (await context.renderer.puzzle(view.puzzle, start, view.puzzle.seat, PUBLIC)).description
    posted = (view.daily.channel_id, view.daily.message_id)
    return Done() if await rewrite(context, posted, messages.daily_view(view, described)) else None


async def _view(context: DeliveryContext, message: OutboxMessage) -> DailyView | None:
    day = date.fromisoformat(message.payload["day"])
    return await context.services.daily_puzzles.view(message.payload["guild"], day)


async def _start(context: DeliveryContext, view: DailyView) -> GameState:
    return (await context.services.compute(states, view.puzzle, 0))[0][0]
