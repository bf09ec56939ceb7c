"""What stops a clock, and what follows when its time is up: a row for each decision."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.matches.model.policies.clocks import (
    Clock,
    Stop,
    ends_before_move,
    ends_itself,
    head_start,
    may_have_grace,
    may_pause,
    stops,
)
from tests.matches.policies.facts import ALICE, BOB, BOT, ERASED, NOON, match, seated

DAY, LIVE = 86400, 600
ALWAYS = Stop.DOWNTIME, Stop.SHARD, Stop.RULES


@pytest.mark.parametrize(
    ("stop", "clock", "stands"),
    [
        (Stop.REST, Clock(DAY), True),
        (Stop.REST, Clock(DAY, rest_counts=False), False),
        (Stop.REST, Clock(LIVE), False),
        (Stop.REST, Clock(None), False),
        (Stop.REST, Clock(DAY, flagged=True), False),
        (Stop.ABSENCE, Clock(DAY), True),
        (Stop.ABSENCE, Clock(None), True),
        (Stop.ABSENCE, Clock(LIVE), False),
        (Stop.ABSENCE, Clock(DAY, flagged=True), False),
        (Stop.PAUSE, Clock(DAY), True),
        (Stop.PAUSE, Clock(LIVE), False),
        (Stop.PAUSE, Clock(DAY, flagged=True), False),
        *((stop, Clock(pace), True) for stop in ALWAYS for pace in (None, LIVE, DAY)),
        *((stop, Clock(DAY, flagged=True), False) for stop in ALWAYS),
    ],
)
def test_what_stops_a_clock(stop: Stop, clock: Clock, stands: bool) -> None:
    assert stops(stop, clock) is stands


@pytest.mark.parametrize(
    ("pace", "facts", "seconds"),
    [
        (LIVE, {}, 60),
        (LIVE, {"left": 40}, 40),
        (LIVE, {"left": 0}, 0),
        (LIVE, {"left": -3540}, 0),
        (LIVE, {"moved": True, "left": 40}, 0),
        (LIVE, {"people": 1}, 0),
        (DAY, {}, 0),
        (None, {}, 0),
    ],
)
def test_how_long_the_first_clocks_of_a_live_match_stand(pace: int | None, facts: dict[str, int], seconds: int) -> None:
    given = {"people": 2, "moved": False, "left": 60} | facts
    left = timedelta(seconds=given.pop("left"))
    assert head_start(pace, people=given["people"], moved=bool(given["moved"]), leeway=left) == timedelta(
        seconds=seconds
    )


@pytest.mark.parametrize(
    ("changes", "facts", "given"),
    [
        ({}, {}, True),
        ({"graces": 1}, {}, True),
        ({"graces": 2}, {}, False),
        ({"pace": DAY - 1}, {}, False),
        ({"pace": LIVE}, {}, False),
        ({"pace": None}, {}, False),
        ({"flagged": True}, {}, False),
        ({"seats": seated(ALICE, BOT)}, {}, False),
        ({"seats": seated(ERASED, BOB)}, {}, False),
        ({}, {"given": False}, False),
        ({}, {"has_day": False}, False),
    ],
)
def test_who_has_a_grace(changes: dict[str, Any], facts: dict[str, bool], given: bool) -> None:
    assert may_have_grace(match(**changes), **({"given": True, "has_day": True} | facts)) is given


@pytest.mark.parametrize(
    ("changes", "automatic", "by_itself", "before_move"),
    [
        ({}, False, False, False),
        ({}, True, True, True),
        ({"pace": LIVE}, False, True, True),
        ({"seats": seated(ALICE, BOT)}, False, True, True),
        ({"cup_id": 1}, False, True, False),
        ({"pace": None}, True, False, True),
        ({"pace": None}, False, False, False),
        ({"pace": None, "guild_id": -20}, False, True, False),
    ],
)
def test_which_matches_end_when_the_time_is_up(
    changes: dict[str, Any], automatic: bool, by_itself: bool, before_move: bool
) -> None:
    of = match(**changes)
    assert (ends_itself(of, automatic=automatic), ends_before_move(of, automatic=automatic)) == (by_itself, before_move)


@pytest.mark.parametrize(
    ("changes", "paused"),
    [
        ({}, True),
        ({"paused_until": NOON}, False),
        ({"pace": None}, False),
        ({"pace": LIVE}, False),
        ({"flagged": True}, False),
        ({"cup_id": 1}, False),
        ({"ladder": True}, False),
        ({"seats": seated(ALICE, BOT)}, False),
    ],
)
def test_what_can_be_paused(changes: dict[str, Any], paused: bool) -> None:
    assert may_pause(match(**changes)) is paused
