"""The context of services and workers: the database, the clock, chance, limits, the compute queue, and waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random, SystemRandom
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, QueueFull
from bot.compute.queue import ComputeQueue
from bot.games import GAMES
from bot.games.cancellation import ComputationCancelled
from bot.languages.speaking import in_language
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import AlreadyProcessed, NotComputed
from bot.matches.presence import Presence
from bot.storage import interactions, responses
from bot.storage.database import Database
from bot.storage.errors import CommitUnknown, StorageError
from bot.storage.outbox import OutboxMessage
from bot.storage.records import RequestId, Rules
from bot.storage.shards import Shard
from renderers.i18n import ENGLISH, current_language
from renderers.i18n import gettext_lazy as _

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayLimits:
    """How many matches and challenges a person may have in one server, and how many days a challenge stays open.

    After cancelling ``cancellations_per_hour`` challenges within an hour a person has to wait, as after beginning
    ``computer_matches_per_hour`` matches against computer players alone, or ``absences_per_hour`` absences.
    """

    matches: int = 50
    challenges: int = 10
    cancellations_per_hour: int = 5
    computer_matches_per_hour: int = 10
    absences_per_hour: int = 3
    challenge_days: int = 7
    cups: int = 10
    """How many cups of one server may be open or running."""
    cups_per_person: int = 3
    """How many of them a person may have started who does not manage the server."""
    shares: int = 10
    """How many things a person may share within a day, in all servers."""


class Idle(Protocol):
    """Waits for something that may never come. A simulation of time replaces it, to know that nothing is being done."""

    def __call__(self, awaitable: Awaitable[Any], /, *, reason: str) -> Awaitable[Any]: ...


async def plain_idle(awaitable: Awaitable[Any], /, *, reason: str) -> Any:
    """Wait, and report it nowhere."""
    return await awaitable


async def wait_at_most(seconds: float | None, news: asyncio.Event) -> None:
    """Wait for news. Raises ``TimeoutError`` after so many seconds, if any are given."""
    async with asyncio.timeout(seconds):
        await news.wait()


class CreditMissed(Protocol):
    """Credits downtime to every clock; a caller that names a match waits only until that one has it."""

    def __call__(self, match_id: int | None = None, /) -> Awaitable[None]: ...


async def nothing_missed(_match_id: int | None = None) -> None:
    """Credit nothing: for contexts without heartbeats."""


async def none_under_way() -> None:
    """Wait for nothing: for contexts without requests."""


HasLeft = Callable[[int, int], Awaitable[bool]]
"""Returns whether a person (second) is certainly no longer in a server (first). It may have to ask Discord."""


async def never_gone(_guild_id: int, _user_id: int) -> bool:
    """Answer that no person has left: for callers that cannot ask Discord."""
    return False


class Outbox(Protocol):
    """Posts messages in this process."""

    def has_room(self, guild_id: int) -> bool:
        """Return whether a message about a server may be begun as soon as it is stored."""

    def begin(self, message: OutboxMessage) -> None:
        """Post a message that is stored as begun by this process, once that is committed."""


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """Shared by the services. ``clock`` returns the aware time.

    ``credit_missed`` credits downtime to every clock, if some is not credited yet.
    """

    database: Database
    clock: Callable[[], datetime]
    queue: ComputeQueue
    limits: PlayLimits = field(default_factory=PlayLimits)
    random: Random = field(default_factory=SystemRandom)
    credit_missed: CreditMissed = nothing_missed
    requests_done: Callable[[], Awaitable[None]] = none_under_way
    """Waits a moment until the requests are carried out that were received before."""
    away: set[Shard] = field(default_factory=set)
    """The shards that are out of reach, while others are not."""
    has_left: HasLeft = never_gone
    """Asks Discord. Not for use inside a transaction."""
    departed_kept: timedelta = timedelta(days=90)
    """How long the data of a server is kept after it removed the bot."""
    rules: Rules = field(default_factory=lambda: GAMES.rules)
    """The rules that this process can play by."""
    presence: Presence = field(default_factory=Presence)
    """Who is at the board of a live match, and need not be called there."""
    outbox: Outbox | None = None
    """Posts the board of a turn at once, in a process that posts."""

    async def read(
        self, query: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return what one query of the storage finds."""
        async with self.database.read() as tx:
            return await query(tx, *args, **kwargs)

    async def credited_now(self) -> datetime:
        """Credit all downtime up to now, and return the time from before the crediting.

        Compare it only with deadlines that are read afterwards. Then no player loses time: the returned time does not
        include what the process loses until the deadlines are read.
        """
        now = self.clock()
        await self.credit_missed()
        return now

    async def was_processed(self, interaction_id: RequestId) -> bool:
        """Tell whether an interaction was processed before. Raises ``CommitUnknown`` if that cannot be looked up."""
        try:
            return await self.read(interactions.was_processed, interaction_id)
        except (DBAPIError, StorageError) as error:
            raise CommitUnknown from error

    async def mark_processed(self, tx: AsyncConnection, interaction_id: RequestId) -> None:
        """Note that this transaction processes an interaction. Raises ``AlreadyProcessed`` if an earlier one did."""
        if not await interactions.mark_processed(tx, interaction_id, self.clock()):
            raise AlreadyProcessed

    async def keep_response(self, tx: AsyncConnection, actor: Actor, topic: str, ply: int | None = None) -> None:
        """Store the answer by which a message of a topic is posted, where the actor brings one."""
        if actor.response is not None:
            await responses.keep(tx, topic, actor.response, ply)

    async def compute(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute for a turn, away from the event loop. Raises ``Refusal`` like ``compute_as``."""
        return await self.compute_as(_FOR_A_TURN, function, *args, **kwargs)

    async def compute_as(self, spec: JobSpec, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute in the pool that ``spec`` names: for work of more than a few milliseconds.

        Work is cancelled with the task that waits for it, and after a time limit. Raises ``Refusal`` after the limit,
        and if the requester has too much work waiting; ``JobDropped`` if ``spec`` allows it; ``RuntimeError`` inside
        a write transaction, because the work may wait in the queue, and other writers would wait with it.

        Texts are made in the language of the caller.
        """
        self.database.check_not_writing()
        work, language = partial(function, *args, **kwargs), current_language()
        if language is not ENGLISH:
            tags = language.code, language.commands
            work = partial(in_language, *tags, work)
            spec = spec if spec.key is None else replace(spec, key=(*tags, spec.key))
        try:
            return await self.queue.run(spec, work)
        except QueueFull:
            raise NotComputed(_("I'm still working on your last request. Try again when it's done.")) from None
        except ComputationCancelled:
            raise NotComputed(
                _("That took too long to work out, so nothing was changed. Try again in a moment.")
            ) from None


_FOR_A_TURN = JobSpec()


async def call_each(failures: str, functions: Iterable[Callable[[], Awaitable[object]]]) -> None:
    """Call one after the other. A failure stops no other; all are raised at the end, as a group of that description."""
    failed: list[Exception] = []
    for function in functions:
        try:
            await function()
        except Exception as error:
            failed.append(error)
    if failed:
        raise ExceptionGroup(failures, failed)
