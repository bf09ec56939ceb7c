"""A pytest plugin: what is done with the tests before the first of them begins, so that all are over soon."""

from __future__ import annotations

import gc
import os

import pytest

FIRST = (
    "tests/scale/",
    "tests/lifecycle/test_machine",
    "tests/docs/test_commands",
    "tests/operation/",
    "tests/crash/",
    "tests/demo/",
)
"""Where those are that take long, or wait for other processes; the longest come first."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Have one process more than there are cores: some of their time tests wait for others."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin what takes long early: in the end no process is left alone with it, and others work while it waits."""
    items.sort(key=lambda item: next((at for at, place in enumerate(FIRST) if item.nodeid.startswith(place)), 9))


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over all that is there by now and stays to the end."""
    gc.collect()
    gc.freeze()
