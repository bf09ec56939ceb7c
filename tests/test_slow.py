"""Every test is in one of two runs, ``pytest`` and ``pytest --slow``, properties in both; ``.ci/run`` does both."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest
from hypothesis import given, strategies

@given(strategies.booleans())
def test_property(_): ...

def test_quick(): ...

@pytest.mark.slow
def test_slow(): ...

@pytest.mark.parametrize("games", [1, pytest.param(99, marks=pytest.mark.slow)])
def test_some_quick(games): ...

def test_kept(request):
    if request.config.pluginmanager.hasplugin("syrupy"):
        assert "as it was" == request.getfixturevalue("snapshot")
"""
QUICK = {"test_quick", "test_some_quick[1]", "test_property", "test_kept"}
SLOW = {"test_slow", "test_some_quick[99]", "test_property"}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``TESTS`` in a process with these arguments."""
    (folder / "test_some.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n", encoding="utf-8")
    plugins = ("xdist.plugin", "tests.support.collected", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", "-rp", *(word for name in plugins for word in ("-p", name)), *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    given = kept | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)


def ran(folder: Path, *arguments: str) -> set[str]:
    """Return the tests of ``TESTS`` that a process passes with these arguments."""
    ended = run(folder, *arguments)
    assert ended.returncode == 0, ended.stdout
    return set(re.findall(r"^PASSED test_some\.py::(\S+)", ended.stdout, re.MULTILINE))


@pytest.mark.parametrize("workers", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_each_test_is_in_one_of_the_two_runs_and_a_property_in_both(tmp_path: Path, workers: str) -> None:
    assert ran(tmp_path, "-n", workers) == QUICK
    assert ran(tmp_path, "-n", workers, "--slow") == SLOW


@pytest.mark.parametrize("workers", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_a_snapshot_that_no_test_compares_fails_the_quick_run_alone(tmp_path: Path, workers: str) -> None:
    options = ("-n", workers, "-p", "syrupy")
    assert ran(tmp_path, *options, "--snapshot-update") == QUICK
    assert ran(tmp_path, *options) == QUICK
    assert ran(tmp_path, *options, "--slow") == SLOW
    (kept,) = (tmp_path / "__snapshots__").iterdir()
    version, one = kept.read_text(encoding="utf-8").split("\n", maxsplit=1)
    kept.write_text(f"{version}\n{one}{one.replace('test_kept', 'test_removed')}", encoding="utf-8")
    assert run(tmp_path, *options).returncode != 0
    assert ran(tmp_path, *options, "--slow") == SLOW


def test_a_test_that_is_named_runs(tmp_path: Path) -> None:
    assert ran(tmp_path, "-n", "0", "test_some.py::test_slow") == {"test_slow"}


def test_before_anything_lands_both_runs_are_done() -> None:
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    (slow,) = (at for at, step in enumerate(steps) if step.startswith(".venv/bin/python -m pytest --slow"))
    assert steps.index('eval "$command"') < slow
