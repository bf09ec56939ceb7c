"""The table of features by features: each pair once, by known names, and held by a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path("docs/features.md").read_text()
ROWS = [re.findall(r"[^|]+", line) for line in PAGE.splitlines() if line.startswith("| ") and "::" in line]
FEATURES = " ".join(re.findall(r"^Features: (.*?)\.$", PAGE, re.MULTILINE | re.DOTALL)[0].split()).split(", ")


def test_each_pair_of_known_features_has_at_most_one_row() -> None:
    pairs = [frozenset((one.strip(), other.strip())) for one, other, *_rest in ROWS]
    assert len(pairs) > 50
    assert len(set(pairs)) == len(pairs)
    assert {name for pair in pairs for name in pair} <= set(FEATURES)


def test_each_row_names_a_test_that_exists() -> None:
    for *_pair, test in ROWS:
        path, name = test.strip().strip("`").split("::")
        assert re.search(rf"def {name}\(", Path("tests", path).read_text()), test
