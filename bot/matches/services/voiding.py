"""Voids matches: a server's managers or the bot's operator have a match no longer count, and ratings follow."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import monotonic
from weakref import WeakValueDictionary

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.refusals import NoSuchMatch, Refusal, Stale
from bot.matches.model.rerating import ChangeKey, RatedMatch, Rerating, rerated, standing_before, without
from bot.matches.service_context import ServiceContext
from bot.matches.writing import cups, outbox_messages
from bot.matches.writing.clocks import Clock
from bot.matches.writing.results import ranks
from bot.storage import computer_turns, locks, matches, people, ratings, voids, work_queue
from bot.storage import cups as stored_cups
from bot.storage.cups import Cup
from bot.storage.ratings import StoredResult
from bot.storage.records import OPERATOR, Match, MatchState, OfferState, Rating, RatingChange, RequestId
from bot.storage.transactions import Conflict, retried
from bot.storage.voids import Void
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

_RERATING = JobSpec(Pool.PICTURES, Priority.LOOK, long=True)
PART, SMALLEST = 100, 10
"""How many results are read, rated again and stored in one transaction: at most, and on a slow machine."""
HELD = 0.03
"""Seconds that one transaction may take, because other writes wait for it: parts become smaller where it takes more."""
FEW = 8
"""How many results are rated inside the last transaction, so that results which come in cannot delay it for ever."""


class Voiding:
    """Voids matches, and rates the later ones again. A match counts until all of that is done."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        # Another process may carry a void out: an event lives as long as a caller waits for it.
        self._finished = WeakValueDictionary[int, asyncio.Event]()

    async def may_void(self, guild_id: int | None, match_id: int, by: int = OPERATOR) -> tuple[Match, bool]:
        """Return a match that can be voided, and whether it counts in ratings.

        ``guild_id`` is its server, None for the operator, who may void any.

        Raises ``Refusal``, also for people who have played the match against other people themselves.
        """
        async with self._context.database.read() as tx:
            match, counts = await _not_voided(tx, guild_id, match_id), await ratings.has_changed(tx, match_id)
        _check_not_own(match, by)
        return match, counts

    @retried
    async def ask(
        self, guild_id: int | None, match_id: int, by: int = OPERATOR, interaction_id: RequestId | None = None
    ) -> bool:
        """Void a match, running or over; return whether that is done.

        If the match counts in ratings, it is stored as work, see ``carry_out``. Raises ``Refusal``.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            match = await _not_voided(tx, guild_id, match_id, lock=True)
            _check_not_own(match, by)
            counts = match.state is MatchState.OVER and await ratings.has_changed(tx, match_id)
            cup = None if counts else await _cup(tx, match)
            running = None if cup is None else await cups.with_people(tx, cup)
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            if counts:
                await voids.add(tx, Void(match_id, match.guild_id, by), now)
            else:
                await _end(tx, match, by, now)
            if running is not None:
                await cups.match_voided(tx, running, match, now)
        log.info("void asked for" if counts else "voided", match=match_id, by=_by(by))
        self._context.wake()
        return not counts

    async def void(
        self, guild_id: int | None, match_id: int, by: int = OPERATOR, interaction_id: RequestId | None = None
    ) -> int:
        """Void a match here and now, after others of its server; return how many later matches were rated again.

        Raises ``Refusal``.
        """
        if await self.ask(guild_id, match_id, by, interaction_id):
            return 0
        while True:
            async with self._context.database.read() as tx:
                void = await voids.of_match(tx, match_id)
                first = None if void is None else await voids.first_of(tx, void.guild_id)
            if first is None:
                return 0
            again = await self.carry_out(first.match_id)
            if first.match_id == match_id:
                return again

    async def take(self, room: int, *, begun: Collection[int] = (), leave_to: str | None = None) -> list[int]:
        """Return ids of matches for this process to void, see ``work_queue.take``."""
        return await work_queue.take(self._context.database, voids, room, begun, leave_to)

    async def give_back(self, match_id: int) -> None:
        """Leave to other processes what this one has claimed, see ``work_queue.give_back``."""
        await work_queue.give_back(self._context.database, voids, match_id)
        self._context.wake()

    async def carry_out(self, match_id: int) -> int:
        """Rate the later matches again, part by part, and void the match; return how many were rated again.

        Until the last transaction the match counts. If this is interrupted, it begins again, and comes to the same
        numbers: stored ratings of the people it has reached are not read. A match that is not to be voided, or not yet,
        stays as it is.
        """
        progress: _Progress | None = None
        while (step := await self._next_part(match_id, progress)) is not None:
            progress, part = step
            if part is None:
                log.info("voided", match=match_id, rated_again=progress.again)
                break
            standing = progress.reached(part.results)
            rerating = await self._context.compute_as(_RERATING, rerated, standing, part.results, part.changes)
            progress = progress.after(rerating)
        self._finished.pop(match_id, asyncio.Event()).set()
        self._context.wake()
        return 0 if progress is None else progress.again

    async def under_way(self, match_id: int) -> bool:
        """Return whether a match is being voided."""
        async with self._context.database.read() as tx:
            return await voids.of_match(tx, match_id) is not None

    async def finished(self, match_id: int, within: float) -> None:
        """Wait until this process has voided a match, ``within`` seconds at most."""
        event = self._finished.setdefault(match_id, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await event.wait()

    @retried
    async def _next_part(self, match_id: int, progress: _Progress | None) -> tuple[_Progress, _Part | None] | None:
        """Store the ratings computed so far, and return the next results to rate; no results once the match is voided.

        Return None if the match is not to be voided, or another one of its server goes first.
        """
        async with self._context.database.write() as tx:
            begun = monotonic()
            match = await matches.get(tx, match_id, lock=True)
            if match is None:
                return None
            cup = await _cup(tx, match)
            # No result is being stored from here on: one that comes later gets a higher finish number.
            await locks.ratings(tx, match.guild_id)
            void = await voids.first_of(tx, match.guild_id)
            if void is None or void.match_id != match_id:
                return None
            erased = await ratings.erased(tx, match.guild_id)
            if progress is None or progress.erased != erased:
                progress = await _beginning(tx, match_id, erased)
            else:
                progress = await _stored(tx, progress)
            part: _Part | None = await _read(tx, match.guild_id, progress)
            assert part is not None
            progress = replace(progress, last=part.last)
            if part.is_last:
                rerating = rerated(progress.reached(part.results), part.results, part.changes)
                progress = await _stored(tx, progress.after(rerating))
                now = self._context.clock()
                running = None if cup is None else await cups.with_people(tx, cup)
                await _end(tx, match, void.voided_by, now)
                if running is not None:
                    await cups.match_voided(tx, running, match, now)
                await _rate_without(tx, match.guild_id, progress)
                await voids.remove(tx, match_id)
                part = None
            if await ratings.erased(tx, match.guild_id) != erased:
                raise Conflict
            size = min(PART, max(SMALLEST, int(progress.size * HELD / (monotonic() - begun))))
        return replace(progress, size=size), part


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far a void has come: ratings without the match, up to the finish number ``last``.

    ``standing`` has the ratings of the people reached, by game, ``changes`` what is computed but not stored, ``again``
    how many matches were rated again, ``size`` how many results the next part has. It holds while no further rating
    belongs to an ``erased`` person.
    """

    voided: RatedMatch | None
    erased: int
    last: int
    standing: dict[str, dict[int, Rating]]
    changes: dict[str, list[RatingChange]] = field(default_factory=dict)
    again: int = 0
    size: int = PART

    def reached(self, results: Sequence[RatedMatch]) -> dict[str, dict[int, Rating]]:
        """Return the ratings so far of those people in some matches whom the void has reached."""
        people = {person for result in results for person in result.people}
        return {game: {user: known[user] for user in people & known.keys()} for game, known in self.standing.items()}

    def after(self, rerating: Rerating) -> _Progress:
        """Return the progress after a further part."""
        standing = {game: known | rerating.standing[game] for game, known in self.standing.items()}
        again = len({change.match_id for changes in rerating.changes.values() for change in changes})
        return replace(self, standing=standing, changes=rerating.changes, again=self.again + again)


@dataclass(frozen=True, slots=True)
class _Part:
    """Results that follow each other, with their rating changes; ``last`` is the finish number they reach."""

    results: list[RatedMatch]
    changes: dict[ChangeKey, RatingChange]
    last: int
    is_last: bool


async def _beginning(tx: AsyncConnection, match_id: int, erased: int) -> _Progress:
    """Return the progress before anything is computed: the ratings from before the match."""
    result = await ratings.result_of(tx, match_id)
    changes = await ratings.changes_of(tx, [match_id])
    if result is None or not changes:
        return _Progress(None, erased, 0, {})
    voided = _rated_match(result)
    return _Progress(voided, erased, result.finish, standing_before(voided, changes))


async def _read(tx: AsyncConnection, guild_id: int, progress: _Progress) -> _Part:
    results = (
        []
        if progress.voided is None
        else await ratings.results_after(tx, guild_id, progress.last, min(PART, progress.size))
    )
    changes = await ratings.changes_of(tx, [result.match_id for result in results])
    rated = {match_id for match_id, _, _ in changes}
    last = results[-1].finish if results else progress.last
    rated_matches = [_rated_match(result) for result in results if result.match_id in rated]
    return _Part(rated_matches, changes, last, is_last=len(results) <= FEW)


async def _stored(tx: AsyncConnection, progress: _Progress) -> _Progress:
    """Store the changes that are computed."""
    for game, changes in progress.changes.items():
        await ratings.put_changes(tx, game, changes)
    return replace(progress, changes={})


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


async def _rate_without(tx: AsyncConnection, guild_id: int, progress: _Progress) -> None:
    """Store the ratings of a server without a match."""
    voided = progress.voided
    if voided is None:
        return
    await ratings.remove_changes(tx, voided.id)
    for game in voided.games:
        await ratings.put_standing(tx, guild_id, game, progress.standing[game])
        for rating in (await ratings.of(tx, guild_id, game, voided.people)).values():
            await ratings.put_record(tx, guild_id, game, without(rating, voided))


async def _cup(tx: AsyncConnection, match: Match) -> Cup | None:
    """Return the cup of a match, locked."""
    return None if match.cup_id is None else await stored_cups.get(tx, match.cup_id, lock=True)


def _check_not_own(match: Match, by: int) -> None:
    """Raise ``Refusal`` for people who have played the match against other people themselves."""
    if by != OPERATOR and match.between_people and match.seat_of(by) is not None:
        raise Refusal(_("You can't void a match of your own. Ask somebody else who manages this server."))


async def _not_voided(tx: AsyncConnection, guild_id: int | None, match_id: int, *, lock: bool = False) -> Match:
    match = await matches.get(tx, match_id, lock=lock)
    if match is None or guild_id not in (None, match.guild_id):
        raise NoSuchMatch
    if match.voided:
        raise Stale(_("This match was voided already."))
    if await voids.of_match(tx, match_id) is not None:
        raise Stale(_("This match is being voided already."))
    return match


def _by(voided_by: int) -> str:
    return "operator" if voided_by == OPERATOR else "server"


def _rated_match(result: StoredResult) -> RatedMatch:
    places = ranks(len(result.people), result.winners, result.dropped)
    return RatedMatch(result.match_id, (result.game, ratings.OVERALL), result.people, tuple(places))
