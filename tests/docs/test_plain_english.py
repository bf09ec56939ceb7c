"""Docstrings name the thing that acts: they seldom begin with a person that no reader knows."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = re.compile(r"\b(whoever|somebody|nobody)\b", re.IGNORECASE)
MOST = 20
"""How often all docstrings together may use these words."""


def _docstrings(source: str) -> list[str]:
    """Return every string that stands alone as a statement: docstrings, and those below attributes and constants."""
    return [
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def test_strings_below_constants_count_as_well_as_docstrings_and_comments_do_not() -> None:
    source = '"""Whoever."""\nX = 1\n"""Nobody, or somebody."""\n# nobody\nY = "nobody"\n'
    assert sum(len(WORDS.findall(text)) for text in _docstrings(source)) == 3


def test_docstrings_seldom_say_whoever_somebody_or_nobody() -> None:
    found = Counter[str]()
    for top in ("bot", "renderers", "tests"):
        for file in (ROOT / top).rglob("*.py"):
            source = file.read_text(encoding="utf-8")
            for text in _docstrings(source) if WORDS.search(source) else ():
                found[str(file.relative_to(ROOT))] += len(WORDS.findall(text))
    assert found.total() <= MOST, found.most_common(20)
