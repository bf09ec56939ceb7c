"""Matches that count no more for their cup: their players may close them, unrated, and they are not among the three."""

from __future__ import annotations

import pytest

from bot.matches.audit import audit
from bot.matches.model.refusals import Refusal
from bot.storage.records import Match, MatchState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd
from tests.matches.test_cups import begun, cup_and_table

EIGHT = tuple(Person(number, f"Player {number}") for number in range(1, 9))


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
