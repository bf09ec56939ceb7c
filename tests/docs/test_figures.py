"""The pages of figures: each is written by its command, and their page of questions copies what answers these."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tests.figures import Section, questions, sections, table
from tests.figures.benchmarks import run
from tests.figures.calibration import compared
from tests.figures.tests import measured
from tests.figures.troubles import WELL, lines
from tests.scale.run import Account

SECTION = Section("speed", "Speed", "How fast it is.", lambda: table(("What", "ms"), [("one", 1), ("two", 2)]))


def test_a_section_says_what_was_measured_by_which_command_and_when() -> None:
    text = SECTION.text(SECTION.measure(), date(2026, 1, 2))
    assert text.startswith("# Speed\n\nHow fast it is.\n\n| What | ms |\n| --- | ---: |\n| one | 1 |\n| two | 2 |\n\n")
    assert re.search(r"`python -m tests\.figures speed` on \d+ cores, Python 3\.\d+\.\d+, 2026-01-02\.\n$", text)


def test_a_section_is_written_to_a_page_of_its_own_and_the_questions_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = questions.Question("Quick?", "It is.", {"speed": ("| two |",)})
    monkeypatch.setattr(questions, "FOLDER", tmp_path)
    monkeypatch.setattr(questions, "PAGE", tmp_path.with_suffix(".md"))
    monkeypatch.setattr(questions, "QUESTIONS", (asked,))
    SECTION.write(SECTION.measure())
    assert "| one | 1 |" in (tmp_path / "speed.md").read_text(encoding="utf-8")
    page = questions.PAGE.read_text(encoding="utf-8")
    assert (
        f"## Quick?\n\nIt is.\n\n| What | ms |\n| --- | ---: |\n| two | 2 |\n\nAll of it: [Speed]({tmp_path.name}"
        in page
    )
    assert "| one |" not in page


def test_an_answer_that_is_not_there_is_noticed() -> None:
    lines = ["Words.", "", *SECTION.measure()]
    assert list(questions.answer(lines, ("Words", "| one |"))) == ["Words.", "", *lines[2:5]]
    with pytest.raises(ValueError, match="three"):
        list(questions.answer(lines, ("| one |", "| three |")))


def test_the_questions_are_answered_by_what_stands_on_the_pages() -> None:
    assert questions.PAGE.read_text(encoding="utf-8") == questions.page(questions.FOLDER)


def test_every_page_of_figures_can_be_measured_again() -> None:
    written = {page.stem for page in questions.FOLDER.iterdir()}
    assert written
    assert written <= sections().keys()


@pytest.mark.parametrize("name", sorted(page.stem for page in questions.FOLDER.iterdir()))
def test_a_page_is_about_what_its_module_says(name: str) -> None:
    section = sections()[name]
    page = (questions.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {section.title}\n\n{section.about}\n\n")


@pytest.mark.parametrize("section", sections().values(), ids=lambda section: section.name)
def test_every_section_has_a_title_and_says_what_it_is_about(section: Section) -> None:
    assert 0 < len(section.title) <= 40
    assert section.about.endswith(".")


def test_what_came_of_positions_is_compared_with_what_was_said_of_them_by_tenths() -> None:
    head, _, row, none, *_ = compared({"One": [(0.42, 1.0), (0.48, 0.5), (1.0, 1.0), (0.95, 0.0)], "None": []}, 7)
    assert [part.strip() for part in head.split("|")[3:14]] == [
        *(f"{at} to {at + 10}%" for at in range(0, 100, 10)),
        "Difference",
    ]
    assert [part.strip() for part in row.split("|")[1:7]] == ["One", "4", "–", "–", "–", "–"]
    # 0.75 came of 0.45 in two positions, and 0.5 of 0.975 in two.
    assert [part.strip() for part in row.split("|")[7:14]] == ["75% (2)", "–", "–", "–", "–", "50% (2)", "39%"]
    assert none.startswith("| None | 0 | –")


def test_what_was_wrong_after_troubles_stands_on_their_page() -> None:
    well = lines(Account([], {"kill": 2}, {"boards": 7}, {"outbox unreadable": 1}))
    assert "| Kill a bot that serves, and start another in its place after a while. | 2 |" in well
    assert "| boards | 7 |" in well
    assert "| outbox unreadable | 1 |" in well
    assert WELL in well
    wrong = lines(Account(["match 1: a board was posted twice"], {}))
    assert "match 1: a board was posted twice" in wrong
    assert WELL not in wrong


@pytest.mark.slow
def test_a_benchmark_is_run_and_read() -> None:
    (found,) = run("tests/benchmarks/measure_rules.py", "-k", "listing and yonmoque")
    assert (found.test, found.parameter) == ("test_listing_the_legal_moves", "yonmoque-standard-2")
    assert found.median > 0
    assert found.notes["positions"] > 0


@pytest.mark.slow
def test_what_tests_cost_is_added_up_by_folder() -> None:
    lines = measured("-n", "0", "tests/games/yonmoque/test_text.py")
    found = re.match(r"\d+ tests in \d+ seconds, and (\d+) seconds of processor time\.", lines[0])
    assert found is not None
    assert int(found[1]) > 0
    assert any(line.startswith("| `tests/games` |") for line in lines)
