"""One person changes many boards: each has one change that waits, what is new comes first, and it has a brake."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select, update

from bot.matches.model.refusals import LimitReached
from bot.matches.model.typed import DAY
from bot.matches.service_context import PlayLimits
from bot.matches.services.eligibility import Terms
from bot.matches.services.preferences import with_rest
from bot.storage import outbox, tables
from bot.storage.records import First, OutboxState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, YONMOQUE, Crowd
from tests.matches.test_resting import TUESDAYS

DORA = Person(4, "Dora")
TIMED = Terms("yonmoque", "standard", 2, First.CHALLENGER, pace=3 * DAY)


async def waiting(crowd: Crowd) -> list[str]:
    """Return the topics of what waits to be sent, in the order in which it is."""
    return [message.topic for message in await crowd.services.read(outbox.first_of_each_topic, busy=(), limit=200)]


async def kinds(crowd: Crowd, topic: str) -> list[str]:
    """Return the kinds of what waits in a topic, in order."""
    query = select(tables.outbox.c.kind).where(tables.outbox.c.topic == topic, tables.outbox.c.done_at.is_(None))
    return await crowd.column(query.order_by(tables.outbox.c.id))


async def all_sent(crowd: Crowd) -> None:
    """Note everything that waits as sent."""
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.outbox).values(state=OutboxState.SENT, done_at=crowd.now))


async def test_however_often_a_person_goes_and_comes_one_change_of_each_board_waits(crowd: Crowd) -> None:
    begun = [await crowd.begin(terms=TIMED) for _ in range(3)]
    await all_sent(crowd)
    for _ in range(PlayLimits().absences_per_hour):
        await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
        crowd.later(seconds=1)
        await crowd.services.absences.come_back(ALICE.id)
        crowd.later(seconds=1)
    assert [await kinds(crowd, f"match:{one}") for one in begun] == [["deadline"]] * 3


async def test_a_change_that_is_being_sent_is_followed_by_the_next(crowd: Crowd) -> None:
    await crowd.begin(terms=TIMED)
    await all_sent(crowd)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.outbox).values(attempts=1))
    crowd.later(seconds=1)
    await crowd.services.absences.come_back(ALICE.id)
    assert await kinds(crowd, "match:1") == ["deadline", "deadline"]


async def test_new_boards_come_before_changes_also_that_of_the_same_match(crowd: Crowd) -> None:
    first, second = await crowd.begin(terms=TIMED), await crowd.begin(terms=TIMED)
    await all_sent(crowd)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
    crowd.later(minutes=1)
    await crowd.play(second, "a1")
    assert await kinds(crowd, f"match:{second}") == ["board"]
    assert await waiting(crowd) == [f"match:{second}", f"match:{first}"]


async def go_away(crowd: Crowd) -> None:
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))


async def come_back(crowd: Crowd) -> None:
    await go_away(crowd)
    await crowd.services.absences.come_back(ALICE.id)


async def rest(crowd: Crowd) -> None:
    change = partial(with_rest, rest=TUESDAYS, now=crowd.now)
    await crowd.services.personal_settings.prefer(ALICE.id, change)


async def change_theme(crowd: Crowd) -> None:
    await crowd.services.personal_settings.prefer(ALICE.id, lambda before: replace(before, theme="light"))


async def block(crowd: Crowd) -> None:
    await crowd.services.personal_settings.block(ALICE.id, BOB.id, blocked=True)


async def delete_everything(crowd: Crowd) -> None:
    await crowd.services.privacy.erase(ALICE, crowd.interaction())


@pytest.mark.parametrize(
    ("act", "stored"),
    [(go_away, 50), (come_back, 50), (rest, 10), (change_theme, 0), (block, 0), (delete_everything, 110)],
)
async def test_the_next_board_of_others_comes_before_all_that_a_person_changes_at_once(
    crowd: Crowd, act: Callable[[Crowd], Awaitable[None]], stored: int
) -> None:
    for _ in range(PlayLimits().challenges):
        await crowd.offer()
    for _ in range(PlayLimits().matches):
        await crowd.begin(by=BOB, to=ALICE, terms=TIMED)
    others = await crowd.begin(by=CAROL, to=DORA)
    await all_sent(crowd)
    await act(crowd)
    assert len(await waiting(crowd)) == stored
    crowd.later(seconds=1)
    await crowd.play(others, "a1", players=(CAROL,))
    assert (await waiting(crowd))[0] == f"match:{others}"


async def test_a_card_is_changed_once_for_all_that_a_person_has_changed_meanwhile(crowd: Crowd) -> None:
    challenge_id = await crowd.offer()
    await all_sent(crowd)
    for rest in (TUESDAYS, None, TUESDAYS, None):
        change = partial(with_rest, rest=rest, now=crowd.now)
        await crowd.services.personal_settings.prefer(ALICE.id, change)
        crowd.later(seconds=1)
    assert await kinds(crowd, f"challenge:{challenge_id}") == ["card"]


async def test_who_goes_away_too_often_waits_and_may_always_come_back(crowd: Crowd) -> None:
    for _ in range(PlayLimits().absences_per_hour):
        await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
        crowd.later(minutes=10)
        await crowd.services.absences.come_back(ALICE.id)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    with pytest.raises(LimitReached, match="again in 30 minutes"):
        await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))
    await crowd.services.absences.leave_until(BOB.id, crowd.now + timedelta(days=1))
    crowd.later(minutes=30)
    await crowd.services.absences.leave_until(ALICE.id, crowd.now + timedelta(days=1))


async def test_ten_matches_an_hour_against_the_computer_are_enough_rematches_included(crowd: Crowd) -> None:
    play, limit = crowd.services.computer_opponents.play, PlayLimits().computer_matches_per_hour
    for number in range(limit - 1):
        match_id = await play(crowd.actor(ALICE), 1, YONMOQUE)
        await crowd.resign(match_id, ALICE)
        assert match_id == number + 1
    assert await crowd.services.rematches.ask(crowd.actor(ALICE), match_id) == limit
    await crowd.resign(limit, ALICE)
    with pytest.raises(LimitReached, match="within an hour"):
        await crowd.services.rematches.ask(crowd.actor(ALICE), limit)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    crowd.later(minutes=20)
    with pytest.raises(LimitReached, match="begin another in 40 minutes"):
        await play(crowd.actor(ALICE), 1, YONMOQUE)
    challenge_id = await crowd.offer()
    with pytest.raises(LimitReached, match="within an hour"):
        await crowd.services.computer_opponents.take_up(crowd.actor(ALICE), challenge_id, 1)
    lobby = await crowd.offer(terms=Terms("rectangles", "6x6", 3, First.CHALLENGER))
    await crowd.services.computer_opponents.seat(crowd.actor(ALICE), lobby, 1, ())
    with pytest.raises(LimitReached, match="within an hour"):
        await crowd.services.computer_opponents.seat(crowd.actor(ALICE), lobby, 1, (1,))
    with pytest.raises(LimitReached, match="within an hour"):
        await crowd.services.challenges.start(crowd.actor(ALICE), lobby)
    await play(crowd.actor(BOB), 1, YONMOQUE)
    await play(crowd.actor(ALICE, guild_id=11), 1, YONMOQUE)
    crowd.later(minutes=40)
    await play(crowd.actor(ALICE), 1, YONMOQUE)
