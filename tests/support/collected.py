"""A pytest plugin: chooses the tests of a run and their order.

``pytest`` leaves out the tests marked ``slow``, and ``pytest --slow`` runs these alone: each test is in one of the two
runs. Only properties (tests with ``given``) are in both, with more examples in the slow one. A test named in full
(``file.py::test``) runs either way.
"""

from __future__ import annotations

import gc
import os
from itertools import chain, count, groupby

import pytest
from hypothesis import is_hypothesis_test

FIRST = (
    "tests/matches/test_cups",
    "tests/scale/",
    "tests/web/test_accessible",
    "tests/demo/",
    "tests/lifecycle/test_machine",
    "tests/docs/test_commands",
    "tests/operation/",
    "tests/crash/",
    "tests/discord_flow/test_long_history",
    "tests/storage/test_plans",
    "tests/opponents/test_choose",
    "tests/opponents/test_promises",
)
"""The files of tests that take long, or wait for other processes; the longest come first."""
OFTEN = 25
"""Tests between two times that the garbage collector is told what stays."""
_finished = count(1)
NEW_OBJECTS = 20_000
"""Objects made since the last collection that lead to the next; Python's 700 would take a twentieth of the time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs the slow tests."""
    parser.addoption("--slow", action="store_true", help="run the tests marked slow, and no others")


def pytest_configure(config: pytest.Config) -> None:
    """Leave it to the quick run to find snapshots that no test compares: the slow one would call them all unused."""
    if config.option.slow:
        config.option.disable_unused_snapshots = True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use more processes than there are cores: tests spend some of their time waiting, slow ones most of it."""
    return (os.cpu_count() or 1) + (2 if config.option.slow else 1)


def pytest_collection() -> None:
    """Collect no garbage while tests are collected: nearly all that is made then stays."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)  # before syrupy, which looks for unused snapshots only where it saw every test selected
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the other run; begin long tests early, so that no process ends with one alone."""
    if not any("::" in argument for argument in config.args):
        other = [item for item in items if not _wanted(item, slow=config.option.slow)]
        config.hook.pytest_deselected(items=other)
        left_out = set(other)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=_together)
    items[:] = _long_ones_first(items, getattr(config, "workerinput", {"workercount": 1})["workercount"])


def _together(item: pytest.Item) -> tuple[bool, str]:
    """Return what brings tests next to each other that share what takes long to make.

    Those with a bot of their own come last, because each ends the one that others share; those of the contract come by
    their cases, because of each it plays games at random.
    """
    case = getattr(item, "callspec", None)
    of_case = case.id if case is not None and item.nodeid.startswith("bot/contract/") else ""
    return item.get_closest_marker("own_bot") is not None, of_case


def _long_ones_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return tests in such an order that each process begins with its share of the files in ``FIRST``.

    xdist gives each process a run of consecutive tests, all of the same length, and moves tests that wait to a process
    that has none left. A file stays together, so that what its tests share is set up once.
    """
    ordered = sorted(items, key=_rank)
    short = [item for item in ordered if _rank(item) == len(FIRST)]
    long = ordered[: len(items) - len(short)]
    files = [list(of_file) for _, of_file in groupby(long, key=lambda item: item.path)]
    ordered = []
    for worker in range(workers):
        ordered += chain.from_iterable(files[worker::workers])
        upto = len(items) * (worker + 1) // workers
        room = max(0, upto - len(ordered))
        ordered += short[:room]
        del short[:room]
    return ordered + short


def _rank(item: pytest.Item) -> int:
    return next((at for at, place in enumerate(FIRST) if item.nodeid.startswith(place)), len(FIRST))


def _wanted(item: pytest.Item, *, slow: bool) -> bool:
    marked = item.get_closest_marker("slow") is not None
    return marked == slow or (slow and is_hypothesis_test(getattr(item, "obj", None)))


def pytest_collection_finish() -> None:
    """Exclude from garbage collection the objects that exist now and stay to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def pytest_runtest_logfinish() -> None:
    """Repeat this now and then: caches that the first tests fill stay, too."""
    if next(_finished) % OFTEN == 0:
        gc.collect()
        gc.freeze()
