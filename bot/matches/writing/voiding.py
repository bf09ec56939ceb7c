"""Voids a match inside the caller's transaction: it ends where it is, and the ratings stand as if it had not been."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.rerating import RatedMatch, Rerating, without
from bot.matches.writing import outbox_messages
from bot.matches.writing.clocks import Clock
from bot.storage import computer_turns, matches, people, ratings
from bot.storage.records import Match, MatchState, OfferState


async def void(tx: AsyncConnection, match: Match, by: int, at: datetime) -> None:
    """Take a match out of play for good and have its people told; its moves and its result stay as they are."""
    for offer in await matches.open_offers(tx, match.id):
        await matches.change_offer(tx, offer.id, state=OfferState.LAPSED)
        await outbox_messages.offer(tx, match.id, offer.id, OfferState.LAPSED, at)
    await computer_turns.remove(tx, match.id)
    await matches.set_movers(tx, match.id, frozenset())
    ended_at = match.ended_at or at
    await matches.change(tx, match.id, state=MatchState.OVER, voided_by=by, ended_at=ended_at, **Clock().columns())
    await people.remove_levels_beaten(tx, match.id)
    await outbox_messages.voided(tx, match.id, at)


async def rate_without(tx: AsyncConnection, guild_id: int, voided: RatedMatch, rerating: Rerating) -> None:
    """Store the ratings of a server as they are without a match."""
    await ratings.remove_changes(tx, voided.id)
    for game in voided.games:
        await ratings.put_changes(tx, game, rerating.changes[game])
        await ratings.put_standing(tx, guild_id, game, rerating.standing[game])
        for rating in (await ratings.of(tx, guild_id, game, voided.people)).values():
            await ratings.put_record(tx, guild_id, game, without(rating, voided))
