"""Print what the changelog says of a version, or exit with 1: the tag is not the version, or the changelog lacks it.

    python deploy/release_notes.py v0.1.0

It needs nothing but Python, because a release runs it before anything is installed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def notes(tag: str, changelog: str, source: str) -> str:
    """Return the section of a version in the changelog. Raises ``ValueError`` with what keeps it from a release."""
    version = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if version is None or tag != f"v{version[1]}":
        raise ValueError(f"The tag {tag} is not v and the version in bot/__init__.py: {version and version[1]}.")
    section = re.search(rf"^## {re.escape(version[1])}$\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if section is None or not section[1].strip():
        raise ValueError(f"CHANGELOG.md says nothing of {version[1]}.")
    return section[1].strip()


if __name__ == "__main__":
    try:
        print(
            notes(
                sys.argv[1],
                (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
                (ROOT / "bot" / "__init__.py").read_text(encoding="utf-8"),
            )
        )
    except ValueError as error:
        sys.exit(str(error))
