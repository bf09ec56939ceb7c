"""Finds downtime, whatever its cause, and gives it back to every clock exactly once.

The bot may have been stopped, suspended, or without storage; Discord may have been out of reach; the machine's clock
may have been set. Heartbeats record that people could play. A longer gap between two of them is downtime.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import LIVE
from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks, outbox_messages
from bot.storage import challenges, due, guilds
from bot.storage.shards import Shard
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

BEATS = 12
"""How many heartbeats are stored in a round of ``HEARTBEAT``: what an outage takes is known to the time between two."""
MIN_GAP = timedelta(seconds=5)
"""Shorter gaps are not counted as downtime."""
LIVE_BEAT = timedelta(seconds=1)
"""The time between two heartbeats while live matches are played; a restart then gives back any longer gap."""
ZERO = timedelta(0)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """One moment on two clocks: the machine's, which may be set, and a monotonic one in seconds."""

    at: datetime
    monotonic: float


class Downtime:
    """Writes heartbeats and credits downtime. ``heartbeat`` is the time between two; ``monotonic`` never goes back.

    Code that compares a deadline with the time calls ``credit_missed`` first, because it may be the first code to run
    after a suspension.
    """

    def __init__(
        self,
        context: ServiceContext,
        heartbeat: timedelta,
        monotonic: Callable[[], float] | None = None,
        servers: Callable[[], int] | None = None,
    ) -> None:
        self._context = context
        self._heartbeat = heartbeat
        self._servers = servers
        """Returns how many servers the fullest shard of this process has."""
        # Looked up now, because simulations replace it.
        self.monotonic = time.monotonic if monotonic is None else monotonic
        self._last: ClockReading | None = None
        self._live = False
        """Whether a live match was being played at the last heartbeat."""
        self._crediting = asyncio.Lock()
        self.away = False
        """Whether Discord is out of reach at the moment."""
        self._was_away = False
        self._left: dict[Shard, ClockReading] = {}
        """For the servers of each shard that is or was out of reach alone: the time up to which they were credited."""
        self._back = set[Shard]()

    def begin(self) -> None:
        """Start measuring now, unless Discord has been out of reach since before."""
        if not self.away:
            self._last = None

    def disconnected(self) -> None:
        """Note that Discord is out of reach until ``connected`` is called."""
        if not self.away and self._missed_time() == ZERO:
            self._last = self._now()
        self.away = self._was_away = True

    def connected(self, out_of_reach: Collection[Shard] = ()) -> bool:
        """Note that Discord can be reached again, but for the servers of single shards, whose clocks stand.

        Return whether that is news.
        """
        news = self.away or {*out_of_reach} != self._left.keys() - self._back
        self.away = False
        self._back = self._left.keys() - out_of_reach
        for servers in out_of_reach:
            self._left.setdefault(servers, self._now())
        self._context.away.update(out_of_reach)
        return news

    @retried
    async def _credit_shards(self) -> None:
        """Credit to the servers of single shards the time for which these were out of reach."""
        now = self._now()
        for servers, since in list(self._left.items()):
            elapsed = timedelta(seconds=now.monotonic - since.monotonic)
            if servers not in self._back and elapsed <= MIN_GAP:
                continue
            async with self._context.database.write() as tx:
                down = now.at - max(ZERO, elapsed)
                await clocks.shift(tx, await due.with_clock(tx, servers), down, now.at, now.at)
            self._left[servers] = now
            if servers in self._back:
                self._back.discard(servers)
                self._context.away.discard(servers)
                del self._left[servers]

    @retried
    async def credit_downtime(self) -> timedelta:
        """Credit the time since the last heartbeat of an earlier run of the bot, and return it.

        Clocks stop in matches that this process cannot play, and go on where it can again.
        """
        now = self._now()
        async with self._context.database.write() as tx:
            last = await guilds.last_heartbeat(tx)
            gap = ZERO if last is None else now.at - last
            live = last is not None and await due.any_live(tx, last, LIVE)
            missed = gap if gap > (LIVE_BEAT if live else MIN_GAP) else ZERO
            await self._shift(tx, missed, now.at)
            await clocks.compare_rules(tx, self._context.rules, now.at)
            await guilds.beat(tx, now.at)
        self._note_credit(now, missed)
        return missed

    @retried
    async def credit_missed(self) -> None:
        """Credit the downtime since the last heartbeat, if there was any, and that of single shards."""
        if self._missed_time() == ZERO:
            self._was_away = self.away
            if not self._left:
                return
        async with self._crediting:
            now, missed = self._now(), self._missed_time()
            if missed != ZERO:
                jump = self._jump(now)
                async with self._context.database.write() as tx:
                    await self._shift(tx, missed, now.at)
                    await self._shift_challenges(tx, jump, now.at)
                    await guilds.beat(tx, now.at)
                self._note_credit(now, missed)
                # What is credited to everyone is not credited to a shard once more.
                for servers, since in self._left.items():
                    lost = min((missed - jump).total_seconds(), now.monotonic - since.monotonic)
                    self._left[servers] = replace(since, monotonic=since.monotonic + max(0.0, lost))
            await self._credit_shards()

    @retried
    async def beat(self) -> None:
        """Store a heartbeat, unless there is downtime to credit first."""
        async with self._crediting:
            now = self._now()
            if self._missed_time() != ZERO:
                return
            async with self._context.database.write() as tx:
                self._live = await due.any_live(tx, now.at, LIVE)
                servers = None if self._servers is None else self._servers()
                await guilds.beat(tx, now.at, servers)
            self._last = now
            self._was_away = self.away

    def until_next_beat(self) -> timedelta:
        """Return the time left until the next heartbeat is due."""
        if self._last is None:
            return ZERO
        between = min(LIVE_BEAT, self._heartbeat) if self._live else self._heartbeat
        return between - timedelta(seconds=self.monotonic() - self._last.monotonic)

    def _now(self) -> ClockReading:
        return ClockReading(self._context.clock(), self.monotonic())

    def _missed_time(self) -> timedelta:
        """Return how far to move the clocks; negative if the machine's clock was set back."""
        if self._last is None:
            return ZERO
        now = self._now()
        elapsed = timedelta(seconds=now.monotonic - self._last.monotonic)
        usual = MIN_GAP if self._was_away else self._heartbeat + MIN_GAP
        return self._jump(now) + (elapsed if elapsed > usual else ZERO)

    def _jump(self, now: ClockReading) -> timedelta:
        """Return the time since the last heartbeat that only the machine's clock counted: it was set, or suspended."""
        if self._last is None:
            return ZERO
        jump = now.at - self._last.at - timedelta(seconds=now.monotonic - self._last.monotonic)
        return jump if abs(jump) > MIN_GAP else ZERO

    async def _shift(self, tx: AsyncConnection, by: timedelta, now: datetime) -> None:
        if by != ZERO:
            await clocks.shift(tx, await due.with_clock(tx), now - by, now, now)

    async def _shift_challenges(self, tx: AsyncConnection, by: timedelta, now: datetime) -> None:
        """Move the time at which each open challenge expires, and have their cards say so."""
        for challenge_id, expires_at in await challenges.shift_open(tx, by):
            if clocks.is_worth_telling(by, expires_at - by - now):
                await outbox_messages.card(tx, challenge_id, f"moved:{now.timestamp()}", now)

    def _note_credit(self, now: ClockReading, missed: timedelta) -> None:
        self._last = now
        self._was_away = self.away
        if missed != ZERO:
            log.info("downtime credited to every clock", seconds=missed.total_seconds())
