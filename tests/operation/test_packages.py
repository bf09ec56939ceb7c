"""Games of other packages, as the operator and the author of a game see them from the command line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.processes.processes import ROOT, command, executed
from tests.support.toy_package import FOLDER

BARE = """
from tavoliere_tic_tac_toe import TicTacToe
from renderers.i18n import gettext_lazy as _


class Bare(TicTacToe):
    key = "bare"
    name = "Bare"
    summary = _("No full stop")


GAME = Bare()
"""
pytestmark = pytest.mark.slow

LEFT_OUT = "the game odd of the package odd-game 2.0 is left out: ZeroDivisionError: division by zero"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder with a package that cannot be imported."""
    folder = tmp_path / "packages"
    info = folder / "odd_game-2.0.dist-info"
    info.mkdir(parents=True)
    (folder / "odd_game.py").write_text("1 / 0\n", encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-game\nVersion: 2.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[tavoliere.games]\nodd = odd_game:GAME\n", encoding="utf-8")
    return folder


def bot(folder: Path, *arguments: object, packages: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``python -m bot`` with a folder of packages on the path."""
    path = [str(ROOT), *([str(packages)] if packages else [])]
    return executed(command(folder, *arguments, pythonpath=os.pathsep.join(path), discord_token="not a token"))


def test_check_names_a_package_that_is_left_out(tmp_path: Path, broken: Path) -> None:
    checked = bot(tmp_path, "check", packages=broken)
    assert f"games: {LEFT_OUT}" in checked.stdout.splitlines()
    assert "commands: fine" in checked.stdout.splitlines()
    assert checked.returncode == 1


def test_a_process_that_starts_logs_a_package_that_is_left_out_and_goes_on(tmp_path: Path, broken: Path) -> None:
    for role, end in (("think", "An SQLite database is for one bot"), ("run", "Discord")):
        started = executed(
            command(
                tmp_path,
                role,
                pythonpath=os.pathsep.join((str(ROOT), str(broken))),
                discord_token="not a token",
                discord_api_url="http://127.0.0.1:9",
                log_format="json",
            )
        ).stdout
        (line,) = [line for line in started.splitlines() if '"game left out"' in line]
        for part in ('"game": "odd"', '"package": "odd-game 2.0"', '"reason": "ZeroDivisionError: division by zero"'):
            assert part in line
        assert end in started.split(line)[1], role


def test_a_game_in_which_nothing_is_missing_is_told_how_to_run_its_tests(tmp_path: Path) -> None:
    checked = bot(tmp_path, "game", "check", "tic-tac-toe", packages=FOLDER)
    assert checked.stdout.splitlines() == [
        "Remark: it has no puzzles.",
        "Remark: it is shown in English, wholly or in part, in de, es, fr, it, ja, pt-BR.",
        "Tic-tac-toe: nothing is missing. Its tests, from any folder:",
        "python -m pytest --pyargs bot.contract --game tic-tac-toe",
    ]
    assert checked.returncode == 0


def test_what_a_game_lacks_is_said_in_sentences(tmp_path: Path) -> None:
    package = tmp_path / "packages"
    (package / "bare").mkdir(parents=True)
    (package / "bare" / "__init__.py").write_text(BARE, encoding="utf-8")
    info = package / "bare-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bare\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[tavoliere.games]\nbare = bare:GAME\n", encoding="utf-8")
    rules = (package / "bare" / "RULES").with_suffix(".md")
    rules.write_text("# Bare, exactly\n\n## Source\n\n[decided]\n", encoding="utf-8")
    checked = bot(tmp_path, "game", "check", "bare", packages=Path(f"{package}{os.pathsep}{FOLDER}"))
    *said, _, _, verdict, _ = checked.stdout.splitlines()
    assert said == [
        "The summary does not end with a full stop.",
        "guide.md is missing: the rules for players, in pages with diagrams.",
        f'{rules.name} has no heading "Board".',
        f'{rules.name} has no heading "Notation".',
        f'{rules.name} has no heading "Check".',
        "golden has 0 games of the variant standard; at least 5 are wanted.",
        "golden/demo.txt is missing: a short game that is played on the demo page.",
        "questions.toml is missing: 10 questions that a reader of the guide can answer.",
    ]
    assert verdict == "Bare: 8 things are missing or wrong. Its tests, from any folder:"
    assert checked.returncode == 1
