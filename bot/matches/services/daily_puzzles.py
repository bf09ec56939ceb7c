"""The puzzle of the day: where and when a server wants it, posting it once whatever happens, and how it went."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, partial
from random import Random
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.puzzles import Puzzle, puzzles
from bot.matches.model.puzzles import games_with_puzzles, puzzle_of
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.writing import outbox_messages
from bot.storage import locks
from bot.storage import puzzles as stored
from bot.storage.puzzles import DailyPuzzle, PuzzleAttempt, PuzzleChannel, PuzzleRating
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

USUAL_HOUR: Final = 9
"""When the puzzle of the day is posted where a server has said no hour."""
UTC_NAME: Final = "UTC"
_STREAK_LASTS: Final = timedelta(days=2)
"""How far the next day of a streak may be from its last one."""
_FARTHEST_WEST: Final = timedelta(hours=12)
"""By how much the clocks that are last to begin a day are behind UTC."""
_MOST_PLACES: Final = 25
"""As many as a menu takes."""
_PLACES: Final = (
    "Pacific/Honolulu",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "America/Sao_Paulo",
    "UTC",
    "Europe/London",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Berlin",
    "Europe/Athens",
    "Europe/Moscow",
    "Africa/Lagos",
    "Africa/Nairobi",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""From west to east."""


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


def is_for_a_day(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle is kept for days. All others are given out on demand, so that no day's is known before."""
    return int(puzzle.key, 16) % 2 == 0


def of_the_day(guild_id: int, day: date) -> Puzzle:
    """Return the puzzle of a day in a server: another game every day, and none again before all had their day.

    Raises ``ValueError`` where no game has a puzzle for a day.
    """
    kept = {key: [one for one in puzzles(GAMES[key]) if is_for_a_day(one)] for key in games_with_puzzles()}
    games = [key for key, every in kept.items() if every]
    if not games:
        raise ValueError("there is no puzzle for any day")
    turn, place = divmod(day.toordinal(), len(games))
    every = sorted(kept[games[place]], key=lambda one: one.key)
    Random(f"{guild_id} {games[place]}").shuffle(every)
    return every[turn % len(every)]


def solved_day(before: PuzzleRating, day: date, previous: date | None = None) -> PuzzleRating:
    """Return a record after the puzzle of a day was solved, ``previous`` being the day of its server's one before.

    A streak goes on with each day that follows, and where one went by without a puzzle that could have been solved.
    """
    if before.last_day is not None and day <= before.last_day:
        return before
    reaching = max(previous or day - timedelta(days=1), day - _STREAK_LASTS)
    streak = before.streak + 1 if before.last_day is not None and before.last_day >= reaching else 1
    return replace(before, streak=streak, longest_streak=max(streak, before.longest_streak), last_day=day)


def as_of(record: PuzzleRating, now: datetime) -> PuzzleRating:
    """Return a record as it stands at a moment: a streak is over once a puzzle after its last one has had its day.

    Days begin and end at different times in different places: this waits for the last one, late in all others.
    """
    today = (now - _FARTHEST_WEST).date()
    over = record.last_day is None or today - record.last_day > _STREAK_LASTS
    return replace(record, streak=0) if over else record


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name in the database of time zones. Raises ``Refusal`` for one there is not."""
    if name == UTC_NAME:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refusal(_("I don't know the time zone {zone}. Choose one of the suggestions."), zone=name) from error


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones there are, those of places first."""
    names = {name for name in available_timezones() if name.split("/")[0] not in ("posix", "right", "SystemV")}
    return tuple(sorted(names | {UTC_NAME}, key=lambda name: ("/" not in name, name.startswith("Etc/"), name)))


def common_zones(chosen: str) -> list[str]:
    """Return time zones of places all around the world, 25 at most, and the chosen one among them."""
    known = set(zone_names())
    places = [name for name in _PLACES if name in known and name != chosen]
    return [chosen, *places][:_MOST_PLACES]


def moment(day: date, hour: int, zone: str) -> datetime:
    """Return when it is that hour of a day in a zone, in UTC.

    An hour that clocks skip is where they skip it; of an hour they go through twice it is the first.
    """
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_of(zone)).astimezone(UTC)


def next_moment(hour: int, zone: str, now: datetime, after: date | None = None) -> datetime:
    """Return the next moment after ``now`` at which it is that hour in a zone, on a day after ``after``."""
    day = now.astimezone(zone_of(zone)).date()
    if after is not None and day <= after:
        day = after + timedelta(days=1)
    found = moment(day, hour, zone)
    return found if found > now else moment(day + timedelta(days=1), hour, zone)


def day_due(hour: int, zone: str, now: datetime) -> date:
    """Return the latest day on which it has been that hour in a zone by ``now``."""
    day = now.astimezone(zone_of(zone)).date()
    return day if moment(day, hour, zone) <= now else day - timedelta(days=1)
