"""What code cites is there: the page, and the section of it.

A citation is the page in double backticks and its headings in quotes, as in ``bot/games/RULES.md``, "Ends" and "Seats".
A page named alone is the nearest one: beside the file, beside the game a test is about, beside any game for the
contract of games, in a folder above, or in ``docs``. A name in quotes is code, not a citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, headings

SOURCES = sorted(file for folder in ("bot", "renderers", "tests") for file in (ROOT / folder).rglob("*.py"))
SOURCES.remove(Path(__file__))  # It cites pages that are not there.
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bot/games/**/*.md")])
_NAMED = re.compile(r"(?<![\w/.\"-])(?:[\w-]+/)*[\w-]+\.md\b")
_CITED = re.compile(r'``((?:[\w-]+/)*[\w-]+\.md)``((?:(?:,? and|,) "[^"]+")+)')
_LINE_BREAK = re.compile(r"\n[ \t]*(?:# )?")
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def dead_ends(source: Path, text: str) -> Iterator[str]:
    """Yield what ``text``, which stands in ``source``, cites and is not there."""
    text = _LINE_BREAK.sub(" ", text)
    for name in _NAMED.findall(text):
        if page(source, name) is None:
            yield name
    for name, sections in _CITED.findall(text):
        found = page(source, name)
        for section in re.findall('"([^"]+)"', sections):
            if found is not None and section.rstrip(".,") not in headings(found):
                yield f'{name}, "{section}"'


def page(source: Path, name: str) -> Path | None:
    """Return the page that ``name`` means in ``source``: from the project's root, or the nearest one."""
    about = source.parent
    if about.is_relative_to(ROOT / "tests" / "games"):
        about = ROOT / "bot" / about.relative_to(ROOT / "tests")
    places = [ROOT] if "/" in name else [about, *about.parents, ROOT / "docs"]
    if name == "guide.md" or about == ROOT / "bot" / "contract":
        places += (ROOT / "bot" / "games").iterdir()
    return next((place / name for place in places if place.is_relative_to(ROOT) and (place / name).is_file()), None)


def test_every_citation_leads_to_a_section_that_is_there() -> None:
    cited = {str(file.relative_to(ROOT)): set(dead_ends(file, file.read_text(encoding="utf-8"))) for file in SOURCES}
    assert {file: ends for file, ends in cited.items() if ends} == {}


@pytest.mark.parametrize(
    ("folder", "name", "section", "ends"),
    [
        ("bot/games/redo", "RULES", "Conversion", []),
        ("tests/games/redo", "RULES", "Conversion", []),
        ("tests/games/redo", "RULES", "Border row", ['RULES.md, "Border row"']),
        ("bot/games", "RULES", "Ends", []),
        ("bot/matches", "bot/games/RULES", "Ends", []),
        ("bot/matches", "RULES", "Ends", ["RULES.md"]),
        ("bot/games/redo", "NO-SUCH-PAGE", "Ends", ["NO-SUCH-PAGE.md"]),
    ],
)
def test_a_citation_that_leads_nowhere_is_found(folder: str, name: str, section: str, ends: list[str]) -> None:
    for text in (
        f'``{name}.md``, "{section}"',
        f'``{name}.md``,\n    # "{section}"',
        f'``{name}.md`` and "{section}".',
    ):
        assert list(dead_ends(ROOT / folder / "file.py", text)) == ends


def test_every_link_of_a_page_leads_to_a_file_that_is_there() -> None:
    links = [(page, link) for page in PAGES for link in _LINK.findall(page.read_text(encoding="utf-8"))]
    assert links
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_link_to_a_section_leads_to_a_heading() -> None:
    missing = []
    for source in PAGES:
        for link, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", source.read_text(encoding="utf-8")):
            target = source.parent / link if link else source
            anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings(target)}
            if anchor not in anchors:
                missing.append((source.name, f"{link}#{anchor}"))
    assert missing == []
