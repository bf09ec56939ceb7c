"""Waits beside a flood of thoughts

The services on SQLite, with one thinker and two processes for pictures, without Discord. One person has 29 matches at
level 5, asks for a hint before each move and moves at once; six reviews of matches of 290 plies are under way, which
two people have asked for. Meanwhile another person plays Redo at level 5, and a third looks at one board after the
other. They do the same before the flood, in the same run. Milliseconds; the loop is how long a new task on the event
loop waits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import structlog
from discord.utils import utcnow

from bot.compute.job import Pool, on_behalf_of
from bot.compute.result_cache import ResultCache
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.messages.pictures import BoardRenderer
from bot.storage import match_lists
from bot.storage.people import Preferences
from bot.storage.records import First, MatchState
from tests.benchmarks.lag import Lag
from tests.figures import table
from tests.figures.computer import BUSY, CHANNEL, GUILD, OTHER, Play, playing
from tests.support.crowds.filling import Server, crowd, fill
from tests.support.crowds.matches import standing_at

MATCHES, REVIEWS, LONG, LEVEL = 29, 6, 290, 5
REPLIES, LOOKS, PAUSE = 20, 100, 0.2
"""Replies and looks at a board that are timed in each case, at least, and the seconds between two looks."""
LOOKER, SECOND_READER = 3, 4
TERMS = Terms("redo", "standard", 2, First.CHALLENGER, rated=False)


@dataclass
class _Waits:
    """Seconds until a reply, until a board is drawn, and until the loop begins something new."""

    replies: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    lag: Lag = field(default_factory=Lag)


def measure() -> list[str]:
    """Measure both cases and their ratios."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with TemporaryDirectory() as folder:
        alone, beside = asyncio.run(_measured(Path(folder, "flood.db")))
    rows = []
    for what, name in (("reply at level 5", "replies"), ("board", "boards"), ("loop", "lag")):
        both = [_spread(getattr(case, name)) for case in (alone, beside)]
        for number, kind in enumerate(("median", "99th percentile", "worst")):
            one, other = (each[number] for each in both)
            rows.append((f"{what}, {kind}", f"{one:.1f}", f"{other:.1f}", f"{other / one:.1f}" if one >= 1 else "-"))
    return [
        *table(("Wait", "alone", "beside the flood", "ratio"), rows),
        "",
        f"{len(alone.replies)} and {len(beside.replies)} replies, {len(alone.boards)} and {len(beside.boards)} boards.",
    ]


def _spread(waits: Sequence[float] | Lag) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the worst, in milliseconds."""
    seconds = waits.seconds if isinstance(waits, Lag) else waits
    return 1000 * median(seconds), 1000 * quantiles(seconds, n=100, method="inclusive")[98], 1000 * max(seconds)


async def _measured(file: Path) -> tuple[_Waits, _Waits]:
    people = tuple(crowd(60, GUILD))
    long = [standing_at("redo", "standard", LONG) for _ in range(REVIEWS)]
    here = Server(GUILD, (CHANNEL,), people, tuple(range(10_000, 10_000 + REVIEWS)))
    fill(file, [here], running=40, finished=0, now=utcnow(), wanted=long)
    async with playing(file, thinkers=1, picture_workers=2) as play:
        services = play.services
        running = {match.id: match for person in people for match in await _running(play, person.id)}
        reviewed = [match for match in running.values() if match.place_id in here.threads]
        shown = [number for number, match in running.items() if match not in reviewed]
        match_id = await play.begin(OTHER, LEVEL, TERMS)
        alone = await _waits(play, match_id, shown)
        for number, match in enumerate(reviewed):
            await services.forfeits.resign(play.request(match.id, match.movers[0].person))
            with on_behalf_of(asker := (BUSY.id, SECOND_READER)[number % 2]):
                await services.reviews.ask(GUILD, match.id, asker)
        floods = [_flood(play, await play.begin(BUSY, LEVEL, TERMS)) for _ in range(MATCHES)]
        async with _under_way(*floods):
            beside = await _waits(play, match_id, shown)
    return alone, beside


async def _running(play: Play, user_id: int) -> list[Any]:
    async with play.services.context.database.read() as tx:
        return await match_lists.of_person(tx, user_id, MatchState.RUNNING)


async def _waits(play: Play, match_id: int, shown: Sequence[int]) -> _Waits:
    """Return what one person waits for replies, and another for boards, until there are enough of both."""
    waits = _Waits()
    with waits.lag.measured(asyncio.get_running_loop()):
        async with asyncio.TaskGroup() as group:
            replying = group.create_task(_replies(play, match_id, waits.replies))
            group.create_task(_looks(play, shown, waits.boards, replying))
    return waits


async def _replies(play: Play, match_id: int, waits: list[float]) -> None:
    while len(waits) < REPLIES:
        begun = time.perf_counter()
        if await play.moved(match_id, OTHER):
            waits.append(time.perf_counter() - begun)
        else:
            match_id = await play.begin(OTHER, LEVEL, TERMS)


async def _looks(play: Play, shown: Sequence[int], waits: list[float], beside: asyncio.Task[None]) -> None:
    """Look at boards of which no picture is known."""
    context = play.services.context
    renderer, pictures = BoardRenderer(context), context.queue._pools[Pool.PICTURES]
    for match_id in cycle(shown):
        if len(waits) >= LOOKS and beside.done():
            return
        pictures._cache = ResultCache(time.monotonic)
        begun = time.perf_counter()
        with on_behalf_of(LOOKER):
            view = await play.services.queries.match_view(GUILD, match_id)
            await renderer.look(view.match, view.game_state, 0, Preferences())
        waits.append(time.perf_counter() - begun)
        await asyncio.sleep(PAUSE)


async def _flood(play: Play, match_id: int) -> None:
    """Ask for a hint before each move, in one match after the other."""
    while True:
        with on_behalf_of(BUSY.id), suppress(Refusal):
            await play.services.hints.hint(play.request(match_id, BUSY))
        if not await play.moved(match_id, BUSY):
            match_id = await play.begin(BUSY, LEVEL, TERMS)


@asynccontextmanager
async def _under_way(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
