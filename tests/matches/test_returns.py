"""A use of the bot is noted at most once an hour, and of several that end an absence one does so."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import delete, select

from bot.matches.services.returns import ENDED
from bot.storage import challenges, match_lists, tables
from bot.storage.records import Person
from tests.matches.against_computer import DAY, against
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd
from tests.support.acting import FINISHED


async def test_a_use_is_noted_once_an_hour(crowd: Crowd) -> None:
    async def noted() -> list[int]:
        return await crowd.column(select(tables.visits.c.user_id))

    await crowd.services.returns.note(ALICE.id)
    async with crowd.database.write() as tx:
        await tx.execute(delete(tables.visits))
    crowd.later(minutes=59)
    await crowd.services.returns.note(ALICE.id)
    assert await noted() == []
    crowd.later(minutes=1)
    await crowd.services.returns.note(ALICE.id)
    assert await noted() == [ALICE.id]


async def test_the_page_notes_uses_but_no_return(crowd: Crowd) -> None:
    note = crowd.services.returns.note
    began = crowd.now
    assert await note(ALICE.id) is None, "they have not been here before"
    crowd.later(days=2)
    await note(ALICE.id, tells=False)
    crowd.later(days=2)
    assert await note(ALICE.id) is None, "they have been on the page meanwhile"
    crowd.later(days=4)
    assert await note(ALICE.id, tells=False) is None
    assert await note(ALICE.id) == began + timedelta(days=4)
    crowd.later(days=2.9)
    assert await note(ALICE.id) is None, "a short absence is none"


async def test_of_the_matches_that_ended_meanwhile_those_are_told_that_others_have_ended(crowd: Crowd) -> None:
    async def resigned(by: Person) -> int:
        crowd.later(minutes=1)
        match_id = await crowd.begin()
        await crowd.resign(match_id, by)
        return match_id

    await resigned(BOB)
    crowd.later(minutes=1)
    since = crowd.now
    alone = await against(crowd, replace(YONMOQUE, pace=DAY))
    crowd.later(days=1)
    assert await crowd.services.forfeits.time_out(alone)
    await resigned(ALICE)
    await crowd.play(await crowd.begin(), *FINISHED)
    await crowd.void(await resigned(BOB))
    lost = await crowd.begin(by=BOB, to=ALICE)
    await crowd.play(lost, *FINISHED, players=(BOB, ALICE))
    told = [lost, *[await resigned(BOB) for _ in range(ENDED)]]
    crowd.later(minutes=1)
    until = crowd.now
    await crowd.resign(await crowd.begin(), BOB)
    found = await crowd.services.returns.view(ALICE.id, since, until)
    assert ([match.id for match in found.ended], found.ended_number) == (told[:0:-1], len(told))
    early = await crowd.services.returns.view(ALICE.id, since, until - timedelta(minutes=ENDED))
    assert [match.id for match in early.ended] == [lost]


async def test_nothing_waits_in_a_server_that_has_removed_the_bot(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=DAY))
    challenge_id = await crowd.offer(by=BOB, to=ALICE)
    async with crowd.database.write() as tx:
        await challenges.change(tx, challenge_id, message_id=1)

    async def told() -> list[list[int]]:
        view = await crowd.services.returns.view(ALICE.id, crowd.now - timedelta(days=3), crowd.now)
        async with crowd.database.read() as tx:
            since = await match_lists.waiting_since(tx, ALICE.id, None)
        assert [match.id for match in since] == [match.id for match in view.waiting]
        return [[match.id for match in view.waiting], [challenge.id for challenge in view.challenges]]

    assert await told() == [[match_id], [challenge_id]]
    await crowd.services.departures.bot_left(GUILD)
    crowd.later(days=2)
    assert await told() == [[], []], "its clock stands, so no time runs out there, and nobody can move or accept"
    await crowd.services.departures.bot_returned(GUILD)
    assert await told() == [[match_id], [challenge_id]]
