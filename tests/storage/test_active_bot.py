"""Which of several bots on one PostgreSQL database is active, and how it hands over to another.

No lease expires here, however busy the machine is.
"""

from __future__ import annotations

from datetime import timedelta

from bot.cluster import figures
from bot.storage import active_bot, processes
from bot.storage.database import Database
from bot.storage.processes import THINKER
from bot.storage.records import BotState
from tests.storage.member import NOW, Member
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


def tokens(two: tuple[Member, Member]) -> tuple[int, int]:
    one, other = (member.database.token for member in two)
    assert one is not None
    assert other is not None
    return one, other


async def states(database: Database) -> list[BotState | None]:
    """Return the states of all processes, the oldest first."""
    async with database.read() as tx:
        return [process.state for process in await processes.every(tx)]


async def test_one_bot_is_active_until_the_successor_that_it_has_named_is_ready(two: tuple[Member, Member]) -> None:
    database = two[0].database
    first, second = tokens(two)
    async with database.write() as tx:
        assert await active_bot.current(tx) is None
        assert await active_bot.begin(tx, first) is BotState.ACTIVE
        # Again, as if the first answer was lost.
        assert await active_bot.begin(tx, first) is BotState.ACTIVE
        assert await active_bot.begin(tx, second) is BotState.STANDBY
        assert await active_bot.name_successor(tx, first) is BotState.SUCCESSOR
        # It connects while the other one serves; no third bot becomes active meanwhile.
        assert await active_bot.begin(tx, second) is BotState.SUCCESSOR
        third = await processes.add(tx, "third", "bot", two[0].lease)
        assert await active_bot.begin(tx, third) is BotState.STANDBY
        assert await active_bot.name_successor(tx, first) is BotState.SUCCESSOR
        assert await active_bot.ready(tx, second) is BotState.READY
        assert await active_bot.name_successor(tx, first) is BotState.READY
        assert await active_bot.current(tx) == first
        await active_bot.hand_over(tx, first)
        # Again, as if the first answer was lost.
        await active_bot.hand_over(tx, first)
        assert await active_bot.current(tx) == second
        assert await active_bot.ready(tx, second) is BotState.ACTIVE
    assert await states(database) == [BotState.LEAVING, BotState.ACTIVE, BotState.STANDBY]


async def test_a_successor_is_active_once_it_is_ready_where_the_active_bot_has_gone(
    two: tuple[Member, Member],
) -> None:
    one, other = two
    first, second = tokens(two)
    async with other.database.write() as tx:
        await active_bot.begin(tx, first)
        await active_bot.name_successor(tx, first)
        third = await processes.add(tx, "third", "bot", other.lease)
    await one.registration.close()
    async with other.database.write() as tx:
        # It stays the successor's turn.
        assert await active_bot.begin(tx, third) is BotState.STANDBY
        assert await active_bot.ready(tx, second) is BotState.ACTIVE


async def test_another_bot_is_named_where_a_successor_dies_but_no_thinker_and_none_whose_lease_is_over(
    two: tuple[Member, Member],
) -> None:
    one, other = two
    first, _ = tokens(two)
    async with one.database.write() as tx:
        await processes.add(tx, "thinker", THINKER, one.lease)
        await processes.add(tx, "expired", "bot", -one.lease)
        await active_bot.begin(tx, first)
        assert await active_bot.name_successor(tx, first) is BotState.SUCCESSOR
    assert await states(one.database) == [BotState.ACTIVE, BotState.SUCCESSOR, None, BotState.STANDBY]
    await other.registration.close()
    async with one.database.write() as tx:
        assert await active_bot.name_successor(tx, first) is None
        newest = await processes.add(tx, "newest", "bot", one.lease)
        assert await active_bot.name_successor(tx, first) is BotState.SUCCESSOR
        assert await active_bot.begin(tx, newest) is BotState.SUCCESSOR


async def test_figures_of_the_whole_database_are_told_by_the_first_bot_alone(
    two: tuple[Member, Member],
) -> None:
    async def telling() -> list[bool]:
        told = [await figures.of_database(member.database, NOW, timedelta(0)) for member in two]
        return [bool(list(registry.collect())) for registry in told]

    assert await telling() == [True, False]
    await two[0].registration.close()
    assert await telling() == [False, True]
