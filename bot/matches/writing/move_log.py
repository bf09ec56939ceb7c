"""Writes a match inside one transaction: each turn with everything that follows from it, and its board.

A move, a resignation, a time-out, a take-back and an agreed draw all end in ``append``. ``load_match`` is the one place
that refuses an unknown match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.refusals import NoSuchMatch
from bot.matches.model.turn import PlayedTurn
from bot.matches.writing import clocks, cups, outbox_messages
from bot.matches.writing.beginning import begin_turn
from bot.matches.writing.results import finish
from bot.storage import computer_turns, matches
from bot.storage.outbox import Begin, OutboxMessage
from bot.storage.records import Match, MoveKind, OfferKind, OfferState, Person, PlayedMove


async def load_match(tx: AsyncConnection, guild_id: int, match_id: int, *, lock: bool = False) -> Match:
    """Return a match of a server; ``lock`` keeps others from changing it. Raises ``NoSuchMatch``."""
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or match.guild_id != guild_id:
        raise NoSuchMatch
    return match


async def append_unless_changed(
    tx: AsyncConnection, turn: PlayedTurn, begin: Begin | None = None
) -> tuple[bool, OutboxMessage | None]:
    """Store a turn after which the match goes on, if the match is still as it was loaded; return whether it is.

    The statement that changes the match compares it, so this function does not read it again. The turn does not depend
    on what else may change, such as where the board stands. Also return the message that this process is to ``begin``.
    """
    match, after = turn.match, turn.after
    await matches.lock(tx, match.id)
    changes = {"ply": after.ply, "turn_at": turn.at, **(await _clock(tx, turn)).columns()}
    offered = await matches.advance_from(tx, match.id, match.ply, match.deadline_at, **changes)
    if offered is None:
        return False, None
    await matches.add_moves(tx, match.id, turn.entries)
    await matches.set_movers(tx, match.id, after.position.to_move)
    return True, await _go_on(tx, turn, offered=offered, begin=begin)


def goes_on(turn: PlayedTurn) -> bool:
    """Return whether the match goes on after a turn that holds only moves."""
    moved = {MoveKind.MOVE, MoveKind.FORCED}
    return turn.after.result is None and all(entry.kind in moved for entry in turn.entries)


async def append(tx: AsyncConnection, turn: PlayedTurn, begin: Begin | None = None) -> OutboxMessage | None:
    """Store a turn of a locked match: entries, movers, clock, result and ratings, lapsed offers, the next board.

    Return the message of the board if this process is to ``begin`` it and may.
    """
    match, after = turn.match, turn.after
    await matches.add_moves(tx, match.id, turn.entries)
    dropped = [entry.seat for entry in turn.entries if entry.kind is MoveKind.DROP]
    for seat in dropped:
        await matches.change_seat(tx, match.id, seat, dropped=True)
    if turn.entries[0].kind is MoveKind.TAKEBACK and after.position.ready_made() is not None:
        # What was taken back is the set-up of this seat: it is not taken without asking again.
        await matches.change_seat(tx, match.id, turn.entries[0].seat, ready_made=False)
    notified: list[int] = []
    changes: dict[str, Any] = {"ply": after.ply}
    cup: cups.RunningCup | None = None
    if after.result is not None:
        gone = [*(seat.seat for seat in match.seats if seat.dropped), *dropped]
        cup = await cups.of_result(tx, match)
        changes |= await finish(tx, match, after.result, await _order_of_leaving(tx, match, gone), turn.at)
    elif dropped and after.position.to_move == {seat.seat for seat in match.movers}:
        # A seat dropped out while another is to move: for that one it is still the same turn, on the same clock.
        notified = [seat.seat for seat in match.movers] if match.board_ply == match.ply else []
        if match.pace is None:
            changes |= (await _clock(tx, turn)).columns()
    else:
        changes |= await _next_turn(tx, turn)
    offered = await matches.advance(tx, match.id, **changes)
    message = await _go_on(tx, turn, offered=offered, notified=notified, begin=begin)
    if after.result is not None and cup is not None:
        await cups.match_ended(tx, cup, match, after.result, turn.entries[-1], turn.at)
    return message


async def _go_on(
    tx: AsyncConnection, turn: PlayedTurn, *, offered: bool, notified: Sequence[int] = (), begin: Begin | None
) -> OutboxMessage | None:
    """Begin the next turn; ``offered`` says whether the match has open offers."""
    if offered:
        await _lapse(tx, turn)
    if turn.match.computers:
        await computer_turns.remove(tx, turn.match.id)
    movers = _movers(turn)
    return await begin_turn(tx, turn.match.id, turn.after.ply, movers, turn.at, notified=notified, begin=begin)


async def _next_turn(tx: AsyncConnection, turn: PlayedTurn) -> dict[str, Any]:
    """Store who is to move now; return the columns of the match that hold the beginning of the turn and its clock."""
    await matches.set_movers(tx, turn.match.id, turn.after.position.to_move)
    return {"turn_at": turn.at, **(await _clock(tx, turn)).columns()}


async def _clock(tx: AsyncConnection, turn: PlayedTurn) -> clocks.Clock:
    """Return the clock of the turn that follows; one person left among computer players gets the inactivity limit."""
    gone = {entry.seat for entry in turn.entries if entry.kind is MoveKind.DROP}
    taken = tuple(replace(seat, dropped=seat.dropped or seat.seat in gone) for seat in turn.match.seats)
    alone = replace(turn.match, seats=taken).alone
    return await clocks.next_clock(tx, turn.match.pace, _movers(turn), turn.at, alone=alone)


def _movers(turn: PlayedTurn) -> list[Person]:
    """Return the people to move after a turn; none once the match is over."""
    to_move = frozenset[int]() if turn.after.result is not None else turn.after.position.to_move
    return [seat.person for seat in turn.match.seats if seat.seat in to_move]


async def _order_of_leaving(tx: AsyncConnection, match: Match, gone: list[int]) -> list[int]:
    if len(gone) < 2:
        return gone
    played = await matches.moves_of(tx, match.id)
    return [move.seat for move in played if move.kind is MoveKind.DROP]


async def _lapse(tx: AsyncConnection, turn: PlayedTurn) -> None:
    """End the open offers that the turn makes void.

    An offered draw lapses with its offerer's next move, any other offer with the next move of anybody.
    """
    moved = {entry.seat for entry in turn.entries if entry.kind is MoveKind.MOVE}
    for offer in await matches.open_offers(tx, turn.match.id):
        if turn.after.result is not None or offer.kind is not OfferKind.DRAW or offer.seat in moved:
            await matches.change_offer(tx, offer.id, state=OfferState.LAPSED)
            await outbox_messages.offer(tx, turn.match.id, offer.id, OfferState.LAPSED, turn.at)


@dataclass(frozen=True, slots=True)
class Retired:
    """An earlier board: the message that retires it, its match and ply, and the entry that followed on it."""

    message: OutboxMessage
    match: Match
    ply: int
    entry: PlayedMove | None
    more: bool
    """Whether notices of earlier turns lose their buttons, too."""


async def board_posted(
    tx: AsyncConnection, *, match: Match, ply: int, posted: tuple[int, int], at: datetime, token: int | None
) -> Retired | None:
    """Remember where the board of ``ply`` stands, and have the controls of earlier turns taken away.

    Return the board that this process is to retire, if there is one; ``token`` is that of this process. ``match`` is
    the match as loaded when its message was begun. Until that message is sent, no other board of the match is posted;
    if another process has taken over meanwhile, this transaction fails.
    """
    place_id, message_id = posted
    if match.board_message_id == message_id:
        return None
    follows = 0 if match.board_ply is None else match.board_ply + 1
    noted = await matches.put_board(tx, match.id, place_id, message_id, ply, entry=follows)
    if noted is None:
        return None
    message = await outbox_messages.retire_board(tx, match, at, Begin(token, alone=True))
    if noted.has_notices:
        # Voiding ends the turn that notices were about, but begins none.
        await outbox_messages.retire_notices(tx, match.id, ply + 1 if noted.voided else ply, at)
    if message is None or match.board_ply is None:
        return None
    return Retired(message, match, match.board_ply, noted.entry, noted.has_notices)
