"""What processes on one PostgreSQL database share: slots with their successors, and the calls that Discord allows.

No lease expires here, however busy the machine is.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

from sqlalchemy import update

from bot.storage import processes, slots
from bot.storage.registration import BOT, THINKER
from bot.storage.slots import Partition, Slot
from bot.storage.tables import invalid_responses
from tests.storage.member import Member
from tests.support.postgresql import needs_postgresql

pytestmark = needs_postgresql


async def test_the_newest_process_that_stands_by_is_named_successor_and_has_the_slot_when_it_is_ready(
    two: tuple[Member, Member],
) -> None:
    one, other = two
    first, second = one.database.token, other.database.token
    assert first is not None
    assert second is not None
    async with one.database.write() as tx:
        await slots.lay_out(tx, 1, 3)
        assert await slots.name_successor(tx, first, BOT) is None
        assert await slots.take(tx, first) == Slot(Partition(0, 1, 3), first)
        assert await slots.take(tx, second) is None
        assert await slots.name_successor(tx, first, BOT) == second
        # It connects while the other one serves; no third process gets the slot meanwhile.
        assert await slots.take(tx, second) == Slot(Partition(0, 1, 3), first, second)
        assert await slots.every(tx) == [Slot(Partition(0, 1, 3), first, second)]
        assert await slots.succeed(tx, second)
        # Again, as if the first answer was lost.
        assert await slots.succeed(tx, second)
        assert not await slots.succeed(tx, first)
        assert await slots.every(tx) == [Slot(Partition(0, 1, 3), second)]
        # A process without a slot names no successor, and no process names a thinker.
        assert await slots.name_successor(tx, first, BOT) is None
        assert await slots.name_successor(tx, second, THINKER) is None
        assert await slots.name_successor(tx, second, BOT) == first
    # With the holder gone, the slot stays free for the successor.
    await other.registration.close()
    other.database.token = None
    async with other.database.write() as tx:
        assert await slots.held(tx)
        assert await slots.take(tx, second) is None
        assert await slots.take(tx, first) == Slot(Partition(0, 1, 3), first)


async def test_what_discord_may_refuse_is_drawn_by_all_together_and_comes_back_after_ten_minutes(
    two: tuple[Member, Member],
) -> None:
    async def drawn(member: Member) -> int:
        async with member.database.write() as tx:
            return await processes.draw_invalid_responses(tx, 7, 100, 600)

    got = await asyncio.gather(*(drawn(member) for _ in range(10) for member in two))
    assert sum(got) == 100
    assert await drawn(two[0]) == 0
    for minutes, left in ((10, 0), (1, 7)):
        async with two[0].database.write() as tx:
            await tx.execute(update(invalid_responses).values(minute=invalid_responses.c.minute - minutes))
        assert await drawn(two[1]) == left


async def test_processes_hear_what_the_others_weigh_and_that_no_calls_are_wanted_when_they_renew_their_lease(
    two: tuple[Member, Member], lease: timedelta
) -> None:
    one, other = (member.database for member in two)
    for member in two:
        await member.freeze()
    assert one.token is not None
    assert other.token is not None
    async with one.write() as tx:
        renewed = await processes.renew(tx, one.token, lease, 2.5)
        assert renewed is not None
        assert (renewed.others, renewed.held, renewed.in_time) == (0.0, 0.0, True)
        await processes.hold_calls(tx, 60.0)
        await processes.hold_calls(tx, 5.0)
    async with other.write() as tx:
        told = await processes.renew(tx, other.token, lease, 1.0)
        assert told is not None
        assert (told.others, 5 < told.held <= 60, await processes.calls_held(tx)) == (2.5, True, told.held)
        # A removed process has no weight and gets no news.
        await processes.remove(tx, one.token)
        lonely = await processes.renew(tx, other.token, lease, 1.0)
        assert lonely is not None
        assert (lonely.others, lonely.held, lonely.in_time) == (0.0, told.held, True)
        assert await processes.renew(tx, one.token, lease, 1.0) is None
