"""The page of figures: each section is written by its command, and the others are left as they are."""

from __future__ import annotations

import re
from datetime import date

import pytest

from tests.figures import HEAD, PAGE, Section, replaced, sections, table
from tests.figures.benchmarks import run
from tests.figures.calibration import compared
from tests.figures.tests import measured

SECTION = Section("speed", "Speed", "How fast it is.", lambda: table(("What", "ms"), [("one", 1), ("two", 2)]))


def test_a_section_says_what_was_measured_by_which_command_and_when() -> None:
    text = SECTION.text(SECTION.measure(), date(2026, 1, 2))
    assert text.startswith("## Speed\n\nHow fast it is.\n\n| What | ms |\n| --- | ---: |\n| one | 1 |\n| two | 2 |\n\n")
    assert re.search(r"`python -m tests\.figures speed` on \d+ cores, Python 3\.\d+\.\d+, 2026-01-02\.$", text)


def test_a_section_is_put_in_place_of_its_earlier_self_and_the_others_stay() -> None:
    page = replaced(replaced(HEAD, "one", "## One\n\nold \\1"), "two", "## Two")
    assert page.startswith(HEAD)
    assert replaced(page, "one", "## One\n\nnew \\1") == page.replace("old", "new")


def test_every_section_of_the_page_can_be_measured_again() -> None:
    written = re.findall(r"^<!-- (\w+) -->$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert written
    assert set(written) <= sections().keys()


@pytest.mark.parametrize("section", sections().values(), ids=lambda section: section.name)
def test_a_section_on_the_page_is_about_what_its_module_says(section: Section) -> None:
    page = PAGE.read_text(encoding="utf-8")
    if f"<!-- {section.name} -->" in page:
        assert f"<!-- {section.name} -->\n## {section.title}\n\n{section.about}\n\n" in page


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


def test_a_benchmark_is_run_and_read() -> None:
    (found,) = run("tests/benchmarks/test_rules.py", "-k", "listing and yonmoque")
    assert (found.test, found.parameter) == ("test_listing_the_legal_moves", "yonmoque-standard-2")
    assert found.median > 0
    assert found.notes["positions"] > 0


def test_what_tests_cost_is_added_up_by_folder() -> None:
    lines = measured("-n", "0", "tests/games/yonmoque/test_text.py")
    assert re.match(r"\d+ tests in \d+ seconds\.", lines[0])
    assert any(line.startswith("| `tests/games` |") for line in lines)
