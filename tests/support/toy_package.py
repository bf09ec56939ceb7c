"""Puts a game of another package on the path: tic-tac-toe, found by its entry point as an installed one is.

Worker processes get the path from the process that starts them; other processes get ``FOLDER`` in ``PYTHONPATH``.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "toy_package"


def add_to_path() -> None:
    """Make the package importable in this process. A second call changes nothing."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
