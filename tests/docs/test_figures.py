"""The pages of figures: each is written by its command, and the index names the question that each answers."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tests import figures
from tests.figures import FOLDER, Section, sections, table

SECTION = Section("speed", "Speed", "How fast it is.", lambda: table(("What", "ms"), [("one", 1), ("two", 2)]))


def test_a_section_says_what_was_measured_by_which_command_and_when() -> None:
    text = SECTION.text(SECTION.measure(), date(2026, 1, 2))
    assert text.startswith("# Speed\n\nHow fast it is.\n\n| What | ms |\n| --- | ---: |\n| one | 1 |\n| two | 2 |\n\n")
    assert re.search(r"`python -m tests\.figures speed` on \d+ cores, Python 3\.\d+\.\d+, 2026-01-02\.\n$", text)


def test_a_section_is_written_to_a_page_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    SECTION.write(SECTION.measure())
    assert "| one | 1 |" in (tmp_path / "speed.md").read_text(encoding="utf-8")


def test_every_page_of_figures_can_be_measured_again_and_answers_a_question_of_the_index() -> None:
    index = FOLDER.with_suffix(".md").read_text(encoding="utf-8")
    linked = re.findall(r"\(figures/(\w+)\.md\)", index)
    written = {page.stem for page in FOLDER.iterdir()}
    assert sorted(linked) == sorted(written)
    assert written <= sections().keys()


@pytest.mark.parametrize("name", sorted(page.stem for page in FOLDER.iterdir()))
def test_a_page_is_about_what_its_module_says(name: str) -> None:
    section = sections()[name]
    assert 0 < len(section.title) <= 40
    assert section.about.endswith(".")
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {section.title}\n\n{section.about}\n\n")
