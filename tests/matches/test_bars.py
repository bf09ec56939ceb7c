"""A barred person begins nothing new; their running matches go on."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any

import pytest
from sqlalchemy import select

from bot.games import GAMES
from bot.matches.model.refusals import Refusal
from bot.matches.services.eligibility import Terms
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import bars, tables
from bot.storage.records import EVERYWHERE, ChallengeState, First, MatchState
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd

LOBBY = Terms("rectangles", GAMES["rectangles"].variants[0].key, 3, First.CHALLENGER)
SOLO = Terms("yonmoque", "standard", 2, First.CHALLENGER, rated=False)


async def refused(attempt: Awaitable[Any]) -> str:
    with pytest.raises(Refusal) as refusal:
        await attempt
    return str(refusal.value)


@pytest.mark.parametrize("where", [GUILD, EVERYWHERE])
async def test_a_barred_person_begins_nothing_new_and_their_open_challenges_end(crowd: Crowd, where: int) -> None:
    service, people = crowd.services.challenges, crowd.services
    running, over = await crowd.begin(), await crowd.begin()
    await crowd.resign(over, ALICE)
    theirs, sent = await crowd.offer(by=BOB), await crowd.offer(by=CAROL, to=BOB)
    lobby, open_to_all = await crowd.offer(by=ALICE, terms=LOBBY), await crowd.offer(by=ALICE)
    await service.accept(crowd.actor(BOB), lobby)
    await people.bars.bar(where, BOB.id, crowd.interaction())

    for attempt in (
        crowd.offer(by=BOB),
        service.accept(crowd.actor(BOB), open_to_all),
        service.accept(crowd.actor(BOB), lobby),
        people.rematches.ask(crowd.actor(BOB), over),
        people.computer_opponents.play(crowd.actor(BOB), 1, SOLO),
    ):
        assert "have barred you from playing" in await refused(attempt)
    for attempt in (crowd.offer(to=BOB), people.rematches.ask(crowd.actor(ALICE), over)):
        assert await refused(attempt) == "Bob has been barred from playing here."
    assert [(await crowd.challenge(one)).state for one in (theirs, sent)] == [ChallengeState.CANCELLED] * 2
    assert "at least 2" in await refused(service.start(crowd.actor(ALICE), lobby))
    await crowd.play(running, "c3", "a1")
    assert (await crowd.match(running)).state is MatchState.RUNNING

    assert "barred already" in await refused(people.bars.bar(where, BOB.id))
    await people.bars.unbar(where, BOB.id)
    assert "not barred" in await refused(people.bars.unbar(where, BOB.id))
    await service.accept(crowd.actor(BOB), open_to_all)


async def test_a_bar_of_one_server_holds_there_alone_and_that_of_the_operator_is_lifted_by_the_operator(
    crowd: Crowd,
) -> None:
    service = crowd.services.bars
    await service.bar(GUILD + 1, BOB.id)
    await crowd.offer(by=BOB)
    await service.bar(EVERYWHERE, BOB.id)
    assert [bar.user_id for bar in await crowd.services.read(bars.in_server, GUILD + 1)] == [BOB.id]
    assert await crowd.services.read(bars.in_server, GUILD) == []
    assert "not barred" in await refused(service.unbar(GUILD, BOB.id))
    assert "people who run this bot" in await refused(crowd.offer(by=BOB))


async def test_a_bar_is_in_the_export_of_its_person_and_stays_when_their_data_is_deleted(crowd: Crowd) -> None:
    await crowd.services.bars.bar(GUILD, BOB.id)
    kept = json.loads(await crowd.services.privacy.export(BOB.id))
    assert [(bar["guild_id"], bar["user_id"]) for bar in kept["barred"]] == [(GUILD, BOB.id)]
    await crowd.services.privacy.erase(BOB, crowd.interaction())
    assert "barred" in await refused(crowd.offer(by=BOB, terms=YONMOQUE))


async def test_the_outbox_does_not_name_the_barred_person(crowd: Crowd) -> None:
    await crowd.services.bars.bar(GUILD, BOB.id)
    assert await crowd.column(select(tables.outbox.c.payload)) == [{"bar": 1, "guild": GUILD}]


async def test_who_is_barred_again_and_again_is_told_once_a_day_and_not_by_whom_they_blocked(crowd: Crowd) -> None:
    service, told = crowd.services.bars, list[int]()
    for hours in (0, 0, 23, 2, 0):
        crowd.later(hours=hours)
        await service.bar(GUILD, BOB.id, by=ALICE.id)
        await service.unbar(GUILD, BOB.id)
        told.append(len(await crowd.queued(MessageKind.BARRED)))
    assert told == [1, 1, 1, 2, 2]
    await crowd.services.personal_settings.block(CAROL.id, ALICE.id, blocked=True)
    await service.bar(GUILD, CAROL.id, by=ALICE.id)
    assert len(await crowd.queued(MessageKind.BARRED)) == 2
