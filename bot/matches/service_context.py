"""What services and workers share: the database, the clock, chance, limits, the compute queue, and a way to wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random, SystemRandom
from typing import Any, ParamSpec, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, QueueFull
from bot.compute.queue import ComputeQueue
from bot.games.cancellation import ComputationCancelled
from bot.languages.speaking import in_language
from bot.matches.model.refusals import AlreadyProcessed, Refusal
from bot.storage import outbox
from bot.storage.database import Database
from bot.storage.slots import Partition
from renderers.i18n import ENGLISH, current_language
from renderers.i18n import gettext_lazy as _

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one person may have going on in one server, and how long a challenge stands.

    ``called_off`` is how many challenges somebody may call off within an hour before they have to wait.
    """

    matches: int = 50
    challenges: int = 10
    called_off: int = 5
    challenge_days: int = 7


class Idle(Protocol):
    """Waits for something that may never come. A simulation of time replaces it, to know that nothing is being done."""

    def __call__(self, awaitable: Awaitable[Any], /, *, reason: str) -> Awaitable[Any]: ...


async def plain_idle(awaitable: Awaitable[Any], /, *, reason: str) -> Any:
    """Wait, and report it nowhere."""
    return await awaitable


async def nothing_missed() -> None:
    """Credit nothing, where nobody keeps the heartbeats."""


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """Shared by the services. ``clock`` returns the aware time, ``wake`` is called when there is something to be done.

    ``credit_missed`` gives time back to every clock that nobody could use and that is not credited yet.
    """

    database: Database
    clock: Callable[[], datetime]
    queue: ComputeQueue
    wake: Callable[[], None] = lambda: None
    limits: Limits = field(default_factory=Limits)
    random: Random = field(default_factory=SystemRandom)
    credit_missed: Callable[[], Awaitable[None]] = nothing_missed
    share: Partition = field(default_factory=Partition)
    """The servers in which what falls due is done here."""
    departed_kept: timedelta = timedelta(days=90)
    """How long what belongs to a server is kept after it has removed the bot."""
    wake_dispatcher: Callable[[], None] | None = None
    """Called in place of ``wake`` where that is all about messages, if it is there: after most turns."""

    def deliver(self) -> None:
        """Have messages sent that were put into the outbox; nothing else has come up."""
        (self.wake_dispatcher or self.wake)()

    async def credited_now(self) -> datetime:
        """Return the time, once all that nobody could use before it is credited.

        What is decided by this moment, from deadlines read after it, takes nothing from anybody: whatever the process
        loses between the two is time that this moment does not count.
        """
        now = self.clock()
        await self.credit_missed()
        return now

    async def mark_processed(self, tx: AsyncConnection, interaction_id: int) -> None:
        """Note that this transaction processes an interaction. Raises ``AlreadyProcessed`` when one before did."""
        if not await outbox.mark_processed(tx, interaction_id, self.clock()):
            raise AlreadyProcessed

    async def compute(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute what a turn needs, away from the event loop. Raises ``Refusal`` like ``compute_as``."""
        return await self.compute_as(_FOR_A_TURN, function, *args, **kwargs)

    async def compute_as(self, spec: JobSpec, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run what may take longer than a few milliseconds away from the event loop, in the pool it belongs to.

        It is given up when whoever waits for it is cancelled, and after some time. Raises ``Refusal`` then, and where
        its requester has too much waiting; ``JobDropped`` where ``spec`` allows for that; ``RuntimeError`` inside a
        write transaction: it may wait for its turn, and everybody else's writes for it.

        It speaks the language of whoever asks.
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
            raise Refusal(_("I'm still working on your last request. Try again when it's done.")) from None
        except ComputationCancelled:
            raise Refusal(_("That took too long to work out, so nothing was changed. Try again in a moment.")) from None


_FOR_A_TURN = JobSpec()
