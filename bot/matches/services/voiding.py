"""Voids matches: a server's managers or the bot's operator have a match no longer count, and ratings follow."""

from __future__ import annotations

from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.refusals import NoSuchMatch, Stale
from bot.matches.model.rerating import RatedMatch, Rerating, rerated, without
from bot.matches.service_context import ServiceContext
from bot.matches.writing import outbox_messages
from bot.matches.writing.clocks import Clock
from bot.matches.writing.results import ranks
from bot.storage import computer_turns, locks, matches, people, ratings
from bot.storage.ratings import StoredResult
from bot.storage.records import OPERATOR, Match, MatchState, OfferState
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_RERATING = JobSpec(Pool.PICTURES, Priority.LOOK)


class Voiding:
    """Voids matches, and rates the later ones again."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def may_void(self, guild_id: int | None, match_id: int) -> Match:
        """Return a match that can be voided; ``guild_id`` is its server, None for the operator, who may void any.

        Raises ``Refusal``.
        """
        async with self._context.database.read() as tx:
            return await _not_voided(tx, guild_id, match_id)

    async def void(
        self, guild_id: int | None, match_id: int, by: int = OPERATOR, interaction_id: int | None = None
    ) -> int:
        """Void a match, running or over; return how many later matches were rated again.

        If ratings change during the computation, it is repeated. Raises ``Refusal``.
        """
        while (rerating := await self._attempt(guild_id, match_id, by, interaction_id)) is None:
            pass
        again = len({one.match_id for changes in rerating.changes.values() for one in changes})
        log.info("voided", match=match_id, by="operator" if by == OPERATOR else "server", rated_again=again)
        self._context.wake()
        return again

    @retried
    async def _attempt(
        self, guild_id: int | None, match_id: int, by: int, interaction_id: int | None
    ) -> Rerating | None:
        """Void a match and return the new ratings; None if another result was stored meanwhile."""
        async with self._context.database.read() as tx:
            match = await _not_voided(tx, guild_id, match_id)
            basis = await ratings.basis(tx, match.guild_id)
            results = await ratings.results_since(tx, match.guild_id, match_id) if match.rated else []
            changes = await ratings.changes_since(tx, match.guild_id, match_id) if results else {}
        rated = [_rated_match(result) for result in results]
        rerating = Rerating()
        if rated:
            rerating = await self._context.compute_as(_RERATING, rerated, rated[0], rated[1:], changes)
        async with self._context.database.write() as tx:
            current = await _not_voided(tx, guild_id, match_id, lock=True)
            await locks.ratings(tx, match.guild_id)
            await locks.people(tx, {person for one in rated for person in one.people})
            if await ratings.basis(tx, match.guild_id) != basis:
                return None
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            await _end(tx, current, by, self._context.clock())
            if rated:
                await _rate_without(tx, match.guild_id, rated[0], rerating)
        return rerating


async def _end(tx: AsyncConnection, match: Match, by: int, at: datetime) -> None:
    """End a match as voided and have its people notified; its moves and result stay stored."""
    for offer in await matches.open_offers(tx, match.id):
        await matches.change_offer(tx, offer.id, state=OfferState.LAPSED)
        await outbox_messages.offer(tx, match.id, offer.id, OfferState.LAPSED, at)
    await computer_turns.remove(tx, match.id)
    await matches.set_movers(tx, match.id, frozenset())
    ended_at = match.ended_at or at
    await matches.change(tx, match.id, state=MatchState.OVER, voided_by=by, ended_at=ended_at, **Clock().columns())
    await people.remove_levels_beaten(tx, match.id)
    await outbox_messages.voided(tx, match.id, at)


async def _rate_without(tx: AsyncConnection, guild_id: int, voided: RatedMatch, rerating: Rerating) -> None:
    """Store the ratings of a server without a match."""
    await ratings.remove_changes(tx, voided.id)
    for game in voided.games:
        await ratings.put_changes(tx, game, rerating.changes[game])
        await ratings.put_standing(tx, guild_id, game, rerating.standing[game])
        for rating in (await ratings.of(tx, guild_id, game, voided.people)).values():
            await ratings.put_record(tx, guild_id, game, without(rating, voided))


async def _not_voided(tx: AsyncConnection, guild_id: int | None, match_id: int, *, lock: bool = False) -> Match:
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or guild_id not in (None, match.guild_id):
        raise NoSuchMatch
    if match.voided:
        raise Stale(_("This match was voided already."))
    return match


def _rated_match(result: StoredResult) -> RatedMatch:
    places = ranks(len(result.people), result.winners, result.dropped)
    return RatedMatch(result.match_id, (result.game, ratings.OVERALL), result.people, tuple(places))
