"""Tests

The README's test command, from start to end on all cores, and the time in each folder and of the most expensive tests,
with their set-up. The cores work at the same time, so the folders add up to more than the whole. Processor time counts
all processes that the tests start and wait for; it depends less on what else the machine does.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from xml.etree import ElementTree

from tests.figures import table

ROOT = Path(__file__).parents[2]
MOST = 10
"""Tests named, those that cost most."""


def measure() -> list[str]:
    """Run every test there is."""
    return measured()


def measured(*selection: str) -> list[str]:
    """Run tests as pytest selects them by these arguments. Raises ``CalledProcessError`` where one fails."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        begun, worked = perf_counter(), _worked()
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *selection]
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
        taken, worked = perf_counter() - begun, _worked() - worked
        cases = ElementTree.parse(report).iter("testcase")
        costs = Counter({f"{case.get('classname')}.{case.get('name')}": float(case.get("time", 0)) for case in cases})
    folders: Counter[str] = Counter()
    for name, seconds in costs.items():
        folders["/".join(name.split(".")[:2])] += seconds
    whole = f"{len(costs):,} tests in {taken:.0f} seconds, and {worked:.0f} seconds of processor time."
    kinds = table(("Folder", "seconds"), [(f"`{name}`", f"{spent:.0f}") for name, spent in folders.most_common()])
    dear = [(f"`{name.removeprefix('tests.')}`", f"{spent:.0f}") for name, spent in costs.most_common(MOST)]
    return [whole, "", *kinds, "", *table(("Test", "seconds"), dear)]


def _worked() -> float:
    """Return the processor time of ended child processes so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
