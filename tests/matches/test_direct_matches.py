"""Matches in direct messages and groups: whose they are, and what servers, bars and deletions do to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.matches.model import match_record
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal
from bot.storage import guilds, matches, responses, tables
from bot.storage.homes import private_home
from bot.storage.records import EVERYWHERE, MatchState, News, Person
from bot.storage.responses import Response
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


GROUP, OTHER = 7_000_000_001, 7_000_000_002
"""The channels of two groups."""


def there(crowd: Crowd, person: Person, channel: int = GROUP, response: Response | None = None) -> Actor:
    """Return a person who asks for something in a group."""
    actor = crowd.actor(person)
    return replace(actor, guild_id=private_home(channel), channel_id=channel, response=response)


def answer(crowd: Crowd, message: int) -> Response:
    """Return an answer that everybody sees, which can be changed for a quarter of an hour."""
    return Response(message, f"token {message}", crowd.now + timedelta(minutes=15))


async def begin(crowd: Crowd) -> int:
    """Begin a match of Alice and Bob in a group; return its number."""
    challenge = await crowd.services.challenges.offer(there(crowd, ALICE), None, YONMOQUE)
    match = await crowd.services.challenges.accept(there(crowd, BOB), challenge)
    assert match is not None
    return match


async def test_it_is_neither_rated_nor_timed_whatever_is_asked(crowd: Crowd) -> None:
    match = await crowd.match(await begin(crowd))
    assert YONMOQUE.rated
    assert (match.rated, match.pace, match.answered, match.direct) == (False, None, True, False)


async def test_an_answer_is_kept_with_what_it_posts_or_not_at_all(crowd: Crowd) -> None:
    match = await begin(crowd)
    with pytest.raises(Refusal):
        await crowd.services.turns.play(there(crowd, BOB, response=answer(crowd, 1)), match, 0, "a1")
    mover = (await crowd.match(match)).mover.person
    await crowd.services.turns.play(there(crowd, mover, response=answer(crowd, 2)), match, 0, "a1")
    kept = await crowd.services.read(responses.of_topic, f"match:{match}", 0, crowd.now)
    assert [one.message_id for one in kept] == [2]
    crowd.now += timedelta(minutes=16)
    async with crowd.database.write() as tx:
        assert await responses.of_topic(tx, f"match:{match}", 0, crowd.now) == []
        await responses.delete_expired(tx, crowd.now)
        assert await responses.of_message(tx, 2, crowd.now - timedelta(minutes=16)) is None


async def test_an_answer_does_not_become_a_board_that_is_on_its_way(crowd: Crowd) -> None:
    number = await begin(crowd)
    actor = there(crowd, ALICE, response=answer(crowd, 3))
    assert not await crowd.services.turns.post_again(actor, await crowd.match(number))
    assert await crowd.services.read(responses.of_message, 3, crowd.now) is None


async def test_limits_count_over_all_private_homes(crowd: Crowd) -> None:
    for number in range(crowd.services.limits.challenges):
        await crowd.services.challenges.offer(there(crowd, ALICE, GROUP + number), None, YONMOQUE)
    with pytest.raises(Refusal):
        await crowd.services.challenges.offer(there(crowd, ALICE, OTHER + 100), None, YONMOQUE)
    await crowd.services.challenges.offer(crowd.actor(ALICE), None, YONMOQUE)


async def test_who_blocks_another_is_not_challenged_there(crowd: Crowd) -> None:
    await crowd.services.personal_settings.block(BOB.id, ALICE.id, blocked=True)
    with pytest.raises(Refusal):
        await crowd.services.challenges.offer(there(crowd, ALICE), BOB, YONMOQUE)


async def test_it_belongs_to_its_channel_alone(crowd: Crowd) -> None:
    match = await begin(crowd)
    for elsewhere in (crowd.actor(ALICE), there(crowd, ALICE, OTHER)):
        with pytest.raises(Refusal):
            await crowd.services.turns.play(elsewhere, match, 0, "a1")


async def test_a_deletion_ends_it_and_leaves_it_to_the_other(crowd: Crowd) -> None:
    match = await begin(crowd)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    left = await crowd.services.read(matches.get, match)
    assert left is not None
    assert left.state is MatchState.OVER
    assert {seat.person.name for seat in left.seats} == {"somebody who left", BOB.name}


async def test_a_challenge_is_open_for_a_day(crowd: Crowd) -> None:
    challenge = await crowd.services.challenges.offer(there(crowd, ALICE), None, YONMOQUE)
    crowd.now += timedelta(days=1, minutes=1)
    with pytest.raises(Refusal):
        await crowd.services.challenges.accept(there(crowd, BOB), challenge)


@pytest.mark.parametrize("begun", [alone, begin])
async def test_no_departure_of_a_server_concerns_a_private_home(
    crowd: Crowd, begun: Callable[[Crowd], Awaitable[int]]
) -> None:
    match_id = await begun(crowd)
    await crowd.begin()
    departures = crowd.services.departures
    await departures.compare([])
    assert set(await crowd.services.read(guilds.departures)) == {GUILD}
    crowd.now += timedelta(days=400)
    await departures.delete_departed()
    assert (await crowd.match(match_id)).state is MatchState.RUNNING


@pytest.mark.parametrize("begun", [alone, begin])
async def test_a_bar_of_a_server_does_not_hold_in_a_private_home_and_one_everywhere_does(
    crowd: Crowd, begun: Callable[[Crowd], Awaitable[int]]
) -> None:
    await crowd.services.bars.bar(GUILD, ALICE.id)
    match_id = await begun(crowd)
    await crowd.services.bars.bar(EVERYWHERE, ALICE.id)
    assert (await crowd.match(match_id)).state is MatchState.RUNNING
    with pytest.raises(Refusal):
        await begun(crowd)


@pytest.mark.parametrize("news", [News.DIRECT, News.BOTH])
async def test_a_reminder_comes_there_once_wherever_news_is_wanted(crowd: Crowd, news: News) -> None:
    await crowd.services.personal_settings.prefer(ALICE.id, lambda before: replace(before, news=news))
    await alone(crowd)
    crowd.later(days=8)
    await crowd.services.forfeits.remind()
    kinds = select(tables.outbox.c.kind).where(tables.outbox.c.kind.in_(["reminder", "news_directly"]))
    async with crowd.database.read() as tx:
        assert (await tx.execute(kinds)).scalars().all() == ["reminder"], "with the button that plays"
