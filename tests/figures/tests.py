"""Tests

The README's test command, from start to end on all cores, and the time in each folder and of the most expensive tests,
with their set-up. The cores work at the same time, so the folders add up to more than the whole.
"""

from __future__ import annotations

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
        begun = perf_counter()
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *selection]
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
        taken = perf_counter() - begun
        cases = ElementTree.parse(report).iter("testcase")
        costs = Counter({f"{case.get('classname')}.{case.get('name')}": float(case.get("time", 0)) for case in cases})
    folders: Counter[str] = Counter()
    for name, seconds in costs.items():
        folders["/".join(name.split(".")[:2])] += seconds
    whole = f"{len(costs):,} tests in {taken:.0f} seconds."
    kinds = table(("Folder", "seconds"), [(f"`{name}`", f"{spent:.0f}") for name, spent in folders.most_common()])
    dear = [(f"`{name.removeprefix('tests.')}`", f"{spent:.0f}") for name, spent in costs.most_common(MOST)]
    return [whole, "", *kinds, "", *table(("Test", "seconds"), dear)]
