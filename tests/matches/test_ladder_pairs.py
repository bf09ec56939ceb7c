"""Who plays whom in a week of a ladder, of people as values: near in rating, not lately met, and no pairing cheaper."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matches.model.ladders import IMPOSSIBLE, NEAR, NO_MATCH, pairs
from bot.matches.model.typed import DAY
from bot.storage.ladders import LadderPlayer
from bot.storage.records import Person
from tests.matches.conftest import ALICE, BOB, CAROL

DORA = Person(4, "Dora")


def in_it(*people: Person) -> list[LadderPlayer]:
    return [LadderPlayer(person, (), DAY, datetime(2026, 1, 1, tzinfo=UTC)) for person in people]


def test_two_who_have_met_lately_meet_others_though_they_are_near_in_rating() -> None:
    ratings = {ALICE.id: 1900.0, BOB.id: 1890.0, CAROL.id: 1500.0, DORA.id: 1490.0}
    near = {frozenset((ALICE.id, BOB.id)), frozenset((CAROL.id, DORA.id))}

    def met(lately: set[frozenset[int]]) -> set[frozenset[int]]:
        found = pairs(in_it(ALICE, BOB, CAROL, DORA), ratings, set(), lately, (), ["yonmoque"])
        return {frozenset((one.person.id, other.person.id)) for one, other in found if other is not None}

    assert met(set()) == near
    assert len(met(near)) == 2
    assert not met(near) & near


@given(st.lists(st.integers(1000, 2000), max_size=7), st.sets(st.frozensets(st.integers(0, 6), min_size=2, max_size=2)))
def test_no_exchange_of_partners_between_two_pairs_makes_a_week_cheaper(
    strengths: list[int], apart: set[frozenset[int]]
) -> None:
    people = in_it(*(Person(number, f"P{number}") for number in range(len(strengths))))
    found = pairs(people, dict(enumerate(map(float, strengths))), apart, set(), (), ["yonmoque"])

    def cost(*two: LadderPlayer | None) -> float:
        ids = [one.person.id for one in two if one is not None]
        if len(ids) < 2:
            return NO_MATCH * len(ids)
        return IMPOSSIBLE if frozenset(ids) in apart else abs(strengths[ids[0]] - strengths[ids[1]])

    assert sorted(one.person.id for pair in found for one in pair if one is not None) == list(range(len(people)))
    assert all(cost(*pair) < IMPOSSIBLE for pair in found)
    for (one, other), (third, fourth) in combinations(found, 2):
        now = cost(one, other) + cost(third, fourth)
        assert now <= cost(one, third) + cost(other, fourth)
        assert now <= cost(one, fourth) + cost(other, third)


@pytest.mark.parametrize(("places", "meet"), [(NEAR, True), (NEAR + 1, False)])
def test_partners_are_looked_for_among_the_nearest_places(places: int, meet: bool) -> None:
    """All are apart but the first and the last, who are so many places from each other."""
    people = in_it(*(Person(number, f"P{number}") for number in range(places + 1)))
    apart = {frozenset(two) for two in combinations(range(places + 1), 2)} - {frozenset((0, places))}
    found = pairs(people, dict.fromkeys(range(places + 1), 1500.0), apart, set(), (), ["yonmoque"])
    assert any(other is not None for _, other in found) is meet
