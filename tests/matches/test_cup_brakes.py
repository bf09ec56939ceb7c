"""What keeps one person from filling a server with cups, and from mentioning others again and again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from bot.matches.model.refusals import Refusal
from bot.storage import cups, tables
from bot.storage.contest_states import CupState
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.matches.test_cups import TERMS, begun


async def start(crowd: Crowd, person: Person, *, manages: bool = False) -> int:
    """Start a cup for three in a server in which everybody may."""
    await crowd.services.server_settings.change(GUILD, lambda settings: replace(settings, cups=True))
    return await crowd.services.cups.start(crowd.actor(person, can_manage_server=manages), replace(TERMS, places=3))


async def cancel(crowd: Crowd, cup_id: int, person: Person) -> None:
    await crowd.services.cups.cancel(crowd.actor(person), cup_id)


async def over(crowd: Crowd, *people: Person) -> int:
    """Begin a cup, say that it is over, and return its id."""
    cup_id = await begun(crowd, *people)
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.cups).where(tables.cups.c.id == cup_id).values(state=CupState.OVER))
    return cup_id


async def again(crowd: Crowd, cup_id: int, person: Person, *, manages: bool = False) -> int:
    return await crowd.services.cups.again(crowd.actor(person, can_manage_server=manages), cup_id)


async def state(crowd: Crowd, cup_id: int) -> CupState:
    async with crowd.database.read() as tx:
        cup = await cups.get(tx, cup_id)
    assert cup is not None
    return cup.state


async def test_a_person_starts_at_most_three_cups_at_once_but_not_who_manages_the_server(crowd: Crowd) -> None:
    for _ in range(3):
        await start(crowd, ALICE)
    with pytest.raises(Refusal, match="You have 3 cups open or running here"):
        await start(crowd, ALICE)
    await start(crowd, ALICE, manages=True)
    await start(crowd, BOB)


async def test_cancelling_cups_counts_as_cancelling_challenges_does_also_after_a_deletion(crowd: Crowd) -> None:
    for _ in range(5):
        await cancel(crowd, await start(crowd, ALICE), ALICE)
    with pytest.raises(Refusal, match="cancelled 5 challenges and cups lately"):
        await start(crowd, ALICE)
    await crowd.services.privacy.erase(ALICE, crowd.interaction())
    with pytest.raises(Refusal, match="cancelled 5 challenges and cups lately"):
        await start(crowd, ALICE)
    crowd.now += timedelta(hours=1, seconds=1)
    await start(crowd, ALICE)


async def test_starting_a_cup_again_needs_the_right_to_start_one(crowd: Crowd) -> None:
    cup_id = await over(crowd, ALICE, BOB, CAROL)
    with pytest.raises(Refusal, match="only people who manage it"):
        await again(crowd, cup_id, BOB)
    assert await state(crowd, await again(crowd, cup_id, BOB, manages=True)) is CupState.OPEN


async def test_one_person_invites_another_once_a_day(crowd: Crowd) -> None:
    first = await over(crowd, ALICE, BOB, CAROL)
    invited = await again(crowd, first, ALICE, manages=True)
    assert set((await crowd.services.cup_queries.view(GUILD, invited)).invited) == {BOB.id, CAROL.id}
    await cancel(crowd, invited, ALICE)

    crowd.now += timedelta(minutes=1)
    soon = await again(crowd, first, ALICE, manages=True)
    assert (await crowd.services.cup_queries.view(GUILD, soon)).invited == ()
    await cancel(crowd, soon, ALICE)

    crowd.now += timedelta(days=1, minutes=1)
    later = await again(crowd, first, ALICE, manages=True)
    assert set((await crowd.services.cup_queries.view(GUILD, later)).invited) == {BOB.id, CAROL.id}


async def test_a_bar_and_a_deletion_close_what_has_not_begun(crowd: Crowd) -> None:
    barred, erased = await start(crowd, ALICE), await start(crowd, BOB)
    await crowd.services.cups.join(crowd.actor(CAROL), barred)
    # A starter who has left the list of players still decides about the cup.
    await crowd.services.cups.leave(crowd.actor(ALICE), barred)

    await crowd.services.bars.bar(GUILD, ALICE.id, crowd.interaction())
    await crowd.services.privacy.erase(BOB, crowd.interaction())

    assert await state(crowd, barred) is CupState.CANCELLED
    assert await state(crowd, erased) is CupState.CANCELLED


async def test_no_key_of_the_outbox_holds_the_number_of_a_person(crowd: Crowd) -> None:
    person = Person(987654321, "Mallory")
    cup_id = await start(crowd, ALICE)
    await crowd.services.cups.join(crowd.actor(person), cup_id)
    await crowd.services.bars.bar(GUILD, person.id, crowd.interaction())
    async with crowd.database.read() as tx:
        rows = (await tx.execute(select(tables.outbox.c.key, tables.outbox.c.topic))).all()
    assert not [row for row in rows if str(person.id) in f"{row.key} {row.topic}"]
    assert any(row.key.startswith("bar:") for row in rows)
