"""Has the turns of computer players played as soon as they begin, any number of them side by side.

Each is a row, so one that was begun before a crash is begun again, and comes to the same move.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

import structlog

from bot.matches.idle import Idle
from bot.matches.model.refusals import Refusal
from bot.matches.services import Services
from bot.storage.records import ComputerTurn

log = structlog.get_logger(__name__)

PATIENCE = 3.0
"""Seconds the board of a person's move waits for the reply, to be one board with it."""
POLLED_EVERY = 5.0
"""Seconds after which is looked again for what another process has stored, should its news not come through."""
FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0
"""Seconds until a turn that could not be played is tried again: the first time, and when that has failed often."""


class ComputerTurnRunner:
    """Plays turns until it is closed. ``wake`` tells it that there may be another.

    Where other processes play turns, too, ``at_once`` is how many this one takes upon itself; those of the role
    ``leave_to`` come first.
    """

    def __init__(
        self, services: Services, idle: Callable[[], Idle], at_once: int = 2, leave_to: str | None = None
    ) -> None:
        self._players = services.computer_players
        self._idle = idle
        self._at_once = at_once
        self._leave_to = leave_to
        self._shared = services.context.database.token is not None
        self._news = asyncio.Event()
        self._begun: dict[ComputerTurn, asyncio.Task[None]] = {}

    def wake(self) -> None:
        """Look soon for turns that have begun."""
        self._news.set()

    async def run(self) -> None:
        """Play turns for ever; cancel it to stop, and close it."""
        while True:
            self._news.clear()
            pause = (POLLED_EVERY if self._shared else None) if await self._begin_all() else FIRST_WAIT
            with contextlib.suppress(TimeoutError):
                await self._idle()(self._wait(pause), reason="no computer player is to move")

    async def close(self) -> None:
        """Give up every thought; the turns are played after the next start."""
        tasks = list(self._begun.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self, pause: float | None) -> None:
        async with asyncio.timeout(pause):
            await self._news.wait()

    async def _begin_all(self) -> bool:
        """Begin what is to be played and is not begun; return whether the database could be asked."""
        try:
            pending = await self._players.take(self._at_once - len(self._begun), leave_to=self._leave_to)
        except Exception:
            log.exception("turns of computer players unreadable")
            return False
        for due in pending:
            if due not in self._begun:
                task = asyncio.create_task(self._play(due), name=f"computer's turn {due.match_id}:{due.ply}")
                self._begun[due] = task
                task.add_done_callback(partial(self._ended, due))
        return True

    def _ended(self, due: ComputerTurn, _task: asyncio.Task[None]) -> None:
        del self._begun[due]
        if self._shared:
            self.wake()

    async def _play(self, due: ComputerTurn) -> None:
        """Have a turn played, however often that has to be tried."""
        wait = FIRST_WAIT
        while True:
            try:
                return await self._answer(due)
            except Refusal as refusal:
                log.info("computer's turn put off", match=due.match_id, ply=due.ply, reason=str(refusal))
            except Exception:
                log.exception("computer's turn failed, will be tried again", match=due.match_id, ply=due.ply)
            await self._idle()(asyncio.sleep(wait), reason="a computer's turn is put off")
            wait = min(2 * wait, LONGEST_WAIT)

    async def _answer(self, due: ComputerTurn) -> None:
        """Have a turn played, and the board shown that is thought about if that takes long."""
        thought = asyncio.create_task(self._players.play(due))
        try:
            if PATIENCE:
                await asyncio.wait({thought}, timeout=PATIENCE)
            if not thought.done():
                await self._players.show_thinking(due)
            await thought
        finally:
            thought.cancel()
