"""A run at scale that can be watched: it shows how far it is on standard error, and keeps what the processes write."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.scale.playing import Crowd
from tests.scale.run import Account, Plan, lived
from tests.scale.trouble import Machines

WIDTH = 30


def watched(plan: Plan, folder: Path) -> Account:
    """Carry out a plan, and return what came of it. The logs are in the folder afterwards, also after a failure."""
    kept: list[Machines] = []

    def on_second(machines: Machines, crowd: Crowd) -> None:
        kept[:] = [machines]
        _show(machines, crowd)

    try:
        return asyncio.run(lived(plan, folder, on_second))
    finally:
        for machines in kept:
            _keep_logs(machines, folder)


def _show(machines: Machines, crowd: Crowd) -> None:
    done = crowd.finished / len(crowd.tables)
    bar = "#" * int(WIDTH * done)
    boards = sum(map(len, crowd.discord.boards.values()))
    troubles = machines.happened.total()
    told = f"{crowd.finished} of {len(crowd.tables)} tables, {boards} boards, {troubles} troubles"
    print(f"\r[{bar:<{WIDTH}}] {told} ", end="", file=sys.stderr, flush=True)


def _keep_logs(machines: Machines, folder: Path) -> None:
    ended = {f"ended-{number}": running for number, running in enumerate(machines.ended)}
    for name, running in {**machines.running, **ended}.items():
        (folder / f"{name}.log").write_text(running.log, encoding="utf-8")
