"""How fast one may call, and that many are given no more than all may, whatever each of them wants and when it asks."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from bot.calls.pace import BURST, LEAST, LEAST_BURST, MOST, RATE, STANDING_BY, UNKNOWN, Pace, Quota

ALLOWED = 50
"""The calls that Discord allows within a second."""
RENEWED, LEASE = 3.0, 9.0
LATE = 1.4
"""Seconds by which a renewal may come late."""


def calls(pace: Pace, until: float, now: float = 0.0) -> list[float]:
    """Return the times of the calls of a process that always wants to call."""
    made = []
    while (now := round(now + pace.wait(now), 6)) < until:
        pace.take(now)
        made.append(now)
    return made


@pytest.mark.parametrize("rate", [0.5, UNKNOWN, 10.0, RATE])
def test_within_no_second_are_more_calls_made_than_the_rate_and_a_burst(rate: float) -> None:
    made = calls(Pace(rate, 0.0), 20.0)
    burst = max(LEAST_BURST, BURST * rate / RATE)
    assert made.count(0.0) == int(burst)
    for first in made:
        assert sum(first <= at < first + 1 for at in made) <= rate + burst <= ALLOWED
    assert len(made) == pytest.approx(20 * rate + burst, abs=1.01)


@pytest.mark.parametrize("processes", range(1, 8))
def test_up_to_seven_processes_that_paused_together_make_no_more_calls_than_discord_allows(processes: int) -> None:
    made = calls(Pace(RATE / processes, 0.0), 1.0001)
    # Each may send a call now that it was allowed to before the pause.
    assert processes * (len(made) + 1) <= ALLOWED


def test_nothing_is_called_while_that_is_not_wanted_and_nothing_is_saved_up_for_after_it() -> None:
    pace = Pace(10.0, 0.0)
    assert len(calls(pace, 0.99)) == 11
    pace.hold(5.0, 1.0)
    pace.hold(2.0, 1.0)
    assert (pace.held(1.0), pace.wait(4.0)) == (5.0, 2.0)
    made = calls(pace, 8.0, 1.0)
    assert made[0] == pytest.approx(6.0)
    assert len(made) <= 21


def test_another_rate_counts_from_when_it_is_set() -> None:
    pace = Pace(RATE, 0.0)
    calls(pace, 1.0)
    pace.set_rate(1.0, 1.0)
    assert len(calls(pace, 11.0, 1.0)) == pytest.approx(10, abs=1)
    pace.set_rate(RATE, 11.0)
    assert len(calls(pace, 12.0, 11.0)) == pytest.approx(RATE, abs=1)


def test_a_weight_is_what_was_wanted_within_bounds() -> None:
    assert Quota.weight(0, 3.0) == LEAST
    assert Quota.weight(30, 3.0) == 10.0
    assert Quota.weight(900, 3.0) == MOST
    assert Quota.weight(1, 0.0) == LEAST


def test_alone_one_has_everything_and_beside_others_a_share_that_is_known_to_all() -> None:
    quota = Quota(LEASE)
    assert quota.rate(0.0) == UNKNOWN
    quota.renewed(LEAST, 0.0, 0.0)
    assert quota.rate(1.0) == RATE
    # Another one, which counts on little until this one has heard of it.
    other = Quota(LEASE)
    other.renewed(LEAST, LEAST, 2.0)
    assert other.rate(2.0) == other.rate(6.4) == UNKNOWN
    assert other.rate(6.5) == RATE / 2
    quota.renewed(LEAST, LEAST, 3.0)
    assert quota.rate(3.0) == UNKNOWN
    assert quota.rate(4.6) == RATE / 2
    # Heavier from now on, which the other one has not heard of yet.
    quota.renewed(3 * LEAST, LEAST, 6.0)
    assert quota.rate(6.0) == RATE / 2
    quota.renewed(3 * LEAST, LEAST, 9.0)
    assert quota.rate(10.4) == RATE / 2
    assert quota.rate(10.6) == RATE * 3 / 4
    # What is not wanted any more is given back at once.
    quota.renewed(LEAST, LEAST, 12.0)
    assert quota.rate(12.0) == RATE / 2
    # Not renewed for too long: others may be there by now.
    assert quota.rate(12.0 + LEASE) == UNKNOWN
    quota.renewed(LEAST, LEAST, 30.0)
    assert quota.rate(30.0) == UNKNOWN


@dataclass
class Process:
    """A process that renews its lease every three seconds, more or less, and wants now much and now little."""

    rng: random.Random
    next_at: float
    quota: Quota = field(default_factory=lambda: Quota(LEASE))
    weight: float = 0.0

    def renew(self, others: float) -> None:
        if self.rng.random() < 0.3:
            self.weight = self.rng.choice([STANDING_BY, LEAST, LEAST, self.rng.uniform(LEAST, MOST), MOST])
        self.weight = self.weight or LEAST
        self.quota.renewed(self.weight, others, self.next_at)
        self.next_at += RENEWED + self.rng.uniform(0, LATE)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("number", [2, 4, 20])
def test_what_all_together_may_call_is_never_more_than_there_is(number: int, seed: int) -> None:
    rng = random.Random(f"{number} {seed}")
    processes = [Process(rng, rng.uniform(0, RENEWED)) for _ in range(number)]
    given, seconds = 0.0, 0.0
    while seconds < 600:
        process = min(processes, key=lambda one: one.next_at)
        now = process.next_at
        process.renew(sum(one.weight for one in processes if one is not process))
        after = min(one.next_at for one in processes) - now
        if now > 10:
            rate = sum(one.quota.rate(now) for one in processes)
            assert rate < RATE + 1e-6, now
            given, seconds = given + rate * after, seconds + after
    assert given / seconds > 0.6 * RATE
