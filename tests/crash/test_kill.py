"""However the bot dies between a click and what it leads to, what people see in the end is what they would have seen.

A sample of the points is tried, spread over each scenario. With ``TAVOLIERE_ALL_CRASH_POINTS=1`` the tests are all slow
and try every point.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.crash.bot_process import Chapter
from tests.crash.crash_points import Moment, Point
from tests.crash.final_state import Account
from tests.crash.forking import disturbed, first_start, hasty, prepared, undisturbed
from tests.crash.scenarios import SCENARIOS

ALL = os.environ.get("TAVOLIERE_ALL_CRASH_POINTS", "") not in ("", "0")
QUICK = ("a move",)
"""The scenarios that the quick tests try."""
AT_ONCE = 2
SAMPLE = {Moment.RESUMED: 1, Moment.EXECUTED: 1, Moment.STORED: 1, Moment.ASKED: 0, Moment.ANSWERED: 4}
"""How many points of each kind are tried of each scenario; a call that was done and not answered is the trickiest."""

pytestmark = pytest.mark.timeout(7200 if ALL else 600)

BOARD = re.compile(r"play:\d+:\d+|rematch:\d+")
"""The control by which the newest board of a match, or its result, is recognised."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A scenario up to its action, how many moments of each kind the action has, and how the scenario ends in peace."""

    scenario: str
    folder: Path
    moments: dict[Moment, int]
    expected: Account


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in QUICK and not ALL else pytest.mark.slow) for name in SCENARIOS],
)
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Stage:
    folder = tmp_path_factory.mktemp("lives") / request.param.replace(" ", "-")
    prepared(request.param, folder, empty_database)
    expected, moments = undisturbed(request.param, folder)
    return Stage(request.param, folder, moments, expected)


def test_a_story_in_which_nothing_goes_wrong_says_everything_once(stage: Stage) -> None:
    messages = [message for place in stage.expected["seen"].values() for message in place]
    texts = [message["text"] for message in messages]
    assert len(texts) == len(set(texts))
    assert all(len(message["notified"]) <= 1 for message in messages if "cup:join:2" not in message["controls"])
    boards = [control for message in messages for control in message["controls"] if BOARD.fullmatch(control)]
    assert len(boards) == len(stage.expected["matches"]), "one live board, or result, for each match"
    assert stage.expected["in doubt"]["not sent"] == stage.expected["errors"] == []


def test_a_life_cut_short_leaves_no_trace(stage: Stage) -> None:
    deaths = [(point,) for moment, sample in SAMPLE.items() for point in points(moment, stage.moments[moment], sample)]
    leaves_no_trace(stage, deaths, partial(disturbed, stage.scenario, stage.folder))


def test_a_second_death_in_recovering_from_the_first_leaves_no_trace(stage: Stage) -> None:
    chance = random.Random(stage.scenario)
    moments = [Point(moment, number + 1) for moment in SAMPLE for number in range(stage.moments[moment])]
    first = [point for point in moments if point.moment in (Moment.STORED, Moment.ANSWERED)]
    deaths = [(chance.choice(first), chance.choice(moments)) for _ in range(100 if ALL else 1)]
    leaves_no_trace(stage, deaths, partial(disturbed, stage.scenario, stage.folder))


def test_an_answer_that_is_lost_leaves_no_trace(stage: Stage) -> None:
    losses = [(point,) for point in points(Moment.LOST, stage.moments[Moment.LOST], sample=1)]
    leaves_no_trace(stage, losses, partial(disturbed, stage.scenario, stage.folder))


def test_going_on_before_a_lost_answer_is_noticed_leaves_no_trace(stage: Stage) -> None:
    losses = [(point,) for point in points(Moment.LOST, stage.moments[Moment.LOST], sample=3)]
    leaves_no_trace(stage, losses, partial(hasty, stage.scenario, stage.folder))


@pytest.mark.slow
def test_a_first_start_cut_short_leaves_no_trace(tmp_path: Path) -> None:
    scenario, folder = "a challenge", tmp_path / "nobody-yet"
    moments = first_start(folder)
    stage = Stage(scenario, folder, moments, undisturbed(scenario, folder)[0])
    deaths = [(point,) for moment, sample in SAMPLE.items() for point in points(moment, moments[moment], 2 * sample)]
    leaves_no_trace(stage, deaths, partial(disturbed, scenario, folder, first=Chapter.RECOVERY))


def points(moment: Moment, count: int, sample: int | None = None) -> list[Point]:
    """Return the points of a moment that comes ``count`` times: all of them, or a sample spread evenly."""
    if ALL or sample is None or sample >= count:
        return [Point(moment, number + 1) for number in range(count)]
    return [Point(moment, 1 + int(count * (step + 0.5) / sample)) for step in range(sample)]


def leaves_no_trace(
    stage: Stage, deaths: Sequence[tuple[Point, ...]], told: Callable[..., tuple[Account, str]]
) -> None:
    """Fail where a scenario with one of these deaths in it ends otherwise than in peace."""
    met = []

    def trace(death: tuple[Point, ...]) -> str | None:
        account, ends = told(*death)
        met.append(ends.startswith(tuple(Moment)))
        if account == stage.expected:
            return None
        died = " and ".join(f"{point.moment} ({point.number})" for point in death)
        return f"=== died {died}\n{_difference(account, stage.expected)}\n{ends}"

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(filter(None, pool.map(trace, deaths)))
    assert sum(met) * 2 > len(deaths), "hardly any crash point was reached: nothing was tried"
    if found:
        pytest.fail(f"{len(found)} of {len(deaths)} left a trace\n" + "\n".join(found), pytrace=False)


def _difference(account: Account, expected: Account) -> str:
    return "\n".join(
        f"{part}:\n  is        {json.dumps(account[part])}\n  should be {json.dumps(expected[part])}"
        for part in expected
        if account[part] != expected[part]
    )
