"""The names that the pages on how the bot is built lead their reader to are there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGES = ("architecture", "computer-players", "delivery", "translating")
DOCS = Path(__file__).parents[2] / "docs"
PAGE = "".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in PAGES)
LONGEST = 180
"""Lines of the page on the architecture, so that it is read to its end."""
NAMES = sorted(set(re.findall(r"`((?:bot|renderers)(?:\.\w+){2,})`", PAGE)))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_on_the_page_leads_to_code(name: str) -> None:
    module, *rest = _split(name)
    found = import_module(module)
    for part in rest:
        found = getattr(found, part)
    assert found is not None


def test_the_page_leads_to_code_at_all() -> None:
    assert len(NAMES) > 20


def test_the_page_on_the_architecture_stays_short() -> None:
    assert len((DOCS / "architecture.md").read_text(encoding="utf-8").splitlines()) <= LONGEST


def _split(name: str) -> list[str]:
    """Return the module a dotted name begins with, and the names inside it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        if Path(*parts[:end]).with_suffix(".py").exists() or Path(*parts[:end], "__init__.py").exists():
            return [".".join(parts[:end]), *parts[end:]]
    raise AssertionError(f"{name} begins with no module")
