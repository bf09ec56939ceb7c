"""Matches in direct messages: whose they are, what ends with a deletion, and what a server's doings do not touch."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.matches.model import match_record
from bot.matches.model.refusals import Refusal
from bot.matches.services.departures import Departures
from bot.storage import guilds, matches, tables
from bot.storage.homes import private_home
from bot.storage.records import EVERYWHERE, MatchState
from bot.storage.shards import Shard, outside
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd

DIRECT = 7_000_000_000
"""The channel of Alice's direct messages with the bot."""
HOME = private_home(DIRECT)


async def alone(crowd: Crowd) -> int:
    """Begin a match of Alice in her direct messages."""
    actor = replace(crowd.actor(ALICE), guild_id=HOME, channel_id=DIRECT)
    return await crowd.services.computer_opponents.play(actor, 1, YONMOQUE)


async def test_a_deletion_takes_them_whole_and_leaves_those_of_others(crowd: Crowd) -> None:
    mine, ours = await alone(crowd), await crowd.begin()
    assert await crowd.services.privacy.erase(ALICE, crowd.interaction()) == 2
    async with crowd.database.read() as tx:
        assert await matches.get(tx, mine) is None
        left = await matches.get(tx, ours)
    assert left is not None
    assert [seat.person.name for seat in left.seats] == ["somebody who left", BOB.name]


async def test_their_record_says_where_they_were_played(crowd: Crowd) -> None:
    match_id = await alone(crowd)
    text = match_record.write(await crowd.match(match_id), await crowd.moves(match_id))
    assert '[Server "direct messages"]' in text
    assert match_record.read(text).guild_id == HOME


async def test_nobody_removes_the_bot_from_direct_messages(crowd: Crowd) -> None:
    match_id = await alone(crowd)
    await crowd.begin()
    departures: Departures = crowd.services.departures
    await departures.compare([])
    async with crowd.database.read() as tx:
        assert set(await guilds.departures(tx)) == {GUILD}
    crowd.now += timedelta(days=400)
    await departures.delete_departed()
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


async def test_a_bar_of_a_server_does_not_hold_there_and_one_everywhere_does(crowd: Crowd) -> None:
    await crowd.services.bars.bar(GUILD, ALICE.id)
    await alone(crowd)
    await crowd.services.bars.bar(EVERYWHERE, ALICE.id)
    with pytest.raises(Refusal):
        await alone(crowd)


@pytest.mark.parametrize("count", [1, 3])
async def test_the_first_shard_has_all_direct_messages(crowd: Crowd, count: int) -> None:
    match_id = await alone(crowd)
    for number in range(count):
        shard = Shard(number, count)
        assert (HOME in shard) == (number == 0)
        async with crowd.database.read() as tx:
            reached = outside(tables.matches.c.guild_id, [shard])
            found = (await tx.execute(tables.matches.select().where(reached))).all()
        assert [row.id for row in found] == ([] if number == 0 else [match_id])
