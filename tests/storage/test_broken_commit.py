"""The connection to PostgreSQL breaks in a commit, whose outcome stays unknown: the bot stores nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest
import pytest_asyncio
from sqlalchemy import Connection, event

from bot.matches.model.refusals import AlreadyProcessed
from bot.storage import processes
from bot.storage.database import Database
from bot.storage.errors import CommitUnknown
from bot.storage.processes import THINKER
from bot.storage.records import First
from tests.matches.conftest import ALICE, GUILD, YONMOQUE, Crowd, crowd_at
from tests.support.cutting_relay import Cut, CuttingRelay, cutting_relay
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql

SECOND = replace(YONMOQUE, first=First.OPPONENT)


@pytest_asyncio.fixture
async def cut(server: str) -> AsyncIterator[tuple[Crowd, CuttingRelay]]:
    """The services on an empty database of that server, reached through a relay."""
    async with cutting_relay(server) as (relay, address), crowd_at(address) as crowd:
        yield crowd, relay


@contextmanager
def next_write(database: Database, relay: CuttingRelay, when: Cut) -> Iterator[None]:
    """Cut the connection in the commit of the next write transaction, but not at the end of reading ones."""

    def arm(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            relay.next_cut = when

    event.listen(database.engine.sync_engine, "commit", arm)
    try:
        yield
    finally:
        event.remove(database.engine.sync_engine, "commit", arm)


@pytest.mark.slow
@pytest.mark.parametrize(("when", "stored"), [(Cut.BEFORE_COMMIT, []), (Cut.AFTER_COMMIT, ["c3"])])
async def test_a_commit_that_was_not_answered_may_be_stored_and_pressing_again_doubles_nothing(
    cut: tuple[Crowd, CuttingRelay], when: Cut, stored: list[str]
) -> None:
    crowd, relay = cut
    match_id = await crowd.begin()
    request = crowd.request(match_id, ALICE, 0)
    with next_write(crowd.database, relay, when), pytest.raises(CommitUnknown):
        await crowd.services.turns.play(*request, "c3")
    assert [move.text for move in await crowd.moves(match_id)] == stored
    # The press is delivered again, and then the person presses again.
    with pytest.raises(AlreadyProcessed) if stored else nullcontext():
        await crowd.services.turns.play(*request, "c3")
    assert (await crowd.services.turns.play(*crowd.request(match_id, ALICE, 0), "c3")).text == "c3"
    assert [move.text for move in await crowd.moves(match_id)] == ["c3"]
    async with crowd.database.read() as tx:
        boards = await tx.exec_driver_sql(f"SELECT key FROM outbox WHERE key = 'board:{match_id}:1'")
        assert len(boards.all()) == 1


async def test_work_that_was_claimed_by_a_commit_that_was_not_answered_is_taken_up(
    cut: tuple[Crowd, CuttingRelay],
) -> None:
    crowd, relay = cut
    match_id = await crowd.begin()
    await crowd.resign(match_id, ALICE)
    await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    await crowd.services.computer_opponents.play(crowd.actor(ALICE), 1, SECOND)
    async with crowd.database.write() as tx:
        token = await processes.add(tx, "a process that lives on", "bot", timedelta(hours=1))
    crowd.database.token = token
    for work in (crowd.services.reviews, crowd.services.computer_players):
        with next_write(crowd.database, relay, Cut.AFTER_COMMIT), pytest.raises(CommitUnknown):
            await work.take(4, leave_to=THINKER)
        async with crowd.database.write() as tx:
            thinker = await processes.add(tx, "a process that comes later", THINKER, timedelta(hours=1))
        found = await work.take(4, leave_to=THINKER)
        assert len(found) == 1
        assert await work.take(4, begun=found, leave_to=THINKER) == []  # type: ignore[arg-type]
        async with crowd.database.write() as tx:
            await processes.remove(tx, thinker)


async def test_a_connection_that_breaks_before_the_commit_changes_nothing(cut: tuple[Crowd, CuttingRelay]) -> None:
    crowd, relay = cut
    match_id = await crowd.begin()
    with pytest.raises(Exception, match=r"clos|terminat") as raised:
        async with crowd.database.write() as tx:
            await tx.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
    assert not isinstance(raised.value, CommitUnknown)
    assert await crowd.moves(match_id) == []
    assert relay.next_cut is None
