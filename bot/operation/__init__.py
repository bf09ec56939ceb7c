"""The operator's room: run the bot, check it, look at its status, moderate, and look after its database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

WRONG_SETTINGS: Final = 2
"""The exit code where another attempt cannot help: a missing or wrong token, a setting that is not possible."""


PROGRAM: Final = "tavoliere" if Path(sys.argv[0]).stem == "tavoliere" else "python -m bot"
"""How the person has called this program, and can call it again."""


def fail(sentence: str) -> int:
    """Print a sentence on standard error; return the exit code of a failure."""
    print(sentence, file=sys.stderr)
    return 1
