"""The guides in other languages: the pages and diagrams of the English ones, and as easy to show."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from bot.contract.findings import PHONE
from bot.games import GAMES
from bot.games.guides import Page, guide, read_like
from bot.translating.extraction import HERE
from tests.support.languages import untranslated_games

TITLE = 40
"""Characters of a title in the menu of pages, on a phone."""

FILES = sorted(HERE.glob("*/guides/*.md"))
ENGLISH = {file.parent.name: file for file in (HERE.parent / "games").glob("*/guide.md")}
"""The English guides, by the keys of their games."""

each_file = pytest.mark.parametrize(
    "file", [pytest.param(file, id=f"{file.parents[1].name}-{file.stem}") for file in FILES]
)


def guides(file: Path) -> list[tuple[Page, ...]]:
    """Return the guide in a file once for each variant of its game."""
    game, text = GAMES[file.stem], file.read_text(encoding="utf-8")
    return [read_like(text, game, str(file), variant) for variant in game.variants]


def columns(text: str) -> int:
    """Return how wide a text is, in letters; those of Japanese are two wide."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def notation(text: str) -> list[str]:
    return sorted(re.findall(r"`[^`\n]+`", text.replace("```", "")))


def test_a_language_that_has_a_guide_has_one_for_every_game_it_speaks_of() -> None:
    for folder in {file.parent for file in FILES}:
        found = {file.stem for file in folder.iterdir()}
        assert found <= set(ENGLISH), folder
        assert found == set(ENGLISH) - untranslated_games(folder.parent.name), folder


@each_file
def test_its_pages_and_diagrams_are_those_of_the_english_one_and_every_caption_is_translated(file: Path) -> None:
    game = GAMES[file.stem]
    for variant, pages in zip(game.variants, guides(file), strict=True):
        for ours, page in zip(guide(game, variant), pages, strict=True):
            assert page.title != ours.title
            assert page.text != ours.text
            for one, other in zip(ours.diagrams, page.diagrams, strict=True):
                assert other.caption != one.caption
                assert other.caption


@each_file
def test_what_is_typed_is_the_same_in_every_language(file: Path) -> None:
    assert notation(file.read_text(encoding="utf-8")) == notation(ENGLISH[file.stem].read_text(encoding="utf-8"))


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
