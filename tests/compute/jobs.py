"""Jobs for worker processes, which must be found by their names."""

from __future__ import annotations

import os
import time
from pathlib import Path

from bot.games.cancellation import ComputationCancelled, check_cancelled


def pid() -> int:
    """Return the id of the process it runs in."""
    return os.getpid()


def endless(folder: Path) -> None:
    """Go on until it is cancelled; leave a file ``begun`` and then, after it was cancelled, ``given-up``."""
    (folder / "begun").write_text(str(os.getpid()))
    try:
        while True:
            check_cancelled()
    except ComputationCancelled:
        (folder / "given-up").touch()
        raise


def deaf(folder: Path) -> None:
    """Go on without ever looking whether it may."""
    (folder / "begun").write_text(str(os.getpid()))
    while True:
        time.sleep(0.01)


def waiting(folder: Path) -> int:
    """Wait for a file ``go-on``, noting each attempt; return the id of the process."""
    (folder / f"attempt-{os.getpid()}").touch()
    while not (folder / "go-on").exists():
        time.sleep(0.005)
    return os.getpid()


def failing() -> None:
    """Fail."""
    raise ValueError("as it should")
