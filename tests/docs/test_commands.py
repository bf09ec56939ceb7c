"""The commands in the pages for maintainers work: each is run in a copy of the project, or is on a list with a reason.

A command is a line of a block of shell, or what stands in single backticks and begins like one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns

import pytest

from tests.support.crowds.filling import fill, servers

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NOT_COPIED = ignore_patterns(".*", "*.pyc.*", "*.egg-info", "data", "backups", "image_snapshots_failures")

NOT_RUN = {
    r".* -m pip install .*": "wants a network; .ci/run runs it",
    r"python3 -m venv \.venv": "this very environment was made by it",
    r"sudo apt-get install .*": "changes the machine",
    r"\.ci/run( tests)?": "takes all tests and more; CI runs it",
    r".* -m pytest( --slow| tests/i18n)?": "is this very run, or a part of it",
    r".* -m pytest --pyargs bot\.contract .*": "takes a minute; these tests are a part of this very run",
    r"git clone .*|cd tavoliere": "gets this very source",
    r".* -m bot setup": "asks for a token; tests/operation/test_setup.py gives it one",
    r".* -m bot run": "wants a token; tests/operation/test_run.py runs it, in front of a Discord on the loopback",
    r".* -m bot check --online": "asks Discord; tests/operation/test_check.py asks one on the loopback",
    r".* -m bot demo": "opens a page until it is stopped; tests/demo/test_command.py runs it",
    r".* -m bot copy .* postgresql.*": "wants a server; tests/operation/test_copy.py copies to one",
    r".* -m bot erase .*": "asks first whether it is meant; tests/operation tries it",
    r".* -m bot think": "thinks until it is stopped; tests/operation/test_sharing.py runs it",
    r"TAVOLIERE_.*": "takes minutes or hours",
    r".* -m tests\.mutation.*": "takes an hour; tests/mutation/test_faults.py plants a few",
    r".* -m bot\.opponents ladder.*": "takes hours; tests/opponents/test_ladder.py plays a few games of it",
    r".* -m bot\.opponents puzzles.*": "takes hours; tests/opponents/test_puzzles.py looks for one",
    r".* -m tests\.recorded_requests.*": "wants Discord's description, which is not part of this project",
    r".* -m tests\.figures.*": "takes minutes; tests/docs/test_figures.py measures something small",
    r".* -m tests\.demo\.filming": "takes a minute in a browser; tests/demo/test_filming.py takes one picture",
    r"\.venv/bin/pre-commit install": "changes the hooks of the checkout",
    r"(.* -m )?mypy": "takes a minute; CI runs it",
    r".*lint-imports": "tests/test_architecture.py does the same",
    r"grep .*": "wants a log; tests/operation/test_logs.py looks for the same in one",
    r"pg_dump": "is PostgreSQL's own",
}
"""Commands that are not run here, as patterns, and why."""

IMPORT = ".venv/bin/python -m bot import records/*.txt"
"""Run on an empty database: matches that are there already are refused."""

_BEGINNING = r"(?:\.venv/bin/)?python3? -m |\.ci/run|ruff |mypy|lint-imports|grep |pg_dump|TAVOLIERE_\w+=[^`\s]+ "
_COMMAND = re.compile(rf"^ *```sh\n(.*?)^ *```$|`((?:{_BEGINNING})[^`]*)`", re.DOTALL | re.MULTILINE)


def commands(page: str) -> Iterator[str]:
    """Yield the commands of a page in order, as one would type them, without comments."""
    for found in _COMMAND.finditer(page):
        lines = [" ".join(found[2].split())] if found[1] is None else found[1].splitlines()
        for line in lines:
            if command := re.sub(r"(?:^| +)# .*", "", line).strip():
                yield from command.split(" && ")


def reason(command: str) -> str | None:
    """Return why a command is not run here, or None for one that is."""
    return next((why for pattern, why in NOT_RUN.items() if re.fullmatch(pattern, command)), None)


def typed(page: Path) -> list[str]:
    """Return the commands of a page that are run here, each once."""
    every = dict.fromkeys(commands(page.read_text(encoding="utf-8")))
    return [command for command in every if reason(command) is None]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One copy of the project for all pages, compiled modules included, with a few matches stored."""
    copy = tmp_path_factory.mktemp("commands") / "tavoliere"
    copytree(ROOT, copy, ignore=NOT_COPIED)
    (copy / ".venv").symlink_to(sys.prefix)
    (copy / "data").mkdir()
    fill(copy / "data" / "kept.db", servers(1, 4), running=2, finished=2, now=datetime.now(UTC))
    return copy


def shell(command: str, project: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as it would be typed there."""
    left_out = ("PYTEST", "COVERAGE", "CI", "PYTHONDONTWRITEBYTECODE")
    given = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    if command == IMPORT:
        given["DATABASE_URL"] = "sqlite+aiosqlite:///data/another.db"
    # Matches of every game there is were stored: the toy game's package is installed there, too.
    given["PYTHONPATH"] = str(project / "tests" / "toy_package")
    given["DISCORD_TOKEN"] = "MTIzNDU2.not-a-real-token.but-a-secret"
    given["PATH"] = f"{project / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    typed = ["bash", "-c", command]
    return subprocess.run(typed, cwd=project, env=given, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", [page for page in PAGES if typed(page)], ids=lambda page: page.name)
def test_the_commands_of_a_page_work(page: Path, project: Path) -> None:
    for of_another_page in (project / "data").glob("tavoliere.db*"):
        of_another_page.unlink()
    copyfile(project / "data" / "kept.db", project / "data" / "tavoliere.db")
    for command in typed(page):
        ended = shell(command, project)
        assert ended.returncode == 0, f"{command}\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}"


def test_every_reason_is_that_of_a_command() -> None:
    every = [command for page in PAGES for command in commands(page.read_text(encoding="utf-8"))]
    assert [pattern for pattern in NOT_RUN if not any(re.fullmatch(pattern, command) for command in every)] == []


def test_a_command_is_found_in_a_block_and_in_a_sentence() -> None:
    block, other = "```sh\n# once\nthree --four  # five\nsix && seven\n```", "```\neight\n```"
    page = f"Do `python -m one\nmore`, never `two`:\n\n{block}\n\n{other}\n"
    assert list(commands(page)) == ["python -m one more", "three --four", "six", "seven"]


@pytest.mark.slow
def test_a_command_that_does_not_work_is_noticed(project: Path) -> None:
    assert shell(".venv/bin/python -m bot.contract.golden write redo", project).returncode != 0
