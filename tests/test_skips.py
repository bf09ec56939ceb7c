"""In CI a skip fails the run, unless it is on the list; elsewhere it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.skips import ALLOWED

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

@pytest.mark.skip(reason="no browser")
def test_one(): ...

@pytest.mark.xfail(reason="known")
def test_other():
    assert False

def test_last():
    assert True
"""


def run(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on ``TESTS`` in a process of its own, with the plugin."""
    (folder / "test_some.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").touch()
    plugins = ("xdist.plugin", "tests.skips", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *(word for name in plugins for word in ("-p", name)), *options]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CI", "PYTEST"))}
    # Loading all the others takes longer than the tests.
    given = kept | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | environment
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("workers", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_in_ci_a_skip_that_is_not_on_the_list_fails_the_run(tmp_path: Path, workers: str) -> None:
    ended = run(tmp_path, "-n", workers, CI="true")
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED
    assert "not on the list in tests/skips.py: test_some.py::test_one" in ended.stdout
    assert "test_other" not in ended.stdout


def test_elsewhere_a_skip_is_a_skip(tmp_path: Path) -> None:
    ended = run(tmp_path, "-n", "0")
    assert ended.returncode == pytest.ExitCode.OK
    assert "1 skipped" in ended.stdout


def test_the_list_names_tests_that_are_there() -> None:
    for nodeid in ALLOWED:
        file, _, name = nodeid.partition("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8")
