"""Does computed work in the background: the turns of computer players, reviews, and ratings after a void.

Each piece is a stored row, so work that a crash interrupts begins again after the next start.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Hashable, Mapping
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import structlog

from bot.matches.model.refusals import NotComputed, Quarantined, Refusal
from bot.matches.service_context import Idle, wait_at_most
from bot.matches.services import Services
from bot.storage.computer_turns import ComputerTurn
from bot.storage.transactions import cancel_all
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

T = TypeVar("T", bound=Hashable)

POLLED_EVERY = 5.0
"""Seconds between two looks for rows that another process stored, in case its notice was lost."""
FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0
"""Seconds before failed work is tried again: after the first failure, and at most."""
PATIENCE = 2.0
"""Seconds for which the board of a person's move waits for the computer's reply, so that one board shows both."""
GIVEN_BACK_AFTER = 3
"""Failures after which a process leaves a row to the others, and failures in a row that are trouble."""
LEFT_ALONE = 30.0
"""Seconds for which a process claims no new rows after it has given one back."""
REVIEWS_AT_ONCE = 4
"""How many reviews one of several processes claims."""


class BackgroundRunner(ABC, Generic[T]):
    """Works on rows until it is closed. It looks for new ones when the database signals work.

    If several processes share the work, this one claims at most ``at_once`` rows. Quarantined rows do not count, or
    they would keep their place for ever. If a process of the role ``leave_to`` is alive, this one claims nothing.
    """

    label: ClassVar[str]
    """The name of one row in the log."""
    claims: ClassVar[bool] = True
    """Whether processes that only think do this work, too, so that each claims its rows."""

    def __init__(
        self, services: Services, idle: Callable[[], Idle], at_once: int = 0, leave_to: str | None = None
    ) -> None:
        self._idle = idle
        self._at_once = at_once
        self._leave_to = leave_to
        self._polls = services.database.token is not None
        self._shared = self._polls and self.claims
        self._news = asyncio.Event()
        self._begun: dict[T, asyncio.Task[None]] = {}
        self._quarantined: set[T] = set()
        self._failures = 0
        """Failures since the last row that was done."""
        self._gave_back_at: float | None = None
        services.database.signals.on_work.append(self.wake)

    @property
    def trouble(self) -> str | None:
        """Return that the work fails, if it has failed several times in a row."""
        failing = self._failures >= GIVEN_BACK_AFTER
        return f"the last {self._failures} attempts at a {self.label} failed" if failing else None

    @abstractmethod
    async def take(self, room: int, begun: Collection[T], leave_to: str | None) -> list[T]:
        """Return the rows to work on: ``begun`` ones and new ones.

        If several processes share the work, claim at most ``room`` new rows for this one.
        """

    async def look_after(self) -> None:
        """Look after rows that no process has claimed, if several processes share the work."""

    async def give_back(self, row: T) -> None:
        """Let another process claim a row that this one has claimed, if it is claimed."""

    @abstractmethod
    async def work(self, row: T) -> None:
        """Do the work of a row. Raises ``Refusal`` if that is impossible at the moment."""

    @abstractmethod
    def fields(self, row: T) -> Mapping[str, int]:
        """Return the fields that identify a row in the log."""

    def wake(self) -> None:
        """Look for new rows soon."""
        self._news.set()

    async def run(self) -> None:
        """Work until cancelled; call ``close`` afterwards."""
        while True:
            self._news.clear()
            pause = (POLLED_EVERY if self._polls else None) if await self._begin_all() else FIRST_WAIT
            with contextlib.suppress(TimeoutError):
                await self._idle()(wait_at_most(pause, self._news), reason=f"no {self.label} waits")

    async def close(self) -> None:
        """Stop the work under way. It begins again after the next start."""
        await cancel_all(self._begun.values())

    async def _begin_all(self) -> bool:
        """Begin work on new rows; return whether the database could be read."""
        try:
            # A process that had to give a row back leaves new ones to the others for a while.
            idle = self._gave_back_at is not None and time.monotonic() < self._gave_back_at + LEFT_ALONE
            room = 0 if idle else self._at_once - len(self._begun) + len(self._quarantined)
            pending = await self.take(room, self._begun.keys(), self._leave_to)
        except Exception:
            log.exception(f"{self.label}s unreadable")
            return False
        for row in pending:
            if row not in self._begun:
                task = asyncio.create_task(
                    self._work_on(row), name=f"{self.label} {':'.join(map(str, self.fields(row).values()))}"
                )
                self._begun[row] = task
                task.add_done_callback(partial(self._on_end, row))
        try:
            if self._shared:
                await self.look_after()
        except Exception:
            log.exception(f"unclaimed {self.label}s not looked after")
        return True

    def _on_end(self, row: T, _task: asyncio.Task[None]) -> None:
        del self._begun[row]
        self._quarantined.discard(row)
        if self._shared:
            self.wake()

    async def _work_on(self, row: T) -> None:
        """Work on a row until it is done, with growing pauses after failures, or until another process may have it."""
        wait, failures = FIRST_WAIT, 0
        while True:
            try:
                await self.work(row)
            except Refusal as refusal:
                log.info(f"{self.label} put off", **self.fields(row), reason=str(refusal))
                if isinstance(refusal, Quarantined):
                    self._quarantined.add(row)
                    self.wake()
                failures += isinstance(refusal, NotComputed)
            except Exception:
                log.exception(f"{self.label} failed, will be tried again", **self.fields(row))
                failures += 1
            else:
                self._failures = 0
                return
            if failures:
                self._failures += 1
                metrics.BACKGROUND_FAILURES.labels(self.label).inc()
            if self._shared and failures >= GIVEN_BACK_AFTER and await self._hand_back(row):
                return
            await self._idle()(asyncio.sleep(wait), reason=f"a {self.label} is put off")
            wait = min(2 * wait, LONGEST_WAIT)

    async def _hand_back(self, row: T) -> bool:
        """Leave a row to the other processes; return whether they know of it."""
        try:
            await self.give_back(row)
        except Exception:
            log.exception(f"{self.label} not given back", **self.fields(row))
            return False
        self._gave_back_at = time.monotonic()
        log.warning(f"{self.label} given back to the other processes", **self.fields(row))
        return True


class ComputerTurnRunner(BackgroundRunner[ComputerTurn]):
    """Plays the turns of computer players as soon as they begin. A repeated turn comes to the same move."""

    label = "computer turn"

    def __init__(
        self, services: Services, idle: Callable[[], Idle], at_once: int = 2, leave_to: str | None = None
    ) -> None:
        super().__init__(services, idle, at_once, leave_to)
        self._players = services.computer_players
        self._shown: set[ComputerTurn] = set()

    async def take(self, room: int, begun: Collection[ComputerTurn], leave_to: str | None) -> list[ComputerTurn]:
        return await self._players.take(room, begun=begun, leave_to=leave_to)

    async def look_after(self) -> None:
        """Show the boards of turns that wait for a process, because all are busy."""
        waiting = await self._players.waiting(PATIENCE)
        self._shown.intersection_update(waiting)
        for row in waiting:
            if row not in self._shown:
                await self._players.show_thinking(row)
                self._shown.add(row)

    async def give_back(self, row: ComputerTurn) -> None:
        await self._players.give_back(row)

    async def work(self, row: ComputerTurn) -> None:
        """Play a turn; if that fails or takes longer than ``PATIENCE``, show the board first."""
        thought = asyncio.create_task(self._players.play(row))
        try:
            if PATIENCE:
                await asyncio.wait({thought}, timeout=PATIENCE)
            if not thought.done() or thought.exception() is not None:
                await self._players.show_thinking(row)
            await thought
        finally:
            # Roll back what it was storing before a stop closes the database.
            await cancel_all([thought])

    def fields(self, row: ComputerTurn) -> Mapping[str, int]:
        return {"match": row.match_id, "ply": row.ply}


class ReviewRunner(BackgroundRunner[int]):
    """Makes the reviews that were asked for. Rows are match ids; a repeated review goes on where it stopped."""

    label = "review"

    def __init__(self, services: Services, idle: Callable[[], Idle], leave_to: str | None = None) -> None:
        super().__init__(services, idle, REVIEWS_AT_ONCE, leave_to)
        self._reviews = services.reviews

    async def take(self, room: int, begun: Collection[int], leave_to: str | None) -> list[int]:
        return await self._reviews.take(room, begun=begun, leave_to=leave_to)

    async def give_back(self, row: int) -> None:
        await self._reviews.give_back(row)

    async def work(self, row: int) -> None:
        await self._reviews.judge(row)

    def fields(self, row: int) -> Mapping[str, int]:
        return {"match": row}


class RatingRunner(BackgroundRunner[int]):
    """Computes the ratings of servers again in which a match was voided. Rows are the ids of servers."""

    label = "rerating"
    claims = False

    def __init__(self, services: Services, idle: Callable[[], Idle]) -> None:
        super().__init__(services, idle)
        self._voiding = services.voiding

    async def take(self, room: int, begun: Collection[int], leave_to: str | None) -> list[int]:
        return await self._voiding.to_rate_again()

    async def work(self, row: int) -> None:
        await self._voiding.rate_again(row)

    def fields(self, row: int) -> Mapping[str, int]:
        return {"server": row}


class BackgroundTasks:
    """The work of a bot until it stops: its runners by their names, and its tasks."""

    def __init__(self) -> None:
        self.runners: dict[str, BackgroundRunner[Any]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def __contains__(self, name: str) -> bool:
        return any(task.get_name() == name for task in self._tasks)

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Begin work under a name."""
        self._tasks.append(asyncio.create_task(work, name=name))

    def ended(self) -> str | None:
        """Return the name of work that has ended by an error."""
        failed = (task for task in self._tasks if task.done() and not task.cancelled() and task.exception() is not None)
        return next((task.get_name() for task in failed), None)

    def failing(self) -> str | None:
        """Return the trouble of a runner that fails again and again."""
        return next(filter(None, (runner.trouble for runner in self.runners.values())), None)

    async def close(self) -> None:
        """Cancel all work, and close the runners. A second call does nothing."""
        tasks, self._tasks = self._tasks, []
        await cancel_all(tasks)
        runners, self.runners = self.runners, {}
        for runner in runners.values():
            await runner.close()
