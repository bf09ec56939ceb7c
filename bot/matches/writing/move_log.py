"""Writes a match inside the caller's transaction: each turn with everything that follows from it, and its board.

A move, a resignation, a time-out, a take-back and an agreed draw all end in ``append``. ``load_match`` is the one place
that refuses an unknown match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import is_live
from bot.matches.model.policies.acts import answers_mentions, lapses, moves_made
from bot.matches.model.policies.clocks import head_start
from bot.matches.model.refusals import NoSuchMatch
from bot.matches.model.turn import PlayedTurn
from bot.matches.writing import clocks, cups, outbox_messages
from bot.matches.writing.beginning import begin_turn
from bot.matches.writing.results import finish
from bot.storage import computer_turns, matches, mentions, plans
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Entry, EntryKind, Match, OfferState, Person, Seat


async def load_match(tx: AsyncConnection, guild_id: int, match_id: int, *, lock: bool = False) -> Match:
    """Return a match of a server; ``lock`` keeps others from changing it. Raises ``NoSuchMatch``."""
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or match.guild_id != guild_id:
        raise NoSuchMatch
    return match


async def append_unless_changed(
    tx: AsyncConnection, turn: PlayedTurn, begin: bool = False
) -> tuple[bool, OutboxMessage | None]:
    """Store a turn after which the match goes on, if the match is still as it was loaded; return whether it is.

    The statement that changes the match compares it, so this function does not read it again. The turn does not depend
    on what else may change, such as where the board stands. Also return the message that this process is to ``begin``.
    """
    match = turn.match
    await matches.lock(tx, match.id)
    banks = await clocks.next_banks(tx, match, turn.entries, turn.at)
    changes = await _next_turn(tx, turn, banks)
    offered = await matches.advance_from(tx, match, **changes)
    if offered is None:
        return False, None
    await clocks.store_banks(tx, match, banks)
    await matches.add_moves(tx, match.id, turn.entries)
    if turn.plans:
        await plans.put(tx, match.id, turn.plans)
    message = await _go_on(tx, turn, offered=offered, begin=begin)
    await _note_act(tx, turn)
    return True, message


def goes_on(turn: PlayedTurn) -> bool:
    """Return whether the match goes on after a turn that holds only moves."""
    moved = {EntryKind.MOVE, EntryKind.FORCED}
    return turn.after.result is None and all(entry.kind in moved for entry in turn.entries)


async def append(tx: AsyncConnection, turn: PlayedTurn, begin: bool = False) -> OutboxMessage | None:
    """Store a turn of a locked match: entries, mover, clock, result and ratings, lapsed offers, the next board.

    Return the message of the board if this process is to ``begin`` it and may.
    """
    match, after = turn.match, turn.after
    await matches.add_moves(tx, match.id, turn.entries)
    dropped = [entry.seat for entry in turn.entries if entry.kind is EntryKind.DROP]
    for seat in dropped:
        await matches.change_seat(tx, match.id, seat, dropped=True)
    if turn.entries[0].kind is EntryKind.TAKEBACK and after.position.ready_made() is not None:
        # What was taken back is the set-up of this seat: it is not taken without asking again.
        await matches.change_seat(tx, match.id, turn.entries[0].seat, ready_made=False)
    notified: list[int] = []
    cup: cups.RunningCup | None = None
    if after.result is not None:
        gone = [*(seat.seat for seat in match.seats if seat.dropped), *dropped]
        cup = await cups.of_result(tx, match)
        if len(gone) > 1:  # in the order in which they left
            gone = [move.seat for move in await matches.moves_of(tx, match.id) if move.kind is EntryKind.DROP]
        changes = await finish(tx, match, after.result, gone, turn.at)
    elif dropped and after.position.to_move == match.to_move:
        # A seat dropped out while another is to move: for that one it is still the same turn, on the same clock.
        notified = [match.mover.seat] if match.board_ply == match.ply else []
        changes = (await _clock(tx, turn, None)).columns() if match.pace is None else {}
    else:
        banks = await clocks.next_banks(tx, match, turn.entries, turn.at)
        changes = await _next_turn(tx, turn, banks)
        await clocks.store_banks(tx, match, banks)
    offered = await matches.advance(tx, match.id, **{"ply": after.ply, **changes})
    if match.plans_version and after.result is not None:
        await plans.remove(tx, match.id)
    elif turn.plans:
        await plans.put(tx, match.id, turn.plans)
    elif match.plans_version and turn.entries[0].kind is EntryKind.TAKEBACK:
        await plans.end(tx, match.id, after.ply, turn.text)
    message = await _go_on(tx, turn, offered=offered, notified=notified, begin=begin)
    if after.result is not None and cup is not None:
        await cups.match_ended(tx, cup, match, after.result, turn.entries[-1], turn.at)
    await _note_act(tx, turn)
    return message


async def _go_on(
    tx: AsyncConnection, turn: PlayedTurn, *, offered: bool, notified: Sequence[int] = (), begin: bool
) -> OutboxMessage | None:
    """Begin the next turn; ``offered`` says whether the match has open offers."""
    if offered:
        for offer in await matches.open_offers(tx, turn.match.id):
            if turn.after.result is not None or lapses(offer.kind, offer.seat, turn.entries):
                await matches.change_offer(tx, offer.id, state=OfferState.LAPSED)
                await outbox_messages.offer(tx, turn.match.id, offer.id, OfferState.LAPSED, turn.at)
    if turn.match.computers:
        await computer_turns.remove(tx, turn.match.id)
    mover = None if turn.after.result is not None else _mover(turn)
    return await begin_turn(tx, turn.match.id, turn.after.ply, mover, turn.at, notified=notified, begin=begin)


async def _next_turn(tx: AsyncConnection, turn: PlayedTurn, banks: Mapping[int, timedelta]) -> dict[str, Any]:
    """Return the columns of the match that hold the next turn: its ply, who is to move, its beginning and its clock.

    ``banks`` are the banks of time after the turn.
    """
    to_move = turn.after.position.to_move
    assert to_move is not None
    clock = await _clock(tx, turn, banks.get(to_move))
    return {"ply": turn.after.ply, "to_move": to_move, "turn_at": turn.at, "graces": 0, **clock.columns()}


async def _clock(tx: AsyncConnection, turn: PlayedTurn, bank: timedelta | None) -> clocks.Clock:
    """Return the clock of the turn that follows; one person left among computer players gets the inactivity limit."""
    gone = {entry.seat for entry in turn.entries if entry.kind is EntryKind.DROP}
    taken = tuple(replace(seat, dropped=seat.dropped or seat.seat in gone) for seat in turn.match.seats)
    match = replace(turn.match, seats=taken)
    leeway, moved = clocks.left_of_first_minute(match, turn.at), True
    if is_live(match.pace) and leeway > timedelta(0):
        assert turn.after.position.to_move is not None
        moved = await _has_moved(tx, turn, taken[turn.after.position.to_move])
    return await clocks.next_clock(
        tx,
        bank,
        _mover(turn),
        turn.at,
        alone=match.alone,
        pace=match.pace,
        rest_counts=match.rest_counts,
        head_start=head_start(match.pace, people=len(taken) - len(match.computers), moved=moved, leeway=leeway),
        answered=match.answered,
    )


async def _has_moved(tx: AsyncConnection, turn: PlayedTurn, seat: Seat) -> bool:
    """Return whether a seat has made a move of its own, also in a turn that is not stored yet."""
    by_ply = {entry.ply: entry for entry in [*await matches.moves_of(tx, turn.match.id), *turn.entries]}
    return moves_made(seat, [by_ply[ply] for ply in sorted(by_ply)]) > 0


async def _note_act(tx: AsyncConnection, turn: PlayedTurn) -> None:
    """Note that the person who has moved has acted in the server: last, because others of their matches wait for it."""
    seat = turn.match.seats[turn.entries[0].seat]
    if answers_mentions(turn.entries, seat):
        await mentions.note_act(tx, turn.match.guild_id, seat.person.id, turn.at)


def _mover(turn: PlayedTurn) -> Person:
    """Return the player who is to move after a turn that does not end the match."""
    to_move = turn.after.position.to_move
    assert to_move is not None
    return turn.match.seats[to_move].person


@dataclass(frozen=True, slots=True)
class Retired:
    """An earlier board: the message that retires it, its match and ply, and the entry that followed on it."""

    message: OutboxMessage
    match: Match
    ply: int
    entry: Entry | None


async def board_posted(
    tx: AsyncConnection, *, match: Match, ply: int, posted: tuple[int, int], at: datetime
) -> Retired | None:
    """Remember where the board of ``ply`` stands, and have the controls of earlier turns taken away.

    Return the board that this process is to retire, if there is one. ``match`` is
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
    message = await outbox_messages.retire_board(tx, match, at)
    if noted.has_notices:
        # Voiding ends the turn that notices were about, but begins none.
        await outbox_messages.retire_notices(tx, match.id, ply + 1 if noted.voided else ply, at)
    if message is None or match.board_ply is None:
        return None
    return Retired(message, match, match.board_ply, noted.entry)
