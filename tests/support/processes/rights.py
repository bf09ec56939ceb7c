"""Makes a process respect file permissions, also under root."""

from __future__ import annotations

import ctypes
import os
import sys

import pytest

READ_BOUNDS, DROP_FROM_BOUNDS = 23, 24
"""``PR_CAPBSET_READ`` and ``PR_CAPBSET_DROP``."""
OVERRIDING = (1, 2)
"""``CAP_DAC_OVERRIDE`` and ``CAP_DAC_READ_SEARCH``: to write and to read whatever the rights are."""
MAY_DROP = 8
"""``CAP_SETPCAP``"""


def bound_by_rights() -> None:
    """Drop, in a process about to execute a program, root's right to ignore file permissions."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in OVERRIDING:
            libc.prctl(DROP_FROM_BOUNDS, capability, 0, 0, 0)


def _can_be_bound() -> bool:
    if sys.platform == "win32":
        return False
    if os.geteuid() != 0:
        return True
    return sys.platform == "linux" and bool(ctypes.CDLL(None).prctl(READ_BOUNDS, MAY_DROP, 0, 0, 0) == 1)


needs_rights = pytest.mark.skipif(not _can_be_bound(), reason="whoever runs this may write every file")
