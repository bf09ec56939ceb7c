"""``python -m tests.endurance --minutes 60 --seed 7``: kills and faults for as long as one likes.

The life of many matches at random, every crash point and every injected fault, in an order that the seed decides, until
the time is up. Runs the tests there are, each in a process of its own, and tests nothing itself. What is needed to
repeat a run is printed at its start and with every failure. Nothing but the loopback interface is used.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count, islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIFE = "tests/lifecycle/test_machine.py"
FAULTY = ("tests/crash", "tests/discord_flow/test_discord_errors.py", "tests/discord_flow/test_storage_trouble.py")
LIFE_MINUTES = 5.0
"""How long the life of many matches goes on between some other tests."""
LIVES_A_ROUND = 6
REPORTED = ("discord.py", "SQLAlchemy", "hypothesis", "simcord")
PYTEST = (sys.executable, "-m", "pytest", "-n", "0", "-q", "--timeout=0", "-rP", "--no-header")


@dataclass(frozen=True, slots=True)
class Step:
    """One test, and the environment that makes it thorough."""

    test: str
    environment: dict[str, str]

    @property
    def command(self) -> str:
        """What to type to run it once more."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return " ".join([*settings, "python -m pytest -n 0 --timeout=0", shlex.quote(self.test)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is up; return 1 where a test failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance", description="Kills and faults for a while.")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long, 60 if it is left out")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31), help="any number")
    parser.add_argument("--tests", nargs="+", default=FAULTY, help="what to run between the lives of matches")
    parser.add_argument("--steps", type=int, help="at most so many tests; as many as there is time for if left out")
    chosen = parser.parse_args(arguments)
    steps = islice(_steps(chosen.seed, chosen.minutes, _collected(chosen.tests)), chosen.steps)
    conditions = f"seed {chosen.seed}, {_versions()}"
    print(f"{chosen.minutes:g} minutes with {conditions}", flush=True)
    end = time.monotonic() + 60 * chosen.minutes
    tally: Counter[str] = Counter()
    for step in steps:
        if time.monotonic() >= end:
            break
        outcome, said = _ran(step, end - time.monotonic())
        tally[outcome] += 1
        print(f"{outcome}: {step.test}{_figures(said)}", flush=True)
        if outcome == "FAILED":
            print(f"{said}\nfailed with {conditions}; again: {step.command}", flush=True)
    print(", ".join(f"{number} {outcome}" for outcome, number in sorted(tally.items())) or "nothing was run")
    return 1 if tally["FAILED"] else 0


def _versions() -> str:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    packages = ", ".join(f"{name} {version(name)}" for name in REPORTED)
    return f"commit {commit.stdout.strip() or 'unknown'}, Python {platform.python_version()}, {packages}"


def _collected(tests: Sequence[str]) -> list[str]:
    """Return the tests, quick and slow."""
    found, said = [], ""
    for run in ([], ["--slow"]):
        command = [*PYTEST, "--collect-only", *run, *tests]
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        found += [line for line in listing.stdout.splitlines() if "::" in line]
        said += listing.stdout + listing.stderr
    if not found:
        raise SystemExit(f"no tests found\n{said}")
    return found


def _steps(seed: int, minutes: float, tests: list[str]) -> Iterator[Step]:
    """Yield what to run, round by round without an end: a life of matches, then some of the other tests."""
    stretch = max(1, -(-len(tests) // LIVES_A_ROUND))
    for number in count(seed):
        shuffled = random.Random(number).sample(tests, len(tests))
        for begin in range(0, len(shuffled), stretch):
            life = {"TAVOLIERE_SEED": f"{number * LIVES_A_ROUND + begin // stretch}"}
            yield Step(LIFE, life | {"TAVOLIERE_LONG_LIFE": f"{min(LIFE_MINUTES, minutes / 4):g}"})
            for test in shuffled[begin : begin + stretch]:
                yield Step(test, {"TAVOLIERE_ALL_CRASH_POINTS": "1"} if "crash" in test else {})


def _ran(step: Step, seconds: float) -> tuple[str, str]:
    """Run a test for at most so many seconds; return what came of it and what it said."""
    running = subprocess.Popen(
        [*PYTEST, step.test],
        cwd=ROOT,
        env=os.environ | step.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)  # its own children with it, and nobody else: it leads its session
        said, _ = running.communicate()
        return "cut short", said
    return "passed" if running.returncode == 0 else "FAILED", said


def _figures(said: str) -> str:
    """Return how much a life of matches has tried."""
    found = [line for line in said.splitlines() if " steps in " in line]
    return f" · {found[-1]}" if found else ""


if __name__ == "__main__":
    raise SystemExit(main())
