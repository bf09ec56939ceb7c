"""``python -m tests.scale``: bots and thinkers on one Discord and database, of which everything breaks, for a while.

What repeats a run is printed at its start, and what came of it at its end. Only the loopback interface is used.
"""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from random import SystemRandom
from tempfile import mkdtemp

import tests.conftest  # noqa: F401 - every game of the tests is known
from tests.scale.run import Account, Plan
from tests.scale.watching import watched

CHOICES = {
    "bots": "bots, of which one is active and the others stand by",
    "thinkers": "processes that only think",
    "matches": "matches that are played",
    "computers": "of them against the computer",
    "pages": "of them in which one moves on the board page",
    "people": "people in each server",
    "plies": "plies a match lasts, about",
    "leavers": "matches in which one deletes what is stored about them at the end",
    "minutes": "minutes in which people begin new matches; 0 for one match each",
}


def main() -> int:
    """Run one; return 1 where something was not as it has to be."""
    usual = {field.name: field.default for field in fields(Plan)}
    parser = argparse.ArgumentParser(prog="python -m tests.scale", description=(__doc__ or "").partition(":")[2])
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**31), help="any number")
    for name, what in CHOICES.items():
        parser.add_argument(
            f"--{name}", type=type(usual[name]), default=usual[name], help=f"{what}; {usual[name]} if it is left out"
        )
    parser.add_argument("--logs", type=Path, help="a folder for what the processes write; a new one if it is left out")
    chosen = vars(parser.parse_args())
    folder = chosen.pop("logs") or Path(mkdtemp(prefix="tavoliere-scale-"))
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(**chosen)
    print(f"{plan}\nlogs: {folder}", flush=True)
    return _report(watched(plan, folder))


def _report(account: Account) -> int:
    print("\n" + ", ".join(f"{number} {name}" for name, number in sorted(account.happened.items())))
    for name, figure in account.figures.items():
        print(f"{name}: {figure:g}")
    for event, number in sorted(account.errors.items()):
        print(f"logged as an error, {number} times: {event}")
    print("\n".join(account.problems) or "every move once, every board once and in order, every ping once")
    return 1 if account.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
