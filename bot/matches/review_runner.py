"""Has the reviews that are asked for made; one that is begun again goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from bot.matches.background_runner import BackgroundRunner
from bot.matches.idle import Idle
from bot.matches.services import Services

AT_ONCE = 4
"""Reviews a process takes upon itself where there are several."""


class ReviewRunner(BackgroundRunner[int]):
    """Reviews matches, which it knows by their numbers."""

    what = "review"

    def __init__(self, services: Services, idle: Callable[[], Idle], leave_to: str | None = None) -> None:
        super().__init__(services, idle, AT_ONCE, leave_to)
        self._reviews = services.reviews

    async def take(self, room: int, begun: Collection[int], leave_to: str | None) -> list[int]:
        return await self._reviews.take(room, begun=begun, leave_to=leave_to)

    async def work(self, row: int) -> None:
        await self._reviews.judge(row)

    def fields(self, row: int) -> Mapping[str, int]:
        return {"match": row}
