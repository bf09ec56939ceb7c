"""Finds downtime, whatever its cause, and gives it back to every clock exactly once.

The bot may have been stopped, suspended, or without storage; Discord may have been out of reach; the machine's clock
may have been set. Heartbeats record that people could play. A longer gap between two of them is downtime.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.pace import LIVE
from bot.matches.service_context import ServiceContext
from bot.matches.writing import clocks, outbox_messages
from bot.storage import challenges, due, guilds, running_clocks
from bot.storage.running_clocks import Credit
from bot.storage.shards import Shard
from bot.storage.transactions import retried

log = structlog.get_logger(__name__)

BEATS = 12
"""How many heartbeats are stored in a round of ``HEARTBEAT``: what an outage takes is known to the time between two."""
MIN_GAP = timedelta(seconds=5)
"""Shorter gaps are not counted as downtime."""
LIVE_BEAT = timedelta(seconds=1)
"""The time between two heartbeats while live matches are played; a restart then gives back any longer gap."""
MATCHES_AT_ONCE, BEFORE_PLAY = 1000, 10_000
"""So many running matches are given time back in one transaction, between which people play, and at the start, before
they do: a larger part takes half the time for a match.
"""
ZERO = timedelta(0)
NO_MATCH, EVERY_MATCH = range(0), range(sys.maxsize)


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
        self._part_done = asyncio.Event()
        self._uncredited = NO_MATCH
        """The numbers of the matches whose clocks may still lack noted downtime."""
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

    async def credit_downtime(self) -> timedelta:
        """Credit the time since the last heartbeat of an earlier run of the bot, and return it.

        What that run had not credited to all is, too. Clocks stop in matches that this process cannot play, and go on
        where it can again.
        """
        async with self._alone():
            missed = await self._begin_with_downtime()
            await self._credit_all(BEFORE_PLAY)
            await self._compare_rules()
        return missed

    @retried
    async def _begin_with_downtime(self) -> timedelta:
        now = self._now()
        async with self._context.database.write() as tx:
            last = await guilds.last_heartbeat(tx)
            gap = ZERO if last is None else now.at - last
            live = last is not None and await due.any_live(tx, last, LIVE)
            missed = gap if gap > (LIVE_BEAT if live else MIN_GAP) else ZERO
            if missed != ZERO:
                await running_clocks.add_credit(tx, now.at - missed, now.at)
            await guilds.beat(tx, now.at)
        self._note_credit(now, missed)
        return missed

    @retried
    async def _compare_rules(self) -> None:
        async with self._context.database.write() as tx:
            await clocks.compare_rules(tx, self._context.rules, self._context.clock())

    async def credit_missed(self, match_id: int | None = None) -> None:
        """Credit the downtime since the last heartbeat, if there was any, and that of single shards.

        While it is being credited to many matches, a caller that names one goes on as soon as that one has it.
        """
        while self._crediting.locked() and self._awaits_credit(match_id):
            await self._part_done.wait()
        if self._missed_time() == ZERO:
            self._was_away = self.away
            if not self._left and not self._awaits_credit(match_id):
                return
        async with self._alone():
            if self._missed_time() != ZERO:
                await self._begin()
            if self._uncredited:
                await self._credit_all()
            await self._credit_shards()

    def _awaits_credit(self, match_id: int | None) -> bool:
        """Return whether a match still lacks noted downtime; without a number, whether any does."""
        return bool(self._uncredited) if match_id is None else match_id in self._uncredited

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Hold off others who credit. Whatever comes of it, those who wait for a match look again."""
        async with self._crediting:
            try:
                yield
            finally:
                self._wake_waiting()

    def _wake_waiting(self) -> None:
        """Wake callers that wait for a match to be credited."""
        self._part_done.set()
        self._part_done = asyncio.Event()

    @retried
    async def _begin(self) -> None:
        """Note the downtime to give back, and a heartbeat."""
        self._uncredited = EVERY_MATCH
        now, missed = self._now(), self._missed_time()
        jump = self._jump(now)
        async with self._context.database.write() as tx:
            noted = await guilds.last_heartbeat(tx)
            if noted is not None and self._last is not None and noted > self._last.at:
                # An earlier attempt was stored after all: its answer got lost.
                missed = now.at - noted if now.at - noted > MIN_GAP else ZERO
            if missed != ZERO:
                await running_clocks.add_credit(tx, now.at - missed, now.at)
            await self._shift_challenges(tx, jump, now.at)
            await guilds.beat(tx, now.at)
        self._note_credit(now, missed)
        # A shard gets only what was not just given to everyone.
        for shard, since in self._left.items():
            lost = min((missed - jump).total_seconds(), now.monotonic - since.monotonic)
            self._left[shard] = replace(since, monotonic=since.monotonic + max(0.0, lost))

    async def _credit_all(self, at_once: int | None = None) -> None:
        """Give back all noted downtime, part by part, to so many matches ``at_once``.

        Other writes, and turns in matches that are done, go on in between.
        """
        self._uncredited = EVERY_MATCH
        credits = await self._context.read(running_clocks.credits)
        for credit in credits:
            part: Credit | None = credit
            while part is not None and (part := await self._credit_part(part, at_once or MATCHES_AT_ONCE)) is not None:
                if credit == credits[-1]:
                    self._uncredited = range(part.up_to + 1, part.last_match + 1)
                    self._wake_waiting()
        self._uncredited = NO_MATCH
        if credits:
            await self._put_right()

    @retried
    async def _put_right(self) -> None:
        async with self._context.database.write() as tx:
            await clocks.put_right(tx, running_clocks.of_all(), self._context.clock())

    @retried
    async def _credit_part(self, credit: Credit, at_once: int) -> Credit | None:
        """Give back to the next matches, so many at once; return how far the credit has come, None once it is done.

        A heartbeat is stored with each part, so that the work itself does not count as downtime. While Discord is out
        of reach it does.
        """
        now, in_time = self._now(), not self._was_away and self._missed_time() == ZERO
        async with self._context.database.write() as tx:
            up_to = await running_clocks.end_of_part(tx, credit, at_once)
            await clocks.move(tx, running_clocks.of_part(credit, up_to), credit.since, credit.until)
            credited = replace(credit, up_to=up_to)
            await running_clocks.note_part(tx, credited)
            if in_time:
                await guilds.beat(tx, now.at)
        if in_time:
            self._last = now
        return None if up_to == credit.last_match else credited

    async def _credit_shards(self) -> None:
        """Credit to the servers of single shards the time for which these were out of reach."""
        now = self._now()
        for shard, since in list(self._left.items()):
            elapsed = timedelta(seconds=now.monotonic - since.monotonic)
            if shard not in self._back and elapsed <= MIN_GAP:
                continue
            await self._begin_shard(shard, now.at - max(ZERO, elapsed), now)
            await self._credit_all()
            if shard in self._back:
                self._back.discard(shard)
                self._context.away.discard(shard)
                del self._left[shard]

    @retried
    async def _begin_shard(self, shard: Shard, down: datetime, now: ClockReading) -> None:
        self._uncredited = EVERY_MATCH
        async with self._context.database.write() as tx:
            await running_clocks.add_credit(tx, down, now.at, shard)
        self._left[shard] = now

    @retried
    async def beat(self) -> None:
        """Store a heartbeat, unless there is downtime to credit first."""
        async with self._alone():
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

    async def _shift_challenges(self, tx: AsyncConnection, by: timedelta, now: datetime) -> None:
        """Move the time at which each open challenge expires, and have the cards say so that expire first."""
        if by != ZERO:
            share, most = clocks.WORTH_TELLING, clocks.TOLD_AT_ONCE
            for challenge_id in await challenges.shift_open(tx, by, now, share, most):
                await outbox_messages.card(tx, challenge_id, f"moved:{now.timestamp()}", now)

    def _note_credit(self, now: ClockReading, missed: timedelta) -> None:
        self._last = now
        self._was_away = self.away
        if missed != ZERO:
            log.info("downtime credited to every clock", seconds=missed.total_seconds())
