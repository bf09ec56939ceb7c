"""The README opens with three doors and pictures that load quickly and are described in words."""

from __future__ import annotations

import re

import pytest

from tests.demo.filming import MOST, PICTURES
from tests.docs.pages import ROOT, headings

README = (ROOT / "README.md").read_text(encoding="utf-8")
IMAGES = re.findall(r"<img ([^>]*)>", README)


def test_the_three_doors_come_before_everything_else_and_lead_to_sections() -> None:
    doors = re.findall(r"^- \*\*\[([^]]+)\]\(#([\w-]+)\)", README, re.MULTILINE)
    assert [title for title, _ in doors] == ["Try it", "Add it to your server", "Run your own"]
    assert {title for title, _ in doors} <= headings(ROOT / "README.md")
    assert all(title.lower().replace(" ", "-") == anchor for title, anchor in doors)
    assert README.index(doors[-1][0]) < README.index("\n## ")


def test_players_read_what_they_can_do_before_operators_do() -> None:
    assert README.index("## What you can do") < README.index("## Run your own")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_taken_from_the_demo_is_shown_described_and_light(name: str) -> None:
    (shown,) = [image for image in IMAGES if re.search(rf'src="docs/{name}\.', image)]
    described = re.search(r'alt="([^"]+)"', shown)
    assert described is not None
    assert len(described[1]) > 40
    (file,) = (ROOT / "docs").glob(f"{name}.*")
    assert 0 < file.stat().st_size < MOST
