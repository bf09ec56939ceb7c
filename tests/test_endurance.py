"""The kill-and-fault run says what it takes to repeat it, fails where a test fails, and ends in time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.endurance import main

pytestmark = pytest.mark.slow

BAD = "def test_of_bad_luck():\n    assert 6 * 9 == 42\n"


def test_the_run_begins_with_what_repeats_it_and_ends_when_the_time_is_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "test_good.py"
    good.write_text("def test_of_arithmetic():\n    assert 6 * 7 == 42\n")
    assert main(["--minutes", "0.01", "--seed", "7", "--tests", str(good)]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert re.match(r"0\.01 minutes with seed 7, commit \S+, Python 3\.\d+\.\d+, discord\.py \d", first)
    assert others == ["cut short: tests/lifecycle/test_machine.py", "1 cut short"]


def test_a_failure_is_told_with_what_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "test_bad.py"
    bad.write_text(BAD)
    monkeypatch.setattr("tests.endurance.LIFE", str(bad))
    assert main(["--minutes", "10", "--steps", "1", "--seed", "7", "--tests", str(bad)]) == 1
    said = capsys.readouterr().out
    assert "assert (6 * 9) == 42" in said
    again = r"failed with seed 7, commit \S+, .*; again: TAVOLIERE_SEED=42 TAVOLIERE_LONG_LIFE=2.5 python"
    assert re.search(again, said)
