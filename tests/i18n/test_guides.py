"""The guides in other languages can be read, and are as easy to show as the English ones.

Those that are behind the English ones are shown in English; ``python -m bot.translating missing`` lists them.
"""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from bot.contract.findings import PHONE
from bot.games import GAMES
from bot.games.guides import Page, read, read_like
from bot.translating.extraction import HERE

TITLE = 40
"""Characters of a title in the menu of pages, on a phone."""

FILES = sorted(HERE.glob("*/guides/*.md"))
each_file = pytest.mark.parametrize(
    "file", [pytest.param(file, id=f"{file.parents[1].name}-{file.stem}") for file in FILES]
)


def guides(file: Path) -> list[tuple[Page, ...]]:
    """Return the guide in a file once for each variant of its game that has the pages of the English one."""
    game, text = GAMES[file.stem], file.read_text(encoding="utf-8")
    found = []
    for variant in game.variants:
        read(text, game, str(file), variant)
        with suppress(ValueError):
            found.append(read_like(text, game, str(file), variant))
    return found


def columns(text: str) -> int:
    """Return how wide a text is, in letters; those of Japanese are two wide."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


@each_file
def test_its_pages_fit_menus_messages_and_phones(file: Path) -> None:
    for pages in guides(file):
        assert len({page.title for page in pages}) == len(pages)
        for page in pages:
            assert 0 < columns(page.title) <= TITLE
            assert 0 < len(page.text) <= 1600
            said = "\n".join((page.text, *(diagram.caption for diagram in page.diagrams)))
            lines = sum(max(1, ceil(columns(line) / PHONE)) for line in said.splitlines())
            assert page.aside or lines <= (16 if page.diagrams else 20), f"{page.title}: {lines} lines"
