"""Appends entries to a match's list of moves, with everything that follows from them, inside one transaction.

A turn, a resignation, a time-out, a take-back and an agreed draw all end here.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches import announcing, clocks
from bot.matches.endings import finish
from bot.matches.positions import Positions, Standing
from bot.matches.refusals import Refusal, Stale
from bot.storage.queries import matches, offers
from bot.storage.records import Match, MoveKind, OfferKind, OfferState, PlayedMove

log = structlog.get_logger(__name__)

MOVED_ON = "The match has moved on since. Look at the newest board first."


async def look(tx: AsyncConnection, positions: Positions, guild_id: int, match_id: int) -> tuple[Match, Standing]:
    """Return a match of a server and where it stands. Raises ``Refusal`` where there is none of that number."""
    match = await matches.get(tx, match_id)
    if match is None or match.guild_id != guild_id:
        raise Refusal("There is no such match in this server.")
    return match, await positions.of(tx, match)


async def locked(tx: AsyncConnection, match_id: int) -> Match:
    """Return a match that nobody else changes until the transaction ends. Raises ``Refusal`` where there is none."""
    match = await matches.get(tx, match_id, lock=True)
    if match is None:
        raise Refusal("There is no such match in this server.")
    return match


def check_ply(match: Match, ply: int | None) -> None:
    """Raise ``Stale`` for a control of another ply than the one ``match`` is at; None stands for no control."""
    if ply is not None and ply != match.ply:
        raise Stale(MOVED_ON)


async def append(tx: AsyncConnection, match: Match, entries: Sequence[PlayedMove], after: Standing) -> None:
    """Store entries that lead to ``after``: movers, clock, result and ratings, offers that lapse, the next board."""
    now = entries[-1].at
    await matches.add_moves(tx, match.id, entries)
    await matches.change(tx, match.id, ply=after.ply)
    dropped = [entry.seat for entry in entries if entry.kind is MoveKind.DROP]
    for seat in dropped:
        await matches.change_seat(tx, match.id, seat, dropped=True)
    told: list[int] = []
    if after.result is not None:
        gone = [*(seat.seat for seat in match.seats if seat.dropped), *dropped]
        await clocks.stop(tx, match.id)
        await finish(tx, match, after.result, await _order_of_leaving(tx, match, gone), now)
    elif len(dropped) == len(entries) and after.position.to_move == {seat.seat for seat in match.movers}:
        # Somebody has left while another one is to move: for him it is still the same turn, on the same clock.
        told = [seat.person.id for seat in match.movers] if match.board_ply == match.ply else []
    else:
        await matches.change(tx, match.id, turn_at=now)
        await matches.set_movers(tx, match.id, after.position.to_move)
        people = [seat.person.id for seat in match.seats if seat.seat in after.position.to_move]
        await clocks.start(tx, match.id, match.pace, people, now)
    await _lapse(tx, match, entries, over=after.result is not None)
    await announcing.board(tx, match.id, after.ply, now, told=told)


def committed(match: Match, entries: Sequence[PlayedMove], after: Standing) -> None:
    """Write down in the log what has happened in a match."""
    for entry in entries:
        log.info("entry", match=match.id, ply=entry.ply, seat=entry.seat, kind=entry.kind.value, text=entry.text)
    if after.result is not None:
        log.info("over", match=match.id, winners=sorted(after.result.winners), reason=after.result.reason)


async def _order_of_leaving(tx: AsyncConnection, match: Match, gone: list[int]) -> list[int]:
    if len(gone) < 2:
        return gone
    played = await matches.moves_of(tx, match.id)
    return [move.seat for move in played if move.kind is MoveKind.DROP]


async def _lapse(tx: AsyncConnection, match: Match, entries: Sequence[PlayedMove], *, over: bool) -> None:
    """End the open offers that mean nothing any more: an offered draw lapses with its offerer's next move."""
    moved = {entry.seat for entry in entries if entry.kind is MoveKind.MOVE}
    for offer in await offers.open_in(tx, match.id):
        if over or offer.kind is OfferKind.TAKEBACK or offer.seat in moved:
            await offers.change(tx, offer.id, state=OfferState.LAPSED)
            await announcing.offer(tx, match.id, offer.id, OfferState.LAPSED, entries[-1].at)
