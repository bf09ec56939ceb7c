"""The puzzle of the day: when and where a server has it, which one it is, who solved it, and streaks of days."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from random import Random
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.puzzles import Puzzle, puzzles
from bot.matches.model.puzzles import games_with_puzzles, puzzle_of
from bot.matches.model.refusals import Refusal
from bot.matches.model.time_zones import UTC_NAME, day_due, monday_of, next_moment, next_monday, zone_of
from bot.matches.service_context import ServiceContext, call_each
from bot.matches.writing import outbox_messages
from bot.matches.writing.weekly_posts import weekly_post
from bot.storage import ladders, locks
from bot.storage import puzzles as stored
from bot.storage.puzzles import DailyPuzzle, PuzzleAttempt, PuzzleChannel, PuzzleRating
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

USUAL_HOUR: Final = 9
"""The hour at which the puzzle of the day is posted unless a server chooses another."""
PAIRED_APART: Final = timedelta(days=5)
"""How long after one pairing of a ladder, at least, the next one is due."""
_STREAK_LASTS: Final = timedelta(days=2)
"""How far apart two days of a streak may be."""
_FARTHEST_WEST: Final = timedelta(hours=12)
"""How far the last time zone to begin a day is behind UTC."""


@dataclass(frozen=True, slots=True)
class DailyView:
    """A server's puzzle of a day, its solvers in the order they solved it, and the previous puzzle likewise.

    Once the answer is posted it is ``answered``, and those who solve it later are no solvers.
    """

    daily: DailyPuzzle
    puzzle: Puzzle
    solvers: tuple[PuzzleAttempt, ...] = ()
    before: DailyView | None = None
    answered: bool = False


class DailyPuzzles:
    """Schedules, posts and counts the puzzles of the day."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    @retried
    async def announce(
        self, guild_id: int, channel_id: int | None = None, hour: int | None = None, zone: str | None = None
    ) -> PuzzleChannel:
        """Have a puzzle posted each day at an hour, 0 to 23, of a time zone; None leaves a value as it was.

        A day gets one puzzle, also if the zone changes. Raises ``Refusal`` for an unknown zone, and if no channel was
        ever given.
        """
        if zone is not None:
            zone_of(zone)  # raises for one that there is not
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before, latest = await stored.channel(tx, guild_id), await stored.latest_daily(tx, guild_id)
            if before is None and channel_id is None:
                raise Refusal(_("Choose the channel for the puzzle of the day first, with `puzzle_channel`."))
            present = before or PuzzleChannel(guild_id, channel_id or 0, USUAL_HOUR, UTC_NAME, now)
            channel = replace(
                present,
                channel_id=present.channel_id if channel_id is None else channel_id,
                hour=present.hour if hour is None else hour,
                zone=present.zone if zone is None else zone,
            )
            due_at = next_moment(channel.hour, channel.zone, now, None if latest is None else latest.day)
            await stored.put_channel(tx, replace(channel, due_at=due_at))
            ladder = await ladders.get(tx, guild_id)
            if ladder is not None:
                # People are paired on the same Monday, at the new hour.
                after = ladder.due_at - PAIRED_APART
                if ladder.week is not None:
                    after = max(after, ladder.week + PAIRED_APART)
                paired_at = next_monday(channel.hour, channel.zone, after)
                await ladders.put(tx, replace(ladder, due_at=paired_at))
        return replace(channel, due_at=due_at)

    @retried
    async def stop(self, guild_id: int) -> None:
        """Post no more puzzles of the day in a server."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            await stored.drop_channel(tx, guild_id)

    async def post_due(self) -> None:
        """Have all due puzzles posted and all due counts updated, and store when the next puzzles are due.

        A failure in one server does not stop the others; it is raised at the end.
        """
        now = self._context.clock()
        async with self._context.database.read() as tx:
            guild_ids, counts = await stored.due(tx, now), await stored.counts_due(tx, now)
        due = [
            *(partial(self._post, guild_id) for guild_id in guild_ids),
            *(partial(self._count, count) for count in counts),
        ]
        await call_each("puzzles of the day that could not be posted", due)

    @retried
    async def _count(self, daily: DailyPuzzle) -> None:
        async with self._context.database.write() as tx:
            if await stored.clear_count_due(tx, daily):
                await outbox_messages.daily_count(tx, daily.guild_id, daily.day, daily.game, self._context.clock())

    @retried
    async def _post(self, guild_id: int) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            channel = await stored.channel(tx, guild_id)
            if channel is None or channel.due_at > now:
                return
            # After several days of downtime only the last one gets its puzzle.
            day = day_due(channel.hour, channel.zone, now)
            if await stored.daily(tx, guild_id, day) is None:
                puzzle = of_the_day(guild_id, day)
                daily = DailyPuzzle(guild_id, day, puzzle.game.key, puzzle.key, channel.channel_id, None, now)
                await stored.add_daily(tx, daily)
                await outbox_messages.daily_puzzle(tx, guild_id, day, daily.game, now)
                before = await stored.latest_daily(tx, guild_id, day)
                monday = monday_of(day)
                # After a Monday without a puzzle, such as of an outage, it comes with the next one.
                if before is not None and before.day < monday:
                    next_pairing = next_monday(channel.hour, channel.zone, now + PAIRED_APART)
                    await weekly_post(tx, channel, monday, next_pairing, now)
                if before is not None:
                    await stored.clear_count_due(tx, before)
                    await outbox_messages.daily_count(tx, guild_id, before.day, before.game, now, answered=True)
                log.info("puzzle of the day", server=guild_id, day=str(day), game=daily.game, puzzle=daily.puzzle)
            due_at = next_moment(channel.hour, channel.zone, now, day)
            await stored.put_channel(tx, replace(channel, due_at=due_at))

    async def view(self, guild_id: int, day: date) -> DailyView | None:
        """Return a server's puzzle of a day and the previous one; None if it no longer exists."""
        async with self._context.database.read() as tx:
            daily, before = await stored.daily(tx, guild_id, day), await stored.latest_daily(tx, guild_id, day)
            if daily is None:
                return None
            following = await stored.next_daily(tx, guild_id, day)
            this = await _view(tx, daily, None if following is None else following.at)
            earlier = None if before is None else await _view(tx, before, answered_at=daily.at)
        return None if this is None else replace(this, before=earlier)


async def _view(tx: AsyncConnection, daily: DailyPuzzle, answered_at: datetime | None = None) -> DailyView | None:
    """Return a puzzle of a day with its solvers, only those before ``answered_at`` if given; None if it is gone."""
    puzzle = puzzle_of(daily.game, daily.puzzle)
    if puzzle is None:
        return None
    solvers = await stored.solvers(tx, daily)
    in_time = (solver for solver in solvers if answered_at is None or (solver.ended_at or answered_at) < answered_at)
    return DailyView(daily, puzzle, tuple(in_time), answered=answered_at is not None)


def is_for_a_day(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is reserved for days. `/puzzle` gives out the others, so a day's puzzle is always new.

    Half of the puzzles by the rules of a first match are reserved, and none of other variants.
    """
    return puzzle.in_first_variant and int(puzzle.key, 16) % 2 == 0


def of_the_day(guild_id: int, day: date) -> Puzzle:
    """Return the puzzle of a day in a server: games take turns, and no puzzle repeats before all of its game were used.

    Raises ``ValueError`` if no game has a puzzle reserved for days.
    """
    kept = {key: [puzzle for puzzle in puzzles(GAMES[key]) if is_for_a_day(puzzle)] for key in games_with_puzzles()}
    games = [key for key, every in kept.items() if every]
    if not games:
        raise ValueError("there is no puzzle for any day")
    turn, place = divmod(day.toordinal(), len(games))
    every = sorted(kept[games[place]], key=lambda puzzle: puzzle.key)
    Random(f"{guild_id} {games[place]}").shuffle(every)
    return every[turn % len(every)]


def solved_day(before: PuzzleRating, day: date, previous: date | None = None) -> PuzzleRating:
    """Return a record after the puzzle of ``day``; ``previous`` is the day of its server's previous puzzle.

    A streak continues on the next day, or on the next puzzle if the server had none the day before.
    """
    if before.last_day is not None and day <= before.last_day:
        return before
    reaching = max(previous or day - timedelta(days=1), day - _STREAK_LASTS)
    streak = before.streak + 1 if before.last_day is not None and before.last_day >= reaching else 1
    return replace(before, streak=streak, longest_streak=max(streak, before.longest_streak), last_day=day)


def as_of(rating: PuzzleRating, now: datetime) -> PuzzleRating:
    """Return a record at a moment: its streak ends when the next day passes without a solved puzzle.

    A day counts as passed when it is over in every time zone.
    """
    over = rating.last_day is None or rating.last_day < streaks_last_from(now)
    return replace(rating, streak=0) if over else rating


def streaks_last_from(now: datetime) -> date:
    """Return the earliest day whose puzzle was the last of a streak that has not ended yet."""
    return (now - _FARTHEST_WEST).date() - _STREAK_LASTS
