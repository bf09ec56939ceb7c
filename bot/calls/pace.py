"""How fast a process may call Discord: a token bucket, and the share of the token's calls that fills it.

Nothing here waits or knows Discord. Times are seconds by any clock that never goes back.
"""

from __future__ import annotations

RATE = 40.0
"""Calls a second of all processes together."""
BURST = 6.0
"""Calls they may make at once on top of that. Discord allows 50 within a second; the rest is room for calls that are
sent a moment after they were allowed."""
LEAST_BURST = 1.0
"""Calls a process may make at once even with the smallest share. Up to seven processes that have paused together, and
send a call late each, make no more than Discord allows."""
UNKNOWN = 2.0
"""Calls a second of a process that has not heard of the others recently."""
LEAST, MOST = 1.0, 20.0
"""The least and the greatest weight of a process that serves people, in calls a second."""
STANDING_BY = 0.25
"""The weight of a process that stands by."""


class Pace:
    """A token bucket: ``rate`` calls a second, and a burst after a pause."""

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        self._tokens = self._capacity
        self._at = now
        self._held_until = now

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self._rate

    @property
    def _capacity(self) -> float:
        return max(LEAST_BURST, BURST * self._rate / RATE)

    def set_rate(self, rate: float, now: float) -> None:
        """Change the rate."""
        self._fill(now)
        self._rate = rate
        self._tokens = min(self._tokens, self._capacity)

    def hold(self, seconds: float, now: float) -> None:
        """Allow nothing for some seconds."""
        self._held_until = max(self._held_until, now + seconds)

    def held(self, now: float) -> float:
        """Return the seconds for which nothing is allowed."""
        return max(0.0, self._held_until - now)

    def wait(self, now: float) -> float:
        """Return the seconds until the next call is allowed, 0 if it is now."""
        self._fill(now)
        return max(self.held(now), (1.0 - self._tokens) / self._rate)

    def take(self, now: float) -> None:
        """Count a call that is allowed."""
        self._fill(now)
        self._tokens -= 1.0

    def _fill(self, now: float) -> None:
        # Nothing is saved up while nothing is allowed.
        since = max(self._at, min(now, self._held_until))
        self._tokens = min(self._capacity, self._tokens + (now - since) * self._rate)
        self._at = now


class Quota:
    """The share of one process in the calls of all. Each process tells its weight when it renews its lease,
    and hears the weight of the others.

    A process that has become heavier uses its larger share only after half a ``lease``. By then the others have renewed
    their leases, know of it and use less, so the processes together never exceed the limit.
    """

    def __init__(self, lease: float) -> None:
        self._lease = lease
        self._begun_at: float | None = None
        self._renewed_at = 0.0
        self._weights: list[tuple[float, float]] = []
        """The weights of this process and when each began, as far back as they count."""
        self._others = 0.0

    @staticmethod
    def weight(calls: int, seconds: float) -> float:
        """Return the weight of a process that wanted to make so many calls within some seconds."""
        return min(MOST, max(LEAST, calls / seconds)) if seconds > 0 else LEAST

    def renewed(self, own: float, others: float, now: float) -> None:
        """Note the weight that this process has told, and the weight of all others."""
        if self._expired(now):
            self._begun_at, self._weights = now, []
        self._renewed_at, self._others = now, others
        self._weights.append((now, own))

    def rate(self, now: float) -> float:
        """Return the calls a second this process may make."""
        if self._begun_at is None or self._expired(now):
            return UNKNOWN
        heard = now - self._lease / 2
        while len(self._weights) > 1 and self._weights[1][0] <= heard:
            del self._weights[0]
        own = min(weight for _, weight in self._weights)
        rate = RATE * own / (own + self._others)
        return min(rate, UNKNOWN) if self._others and self._begun_at > heard else rate

    def _expired(self, now: float) -> bool:
        return self._begun_at is None or now >= self._renewed_at + self._lease
