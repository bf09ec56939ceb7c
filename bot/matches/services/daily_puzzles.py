"""The puzzle of the day: where and when a server wants it, posting it once whatever happens, and how it went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.puzzles import Puzzle
from bot.matches.model.puzzles import UTC_NAME, day_due, next_moment, of_the_day, puzzle_of
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.writing import outbox_messages
from bot.storage import locks
from bot.storage import puzzles as stored
from bot.storage.puzzles import DailyPuzzle, PuzzleAttempt, PuzzleChannel
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

USUAL_HOUR: Final = 9
"""When the puzzle of the day is posted where a server has said no hour."""


@dataclass(frozen=True, slots=True)
class DailyView:
    """A server's puzzle of a day, who has solved it, the first to do so first, and the same of the one before it."""

    daily: DailyPuzzle
    puzzle: Puzzle
    solvers: tuple[PuzzleAttempt, ...] = ()
    before: DailyView | None = None


class DailyPuzzles:
    """Puzzles of the day."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def channel(self, guild_id: int) -> PuzzleChannel | None:
        """Return where and when a server has its puzzle of the day, or None."""
        async with self._context.database.read() as tx:
            return await stored.channel(tx, guild_id)

    @retried
    async def announce(
        self, guild_id: int, channel_id: int | None = None, hour: int | None = None, zone: str | None = None
    ) -> PuzzleChannel:
        """Have a puzzle posted each day at that hour, 0 to 23, of a time zone; what is not given stays as it was.

        A day that has had its puzzle, whatever zone it was posted by, gets no second one. Raises ``Refusal`` for a
        zone there is not, and where no channel was ever given.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before, latest = await stored.channel(tx, guild_id), await stored.latest_daily(tx, guild_id)
            if before is None and channel_id is None:
                raise Refusal(_("Choose the channel for the puzzle of the day first, with `puzzle_channel`."))
            known = before or PuzzleChannel(guild_id, channel_id or 0, USUAL_HOUR, UTC_NAME, now)
            wanted = replace(
                known,
                channel_id=known.channel_id if channel_id is None else channel_id,
                hour=known.hour if hour is None else hour,
                zone=known.zone if zone is None else zone,
            )
            due_at = next_moment(wanted.hour, wanted.zone, now, None if latest is None else latest.day)
            await stored.put_channel(tx, replace(wanted, due_at=due_at))
        self._context.wake()
        return replace(wanted, due_at=due_at)

    @retried
    async def stop(self, guild_id: int) -> None:
        """Post no more puzzles in a server."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            await stored.drop_channel(tx, guild_id)

    async def post_due(self) -> None:
        """Have every puzzle posted that is due, each together with the time of the next, and every count.

        What goes wrong in one server does not keep the others waiting; it is raised when all have had their turn.
        """
        now, share = self._context.clock(), self._context.share
        async with self._context.database.read() as tx:
            guild_ids, counts = await stored.due(tx, now, share), await stored.counts_due(tx, now, share)
        due = [
            *(partial(self._post, guild_id) for guild_id in guild_ids),
            *(partial(self._count, one) for one in counts),
        ]
        failed: list[Exception] = []
        for do in due:
            try:
                await do()
            except Exception as error:
                failed.append(error)
        if failed:
            raise ExceptionGroup("puzzles of the day that could not be posted", failed)

    @retried
    async def _count(self, daily: DailyPuzzle) -> None:
        async with self._context.database.write() as tx:
            if await stored.counted(tx, daily):
                await outbox_messages.daily_count(tx, daily.guild_id, daily.day, self._context.clock())
        self._context.wake()

    @retried
    async def _post(self, guild_id: int) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            wanted = await stored.channel(tx, guild_id)
            if wanted is None or wanted.due_at > now:
                return
            # Of days that went by while the bot was away only the last one is made up for.
            day = day_due(wanted.hour, wanted.zone, now)
            if await stored.daily(tx, guild_id, day) is None:
                puzzle = of_the_day(guild_id, day)
                daily = DailyPuzzle(guild_id, day, puzzle.game.key, puzzle.key, wanted.channel_id, None, now)
                await stored.add_daily(tx, daily)
                await outbox_messages.daily_puzzle(tx, guild_id, day, now)
                log.info("puzzle of the day", server=guild_id, day=str(day), game=daily.game, puzzle=daily.puzzle)
            due_at = next_moment(wanted.hour, wanted.zone, now, day)
            await stored.put_channel(tx, replace(wanted, due_at=due_at))
        self._context.wake()

    async def view(self, guild_id: int, day: date) -> DailyView | None:
        """Return a server's puzzle of a day and the one before it; None if it is not there any more."""
        async with self._context.database.read() as tx:
            daily, before = await stored.daily(tx, guild_id, day), await stored.latest_daily(tx, guild_id, day)
            if daily is None:
                return None
            this = await _view(tx, daily)
            earlier = None if before is None else await _view(tx, before, answered_at=daily.at)
        return None if this is None else replace(this, before=earlier)


async def _view(tx: AsyncConnection, daily: DailyPuzzle, answered_at: datetime | None = None) -> DailyView | None:
    """Return a puzzle of a day with who has solved it, before it was answered if it was; None if it is gone."""
    puzzle = puzzle_of(daily.game, daily.puzzle)
    if puzzle is None:
        return None
    solvers = await stored.solvers(tx, daily)
    in_time = (one for one in solvers if answered_at is None or (one.ended_at or answered_at) < answered_at)
    return DailyView(daily, puzzle, tuple(in_time))
