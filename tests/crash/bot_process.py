"""One life of the bot, in a process of its own: it wakes up in a harness and ends as it is told to.

Forked from a process that has played a scenario, so that a life costs little more than what it does.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from base64 import b64decode
from collections.abc import MutableMapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog
import structlog.testing
from simcord.backend.errors import SetupError

import tests.support.compiled_once  # noqa: F401 - for its effect
from bot.matches.model import judging
from bot.matches.model.policies import news
from bot.settings import Settings
from renderers import image
from tests.crash.crash_points import Moment, Point, ProcessKiller
from tests.crash.final_state import account_of
from tests.crash.persistence import enter, keep
from tests.crash.scenarios import SCENARIOS, Scenario
from tests.support.ports import free_port
from tests.support.simulated_discord import SimulatedDiscord

WORLD, DATABASE, CRASH_POINT_FILE, LOG, ACCOUNT = (
    "harness.pickle",
    "tavoliere.db",
    "epitaph.txt",
    "log.txt",
    "account.json",
)
HEARTBEAT = 6 * 3600
"""Seconds; more often would only mean more of the same."""
SECOND_TRY = 60.0
"""Seconds after which what could not be sent has been tried again."""
WARM_UP = "an agreed draw"
"""The scenario that is played before the first life."""
BLANK = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
"""A picture of one dot."""


class Chapter(StrEnum):
    """The purpose of a life."""

    BEFORE = "before"
    """Everything up to the action."""
    ACTION = "action"
    """The action, in danger from the moment it is done."""
    RECOVERY = "recovery"
    """In danger from the first breath; then the action, if it is still to be done."""
    HASTE = "rate_limit"
    """The action and what follows at once, before what Discord did not answer is tried again; an account of it all."""
    AFTER = "after"
    """The action, if it is still to be done, then whatever follows, and an account of it all."""


@dataclass(frozen=True, slots=True)
class Life:
    """A life to be lived in ``folder``, which holds the harness and the database."""

    scenario: str
    chapter: Chapter
    folder: Path
    point: Point | None = None


def live(life: Life) -> None:
    """Live a life; the process ends with it. What it logs is kept in the folder."""
    log = os.open(life.folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    logging.basicConfig(level=logging.WARNING, format=f"{life.chapter} %(levelname)s %(name)s %(message)s")
    asyncio.run(_live(life, _overheard()))


def _overheard() -> list[str]:
    """Return the errors that are logged in this process from now on."""
    errors: list[str] = []

    def note(_logger: Any, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if level in ("error", "exception", "critical"):
            errors.append(str(event["event"]))
        return event

    structlog.configure(processors=[note, *structlog.get_config()["processors"]])
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: errors.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    return errors


async def warm_up() -> None:
    """Play a scenario and keep nothing of it, so that lives forked from this process find their caches filled."""
    _skip_work()
    scenario = SCENARIOS[WARM_UP]
    with TemporaryDirectory() as folder, structlog.testing.capture_logs():
        sim = enter(_settings(Path(folder)), Path(folder) / WORLD)
        try:
            await sim.env.start()
            for part in (scenario.before, scenario.action, scenario.after):
                await part(sim)
        finally:
            await sim.env.bot.close()
            await sim.env.shutdown()


def _skip_work() -> None:
    """Leave out what takes time and cannot be lost."""
    # People here move within seconds, and all the same each has to be told.
    news.JUST_NOW = news.HERE = timedelta(0)
    image.png = _blank  # drawing takes time and leaves nothing behind that could be lost
    judging.MOST_NODES, judging.LEAST_NODES = 60, 20  # so does judging well


def _settings(folder: Path, page: bool = False) -> Settings:
    return Settings(
        _env_file=None,
        database_url=f"sqlite+aiosqlite:///{folder / DATABASE}",
        workers=1,
        picture_workers=0,
        thinkers=0,
        heartbeat=HEARTBEAT,
        web_port=free_port() if page else None,
    )


async def _live(life: Life, errors: list[str]) -> None:
    scenario, file = SCENARIOS[life.scenario], life.folder / WORLD
    _skip_work()
    sim = enter(_settings(life.folder, scenario.page), file)
    killer = ProcessKiller(life.point, life.folder / CRASH_POINT_FILE, lambda: keep(sim.env.backend, file))
    killer.install()
    try:
        killer.watching = life.chapter is Chapter.RECOVERY
        await sim.env.start()
        if life.chapter is Chapter.BEFORE:
            await scenario.before(sim)
            return
        killer.watching = True
        await scenario.action(sim)
        killer.watching = False
        if life.chapter is Chapter.HASTE:
            await _hasty(sim, scenario)
        if life.point is not None and life.point.moment is Moment.LOST:
            await sim.env.advance_time(SECOND_TRY)
        (life.folder / f"{life.chapter}.json").write_text(json.dumps(killer.passed))
        if life.chapter is Chapter.AFTER:
            await scenario.after(sim)
        if life.chapter in (Chapter.AFTER, Chapter.HASTE):
            (life.folder / ACCOUNT).write_text(json.dumps(await account_of(sim) | {"errors": errors}))
        sim.env.raise_errors()
    finally:
        await sim.env.bot.close()
        await sim.env.shutdown()
        keep(sim.env.backend, file)


async def _hasty(sim: SimulatedDiscord, scenario: Scenario) -> None:
    """Go on with what there is, and wait only for what there is not."""
    try:
        await scenario.action(sim)
        await scenario.after(sim)
    except (LookupError, SetupError):
        await sim.env.advance_time(SECOND_TRY)
        await scenario.action(sim)
        await scenario.after(sim)


def _blank(*_scene: object, **_options: object) -> bytes:
    return BLANK
