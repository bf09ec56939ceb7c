"""A use of the bot is noted at most once an hour, and of several that end an absence one does so."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from sqlalchemy import delete, select

from bot.storage import tables
from tests.matches.conftest import ALICE, Crowd, crowd_at
from tests.support.postgresql import needs_postgresql


async def test_a_use_is_noted_once_an_hour(crowd: Crowd) -> None:
    async def noted() -> list[int]:
        async with crowd.database.read() as tx:
            return list((await tx.execute(select(tables.visits.c.user_id))).scalars())

    await crowd.services.returns.note(ALICE.id)
    async with crowd.database.write() as tx:
        await tx.execute(delete(tables.visits))
    crowd.later(minutes=59)
    await crowd.services.returns.note(ALICE.id)
    assert await noted() == []
    crowd.later(minutes=1)
    await crowd.services.returns.note(ALICE.id)
    assert await noted() == [ALICE.id]


async def test_the_page_notes_uses_but_no_return(crowd: Crowd) -> None:
    note = crowd.services.returns.note
    began = crowd.now
    await note(ALICE.id)
    crowd.later(days=2)
    await note(ALICE.id, tells=False)
    crowd.later(days=2)
    assert await note(ALICE.id) is None, "they have been on the page meanwhile"
    crowd.later(days=4)
    assert await note(ALICE.id, tells=False) is None
    assert await note(ALICE.id) == began + timedelta(days=4)


@needs_postgresql
async def test_of_two_processes_one_tells_who_comes_back(server: str) -> None:
    async with crowd_at(server) as crowd, crowd_at(server) as other:
        await crowd.services.returns.note(ALICE.id)
        for one in (crowd, other):
            one.now += timedelta(days=4)
        told = await asyncio.gather(*(one.services.returns.note(ALICE.id) for one in (crowd, other)))
    assert sorted(at is None for at in told) == [False, True]
