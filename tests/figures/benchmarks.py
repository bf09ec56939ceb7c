"""Runs benchmarks of ``tests/benchmarks`` in a process of their own and returns what they measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark: its test without parameters, its parameter's id, its median in milliseconds, and its notes."""

    test: str
    parameter: str
    median: float
    notes: dict[str, Any]


def run(*selection: str) -> list[Benchmark]:
    """Run the benchmarks that pytest selects by these arguments. Raises ``CalledProcessError`` when one fails."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        options = ["-n", "0", "-q", "--benchmark-enable", "--benchmark-only", f"--benchmark-json={report}"]
        command = [sys.executable, "-m", "pytest", *options, *selection]
        # Inside a worker of another test run the variables of that one would forbid measuring.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr, env=environment)
        found = json.loads(report.read_text(encoding="utf-8"))["benchmarks"]
    return [
        Benchmark(
            entry["name"].partition("[")[0], entry["param"] or "", 1000 * entry["stats"]["median"], entry["extra_info"]
        )
        for entry in found
    ]
