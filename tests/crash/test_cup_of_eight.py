"""A cup of eight from ``/cup`` to its final table, which nobody runs, and in which the bot is killed anywhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.crash.bot_process import Chapter, Life
from tests.crash.crash_points import Moment, Point
from tests.crash.final_state import Account
from tests.crash.forking import lived, peacefully, prepared, told, undisturbed
from tests.crash.scenarios import CUP_OF_EIGHT

SCENARIO = CUP_OF_EIGHT
MOMENTS = (Moment.STORED, Moment.ANSWERED, Moment.RESUMED, Moment.EXECUTED)
"""The moments at which the bot is killed: one early in the cup, the last one late."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> tuple[Path, Account, dict[Moment, int]]:
    """The folder with a server of eight people, how the cup ends in peace, and the moments on the way."""
    folder = tmp_path_factory.mktemp("lives") / "cup"
    prepared(SCENARIO, folder, empty_database)
    account, moments = undisturbed(SCENARIO, folder)
    return folder, account, moments


def test_nobody_has_to_do_anything_but_play(begun: tuple[Path, Account, dict[Moment, int]]) -> None:
    account = begun[1]
    assert account["errors"] == []
    assert account["in doubt"]["not sent"] == []
    assert [cup[1] for cup in account["cups"]] == ["over"]
    assert len(account["cup_pairings"]) == len(account["matches"]) == 28
    assert {player[5] for player in account["cup_players"]} == set(range(1, 9))
    channel = account["seen"]["games"]
    assert [message["controls"] for message in channel] == [
        ["cup:matches:1", "cup:rules:1"],
        ["cup:again:1", "cup:matches:1"],
    ]
    assert len(account["seen"]) == 1 + 28, "one thread for each match"


def test_the_cup_ends_the_same_with_one_death_in_it_anywhere(
    begun: tuple[Path, Account, dict[Moment, int]],
) -> None:
    folder, expected, moments = begun
    killed = 0
    for kill, moment in enumerate(MOMENTS):
        number = 1 + int(moments[moment] * (kill + 0.5) / len(MOMENTS))
        place = folder.with_name(f"killed-{kill}")
        shutil.copytree(folder, place)
        killed += lived(Life(SCENARIO, Chapter.ACTION, place, Point(moment, number))) != 0
        peacefully(Life(SCENARIO, Chapter.AFTER, place))
        account = told(place)
        for part in expected:
            assert account[part] == expected[part], f"{part} after a death {moment} ({number})"
        shutil.rmtree(place)
    assert killed > len(MOMENTS) // 2, "hardly any point was reached"
