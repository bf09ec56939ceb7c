"""A scale test from the first process to the verdict."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random

from bot.storage.database import Database
from bot.storage.transactions import cancel_all
from tests.scale import verdict
from tests.scale.crowded_discord import CrowdedDiscord
from tests.scale.playing import Crowd, Table
from tests.scale.trouble import Machines


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is to go on, and what is to happen. Times are in seconds."""

    seed: int
    bots: int
    thinkers: int
    shards: int
    lease: float
    rooms: int
    channels: int
    people: int
    matches: int
    computers: int
    """How many of the matches are against the computer."""
    plies: int
    between: tuple[float, float]
    """From one trouble to the next."""
    troubles: int
    """How often something happens, if people play for so long."""
    most: float
    """After how long it is given up."""


async def lived(plan: Plan, folder: Path) -> tuple[list[str], dict[str, int]]:
    """Have people play while everything goes wrong; return what is not as it has to be, and what happened how often."""
    random = Random(plan.seed)
    discord = CrowdedDiscord(plan.rooms, plan.channels, plan.people)
    await discord.open()
    machines = Machines(folder, discord, plan.bots, plan.thinkers, plan.shards, plan.lease, random)
    try:
        await machines.open()
        crowd = Crowd(discord, machines.url, _tables(plan, discord, random))
        try:
            async with asyncio.timeout(plan.most):
                return await _lived(plan, machines, crowd)
        finally:
            await crowd.close()
    finally:
        await machines.close()
        await discord.close()


async def _lived(plan: Plan, machines: Machines, crowd: Crowd) -> tuple[list[str], dict[str, int]]:
    playing = asyncio.create_task(crowd.play())
    tending = asyncio.create_task(machines.tend())
    database = Database(machines.url)
    try:
        await _trouble(plan, machines, playing)
        crowd.enough.set()
        await playing
        await _settled(database)
        problems = await verdict.problems(database, crowd) + await verdict.untrue(database, crowd)
    finally:
        await cancel_all([tending])
        await database.close()
    return problems + machines.problems, dict(machines.happened)


async def _trouble(plan: Plan, machines: Machines, playing: asyncio.Task[None]) -> None:
    """Have everything happen in some order, over and over, while people play."""
    waiting: list[object] = []
    for _ in range(plan.troubles):
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(playing), machines.random.uniform(*plan.between))
            return
        if not waiting:
            waiting = machines.random.sample(machines.troubles, len(machines.troubles))
        await machines.happen(waiting.pop())  # type: ignore[arg-type]


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
        tables.append(Table(number, room, channel, one, other, plies, resigns=random.random() < 0.7))
    return tables
