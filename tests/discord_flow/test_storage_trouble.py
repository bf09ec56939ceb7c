"""The database is locked by another program, or the disk is full: a clear answer, nothing half done, and then play goes
on.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import repeat
from typing import Any

import pytest
from sqlalchemy import event

from bot.storage import engines, guilds, matches
from bot.views.permissions import PERMISSIONS
from tests.support.acting import (
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    labels,
    opened_builder,
    told,
    unsettled,
)
from tests.support.simulated_discord import SimulatedDiscord, regrant
from tests.support.waiting import until

pytestmark = pytest.mark.own_bot

HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
"""


@asynccontextmanager
async def locked(sim: SimulatedDiscord) -> AsyncIterator[asyncio.subprocess.Process]:
    """Have another process lock the database for writing until the test releases it."""
    path = sim.bot.context.services.database.url.database
    assert path is not None
    pipe = asyncio.subprocess.PIPE
    holder = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLDER, path, stdin=pipe, stdout=pipe)
    assert holder.stdout is not None
    assert (await holder.stdout.readline()).strip() == b"held"
    try:
        yield holder
    finally:
        await let_go(holder)


async def let_go(holder: asyncio.subprocess.Process) -> None:
    if holder.returncode is None:
        await holder.communicate(b"\n")


async def played(sim: SimulatedDiscord, match_id: int = 1) -> list[str]:
    return [move.text for move in await sim.bot.context.services.read(matches.moves_of, match_id)]


async def test_a_move_while_another_process_writes_is_acknowledged_at_once_and_made_once_afterwards(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    async with locked(sim) as holder:
        with unsettled(sim):
            click = await sim.alice.click(builder, label="Play it")
            typed = await sim.alice.slash(sim.place(thread), "move", move="c3")
        await until(lambda: click.acknowledged and typed.acknowledged, "answers while another process writes")
        assert await played(sim) == []
        await let_go(holder)
        await sim.env.settle()
    assert await played(sim) == ["c3"]
    assert len(boards(sim, thread)) == 2


@contextmanager
def little_patience(sim: SimulatedDiscord) -> Iterator[None]:
    """Wait only a moment for other writers in the block."""
    engine = sim.bot.context.services.database.engine.sync_engine

    def hurry(connection: Any, *_others: Any) -> None:
        connection.execute("PRAGMA busy_timeout=100").close()

    def wait(connection: Any, *_others: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout={int(engines.BUSY_SECONDS * 1000)}").close()

    event.listen(engine, "checkout", hurry)
    try:
        yield
    finally:
        event.remove(engine, "checkout", hurry)
        event.listen(engine, "checkout", wait)


@pytest.mark.slow
@pytest.mark.usefixtures("failures_expected")
async def test_a_server_that_is_lost_while_nothing_can_be_stored_has_its_clocks_stopped_a_little_later(
    sim: SimulatedDiscord,
) -> None:
    await challenge_accepted(sim)

    async def departed() -> set[int]:
        return set(await sim.bot.context.services.read(guilds.departures))

    async with locked(sim):
        with little_patience(sim):
            sim.env.backend.emit("GUILD_DELETE", {"id": str(sim.guild.id), "unavailable": True})
            await sim.env.settle()
    assert await departed() == set()
    await sim.env.advance_time(15)
    assert await departed() == {sim.guild.id}


@pytest.mark.slow
@pytest.mark.usefixtures("failures_expected")
async def test_what_was_dropped_is_sent_though_nothing_can_be_stored_when_that_is_permitted_again(
    sim: SimulatedDiscord,
) -> None:
    card = await challenge(sim)
    sim.env.inject_error("PATCH", f"/channels/{sim.channel.id}/messages/{card.id}", status=403, code=50013)
    await sim.alice.click(card, label="Cancel")
    async with locked(sim):
        with little_patience(sim):
            regrant(sim, PERMISSIONS)
            await sim.env.settle()
    assert "Cancel" in labels(cards(sim)[-1])
    await sim.env.advance_time(15)
    assert labels(cards(sim)[-1]) == []


def _fill(sim: SimulatedDiscord) -> int:
    """Use up the free pages of the database file; return the number of its pages."""
    path = str(sim.bot.context.services.database.url.database)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE ballast (weight BLOB)")
        pages = int(connection.execute("PRAGMA page_count").fetchone()[0])
        connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            deque(map(connection.execute, repeat("INSERT INTO ballast VALUES (zeroblob(4000))")), maxlen=0)
    return pages


@asynccontextmanager
async def full_disk(sim: SimulatedDiscord) -> AsyncIterator[None]:
    """Let the database file grow no more, and leave little room in it."""
    engine = sim.bot.context.services.database.engine
    pages = _fill(sim)

    def limit(connection: Any, *_others: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}").close()

    def lift(connection: Any, *_others: Any) -> None:
        connection.execute("PRAGMA max_page_count=1073741823").close()

    event.listen(engine.sync_engine, "checkout", limit)
    try:
        yield
    finally:
        event.remove(engine.sync_engine, "checkout", limit)
        event.listen(engine.sync_engine, "checkout", lift)


@pytest.mark.slow
@pytest.mark.usefixtures("failures_expected")
async def test_a_full_disk_leaves_no_half_written_turn_and_is_survived(sim: SimulatedDiscord) -> None:
    threads = [await challenge_accepted(sim) for _ in range(3)]
    accepted: list[int] = []
    async with full_disk(sim):
        for at in range(60):
            match_id, square = at % 3 + 1, f"{'abcde'[at // 6 % 5]}{at // 30 * 2 + at // 3 % 2 + 1}"
            mover = (sim.alice, sim.bob)[len(await played(sim, match_id)) % 2]
            said = told(await mover.slash(sim.place(threads[match_id - 1]), "move", move=square, match=match_id))
            if "I can't save anything right now" in said:
                break
            assert "You played" in said
            accepted.append(match_id)
        else:
            pytest.fail("the disk was never full")
        for match_id in (1, 2, 3):
            assert len(await played(sim, match_id)) == accepted.count(match_id)
    await sim.env.advance_time(1300)
    for match_id, thread in enumerate(threads, 1):
        stored = len(await played(sim, match_id))
        assert custom_ids(boards(sim, thread)[-1])[0] == f"play:{match_id}:{stored}"
        mover = (sim.alice, sim.bob)[stored % 2]
        assert "You played **e5**" in told(await mover.slash(sim.place(thread), "move", move="e5"))
