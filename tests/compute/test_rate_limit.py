"""Everybody has a budget; what is refused is possible after exactly the time that was told."""

from __future__ import annotations

from bot.compute.rate_limit import BUDGET, POINTS_PER_SECOND, REFILL_SECONDS, RateLimit
from tests.support.manual_time import Time


def spent(limit: RateLimit, who: str, points: float = 1.0) -> int:
    """Return how often a person could spend so many points one after the other."""
    times = 0
    while not limit.spend(who, points):
        times += 1
    return times


def test_a_budget_can_be_spent_at_once_and_is_nobody_elses() -> None:
    limit = RateLimit(Time())
    assert spent(limit, "alice") == BUDGET
    assert spent(limit, "bob", 0.25) == BUDGET * 4


def test_what_is_given_back_can_be_spent_again_and_no_more() -> None:
    limit = RateLimit(Time())
    spent(limit, "alice")
    limit.give_back("alice", 3)
    assert spent(limit, "alice") == 3
    limit.give_back("bob", 3)
    assert spent(limit, "bob") == BUDGET


def test_the_time_told_is_right() -> None:
    time = Time()
    limit = RateLimit(time)
    spent(limit, "alice")
    wait = limit.spend("alice", 5)
    time.now += wait - 0.001
    assert limit.spend("alice", 5) > 0
    time.now += 0.002
    assert limit.spend("alice", 5) == 0


def test_a_spent_budget_is_full_again_after_a_while() -> None:
    time = Time()
    limit = RateLimit(time)
    spent(limit, "alice")
    time.now += REFILL_SECONDS
    assert spent(limit, "alice") == BUDGET


def test_computing_costs_and_may_overdraw() -> None:
    limit = RateLimit(Time())
    limit.charge_seconds("alice", 1)
    assert spent(limit, "alice") == BUDGET - POINTS_PER_SECOND
    limit.charge_seconds("alice", 2)
    assert limit.spend("alice", 1) == (2 * POINTS_PER_SECOND + 1) / (BUDGET / REFILL_SECONDS)


def test_nobody_waits_for_ever_however_much_was_computed() -> None:
    limit = RateLimit(Time())
    limit.charge_seconds("alice", 10**6)
    assert limit.spend("alice", 1) < 3 * REFILL_SECONDS


def test_a_great_many_people_are_not_remembered_once_their_budgets_are_full() -> None:
    time = Time()
    limit = RateLimit(time)
    for person in range(5000):
        time.now += 1
        assert limit.spend(person, 1) == 0
    assert len(limit._accounts) <= 1001
