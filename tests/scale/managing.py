"""People who manage the servers meanwhile: they bar and unbar a person, and void matches that are over."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from random import Random

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.messages import custom_ids
from bot.storage.tables import matches
from tests.scale.crowded_discord import Room
from tests.scale.playing import Crowd

BETWEEN = (5.0, 25.0)
"""Seconds from one act of a manager to the next."""


async def manage(crowd: Crowd, random: Random) -> None:
    """Have every server managed until people have played enough."""
    async with asyncio.TaskGroup() as tasks:
        for room in crowd.discord.rooms:
            tasks.create_task(_manage(crowd, room, Random(random.random())))


async def _manage(crowd: Crowd, room: Room, random: Random) -> None:
    act = partial(room.command, room.manager, room.channels[0])
    barred = False
    while not crowd.enough.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(crowd.enough.wait(), random.uniform(*BETWEEN))
        over = crowd.over[room.guild.id]
        if over and random.random() < 0.5:
            match = over.pop(random.randrange(len(over)))
            yes = custom_ids.VOID(sure=True, match=match)
            while not await crowd.look(partial(_voided, match)):
                await crowd.answered(partial(act, "manage void", match=match))
                await crowd.confirmed(room, room.manager, room.channels[0], yes)
            crowd.asked_to_void.add(match)
        else:
            barred = not barred
            await crowd.answered(partial(act, "manage bar" if barred else "manage unbar", person=room.barred))


async def _voided(match: int, tx: AsyncConnection) -> bool:
    done = select(matches.c.id).where(matches.c.id == match, matches.c.voided_by.is_not(None))
    return (await tx.execute(done)).first() is not None
