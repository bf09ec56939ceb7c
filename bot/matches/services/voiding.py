"""Voids matches: a server's managers or the bot's operator have a match no longer count, and ratings follow."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakValueDictionary

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.refusals import NoSuchMatch, Refusal, Stale
from bot.matches.model.rerating import RatedMatch, Rerating, rerated, rerated_on, without
from bot.matches.service_context import ServiceContext
from bot.matches.writing import cups, outbox_messages
from bot.matches.writing.clocks import Clock
from bot.matches.writing.results import ranks
from bot.storage import computer_turns, locks, matches, people, ratings
from bot.storage import cups as stored_cups
from bot.storage.ratings import Basis, StoredResult
from bot.storage.records import OPERATOR, Match, MatchState, OfferState, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_RERATING = JobSpec(Pool.PICTURES, Priority.LOOK)


class Voiding:
    """Voids matches, and rates the later ones again."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._under_way = WeakValueDictionary[int, asyncio.Lock]()
        """The locks of the servers in which a match is being voided."""

    async def may_void(self, guild_id: int | None, match_id: int, by: int = OPERATOR) -> Match:
        """Return a match that can be voided; ``guild_id`` is its server, None for the operator, who may void any.

        Raises ``Refusal``, also for people who have played the match against other people themselves.
        """
        async with self._context.database.read() as tx:
            match = await _not_voided(tx, guild_id, match_id)
        if by != OPERATOR and match.between_people and match.seat_of(by) is not None:
            raise Refusal(_("You can't void a match of your own. Ask somebody else who manages this server."))
        return match

    async def void(
        self, guild_id: int | None, match_id: int, by: int = OPERATOR, interaction_id: RequestId | None = None
    ) -> int:
        """Void a match, running or over; return how many later matches were rated again.

        This process voids one match of a server at a time. Results that are stored during the computation are rated
        after it, without repeating it. Raises ``Refusal``.
        """
        match = await self.may_void(guild_id, match_id, by)
        one_at_a_time = self._under_way.setdefault(match.guild_id, asyncio.Lock())
        async with one_at_a_time:
            done = _Rerated()
            while not await self._attempt(guild_id, match_id, by, interaction_id, done):
                pass
        again = len({one.match_id for changes in done.rerating.changes.values() for one in changes})
        log.info("voided", match=match_id, by="operator" if by == OPERATOR else "server", rated_again=again)
        self._context.wake()
        return again

    @retried
    async def _attempt(
        self, guild_id: int | None, match_id: int, by: int, interaction_id: RequestId | None, done: _Rerated
    ) -> bool:
        """Bring ``done`` up to date and void the match with it; return False if another result came in between."""
        await self._bring_up_to_date(guild_id, match_id, done)
        async with self._context.database.write() as tx:
            current = await _not_voided(tx, guild_id, match_id, lock=True)
            cup = None if current.cup_id is None else await stored_cups.get(tx, current.cup_id, lock=True)
            await locks.ratings(tx, current.guild_id)
            rated = {person for one in done.rated for person in one.people}
            running = None
            if cup is None:
                await locks.people(tx, rated)
            else:
                running = await cups.with_people(tx, cup, more=rated)
            if await ratings.basis(tx, current.guild_id) != done.basis:
                return False
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            now = self._context.clock()
            await _end(tx, current, by, now)
            if running is not None:
                await cups.match_voided(tx, running, current, now)
            if done.rated:
                await _rate_without(tx, current.guild_id, done.rated[0], done.rerating)
        return True

    async def _bring_up_to_date(self, guild_id: int | None, match_id: int, done: _Rerated) -> None:
        """Rate the results stored since ``done`` was computed, or all of them if earlier ones have changed."""
        async with self._context.database.read() as tx:
            match = await _not_voided(tx, guild_id, match_id)
            basis = await ratings.basis(tx, match.guild_id)
            if not match.rated:
                done.basis = basis
                return
            last = done.rated[-1].id if done.rated and done.only_new_results(basis) else match_id
            results = await ratings.results_since(tx, match.guild_id, last)
            # Transactions side by side may store a result after one with a higher number.
            if last != match_id and await ratings.count_since(tx, match.guild_id, match_id) != (
                len(done.rated) - 1 + len(results)
            ):
                last, results = match_id, await ratings.results_since(tx, match.guild_id, match_id)
            changes = await ratings.changes_since(tx, match.guild_id, last) if results else {}
        rated = [_rated_match(result) for result in results]
        if last != match_id:
            part = await self._context.compute_as(_RERATING, rerated_on, done.rerating.standing, rated[1:], changes)
            done.add(rated[1:], part)
        elif rated:
            done.rerating = await self._context.compute_as(_RERATING, rerated, rated[0], rated[1:], changes)
            done.rated = rated
        else:
            done.rated, done.rerating = [], Rerating()
        done.basis = basis


@dataclass(slots=True)
class _Rerated:
    """The computed part of a void: the rated matches from the voided one on, their new ratings, and the basis."""

    basis: Basis | None = None
    rated: list[RatedMatch] = field(default_factory=list)
    rerating: Rerating = field(default_factory=Rerating)

    def only_new_results(self, basis: Basis) -> bool:
        """Return whether matches that ended are the only change since."""
        return self.basis is not None and self.basis[1:] == basis[1:]

    def add(self, later: list[RatedMatch], part: Rerating) -> None:
        """Add the ratings of matches that have ended since."""
        self.rated += later
        for game, changes in part.changes.items():
            self.rerating.changes[game] += changes
        self.rerating.standing.update(part.standing)


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
