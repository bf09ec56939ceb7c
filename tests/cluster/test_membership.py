"""Which interactions are a bot's own: all, at no cost, unless another one may be hearing of them, too."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import event, text

from bot.cluster import membership
from bot.cluster.gateway import Gateway
from bot.cluster.membership import Member
from bot.storage import guilds
from bot.storage.database import Database
from bot.storage.errors import LeaseLost
from bot.storage.tables import interaction_claims
from tests.support.ports import free_port
from tests.support.postgresql import needs_postgresql, running_server
from tests.support.waiting import PATIENCE


@dataclass
class Lease:
    """The lease as its process knows it."""

    renewed: bool = True

    def current(self) -> bool:
        return self.renewed

    def tell(self) -> None:
        """Do without news."""


@dataclass(frozen=True)
class Answer:
    done: bool = True

    def is_done(self) -> bool:
        return self.done


@dataclass(frozen=True)
class Heard:
    """An interaction, as far as it matters."""

    id: int
    response: Answer = field(default_factory=Answer)


@dataclass
class Bot:
    """A bot on the database, and the statements it has needed."""

    database: Database
    lease: Lease = field(default_factory=Lease)
    statements: int = 0
    member: Any = None

    def __post_init__(self) -> None:
        unused: Any = None
        self.member = Member(self.database, Gateway(unused), None, lambda: None)
        self.member.registration, self.member.active = self.lease, True
        event.listen(self.database.engine.sync_engine, "before_cursor_execute", self._count)

    def _count(self, *_: object) -> None:
        self.statements += 1

    async def answers(self, *interactions: int) -> list[int]:
        """Return which of some interactions are its own."""
        return [number for number in interactions if await self.member.answers(Heard(number))]


@pytest_asyncio.fixture
async def bots(tmp_path: Path, empty_database: Path) -> AsyncIterator[tuple[Bot, Bot]]:
    """Two bots on one database."""
    file = shutil.copy(empty_database, tmp_path / "tavoliere.db")
    databases = [Database(f"sqlite+aiosqlite:///{file}") for _ in range(2)]
    yield Bot(databases[0]), Bot(databases[1])
    for database in databases:
        await database.close()


async def test_with_nobody_beside_it_everything_is_a_bots_own_and_costs_nothing(bots: tuple[Bot, Bot]) -> None:
    assert await bots[0].answers(1, 2, 3) == [1, 2, 3]
    assert bots[0].statements == 0


async def test_whoever_has_not_renewed_its_lease_in_time_answers_only_what_it_has_reserved(
    bots: tuple[Bot, Bot],
) -> None:
    one, other = bots
    one.lease.renewed = other.lease.renewed = False
    assert await one.answers(1, 2) == [1, 2]
    assert await other.answers(2, 3) == [3]
    one.lease.renewed = True
    assert await one.answers(3) == [3]


async def test_whoever_was_replaced_answers_nothing(bots: tuple[Bot, Bot]) -> None:
    one = bots[0]
    one.lease.renewed = False

    async def lost(_interaction_id: int) -> bool:
        raise LeaseLost

    one.member._reserve = lost
    assert await one.answers(1) == []


async def test_a_stop_does_not_wait_for_ever_for_what_nobody_acknowledges(
    bots: tuple[Bot, Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "ANSWERED_WITHIN", 0.01)
    monkeypatch.setattr(membership, "GIVEN_UP", 0.05)
    one = bots[0]

    async def given(*_: object) -> bool:
        return True

    async def done() -> None:
        finished.append(True)

    async def hanging(_interaction_id: int) -> bool:
        await asyncio.Event().wait()
        return True

    finished = list[bool]()
    one.member._wait_for_successor, one.member._hand_over, one.member._reserve = given, given, hanging
    one.lease.renewed = False
    reserving = asyncio.create_task(one.answers(1))
    await asyncio.sleep(0)
    # One whose answer is being worked on, and one that was never reserved because the database does not answer.
    one.member._unanswered.add(Heard(2, Answer(done=False)))
    async with asyncio.timeout(PATIENCE):
        assert await one.member.hand_over(1, done, done, asyncio.Event())
    assert finished == [True]
    reserving.cancel()


@needs_postgresql
async def test_where_no_server_answers_a_bot_says_so_and_whoever_waits_for_its_predecessor_goes_on_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(membership, "LOOKED_EVERY", 0.01)
    bot = Bot(Database(f"postgresql+asyncpg://nobody@127.0.0.1:{free_port()}/nothing"), Lease(renewed=False))
    assert await bot.answers(1) == [1]
    waiting = asyncio.create_task(bot.member._until_alone(1))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    waiting.cancel()
    await bot.database.close()


async def test_without_the_database_a_bot_says_so_but_not_where_two_would(bots: tuple[Bot, Bot]) -> None:
    one, other = bots
    async with one.database.write() as tx:
        await tx.run_sync(interaction_claims.drop)
    one.lease.renewed = False
    assert await one.answers(1) == [1]
    other.member._shared, other.member._predecessor = True, 1
    assert other.member.succeeding
    assert await other.answers(1) == []


@needs_postgresql
async def test_an_interaction_is_reserved_while_the_disk_of_the_server_stands_still() -> None:
    with running_server() as address:
        database = Database(address)
        await database.open()
        async with database.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            # A commit that waits for its disk waits for this standby, too, which there is not.
            await connection.execute(text("ALTER SYSTEM SET synchronous_standby_names = 'none'"))
            await connection.execute(text("SELECT pg_reload_conf()"))
            while (await connection.execute(text("SHOW synchronous_standby_names"))).scalar_one() != "none":  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        one = Bot(database)
        one.member._shared = True

        async def stored() -> None:
            async with database.write() as tx:
                await guilds.beat(tx, datetime.now(UTC))

        waiting = asyncio.create_task(stored())
        try:
            assert await one.answers(1, 2) == [1, 2]
            assert not waiting.done()
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await database.close()
