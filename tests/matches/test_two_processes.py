"""Two processes on one database of PostgreSQL do once what falls due for both of them, or is asked of both at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import func, select

from bot.matches.audit import audit
from bot.matches.model.cups import MOST
from bot.matches.model.refusals import Refusal
from bot.matches.services import Services
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import digests, matches, mentions, people, quiet_turns, tables
from bot.storage.contest_states import CupState, PairingState
from bot.storage.people import Preferences
from bot.storage.records import EntryKind, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd, crowd_at
from tests.matches.planning import plan, texts
from tests.matches.test_abandoned import what_is_due
from tests.matches.test_cups import begun, simulate
from tests.matches.test_ladders import DORA, join, view_of
from tests.support.postgresql import needs_postgresql
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = needs_postgresql
Both = tuple[Crowd, Crowd]


@pytest_asyncio.fixture
async def both(server: str) -> AsyncIterator[Both]:
    """The services of two processes."""
    async with crowd_at(server) as crowd, crowd_at(server) as other:
        other._interactions = count(10**6)
        yield crowd, other


async def digest_wanted(crowd: Crowd) -> None:
    await crowd.begin()
    async with crowd.database.write() as tx:
        await people.put_preferences(tx, ALICE.id, Preferences(digest_hour=8))
        await digests.put(tx, ALICE.id, crowd.now)


async def quiet_hours_over(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    async with crowd.database.write() as tx:
        await matches.put_board(tx, match_id, 1, 2, 0)
        await quiet_turns.note(tx, ALICE.id, GUILD, crowd.now, crowd.now)
        await quiet_turns.note(tx, ALICE.id, GUILD, crowd.now, crowd.now)


async def turn_held(crowd: Crowd) -> None:
    match = await crowd.match(await crowd.begin())
    async with crowd.database.write() as tx:
        await mentions.hold(tx, match, match.ply, crowd.now, mentioned=False)
        await mentions.hold(tx, match, match.ply, crowd.now, mentioned=False)


async def ladder_at_its_hour(crowd: Crowd) -> None:
    await join(crowd, ALICE, BOB)
    crowd.later(weeks=1)


DUE: dict[MessageKind, tuple[Callable[[Crowd], Awaitable[None]], Callable[[Services], Awaitable[Any]]]] = {
    MessageKind.DIGEST: (digest_wanted, lambda services: services.digests.send_due()),
    MessageKind.TURNS: (quiet_hours_over, lambda services: services.personal_settings.end_quiet_hours()),
    MessageKind.TURN_LATER: (turn_held, lambda services: services.forfeits.tell_held()),
    MessageKind.LADDER: (ladder_at_its_hour, lambda services: services.ladders.queue_due()),
}


@pytest.mark.parametrize("kind", DUE)
async def test_what_falls_due_is_told_once(both: Both, kind: MessageKind) -> None:
    crowd, other = both
    so_far, at_its_time = DUE[kind]
    await so_far(crowd)
    other.now = crowd.now
    await asyncio.gather(*(at_its_time(one.services) for one in both))
    assert len(await crowd.queued(kind)) == 1


async def test_a_week_of_the_ladder_is_paired_once(both: Both) -> None:
    crowd, other = both
    await join(crowd, ALICE, BOB, CAROL, DORA)
    crowd.later(weeks=1)
    other.now = crowd.now
    both_have_read = asyncio.Barrier(2)

    async def at_once(_guild_id: int, user_id: int) -> bool:
        if user_id == ALICE.id:
            await both_have_read.wait()
        return False

    await asyncio.gather(*(one.services.ladders.pair(GUILD, crowd.now, at_once) for one in both))
    seats = [seat.person.name for match in (await view_of(other)).matches for seat in match.seats]
    assert sorted(seats) == ["Alice", "Bob", "Carol", "Dora"]


async def test_one_of_them_tells_who_comes_back(both: Both) -> None:
    await both[0].services.returns.note(ALICE.id)
    for one in both:
        one.now += timedelta(days=4)
    told = await asyncio.gather(*(one.services.returns.note(ALICE.id) for one in both))
    assert sorted(at is None for at in told) == [False, True]


async def test_an_abandoned_match_is_found_and_closed_once(both: Both) -> None:
    crowd, other = both
    match_id = await crowd.begin()
    crowd.later(days=61)
    other.now = crowd.now
    await asyncio.gather(*map(what_is_due, both))
    assert ((await crowd.match(match_id)).lies_idle, len(await crowd.queued("late"))) == (True, 1)
    each = ((crowd, ALICE), (other, BOB))
    await asyncio.gather(*(one.services.forfeits.close(*one.request(match_id, person, 0)) for one, person in each))
    assert [entry.kind for entry in await crowd.moves(match_id)] == [EntryKind.CLOSED]


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_each_planned_reply_is_played_once_or_not_at_all(both: Both) -> None:
    crowd, other = both
    match_ids = [await crowd.begin() for _ in range(30)]
    results = await asyncio.gather(
        *(plan(other, match_id, "c3 d4 e5 a1") for match_id in match_ids),
        *(crowd.play(match_id, "c3", players=(ALICE,)) for match_id in match_ids),
        return_exceptions=True,
    )
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))
    assert not any(isinstance(result, BaseException) for result in results[len(match_ids) :])
    for match_id, planned in zip(match_ids, results, strict=False):
        expected = ["c3"] if isinstance(planned, BaseException) else ["c3", "d4*"]
        assert await texts(other, match_id) == expected
        assert (await crowd.match(match_id)).ply == len(expected)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_cup_by_chance_is_stored_as_calculated(both: Both) -> None:
    crowd, other = both
    await simulate(crowd, 0, other, audited=True)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_matches_of_a_cup_that_end_at_once_begin_each_of_the_next_once(both: Both) -> None:
    crowd = both[0]
    cup_id = await begun(crowd, *(Person(number + 1, f"Player {number}") for number in range(MOST)))
    while (view := await crowd.services.cup_queries.view(GUILD, cup_id)).cup.state is CupState.RUNNING:
        assert view.table is not None
        running = [one.match_id for one in view.table.pairings if one.state is PairingState.RUNNING]
        assert running
        resigned = []
        for at, match_id in enumerate(running):
            assert match_id is not None
            first = (await crowd.match(match_id)).seats[0].person
            resigned.append(both[at % 2].resign(match_id, first))
        await asyncio.gather(*resigned)
        assert await audit(crowd.database) == []
    assert view.cup.state is CupState.OVER
    assert view.table is not None
    assert len({one.match_id for one in view.table.pairings}) == 28
    assert (await crowd.column(select(func.count()).select_from(tables.matches)))[0] == 28
