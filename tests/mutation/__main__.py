"""``python -m tests.mutation STATE``: plants faults, and tells which of them the tests see."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.mutation.faults import SUBJECTS, Fault, choose, plant
from tests.mutation.planted_fault import lines

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache")
PROBE = "planted_fault"


class Mutation:
    """One state: a copied tree with its faults, what each test cost and could see, and the verdicts so far."""

    def __init__(self, state: Path, tree: Path, paths: Sequence[str], *, slow: bool, processes: int) -> None:
        self._state, self._paths, self._processes = state, paths, processes
        self._original, self._tree = tree, state / "tree"
        self._run = "slow" if slow else "quick"
        self._options = ["--slow"] if slow else []
        self._verdicts = {run: state / f"verdicts-{run}.jsonl" for run in ("quick", "slow")}

    def prepare(self, count: int, seed: int, again: Path | None) -> None:
        """Copy the tree and plant the faults, once."""
        listed = self._state / "faults.json"
        if listed.exists():
            self.faults, self._planted = _listed(listed)
            return
        self.faults = _listed(again)[0] if again else choose(self._original, count, seed)
        shutil.copytree(self._original, self._tree, ignore=NOT_COPIED)
        (self._tree / ".venv").symlink_to(self._original / ".venv")
        shutil.copy(Path(__file__).with_name(f"{PROBE}.py"), self._tree)
        self._planted = plant(self._tree, self.faults)
        rows = [asdict(fault) | {"planted": number in self._planted} for number, fault in enumerate(self.faults)]
        listed.write_text(json.dumps(rows, indent=1), encoding="utf-8")

    def _pytest(self, arguments: Sequence[str], **environment: str) -> None:
        """Run pytest in the copy, at the lowest priority."""
        command = [str(self._tree / ".venv/bin/python"), "-m", "pytest", "-q", "-p", PROBE, "--timeout=120"]
        values = os.environ | environment | {"PYTHONPATH": str(self._tree)}
        with (self._state / f"pytest-{self._run}.log").open("a", encoding="utf-8") as log:
            subprocess.run(
                ["nice", "-n", "19", *command, *self._options, *arguments],
                cwd=self._tree,
                env=values,
                stdout=log,
                stderr=log,
                check=False,
            )

    def _record(self) -> tuple[Mapping[int, Sequence[str]], Mapping[str, float]]:
        """Return by fault the tests that could see it, cheapest first, and what each test that passes costs."""
        folder = self._state / f"record-{self._run}"
        folder.mkdir(exist_ok=True)
        self._pytest(["-n", str(self._processes), *self._paths], PLANTED_RECORD=str(folder))
        recorded = list(lines(folder))
        seconds = {line["test"]: line["seconds"] for line in recorded if line.get("passed")}
        sees = defaultdict(set)
        for line in recorded:
            for number in line["faults"] if line["test"] in seconds else ():
                sees[number].add(line["test"])
        return {number: sorted(tests, key=seconds.__getitem__) for number, tests in sees.items()}, seconds

    def judge(self, budget: float, upto: int) -> None:
        """Judge the faults that have no verdict yet; the slow tests judge those that the quick ones do not see."""
        sees, seconds = self._record()
        judged = self.verdicts(self._run)
        killed = {number for number, row in self.verdicts("quick").items() if row["verdict"] == "killed"}
        waiting: list[dict[str, Any]] = [
            {"number": number, "tests": sees[number]}
            for number in sorted(self._planted)[:upto]
            if number in sees and not (self._run == "slow" and number in killed)
            if _may_change(judged.get(number), len(sees[number]), budget)
        ]
        print(f"{len(seconds)} tests, {sum(seconds.values()):.0f} s of processor time; {len(waiting)} faults to judge")
        files = sorted({test.partition("::")[0] for fault in waiting for test in fault["tests"]})
        plan = self._state / f"plan-{self._run}.json"
        verdicts = str(self._verdicts[self._run])
        plan.write_text(json.dumps({"faults": waiting, "budget": budget, "verdicts": verdicts}), encoding="utf-8")
        if waiting:
            self._pytest(["-n", "0", *(files or self._paths)], PLANTED_JUDGE=str(plan))

    def verdicts(self, run: str) -> Mapping[int, dict[str, Any]]:
        """Return the newest verdict of each fault by a run."""
        file = self._verdicts[run]
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return {row["number"]: row for row in map(json.loads, lines)}

    def report(self) -> None:
        """Print how many faults of each subject the runs see, and those that no run does."""
        quick, slow = self.verdicts("quick"), self.verdicts("slow")
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        missed = []
        for number, fault in enumerate(self.faults):
            verdict = quick.get(number, {}).get("verdict", "unseen" if number in self._planted else "gone")
            if verdict != "killed" and slow.get(number, {}).get("verdict") == "killed":
                verdict = "killed by slow"
            if verdict in ("survived", "unseen", "unfinished"):
                missed.append(f"{number:3} {verdict:10} {fault.file} {fault.function}: {fault.kind}: {fault.text}")
            counts[fault.subject][verdict] += 1
        heads = ["killed", "killed by slow", "survived", "unseen", "unfinished", "gone"]
        print(f"| subject | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
        for subject in SUBJECTS:
            print(f"| {subject} | {' | '.join(str(counts[subject][head]) for head in heads)} |")
        print(f"| all | {' | '.join(str(sum(of[head] for of in counts.values())) for head in heads)} |")
        print("\n".join(missed))


def _may_change(verdict: Mapping[str, Any] | None, tests: int, budget: float) -> bool:
    """Return whether more tests than before could see a fault, or the time for them is longer."""
    if verdict is None or verdict["verdict"] == "killed":
        return verdict is None
    return bool(tests > verdict["of"] or (verdict["verdict"] == "unfinished" and budget > verdict["seconds"]))


def _listed(file: Path) -> tuple[list[Fault], set[int]]:
    rows = json.loads(file.read_text(encoding="utf-8"))
    planted = {number for number, row in enumerate(rows) if row.pop("planted")}
    return [Fault(**row) for row in rows], planted


def main() -> None:
    """Do what is left of a state, and report it."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Plant faults, see which tests fail.")
    parser.add_argument("state", type=Path, help="folder that keeps the copy and what is known of it")
    parser.add_argument("paths", nargs="*", help="files and folders of tests; all of them where none is named")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the tree to copy, with a .venv")
    parser.add_argument("--faults", type=Path, help="plant the faults of this faults.json")
    parser.add_argument("--count", type=int, default=120, help="faults to plant")
    parser.add_argument("--seed", type=int, default=46)
    parser.add_argument("--upto", type=int, default=10**6, help="judge so many of the faults")
    parser.add_argument("--budget", type=float, default=120, help="processor seconds for a fault")
    parser.add_argument("--slow", action="store_true", help="by the slow tests")
    parser.add_argument("--processes", type=int, default=1, help="of the run that notes what each test sees")
    chosen = parser.parse_args()
    chosen.state.mkdir(parents=True, exist_ok=True)
    state, tree = chosen.state.resolve(), chosen.tree.resolve()
    mutation = Mutation(state, tree, chosen.paths, slow=chosen.slow, processes=chosen.processes)
    mutation.prepare(chosen.count, chosen.seed, chosen.faults)
    mutation.judge(chosen.budget, chosen.upto)
    mutation.report()


if __name__ == "__main__":
    main()
