"""Posts the card of a challenge and keeps it up to date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import answering, discord_calls, telling
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import RefusedError, UndeliverableError
from bot.delivery.dispatcher import Done
from bot.delivery.posting import Posted, find_in, nonce, notify_directly, rewrite
from bot.matches.model.pace import is_live
from bot.matches.model.refusals import is_playable
from bot.messages import card
from bot.messages.layout import Outgoing
from bot.storage import challenges, guilds, matches, people
from bot.storage.challenges import Challenge
from bot.storage.homes import is_private
from bot.storage.outbox import OutboxMessage
from bot.storage.records import ChallengeState, MatchState


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the card of an open challenge, or change the one posted."""
    async with context.services.database.read() as tx:
        challenge = await challenges.get(tx, message.payload["challenge"])
    if challenge is None:
        return None
    posted = await find_card(context, challenge, search=message.attempts > 0)
    if posted is None and challenge.state is not ChallengeState.OPEN:
        return None
    over = None if challenge.match_id is None else await _result_card(context, challenge.match_id)
    invited = await context.services.rematches.invited(challenge)
    rests = await _rests(context, challenge, invited)
    outgoing = over or await card.card(
        context.renderer,
        challenge,
        drawn=posted is None,
        invited=invited,
        rests=rests,
        public_url=context.public_url,
    )
    told: tuple[int, ...] = ()
    if posted is None:
        outgoing = await telling.invited(context, message, challenge.guild_id, outgoing, challenge)
        posted = await _post(context, message, challenge, outgoing)
        told = outgoing.mentions
    else:
        attached, answered = None if over is None else over.attached, is_private(challenge.guild_id)
        if not await rewrite(context, posted, outgoing.view, attached, answered=answered):
            return None
    place_id, message_id = posted

    async def store(tx: AsyncConnection) -> None:
        await challenges.change(tx, challenge_id=challenge.id, channel_id=place_id, message_id=message_id)
        await telling.note_challenged(tx, challenge, told, message.created_at)

    return Done(store)


async def check_members(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Ask Discord whether the people in an open challenge are still in the server; who is not loses their seat."""
    async with context.services.database.read() as tx:
        challenge = await challenges.get(tx, message.payload["challenge"])
    if challenge is None or challenge.state is not ChallengeState.OPEN:
        return None
    has_left = partial(discord_calls.has_left, context.client)
    await context.services.challenges.take_out(challenge.guild_id, challenge.id, has_left)
    return Done()


async def _rests(
    context: DeliveryContext, challenge: Challenge, invited: Sequence[int]
) -> dict[int, tuple[str, datetime]]:
    """Return the weekly rests of all whom an open challenge names, where they count."""
    if challenge.state is not ChallengeState.OPEN or challenge.pace is None or is_live(challenge.pace):
        return {}
    named = [challenge.challenger_id, challenge.opponent_id, *invited, *(person.id for person in challenge.joined)]
    async with context.services.database.read() as tx:
        rests = await people.rests(tx, [user_id for user_id in named if user_id is not None])
        counts = rests and (await guilds.settings(tx, challenge.guild_id)).rest_counts
    return rests if counts else {}


async def _result_card(context: DeliveryContext, match_id: int) -> Outgoing | None:
    """Return the card of a match that is over, or None for one that runs."""
    async with context.services.database.read() as tx:
        match = await matches.get(tx, match_id)
        if match is None or match.state is not MatchState.OVER:
            return None
        played = await matches.moves_of(tx, match_id)
    view = await context.services.queries.find_match_view(match_id) if is_playable(match) and not match.voided else None
    return await card.result_card(context.renderer, match, None if view is None else view.game_state, played)


async def find_card(context: DeliveryContext, challenge: Challenge, *, search: bool) -> Posted | None:
    """Return where the card of a challenge stands; ``search`` for a card that a crash kept from being remembered."""
    if challenge.message_id is not None:
        return challenge.channel_id, challenge.message_id
    search = search and not is_private(challenge.guild_id)
    for place_id in await _places(context, challenge) if search else ():
        posted = await find_in(context, place_id, card.marker(challenge), challenge.created_at)
        if posted is not None:
            return place_id, posted
    return None


async def _post(context: DeliveryContext, message: OutboxMessage, challenge: Challenge, outgoing: Outgoing) -> Posted:
    """Post a card; if every place refuses it, cancel the challenge and tell the challenger."""
    if is_private(challenge.guild_id):
        return challenge.channel_id, await answering.post_by_response(context, message.topic, outgoing)
    refused = []
    for place_id in await _places(context, challenge):
        try:
            return place_id, await discord_calls.post(context.client, place_id, outgoing, nonce(message, place_id))
        except RefusedError as error:
            refused.append(str(error))
    await notify_directly(context, message, challenge.challenger_id, partial(card.lost_card, challenge))
    await context.services.challenges.drop(challenge.id)
    raise UndeliverableError("; ".join(refused))


async def _places(context: DeliveryContext, challenge: Challenge) -> list[int]:
    """Return where a card may stand: its channel or, for a rematch, the thread of the earlier match."""
    if challenge.rematch_of is None:
        return [challenge.channel_id]
    async with context.services.database.read() as tx:
        match = await matches.get(tx, challenge.rematch_of)
    return [challenge.channel_id] if match is None else list(dict.fromkeys((challenge.channel_id, match.place_id)))
