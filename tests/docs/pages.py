"""The pages of the project, and their headings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def headings(found: Path) -> set[str]:
    """Return the headings of a page."""
    return set(re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE))
