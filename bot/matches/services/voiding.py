"""Voids matches: a server's managers or the bot's operator have a match no longer count, and ratings follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.rating import Standing, rated_again
from bot.matches.model.refusals import NoSuchMatch, Refusal, Stale
from bot.matches.service_context import ServiceContext
from bot.matches.writing import cups, outbox_messages
from bot.matches.writing.clocks import Clock
from bot.storage import beaten_levels, challenges, computer_turns, locks, matches, plans, ratings, reratings
from bot.storage import cups as stored_cups
from bot.storage.rating_records import RatedResult, RatingChange
from bot.storage.records import OPERATOR, Match, MatchState, OfferState, RequestId
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_RERATING = JobSpec(Pool.INTERACTIVE, Priority.LOOK, long=True)
RESULTS_AT_ONCE = 50
"""How many results are rated at a time. Their changes are stored in one transaction, for which other writes wait."""
RATINGS_AT_ONCE = 100
"""How many ratings are compared with what was computed in one transaction."""
LAST_RESULTS = 8
"""How many results are rated inside a transaction, so that results which come in cannot delay the end for ever."""


class Voiding:
    """Voids matches, and computes the ratings of their servers again."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def may_void(self, guild_id: int | None, match_id: int, by: int = OPERATOR) -> tuple[Match, bool]:
        """Return a match that can be voided, and whether it counts in ratings.

        ``guild_id`` is its server, None for the operator, who may void any.

        Raises ``Refusal``, also for people who have played the match against other people themselves.
        """
        async with self._context.database.read() as tx:
            match = await _voidable(tx, guild_id, match_id, by)
            return match, await ratings.has_changed(tx, match_id)

    @retried
    async def void(
        self,
        guild_id: int | None,
        match_id: int,
        by: int = OPERATOR,
        interaction_id: RequestId | None = None,
        name: str | None = None,
    ) -> int | None:
        """Void a match, running or over; return its server if its ratings are to follow, None if it did not count.

        ``name`` is the manager's; the operator has none. Ratings follow in the background, see ``rate_again``. Raises
        ``Refusal``.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            match = await _voidable(tx, guild_id, match_id, by, lock=True)
            cup = None if match.cup_id is None else await stored_cups.get(tx, match.cup_id, lock=True)
            running = None if cup is None else await cups.with_people(tx, cup)
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            counted = await ratings.has_changed(tx, match_id)
            if counted:
                await reratings.ask(tx, match.guild_id, now)
                await ratings.remove_changes(tx, match_id)
            for offer in await matches.open_offers(tx, match.id):
                await matches.change_offer(tx, offer.id, state=OfferState.LAPSED)
                await outbox_messages.offer(tx, match.id, offer.id, OfferState.LAPSED, now)
            await computer_turns.remove(tx, match.id)
            await plans.remove(tx, match.id)
            ended_at = match.ended_at or now
            over = {"state": MatchState.OVER, "to_move": None, "voided_by": by, "ended_at": ended_at}
            await matches.change(tx, match.id, **over, voided_name=name, **Clock().columns())
            await beaten_levels.remove(tx, match.id)
            await outbox_messages.board_voided(tx, match.id, now)
            if match.cup_id is None and (challenge := await challenges.of_match(tx, match.id)) is not None:
                await outbox_messages.card(tx, challenge.id, "voided", now)
            if running is not None:
                await cups.match_voided(tx, running, match, now)
        log.info("voided", match=match_id, by="operator" if by == OPERATOR else "server")
        return match.guild_id if counted else None

    async def to_rate_again(self) -> list[int]:
        """Return the servers whose ratings are to be computed again."""
        return await self._context.read(reratings.pending)

    async def rate_again(self, guild_id: int) -> None:
        """Compute the ratings of a server from all its results, and store what differs, part by part.

        It builds on no stored rating, so it may be interrupted, and done twice at once. Results that come in meanwhile
        are rated from what is stored, and again here.
        """
        work: _Rerating | None = None
        while (part := await self._next_part(guild_id, work)) is not None:
            work, last = part
            if last is not None:
                async with self._context.database.read() as tx:
                    results = await ratings.results_between(tx, guild_id, work.last, last)
                    changes = await ratings.changes_of(tx, [result.match_id for result in results])
                computed = await self._context.compute_as(
                    _RERATING, rated_again, work.standing_of(results), results, changes
                )
                work = work.after(results, *computed)

    @retried
    async def _next_part(self, guild_id: int, work: _Rerating | None) -> tuple[_Rerating, int | None] | None:
        """Store what is computed; return the finish number up to which to rate next, None while ratings are stored.

        Return None in place of both once all stored ratings are right. Nothing is read here that can be read later:
        other writes wait.
        """
        async with self._context.database.write() as tx:
            # No result is being stored from here on: one that comes later gets a higher finish number.
            await locks.ratings(tx, guild_id)
            version = await reratings.version(tx, guild_id)
            if version is None:
                return None
            if work is None or work.version != version:
                work = _Rerating(version)
            await ratings.put_changes(tx, work.differing)
            finishes = await ratings.finishes_after(tx, guild_id, work.last, RESULTS_AT_ONCE)
            if len(finishes) > LAST_RESULTS:
                return replace(work, differing=[], corrected=None), finishes[-1]
            results = await ratings.results_between(tx, guild_id, work.last, finishes[-1]) if finishes else []
            changes = await ratings.changes_of(tx, [result.match_id for result in results])
            standing, differing = rated_again(work.standing_of(results), results, changes)
            await ratings.put_changes(tx, differing)
            await ratings.correct(tx, guild_id, standing)
            work = work.after(results, standing, [])
            stored = await ratings.part_after(tx, guild_id, work.corrected, RATINGS_AT_ONCE)
            computed = {key: work.standing.get(key) for key in stored}
            corrections = {key: rating for key, rating in computed.items() if rating != stored[key]}
            await ratings.correct(tx, guild_id, corrections)
            if len(stored) < RATINGS_AT_ONCE:
                await reratings.remove(tx, guild_id)
                log.info("rated again", server=guild_id)
                return None
        return replace(work, corrected=max(stored)), None


@dataclass(frozen=True, slots=True)
class _Rerating:
    """How far the ratings of a server are computed and stored, for one version of its results.

    ``standing`` follows from the results up to the finish number ``last``; ``differing`` are changes to store. Stored
    ratings are right up to the game and person in ``corrected``.
    """

    version: int
    last: int = 0
    standing: Standing = field(default_factory=dict)
    differing: list[tuple[str, RatingChange]] = field(default_factory=list)
    corrected: tuple[str, int] | None = None

    def standing_of(self, results: Sequence[RatedResult]) -> Standing:
        """Return the ratings of the people in some results, before these."""
        keys = ((game, user) for result in results for game in result.games for user in result.people)
        return {key: self.standing.get(key) for key in keys}

    def after(
        self, results: Sequence[RatedResult], standing: Standing, differing: list[tuple[str, RatingChange]]
    ) -> _Rerating:
        last = results[-1].finish if results else self.last
        return replace(self, last=last, standing=self.standing | standing, differing=differing)


async def _voidable(tx: AsyncConnection, guild_id: int | None, match_id: int, by: int, *, lock: bool = False) -> Match:
    """Return a match that can be voided. Raises ``Refusal``."""
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or guild_id not in (None, match.guild_id):
        raise NoSuchMatch
    if match.voided:
        raise Stale(_("This match was voided already."))
    if by != OPERATOR and match.between_people and match.seat_of(by) is not None:
        raise Refusal(_("You can't void a match of your own. Ask somebody else who manages this server."))
    return match
