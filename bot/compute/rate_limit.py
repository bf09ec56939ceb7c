"""How much one person may ask for: a budget of points that fills up again with time. Does not know what is asked for.

What is asked for costs points at once, and what it takes to compute costs more when it is known: a request is refused
only when the budget is spent, and whoever has overdrawn it waits the longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

BUDGET, REFILL_SECONDS = 60.0, 30.0
"""Points a person may spend at once, and seconds until an empty budget is full again."""
POINTS_PER_SECOND = 10.0
"""What a second of computing costs."""
_REFILL = BUDGET / REFILL_SECONDS
_MOST_SPENT = 3 * BUDGET
"""However much was asked for, nobody waits for longer than it takes to refill this."""
_TIDY_ABOVE = 1000
"""People remembered before those with a full budget are forgotten."""


@dataclass(slots=True)
class _Account:
    spent: float
    at: float


class RateLimit:
    """The budgets of all people. ``clock`` is monotonic, in seconds; the system's unless one is given."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._given_clock = clock
        self._accounts: dict[Hashable, _Account] = {}

    def spend(self, who: Hashable, points: float) -> float:
        """Take points for a request and return 0, or return the seconds after which it can be made again."""
        account = self._account(who)
        missing = account.spent + points - BUDGET
        if missing > 0:
            return missing / _REFILL
        account.spent += points
        return 0.0

    def charge_seconds(self, who: Hashable, seconds: float) -> None:
        """Take points for what has been computed, also where the budget is overdrawn by it."""
        account = self._account(who)
        account.spent = min(account.spent + seconds * POINTS_PER_SECOND, _MOST_SPENT)

    def _account(self, who: Hashable) -> _Account:
        # Looked up at each call, because where time is simulated that function is replaced.
        now = (self._given_clock or time.monotonic)()
        account = self._accounts.get(who)
        if account is None:
            if len(self._accounts) >= _TIDY_ABOVE:
                self._tidy(now)
            account = self._accounts[who] = _Account(0.0, now)
        account.spent = _left(account, now)
        account.at = now
        return account

    def _tidy(self, now: float) -> None:
        self._accounts = {who: account for who, account in self._accounts.items() if _left(account, now)}


def _left(account: _Account, now: float) -> float:
    """Return what is spent and not yet refilled."""
    return max(account.spent - (now - account.at) * _REFILL, 0.0)
