"""A process that only thinks: it plays the turns of computer players and reviews finished matches. Knows no Discord.

The bot that serves the server posts the moves it plays.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from bot.cluster.health import HealthPage
from bot.compute.queue import ComputeQueue
from bot.games import GAMES
from bot.matches.background_work import ComputerTurnRunner, ReviewRunner
from bot.matches.service_context import ServiceContext, plain_idle
from bot.matches.services import create_services
from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.errors import ImpossibleSetting, explain_errors
from bot.storage.processes import THINKER
from bot.storage.registration import Registration
from bot.storage.transactions import cancel_all, retry_until_stored

log = structlog.get_logger(__name__)


async def think(settings: Settings, stop: asyncio.Event) -> bool:
    """Think until ``stop`` is set; return False if other processes have taken this one for dead.

    Another process repeats the searches that are not finished by then. Raises ``StorageError`` or ``PortError``.
    """
    database = Database(settings.database_url, settings.database_direct_url, limited=True)
    if database.sqlite:
        raise ImpossibleSetting(
            "An SQLite database is for one bot, which thinks itself: let DATABASE_URL name PostgreSQL."
        )
    try:
        async with (
            ComputeQueue(settings.workers, thinkers=settings.thinkers) as queue,
            _serve_health_page(database, queue, settings) as page,
        ):
            if not await _before(stop, retry_until_stored(database.open)):
                return True
            return await _think(database, queue, stop, settings.thinkers, page)
    finally:
        await database.close()


@asynccontextmanager
async def _serve_health_page(
    database: Database, queue: ComputeQueue, settings: Settings
) -> AsyncIterator[HealthPage | None]:
    """Serve the page for machines if a port is set."""
    if settings.metrics_port is None:
        yield None
        return
    heartbeat = timedelta(seconds=settings.heartbeat)
    page = HealthPage(
        database,
        settings.metrics_port,
        _now,
        heartbeat,
        queue.longest_wait,
        settings.metrics_host,
        "thinking",
        THINKER,
    )
    await page.open()
    try:
        yield page
    finally:
        await page.close()


async def _before(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> bool:
    """Do some work; return False if ``stop`` was set before it was done. Raises what it raises."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
            return True
        return False
    finally:
        await cancel_all((working, stopping))


def _now() -> datetime:
    return datetime.now(UTC)


async def _think(
    database: Database, queue: ComputeQueue, stop: asyncio.Event, thinkers: int, page: HealthPage | None
) -> bool:
    lost = asyncio.Event()
    registration = Registration(database, THINKER, database.signals.received, lost.set, rules=GAMES.rules)
    with explain_errors(database.url):
        if not await _before(stop, retry_until_stored(registration.open)):
            await registration.close()
            return True
    context = ServiceContext(database, _now, queue)
    services = create_services(context)
    turns = ComputerTurnRunner(services, lambda: plain_idle, 2 * max(1, thinkers))
    reviews = ReviewRunner(services, lambda: plain_idle)
    log.info("thinking", thinkers=thinkers)
    working = [asyncio.create_task(work) for work in (turns.run(), reviews.run())]
    if page is not None:
        page.trouble = lambda: turns.trouble or reviews.trouble
        page.warnings = lambda: filter(None, (registration.warning,))
        page.ended = lambda: "a worker" if any(task.done() for task in working) else None
    ends = [asyncio.create_task(event.wait()) for event in (stop, lost)]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancel_all((*working, *ends))
        await turns.close()
        await reviews.close()
        await registration.close()
        log.info("stopped")
    return not lost.is_set()
