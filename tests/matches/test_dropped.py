"""Messages that Discord refused are tried again in the server that lets the bot post again, and in no other."""

from __future__ import annotations

from sqlalchemy import select, update

from bot.storage import tables
from bot.storage.records import OutboxState
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.matches.test_cups import TERMS


async def pending(crowd: Crowd) -> set[tuple[int, str]]:
    """Return the servers and subjects of the messages that are tried again."""
    async with crowd.database.read() as tx:
        found = select(tables.outbox.c.guild_id, tables.outbox.c.topic)
        rows = await tx.execute(found.where(tables.outbox.c.state == OutboxState.SENDING))
        return {(row.guild_id, row.topic.partition(":")[0]) for row in rows}


async def test_what_was_dropped_is_tried_again_only_for_the_server_that_permits_it(crowd: Crowd) -> None:
    services = crowd.services
    for guild_id, channel_id in ((GUILD, 20), (GUILD + 1, 21)):
        offered = [
            await services.challenges.offer(
                crowd.actor(ALICE, guild_id=guild_id, channel_id=channel_id), None, YONMOQUE
            )
            for _ in range(2)
        ]
        await services.challenges.accept(crowd.actor(BOB, guild_id=guild_id), offered[0])
        await services.cups.start(
            crowd.actor(ALICE, guild_id=guild_id, channel_id=channel_id, can_manage_server=True), TERMS
        )
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.outbox).values(state=OutboxState.DROPPED, done_at=crowd.now))
    await services.departures.revive_dropped(GUILD, lambda _place: True)
    assert await pending(crowd) == {(GUILD, topic) for topic in ("match", "challenge", "cup")}
