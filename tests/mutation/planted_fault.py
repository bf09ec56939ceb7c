"""Decides in the copy of a tree between a value and a planted fault. A pytest plugin there, which knows nothing of bot.

A run with ``PLANTED_RECORD`` writes a line a test: its processor seconds, whether it passed, and the faults that would
have changed a value. A run with ``PLANTED_JUDGE`` judges the faults of that file instead of running its tests.
"""

from __future__ import annotations

import json
import operator
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

KINDS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "< <=": (operator.lt, operator.le),
    "<= <": (operator.le, operator.lt),
    "> >=": (operator.gt, operator.ge),
    ">= >": (operator.ge, operator.gt),
    "== !=": (operator.eq, operator.ne),
    "!= ==": (operator.ne, operator.eq),
    "is is not": (operator.is_, operator.is_not),
    "is not is": (operator.is_not, operator.is_),
    "in not in": (lambda item, items: item in items, lambda item, items: item not in items),
    "not in in": (lambda item, items: item not in items, lambda item, items: item in items),
    "+ -": (operator.add, operator.sub),
    "- +": (operator.sub, operator.add),
    "* +": (operator.mul, operator.add),
    "// *": (operator.floordiv, operator.mul),
    "% +": (operator.mod, operator.add),
    "n n+1": (lambda number: number, lambda number: number + 1),
    "flip": (lambda truth: truth, operator.not_),
    "true": (lambda condition: condition, lambda _: True),
    "false": (lambda condition: condition, lambda _: False),
    "None": (lambda value: value, lambda _: None),
}
"""By the name of a kind of fault: what the code does with its operands, and what it does with the fault."""
MEMORY, HANGS = 6 * 2**30, 300
"""Bytes of address space and seconds without a finished test after which a fault counts as seen."""

active = int(os.environ.get("PLANTED_FAULT", "-1"))
_noticed: set[int] = set()
_recorder = 0
_record, _judge = os.environ.get("PLANTED_RECORD"), os.environ.get("PLANTED_JUDGE")


def planted(number: int, kind: str, *operands: Any) -> Any:
    """Return what the code computes of its operands, or what it computes with the fault if this one is active."""
    right, wrong = KINDS[kind]
    if number == active:
        return wrong(*operands)
    value = right(*operands)
    if number not in _noticed and _record:
        try:
            differs = bool(wrong(*operands) != value)
        except Exception:
            differs = True
        if differs:
            _noticed.add(number)
            if os.getpid() != _recorder:  # a process that a test has started
                _write(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0], faults=[number])
    return value


def _write(test: str, **facts: Any) -> None:
    with (Path(_record or "") / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"test": test} | facts) + "\n")


def _processor_seconds() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests that an earlier run has recorded."""
    if _record:
        recorded = {line["test"] for line in lines(Path(_record)) if "passed" in line}
        items[:] = [item for item in items if item.nodeid not in recorded]


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what runs have recorded in a folder."""
    for file in folder.glob("*.jsonl"):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test costs, and which faults it could see."""
    global _recorder  # noqa: PLW0603 - one for a process
    if not _record:
        return (yield)
    _recorder = os.getpid()
    _noticed.clear()
    failed, begun = item.session.testsfailed, _processor_seconds()
    answer = yield
    passed = item.session.testsfailed == failed
    _write(item.nodeid, seconds=round(_processor_seconds() - begun, 3), passed=passed, faults=sorted(_noticed))
    return answer


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Judge each fault in a fork of this process, which has imported everything."""
    if not _judge:
        return None
    items = {item.nodeid: item for item in session.items}
    plan = json.loads(Path(_judge).read_text(encoding="utf-8"))
    for fault in plan["faults"]:
        tests = [items[test] for test in fault["tests"] if test in items]
        verdict = _verdict(session, fault["number"], tests, plan["budget"])
        with Path(plan["verdicts"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"number": fault["number"]} | verdict) + "\n")
    return True


def _verdict(session: pytest.Session, number: int, tests: Sequence[pytest.Item], budget: float) -> dict[str, Any]:
    """Return whether one of the tests fails with a fault, which, and how many have run in how many seconds."""
    progress = Path(f"{_judge}.progress")
    progress.write_text("{}", encoding="utf-8")
    child = os.fork()
    if not child:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            _run_until_failure(session, number, tests, budget, progress)
        finally:
            os._exit(0)
    hung = _hangs(child, progress)
    with suppress(ProcessLookupError):  # the servers and workers that its tests have started
        os.killpg(child, signal.SIGKILL)
    verdict: dict[str, Any] = json.loads(progress.read_text(encoding="utf-8"))
    if "verdict" not in verdict:
        verdict |= {"verdict": "killed", "by": "hangs" if hung else "process dies"}
    return verdict


def _hangs(child: int, progress: Path) -> bool:
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.time() - progress.stat().st_mtime > HANGS:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return True
        time.sleep(0.05)
    return False


def _run_until_failure(
    session: pytest.Session, number: int, tests: Sequence[pytest.Item], budget: float, progress: Path
) -> None:
    global active
    active, begun = number, _processor_seconds()
    for tried, (item, following) in enumerate(zip(tests, [*tests[1:], None], strict=True), 1):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds = round(_processor_seconds() - begun, 1)
        facts: dict[str, Any] = {"tried": tried, "of": len(tests), "seconds": seconds}
        if session.testsfailed:
            facts |= {"verdict": "killed", "by": item.nodeid}
        elif following is None:
            facts |= {"verdict": "survived"}
        elif seconds > budget:
            facts |= {"verdict": "unfinished"}
        progress.write_text(json.dumps(facts), encoding="utf-8")
        if "verdict" in facts:
            return
