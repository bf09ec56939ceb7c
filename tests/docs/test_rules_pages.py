"""Each game's exact rules stand beside its code, are built alike, and are installed with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PAGES = sorted((ROOT / "bot" / "games").rglob("RULES.md"))
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)


@each_page
def test_what_does_not_stand_in_the_source_is_marked_as_decided_or_sourced(page: Path) -> None:
    marks = re.findall(r"\[(\w+)[\]:]", page.read_text(encoding="utf-8"))
    assert marks
    assert set(marks) <= {"decided", "sourced"}


@each_page
def test_a_player_is_they(page: Path) -> None:
    assert re.findall(r"\b(?:he|him|his|she|her)\b", page.read_text(encoding="utf-8"), re.IGNORECASE) == []


@each_page
def test_the_rules_are_installed_with_the_program(page: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["bot"]
    assert any(page in (ROOT / "bot").glob(pattern) for pattern in patterns)
