"""What the services of this layer share: the database, the clock, chance, limits, and where rules are computed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from random import Random, SystemRandom
from threading import Event
from time import monotonic
from typing import ParamSpec, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.patience import GivenUp, run_while
from bot.matches.refusals import Refusal, Repeated
from bot.storage.database import Database
from bot.storage.queries import outbox

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one person may have going on in one server, and how long a challenge stands."""

    matches: int = 50
    challenges: int = 10
    challenge_days: int = 7


@dataclass(frozen=True, slots=True)
class Context:
    """Shared by the services. ``clock`` returns the aware time, ``wake`` is called when the outbox has news."""

    database: Database
    clock: Callable[[], datetime]
    executor: Executor
    wake: Callable[[], None] = lambda: None
    limits: Limits = field(default_factory=Limits)
    random: Random = field(default_factory=SystemRandom)
    patience: float = 20
    """How long anything may be computed, in seconds."""

    async def claim(self, tx: AsyncConnection, interaction_id: int) -> None:
        """Note that an interaction is carried out in this transaction. Raises ``Repeated`` when it was before."""
        if not await outbox.claim(tx, interaction_id, self.clock()):
            raise Repeated

    async def compute(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run what may take longer than a few milliseconds away from the event loop.

        It is given up when whoever waits for it is cancelled, and after ``patience``. Raises ``Refusal`` then.
        """
        unwanted = Event()

        def work() -> T:
            latest = monotonic() + self.patience
            return run_while(lambda: not unwanted.is_set() and monotonic() < latest, lambda: function(*args, **kwargs))

        try:
            return await asyncio.get_running_loop().run_in_executor(self.executor, work)
        except asyncio.CancelledError:
            unwanted.set()
            raise
        except GivenUp:
            raise Refusal("Working that out takes too long, so nothing was changed. Try again in a moment.") from None
