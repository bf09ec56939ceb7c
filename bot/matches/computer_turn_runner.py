"""Has the turns of computer players played as soon as they begin; one that is begun again comes to the same move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping

from bot.matches.background_runner import BackgroundRunner
from bot.matches.idle import Idle
from bot.matches.services import Services
from bot.storage.computer_turns import ComputerTurn
from bot.storage.transactions import cancel_all

PATIENCE = 3.0
"""Seconds the board of a person's move waits for the reply, to be one board with it."""


class ComputerTurnRunner(BackgroundRunner[ComputerTurn]):
    """Plays the turns of computer players."""

    what = "computer turn"

    def __init__(
        self, services: Services, idle: Callable[[], Idle], at_once: int = 2, leave_to: str | None = None
    ) -> None:
        super().__init__(services, idle, at_once, leave_to)
        self._players = services.computer_players
        self._shown: set[ComputerTurn] = set()

    async def take(self, room: int, begun: Collection[ComputerTurn], leave_to: str | None) -> list[ComputerTurn]:
        return await self._players.take(room, begun=begun, leave_to=leave_to)

    async def look_after(self) -> None:
        """Have the boards shown of turns that no process has begun, because all have enough to think about."""
        waiting = await self._players.waiting(PATIENCE)
        self._shown.intersection_update(waiting)
        for row in waiting:
            if row not in self._shown:
                await self._players.show_thinking(row)
                self._shown.add(row)

    async def work(self, row: ComputerTurn) -> None:
        """Have a turn played, and the board shown that is thought about if that takes long, or did not work."""
        thought = asyncio.create_task(self._players.play(row))
        try:
            if PATIENCE:
                await asyncio.wait({thought}, timeout=PATIENCE)
            if not thought.done() or thought.exception() is not None:
                await self._players.show_thinking(row)
            await thought
        finally:
            # What it was storing is undone before a stop closes the database.
            await cancel_all([thought])

    def fields(self, row: ComputerTurn) -> Mapping[str, int]:
        return {"match": row.match_id, "ply": row.ply}
