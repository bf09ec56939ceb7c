"""An hour of troubles

Three bots and a thinker on PostgreSQL with a standby share two slots, and a token with Discord's limits. The clocks of
two bots are four seconds ahead and behind. In twelve servers people play match after match, against each other and the
computer; managers bar people and void matches, and at the end some people delete their data. Meanwhile every few
seconds one of the troubles below happens. At the end what people sent, what they were shown and told, and what is
stored are compared. `TROUBLE_MINUTES` sets for how long people begin new matches. A person whose interaction stays
without an answer, because a bot has just been killed or frozen, tries again.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import mkdtemp

from tests.figures import table
from tests.scale.run import Account, Plan
from tests.scale.trouble import Machines
from tests.scale.watching import watched

MINUTES = float(os.environ.get("TROUBLE_MINUTES", "60"))
PLAN = Plan(seed=7, bots=3, slots=2, thinkers=1, matches=100, computers=10, leavers=8, minutes=MINUTES)
COMMAND = (
    f"`python -m tests.scale --seed {PLAN.seed} --bots {PLAN.bots} --slots {PLAN.slots} --thinkers {PLAN.thinkers} "
    f"--matches {PLAN.matches} --computers {PLAN.computers} --leavers {PLAN.leavers} --minutes {PLAN.minutes:g}`"
)
WELL = (
    "Nothing was lost, doubled or untrue: every stored move is one that was sent, and each confirmed one is stored; "
    "every board was posted once and in order, every mention made once; no clock lost time; what was voided is voided, "
    "and no row has the id of a person who was deleted; no process ended by itself."
)


def measure() -> list[str]:
    """Have people play while everything goes wrong. The logs of the processes stay in a new folder."""
    folder = Path(mkdtemp(prefix="tavoliere-troubles-"))
    print(f"logs: {folder}", flush=True)
    return lines(watched(PLAN, folder))


def lines(account: Account) -> list[str]:
    """Return what happened and what came of it."""
    troubles = [(str(getattr(Machines, name).__doc__), number) for name, number in sorted(account.happened.items())]
    errors = [(event.partition("\n")[0], number) for event, number in sorted(account.errors.items())]
    return [
        *table(("Trouble", "times"), troubles),
        "",
        *table(("What came of it", "number"), [(name, f"{figure:g}") for name, figure in account.figures.items()]),
        "",
        *(account.problems or [WELL]),
        "",
        *table(("Logged as an error", "times"), errors),
        "",
        f"The same from commit {_commit()} on: {COMMAND}.",
    ]


def _commit() -> str:
    described = ["git", "describe", "--always", "--dirty"]
    told = subprocess.run(described, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"
