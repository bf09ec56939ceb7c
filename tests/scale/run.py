"""A scale test from the first process to the verdict."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from random import Random

from bot.storage.database import Database
from bot.storage.transactions import cancel_all
from tests.scale import answers, verdict
from tests.scale.crowded_discord import CrowdedDiscord
from tests.scale.managing import manage
from tests.scale.pages import Pages
from tests.scale.playing import Crowd, Table
from tests.scale.trouble import Machines


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is to go on, and what is to happen. Times are in seconds."""

    seed: int
    bots: int = 2
    thinkers: int = 2
    shards: int = 6
    lease: float = 9.0
    rooms: int = 12
    channels: int = 4
    people: int = 25
    matches: int = 300
    computers: int = 30
    """How many of the matches are against the computer."""
    pages: int = 100
    """In how many of the matches the first person moves on the board page."""
    plies: int = 8
    leavers: int = 12
    """In how many of the matches between people one deletes what is stored about them at the end, one in a server."""
    minutes: float = 0.0
    """For how long people begin new matches."""
    between: tuple[float, float] = (5.0, 20.0)
    """From one trouble to the next."""
    troubles: int | None = None
    """How often something happens; for as long as people play where it is not said."""
    most: float = 3600.0
    """After how long it is given up, after these minutes."""


@dataclass
class Account:
    """What came of it."""

    problems: list[str]
    happened: dict[str, int]
    figures: dict[str, float] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    """How often each kind of error was logged."""


Progress = Callable[[Machines, Crowd], None]


async def lived(plan: Plan, folder: Path, on_second: Progress = lambda *_: None) -> Account:
    """Have people play while everything goes wrong; return what came of it. ``on_second`` is called every second."""
    random = Random(plan.seed)
    discord = CrowdedDiscord(plan.rooms, plan.channels, plan.people)
    await discord.open()
    machines = Machines(folder, discord, plan.bots, plan.thinkers, plan.shards, plan.lease, random)
    try:
        await machines.open()
        crowd = Crowd(discord, machines.url, _tables(plan, discord, random), Pages(machines.page_url, machines.pages))
        telling = asyncio.create_task(_told(on_second, machines, crowd))
        try:
            async with asyncio.timeout(60 * plan.minutes + plan.most):
                return await _lived(plan, machines, crowd)
        finally:
            telling.cancel()
            await crowd.close()
    finally:
        await machines.close()
        await discord.close()


async def _lived(plan: Plan, machines: Machines, crowd: Crowd) -> Account:
    began = time.monotonic()
    playing = asyncio.create_task(crowd.play())
    if plan.troubles is None and not plan.minutes:
        crowd.enough.set()
    if plan.minutes:
        asyncio.get_running_loop().call_later(60 * plan.minutes, crowd.enough.set)
    work = [asyncio.create_task(one) for one in (manage(crowd, machines.random), machines.tend())]
    database = Database(machines.url)
    try:
        await _trouble(plan, machines, playing)
        crowd.enough.set()
        await playing
        await work[0]
        took = time.monotonic() - began
        await _settled(database)
        await machines.clocks_told()
        told = await answers.told(database, crowd)
        problems = await verdict.problems(database, crowd) + machines.problems + told.untrue + crowd.pages.untrue
    finally:
        await cancel_all(work)
        await database.close()
    figures = {
        "seconds": round(took, 1),
        "matches": len(crowd.discord.boards),
        "matches to void": len(crowd.asked_to_void),
        "boards": sum(map(len, crowd.discord.boards.values())),
        **told.number,
        **crowd.pages.happened,
        "interactions": crowd.asked,
        "calls": crowd.discord.calls,
        "refused for the global limit": crowd.discord.refused["global"],
        "refused for a channel's limit": crowd.discord.refused["channel"],
        "refused for a server's limit": crowd.discord.refused["server"],
        "boards elsewhere meanwhile": crowd.discord.beside,
        "interactions without an answer": sum(not one.responded for one in crowd.discord.backend.interactions.values()),
        "answers to interactions that were refused": crowd.discord.answered_again,
        "invalid calls left before a ban": crowd.discord.fewest_allowed,
    }
    return Account(problems, dict(machines.happened), figures, dict(machines.errors()))


async def _told(on_second: Progress, machines: Machines, crowd: Crowd) -> None:
    while True:
        on_second(machines, crowd)
        await asyncio.sleep(1)


async def _trouble(plan: Plan, machines: Machines, playing: asyncio.Task[None]) -> None:
    """Have everything happen in some order, over and over, while people play."""
    waiting: list[object] = []
    done = 0
    while not playing.done() and (plan.troubles is None or done < plan.troubles):
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(playing), machines.random.uniform(*plan.between))
            return
        if not waiting:
            waiting = machines.random.sample(machines.troubles, len(machines.troubles))
        await machines.happen(waiting.pop())  # type: ignore[arg-type]
        done += 1


async def _settled(database: Database) -> None:
    """Wait until nothing is pending."""
    while await verdict.pending(database):
        await asyncio.sleep(0.2)


def _tables(plan: Plan, discord: CrowdedDiscord, random: Random) -> list[Table]:
    """Return who plays whom: no two people twice."""
    tables = []
    for number in range(plan.matches):
        room = discord.rooms[number % plan.rooms]
        alone = number < plan.computers
        turn = number // plan.rooms
        if alone:
            one, other = room.people[turn], None
        else:
            one, other = list(combinations(room.people, 2))[turn * 7 % (plan.people * (plan.people - 1) // 2)]
        channel = room.channels[turn % plan.channels]
        plies = random.randint(2, 2 * plan.plies)
        leaves = 0 <= number - plan.computers < min(plan.leavers, plan.rooms)
        one = room.leaver if leaves else one
        resigns = random.random() < 0.7 and not leaves
        on_page = plan.matches - number <= plan.pages
        tables.append(Table(number, room, channel, one, other, plies, resigns, leaves, on_page))
    return tables
