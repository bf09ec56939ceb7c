"""The policy: whose job is next. Plain data under a clock that is passed in; knows neither workers nor event loops.

The job of the highest priority goes first. Among equals the person goes first of whom the fewest jobs are running, and
then the one who has waited longest since their last job ended. So people take turns however much each of them asks for,
and a person who comes while another is served again and again is next. Background work counts against the person it
is for. A requester rises by one priority for every ``AGEING`` seconds without service, so every job runs in the end.
Long jobs never hold all workers, so a short job need not wait for a long one. Guests are one requester, behind all
others: their jobs are dropped before they could rise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from bot.compute.job import Job, Priority, QueueFull

AGEING = 5.0
"""Seconds of waiting that make up for one step of priority."""


@dataclass(slots=True)
class _Share:
    """What a person has of the workers: jobs that are running, and when the last one ended."""

    running: int = 0
    lines: int = 0
    ended_at: float = float("-inf")


@dataclass(slots=True)
class _Line:
    """The jobs of one requester, who has a ``share`` of the workers together with other lines of the same person."""

    share: _Share
    waiting: list[Job] = field(default_factory=list)
    running: int = 0
    served_at: float = float("-inf")
    """When its last job began or ended."""

    def head(self, *, long: bool = True) -> Job:
        """Return the next job: of the highest priority, and of those the oldest. ``long`` ones may be left out."""
        return min(self.jobs(long=long), key=lambda job: (job.priority, job.queued_at))

    def jobs(self, *, long: bool = True) -> list[Job]:
        """Return the jobs that wait, or only those that are not ``long``."""
        return [job for job in self.waiting if long or not job.spec.long]

    def since(self) -> float:
        """Return since when this requester has been waiting to be served."""
        return max(self.served_at, min(job.queued_at for job in self.waiting))

    def rank(self, now: float, *, long: bool = True) -> tuple[int, int, float]:
        """Return the place among all lines; the lowest is served next."""
        since = self.since()
        risen = int(max(now - since, 0.0) / AGEING)
        priority = max(self.head(long=long).priority - risen, 0)
        return priority, self.share.running, max(since, self.share.ended_at)


class FairQueue:
    """Waiting jobs. Of each requester, ``at_once`` jobs run together. ``most_long`` long jobs run.

    Of each person at most ``most`` jobs wait that they have asked for.
    """

    def __init__(self, at_once: int, most: int, most_long: int) -> None:
        self._at_once = at_once
        self._most = most
        self._most_long = most_long
        self._long = 0
        self._lines: dict[Hashable, _Line] = {}
        self._shares: dict[Hashable, _Share] = {}

    def __len__(self) -> int:
        return sum(len(line.waiting) for line in self._lines.values())

    def add(self, job: Job) -> None:
        """Queue a job. Raises ``QueueFull`` when the person who asks has too many waiting."""
        line = self._lines.get(job.requester)
        if line is None:
            share = self._shares.setdefault(job.person, _Share())
            share.lines += 1
            line = self._lines[job.requester] = _Line(share)
        if job.has_waiting_person and len(line.waiting) >= self._most:
            raise QueueFull
        line.waiting.append(job)

    def next(self, now: float) -> Job | None:
        """Take out the job to start now, or None while every waiting requester has enough jobs running."""
        long = self._long < self._most_long
        lines = [line for line in self._servable() if line.jobs(long=long)]
        if not lines:
            return None
        line = min(lines, key=lambda each: each.rank(now, long=long))
        job = line.head(long=long)
        line.waiting.remove(job)
        line.running += 1
        line.share.running += 1
        line.served_at = now
        self._long += job.spec.long
        return job

    def note_finished(self, job: Job, now: float) -> None:
        """Note that a job that ``next`` returned no longer runs."""
        line = self._lines[job.requester]
        line.running -= 1
        line.share.running -= 1
        line.served_at = line.share.ended_at = now
        self._long -= job.spec.long
        self._tidy(job)

    def remove(self, condition: Callable[[Job], bool]) -> list[Job]:
        """Take out and return the waiting jobs of which ``condition`` is true."""
        removed = [job for job in self if condition(job)]
        for job in removed:
            self._lines[job.requester].waiting.remove(job)
            self._tidy(job)
        return removed

    def __iter__(self) -> Iterator[Job]:
        return iter([job for line in self._lines.values() for job in line.waiting])

    def longest_wait(self, now: float) -> float:
        """Return the longest time in seconds that a requester has been waiting, without their own running jobs.

        Jobs in the background may wait, and do not count.
        """
        since = [
            max(line.served_at, min(queued))
            for line in self._servable()
            if (queued := [job.queued_at for job in line.waiting if job.priority < Priority.BACKGROUND])
        ]
        return max((now - each for each in since), default=0.0)

    def _servable(self) -> list[_Line]:
        return [line for line in self._lines.values() if line.waiting and line.running < self._at_once]

    def _tidy(self, job: Job) -> None:
        line = self._lines[job.requester]
        if not line.waiting and not line.running:
            del self._lines[job.requester]
            line.share.lines -= 1
            if not line.share.lines:
                del self._shares[job.person]
