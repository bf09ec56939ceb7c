"""Cups beside their table: who is told what, which matches count no more, and what limits and bars do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import delete, select, update

from bot.matches.audit import audit
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import PlayLimits
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import cups, tables
from bot.storage.contest_states import CupState, Withdrawal
from bot.storage.records import Match, MatchState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd, everybody_left
from tests.matches.test_cups import DAY, TERMS, begun, cup_and_table, time_out
from tests.support.without_grace import without_grace  # noqa: F401

EIGHT = tuple(Person(number, f"Player {number}") for number in range(1, 9))
FOUR = EIGHT[:4]


async def uncounted(crowd: Crowd) -> set[int]:
    """Return the matches whose boards are to say that they count no more."""
    return {payload["match"] for payload in await crowd.queued(MessageKind.UNCOUNTED)}


async def withdrawals(crowd: Crowd, cup_id: int) -> dict[int, Withdrawal | None]:
    return {player.person.id: player.withdrawal for player in (await cup_and_table(crowd, cup_id))[0].players}


async def test_who_is_taken_out_of_a_cup_is_told_and_who_leaves_it_is_not(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *FOUR)
    await crowd.services.cups.leave(crowd.actor(FOUR[0]), cup_id)
    assert await crowd.queued(MessageKind.CUP_OUT) == []
    await crowd.services.cups.remove(crowd.actor(ALICE), cup_id, FOUR[1].id)
    player = (await cup_and_table(crowd, cup_id))[0].player_of(FOUR[1].id)
    assert player is not None
    assert await crowd.queued(MessageKind.CUP_OUT) == [{"cup": cup_id, "player": player.number}]


async def test_who_is_barred_leaves_open_cups_and_withdraws_from_running_ones(crowd: Crowd) -> None:
    running = await begun(crowd, ALICE, BOB, CAROL)
    waiting = await crowd.services.cups.start(crowd.actor(ALICE, can_manage_server=True), TERMS)
    await crowd.services.cups.join(crowd.actor(CAROL), waiting)
    await crowd.services.bars.bar(GUILD, CAROL.id)
    assert (await withdrawals(crowd, running))[CAROL.id] is Withdrawal.BARRED
    view = await crowd.services.cup_queries.view(GUILD, waiting)
    assert [player.person.id for player in view.cup.players] == [ALICE.id]


async def test_the_boards_of_who_leaves_say_once_that_their_match_counts_no_more(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *EIGHT)
    first = await running_of(crowd, cup_id, EIGHT[0])
    await crowd.services.cups.leave(crowd.actor(EIGHT[0]), cup_id)
    assert await uncounted(crowd) == {match.id for match in first}
    # After two days the outbox forgets what it has sent.
    async with crowd.database.write() as tx:
        await tx.execute(delete(tables.outbox))
    other = opponent_in(first[0], EIGHT[0])
    second = await running_of(crowd, cup_id, other)
    await crowd.services.cups.leave(crowd.actor(other), cup_id)
    assert await uncounted(crowd) == {match.id for match in second} - {first[0].id}


async def test_the_boards_of_who_forfeits_the_rest_say_that_their_match_counts_no_more(crowd: Crowd) -> None:
    cup_id, leaver = await begun(crowd, *FOUR), FOUR[0]
    while len(running := await running_of(crowd, cup_id, leaver)) != 1:
        await crowd.resign(running[0].id, opponent_in(running[0], leaver))
    await crowd.services.cups.leave(crowd.actor(leaver), cup_id)
    player = (await cup_and_table(crowd, cup_id))[0].player_of(leaver.id)
    assert player is not None
    assert not player.annulled
    assert await uncounted(crowd) == {running[0].id}


async def test_the_boards_of_a_cup_that_is_closed_say_that_their_matches_count_no_more(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    running = {match.id for person in (ALICE, BOB, CAROL) for match in await running_of(crowd, cup_id, person)}
    await crowd.services.cups.close(crowd.actor(ALICE), cup_id)
    assert await uncounted(crowd) == running


async def test_who_left_the_server_leaves_the_cup_and_who_is_late_once_does_not(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *FOUR)
    match = (await running_of(crowd, cup_id, FOUR[0]))[0]
    late = match.mover.person
    await time_out(crowd, match.id)
    assert (await withdrawals(crowd, cup_id))[late.id] is None
    match = next(one for one in await running_of(crowd, cup_id, late) if one.mover.person != late)
    gone = match.mover.person
    crowd.open(has_left=everybody_left)
    await crowd.services.forfeits.claim_win(*crowd.request(match.id, late))
    assert (await withdrawals(crowd, cup_id))[gone.id] is Withdrawal.GONE
    assert await crowd.queued(MessageKind.CUP_OUT) == []


async def test_discord_is_asked_whether_who_is_reminded_or_loses_on_time_has_left(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL, terms=replace(TERMS, pace=3 * DAY))
    while len(last := {one.id: one for person in (ALICE, BOB) for one in await running_of(crowd, cup_id, person)}) > 1:
        match = last.popitem()[1]
        await crowd.resign(match.id, match.mover.person)
    (match,) = last.values()
    cup, _ = await cup_and_table(crowd, cup_id)
    player = cup.player_of(match.mover.person.id)
    assert player is not None
    for hours, act in ((55, crowd.services.forfeits.remind), (24, partial(time_out, crowd, match.id))):
        before = len(await crowd.queued(MessageKind.CUP_MEMBER))
        crowd.later(hours=hours)
        await act()
        assert (await crowd.queued(MessageKind.CUP_MEMBER))[before:] == [{"cup": cup_id, "player": player.number}]


async def test_who_is_barred_or_plays_as_much_as_they_may_cannot_join_a_cup(crowd: Crowd) -> None:
    crowd.open(PlayLimits(matches=1))
    service = crowd.services.cups
    cup_id = await service.start(crowd.actor(CAROL, can_manage_server=True), TERMS)
    await crowd.begin(by=ALICE, to=BOB)
    with pytest.raises(Refusal, match="1 match running, which is the limit"):
        await service.join(crowd.actor(ALICE), cup_id)
    barred = Person(4, "Dave")
    await crowd.services.bars.bar(GUILD, barred.id)
    with pytest.raises(Refusal, match="barred you from playing"):
        await service.join(crowd.actor(barred), cup_id)
    view = await crowd.services.cup_queries.view(GUILD, cup_id)
    assert [player.person.id for player in view.cup.players] == [CAROL.id]


async def running_of(crowd: Crowd, cup_id: int, person: Person) -> list[Match]:
    """Return the running matches of a person in a cup, also those that count no more."""
    _, table = await cup_and_table(crowd, cup_id)
    found = [await crowd.match(one.match_id) for one in table.pairings if one.match_id is not None]
    return [match for match in found if match.state is MatchState.RUNNING and match.seat_of(person.id)]


def opponent_in(match: Match, person: Person) -> Person:
    return next(seat.person for seat in match.seats if seat.person.id != person.id)


async def left(crowd: Crowd) -> tuple[int, Match, Person]:
    """Begin a cup, and have the first opponent of a person leave it; return the cup, their match and the opponent."""
    cup_id = await begun(crowd, *EIGHT)
    match = (await running_of(crowd, cup_id, EIGHT[0]))[0]
    gone = opponent_in(match, EIGHT[0])
    return cup_id, match, gone


async def test_after_withdrawals_a_player_closes_what_counts_no_more_and_has_three_matches(crowd: Crowd) -> None:
    cup_id = await begun(crowd, *EIGHT)
    faithful = EIGHT[0]
    met = await running_of(crowd, cup_id, faithful)
    for match in met[:2]:
        await crowd.services.cups.leave(crowd.actor(opponent_in(match, faithful)), cup_id)
    assert len(await running_of(crowd, cup_id, faithful)) == 5
    await crowd.services.forfeits.close(*crowd.request(met[0].id, faithful))
    await crowd.services.forfeits.close(*crowd.request(met[1].id, opponent_in(met[1], faithful)))
    closed = [await crowd.match(match.id) for match in met[:2]]
    assert [(match.state, match.reason) for match in closed] == [(MatchState.OVER, "put away")] * 2
    assert len(await running_of(crowd, cup_id, faithful)) == 3
    assert not (await cup_and_table(crowd, cup_id))[1].to_begin()
    assert await audit(crowd.database) == []
    with pytest.raises(Refusal, match="still counts"):
        await crowd.services.forfeits.close(*crowd.request(met[2].id, faithful))


async def test_who_leaves_a_cup_does_not_get_out_of_a_rated_match_by_that(crowd: Crowd) -> None:
    cup_id, match, gone = await left(crowd)
    await crowd.move_twice(match.id)
    await crowd.services.cups.leave(crowd.actor(gone), cup_id)
    with pytest.raises(Refusal, match="only your opponent can close it"):
        await crowd.services.forfeits.close(*crowd.request(match.id, gone))
    await crowd.services.forfeits.close(*crowd.request(match.id, EIGHT[0]))
    assert ((await crowd.match(match.id)).reason, await crowd.leaderboard()) == ("put away", [])
    assert await audit(crowd.database) == []


async def test_the_matches_of_a_cup_that_a_manager_closed_may_be_closed(crowd: Crowd) -> None:
    cup_id = await begun(crowd, ALICE, BOB, CAROL)
    match = (await running_of(crowd, cup_id, ALICE))[0]
    await crowd.services.cups.close(crowd.actor(ALICE), cup_id)
    await crowd.services.forfeits.close(*crowd.request(match.id, ALICE))
    assert (await crowd.match(match.id)).reason == "put away"
    with pytest.raises(Refusal, match="not playing"):
        await crowd.services.forfeits.close(*crowd.request(match.id, Person(99, "Nobody")))


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
    cup = await crowd.services.read(cups.get, cup_id)
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
