"""The slots that processes on one PostgreSQL database share, with their successors.

No lease expires here, however busy the machine is.
"""

from __future__ import annotations

from bot.storage import slots
from bot.storage.registration import BOT, THINKER
from bot.storage.slots import Partition, Slot
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
        assert await slots.any_held(tx)
        assert await slots.take(tx, second) is None
        assert await slots.take(tx, first) == Slot(Partition(0, 1, 3), first)
