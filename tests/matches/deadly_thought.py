"""A search that kills its worker process as many times as a file says."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from bot.games.game import Position
from bot.opponents import Choice, consider

TIMES = "TAVOLIERE_DEADLY_THOUGHTS"
"""The environment variable that names the file."""


def deadly(position: Position, level: int, seed: int) -> Choice:
    """Kill the process while the file has a count left; then choose a move as usual."""
    file = Path(os.environ[TIMES])
    left = int(file.read_text())
    if left:
        file.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return consider(position, level, seed)
