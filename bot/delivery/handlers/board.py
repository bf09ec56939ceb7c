"""Posts the board of a match, or that it was voided, and takes the controls off what belongs to an earlier turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import telling
from bot.delivery.context import DeliveryContext
from bot.delivery.discord_calls import NoResponseError, UndeliverableError
from bot.delivery.dispatcher import Done, FollowUp
from bot.delivery.handlers import notice, thread, turn
from bot.delivery.posting import Posted, find_posted, notify_directly, post, rewrite
from bot.languages.speaking import language
from bot.matches.model.pace import is_live
from bot.matches.model.policies.acts import moves_made
from bot.matches.model.policies.news import NOT_TOLD, Kind
from bot.matches.model.refusals import Quarantined
from bot.matches.services.match_queries import EarlierTurn, MatchView
from bot.matches.writing.move_log import Retired, board_posted
from bot.matches.writing.outbox_messages import MessageKind
from bot.messages import board
from bot.messages.layout import Outgoing
from bot.messages.notices import reminder, retired_notice
from bot.messages.pictures import PUBLIC
from bot.messages.wording import NO_RESTS, Rests
from bot.storage import matches, notices, outbox, people, responses
from bot.storage.outbox import OutboxMessage
from bot.storage.records import EntryKind, Match, MatchState, OutboxState
from renderers.i18n import speaking


async def send(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Post the board of a ply, unless the match has gone on or another board has taken its place.

    Once the match has gone on, all boards of earlier plies are skipped together, except those that are being sent.
    """
    match_view = await context.services.queries.find_match_view(message.payload["match"], with_attention=True)
    if match_view is None or is_replaced(message, match_view.match):
        return None
    match, ply = match_view.match, message.payload["ply"]
    told, directly = NOT_TOLD, list[int]()
    if match.ply == ply and not match.voided:
        outgoing = await _board(context, match_view)
        if match.state is MatchState.OVER:
            outgoing, directly = await telling.told_of(context, message, match, Kind.END, outgoing)
        else:
            told = await telling.of_turn(context, message, match, match_view.attention)
            outgoing = replace(outgoing, mentions=outgoing.mentions if told.mention else (), silent=told.silent)
        try:
            posted: Posted | None = await telling.post_told(context, message, match, outgoing)
        except NoResponseError:
            told_directly = partial(telling.remember, context, message, match, told)
            return None if match.state is MatchState.OVER else Done(told_directly, OutboxState.SKIPPED)
        except UndeliverableError:
            if match.to_move is not None and match.mover.person.mentionable:
                await notify_directly(context, message, match.mover.person.id, partial(board.lost_place, match))
            raise
        if match.state is MatchState.OVER:
            await thread.archive_soon(context, match)
    else:
        posted = await _find_overtaken(context, message, match)
    if posted is None:
        at = context.services.clock()
        skip = partial(outbox.skip_overtaken, topic=message.topic, kind=message.kind, ply=match.ply, at=at)
        return Done(skip, OutboxState.SKIPPED)
    follows = partial(telling.remember, context, message, match, told)
    if directly:
        follows = partial(notice.tell_directly, context, MessageKind.BOARD, match, directly)
    return Done(partial(remember, context, match, ply, posted, told=follows))


async def change(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Bring the board of a running match up to date, unless another board is on its way.

    So it says that the match does not count for its cup, or that the person to move has more time.
    """
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or match_view.match.state is MatchState.OVER:
        return None
    match = match_view.match
    if match.board_channel_id is None or match.board_message_id is None or match.board_ply != match.ply:
        return None
    if await _is_first(context, match):
        # It tells the aim of the game, too, with a picture of its own.
        match_view = replace(match_view, match=replace(match, board_message_id=None))
    shown = await _board(context, match_view)
    posted = match.board_channel_id, match.board_message_id
    changed = await rewrite(context, posted, shown.view, shown.attached, answered=match.answered)
    return Done() if changed else None


async def _is_first(context: DeliveryContext, match: Match) -> bool:
    """Return whether no board of a match came before the newest: no person has made a move that counts yet."""
    played = await context.services.read(matches.moves_of, match.id)
    people = [seat for seat in match.seats if not seat.person.computer]
    moved = all(entry.kind in (EntryKind.MOVE, EntryKind.FORCED) for entry in played)
    return moved and not any(moves_made(seat, played) for seat in people)


async def send_deadline(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Put right until when there is time, where the board of a running match and the notices of its turn say so."""
    match_view = await context.services.queries.find_match_view(message.payload["match"])
    if match_view is None or match_view.match.state is MatchState.OVER:
        return None
    match = match_view.match
    for shown in await context.services.read(notices.at_ply, match.id, match.ply):
        kind, place = MessageKind(shown.kind), (shown.channel_id, shown.message_id)
        if kind is MessageKind.REMINDER:
            await rewrite(context, place, reminder(match).view)
        elif kind is MessageKind.REMINDERS:
            await notice.rewrite_together(context, match.guild_id, match.mover.person.id, place)
        elif kind is MessageKind.DIRECT_TURN:
            await turn.rewrite_deadline(context, match_view, place)
        elif kind is MessageKind.LATE and not match.flagged:
            await rewrite(context, place, retired_notice(EarlierTurn(match, match_view.game_state, None), kind))
    return await change(context, message)


async def remember(
    context: DeliveryContext,
    match: Match,
    ply: int,
    posted: Posted,
    tx: AsyncConnection,
    *,
    told: Callable[[AsyncConnection], Awaitable[None]] | None = None,
) -> FollowUp | None:
    """Remember where the board of a ply stands; return how to retire the earlier board.

    ``told`` stores how the person to move is told of their turn.
    """
    at = context.services.clock()
    retired = await board_posted(tx, match=match, ply=ply, posted=posted, at=at)
    if told is not None:
        await told(tx)
    if retired is None:
        return None
    return FollowUp(retired.message, partial(retire, context, retired))


def is_replaced(message: OutboxMessage, match: Match) -> bool:
    return "instead_of" in message.payload and match.board_message_id != message.payload["instead_of"]


async def _board(context: DeliveryContext, match_view: MatchView) -> Outgoing:
    """Return the board of a match as everybody sees it or, in direct messages, as their person likes to."""
    match, preferences = match_view.match, PUBLIC
    if match.direct:
        (reader,) = (seat.person for seat in match.seats if not seat.person.computer)
        preferences = await context.services.personal_settings.recent_preferences(reader.id)
    rests = await _rests(context, match)
    return await board.board(context.renderer, match_view, page=context.page, rests=rests, preferences=preferences)


async def _rests(context: DeliveryContext, match: Match) -> Rests:
    """Return the weekly rests of the players where they count, for the first board: a challenge shows some of them."""
    first = match.board_message_id is None and match.state is MatchState.RUNNING
    if not first or not match.rest_counts or match.pace is None or is_live(match.pace):
        return NO_RESTS
    return await context.services.read(
        people.rests, [seat.person.id for seat in match.seats if seat.person.mentionable]
    )


async def _find_overtaken(context: DeliveryContext, message: OutboxMessage, match: Match) -> Posted | None:
    """Find a board that may have been posted before the match went on; its controls must be taken off."""
    if match.answered:
        if not message.attempts:
            return None
        after, ply = match.board_message_id or 0, message.payload["ply"]
        message_id = await context.services.read(responses.before_ply, message.topic, after, ply)
        return None if message_id is None else (match.channel_id, message_id)
    shown = replace(match, ply=message.payload["ply"])
    # The match may have been over before it was voided.
    for state in MatchState if match.voided else (MatchState.RUNNING,):
        posted = await find_posted(context, message, match, board.marker(replace(shown, state=state)))
        if posted is not None:
            return posted
    return None


async def send_voided(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Tell the people of a match that it was voided; the message replaces the board, which loses its controls.

    It has no picture, so a match whose moves cannot be replayed can be voided, too.
    """
    async with context.services.database.read() as tx:
        match = await matches.get(tx, message.payload["match"])
    if match is None or is_replaced(message, match):
        return None
    outgoing = await telling.announced(context, message, match, Kind.VOIDED, board.voided_board(match))
    posted = await post(context, message, match, outgoing)
    await thread.archive_soon(context, match)
    return Done(partial(remember, context, match, match.ply, posted))


async def retire_board(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Leave the picture of an earlier board, and say which entry followed."""
    turn = await context.services.queries.earlier_turn(message.payload["match"], message.payload["ply"])
    return None if turn is None else await _retire(context, message, turn)


async def retire(context: DeliveryContext, retired: Retired) -> Done | None:
    """Take the controls off an earlier board, with its match and entry at hand."""
    with speaking(language(retired.match.language)), suppress(Quarantined):
        game_state = await context.services.game_states.at(retired.match, retired.ply)
        return await _retire(context, retired.message, EarlierTurn(retired.match, game_state, retired.entry))
    return None


async def _retire(context: DeliveryContext, message: OutboxMessage, turn: EarlierTurn) -> Done | None:
    view = await board.retired_board(context.renderer, turn)
    posted = message.payload["channel"], message.payload["message"]
    there = await rewrite(context, posted, view, answered=turn.match.answered)
    await thread.archive_if_hardly_played(context, turn.match, turn.entry)
    return Done() if there else None


async def retire_notice(context: DeliveryContext, message: OutboxMessage) -> Done | None:
    """Replace a reminder, a late notice or a direct message about a turn by one line."""
    payload = message.payload
    earlier = await context.services.queries.earlier_turn(payload["match"], payload["ply"])
    if earlier is None:
        return None
    posted, kind = (payload["channel"], payload["message"]), MessageKind(payload["notice"])
    to_move = earlier.game_state.position.to_move
    seat = None if to_move is None else earlier.match.seats[to_move]
    if kind is MessageKind.DIRECT_TURN and seat is not None:
        return await turn.retire(context, earlier, seat, posted)
    if kind is MessageKind.TURNS and seat is not None:
        return await turn.rewrite_together(context, seat.person.id, posted)
    if kind is MessageKind.REMINDERS and seat is not None:
        rewritten = await notice.rewrite_together(context, earlier.match.guild_id, seat.person.id, posted)
        return Done() if rewritten else None
    return Done() if await rewrite(context, posted, retired_notice(earlier, kind)) else None
