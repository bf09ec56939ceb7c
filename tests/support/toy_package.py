"""Puts a game of another package on the path: tic-tac-toe, found by its entry point as an installed one is.

Worker processes get the path from the process that starts them; other processes get ``FOLDER`` in ``PYTHONPATH``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

KEY = "tic-tac-toe"
FOLDER = Path(__file__).parents[1] / "toy_package"


def add_to_path() -> None:
    """Make the package importable in this process. A second call changes nothing."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))


@contextmanager
def not_installed() -> Iterator[None]:
    """Let this process be one without the package. Worker processes keep it."""
    from bot.games import GAMES

    with patch.dict(GAMES._by_key):
        del GAMES._by_key[KEY]
        yield


@contextmanager
def rules_of_version(version: str) -> Iterator[None]:
    """Let the game have another version of its rules in this process."""
    from bot.games import GAMES

    with patch.object(type(GAMES[KEY]), "rules_version", version):
        yield


def has_package(folder: Path) -> None:
    """Let this process find the package in a folder by its entry point, also if it was forked from one without it."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    from bot.games import GAMES

    for found in ("_installed", "_by_key"):
        GAMES.__dict__.pop(found, None)
