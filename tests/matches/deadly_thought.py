"""A thought that kills the process it is thought in, for as many times as a file says."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from bot.games.game import Move, Position
from bot.opponents import choose

TIMES = "TAVOLIERE_DEADLY_THOUGHTS"
"""The environment variable that names the file."""


def deadly(position: Position, level: int, seed: int) -> Move:
    """Choose a move as ever, once the file says that nothing is left to be killed."""
    file = Path(os.environ[TIMES])
    left = int(file.read_text())
    if left:
        file.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return choose(position, level, seed)
