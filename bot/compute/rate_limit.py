"""How much one person may ask for: a budget of points that refills with time. Does not know what people ask for.

A request costs points at once. Its computing costs more points when its time is known, and may overdraw the budget. A
request is refused only while the budget is spent, so a person who has overdrawn it waits longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

BUDGET, REFILL_SECONDS = 60.0, 30.0
"""Points a person may spend at once, and seconds until an empty budget is full again."""
POINTS_PER_SECOND = 10.0
"""The price of a second of computing."""
_REFILL = BUDGET / REFILL_SECONDS
_MOST_SPENT = 3 * BUDGET
"""The most points a person can owe, which bounds their wait."""
_TIDY_ABOVE = 1000
"""Accounts above which those with a full budget are removed."""


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

    def give_back(self, who: Hashable, points: float) -> None:
        """Give points back for a request that is not carried out."""
        self._account(who).spent -= points

    def charge_seconds(self, who: Hashable, seconds: float) -> None:
        """Take points for seconds of computing, even if that overdraws the budget."""
        account = self._account(who)
        account.spent = min(account.spent + seconds * POINTS_PER_SECOND, _MOST_SPENT)

    def _account(self, who: Hashable) -> _Account:
        # Looked up at each call: simulated time replaces this function.
        now = (self._given_clock or time.monotonic)()
        account = self._accounts.get(who)
        if account is None:
            if len(self._accounts) >= _TIDY_ABOVE:
                self._accounts = {
                    who: account for who, account in self._accounts.items() if _points_spent(account, now)
                }
            account = self._accounts[who] = _Account(0.0, now)
        account.spent = _points_spent(account, now)
        account.at = now
        return account


def _points_spent(account: _Account, now: float) -> float:
    """Return the points that are spent and not yet refilled."""
    return max(account.spent - (now - account.at) * _REFILL, 0.0)
