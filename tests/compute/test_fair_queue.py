"""Whose job is next: people take turns, higher priorities go first, and every job is done in the end."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from bot.compute.fair_queue import AGEING, FairQueue
from bot.compute.job import GUESTS, GUESTS_WAIT, BackgroundRequester, Job, JobSpec, Priority, QueueFull


def job(who: Hashable, at: float, priority: Priority = Priority.LOOK, *, long: bool = False) -> Job:
    return Job(who, JobSpec(priority=priority, long=long), str, at)


def filled(*jobs: Job, at_once: int = 1, most_long: int = 1) -> FairQueue:
    queue = FairQueue(at_once, most=100, most_long=most_long)
    for each in jobs:
        queue.add(each)
    return queue


def begun(queue: FairQueue, now: float) -> Job:
    """Return the job that is next, which there must be."""
    job = queue.next(now)
    assert job is not None
    return job


def order(queue: FairQueue, now: float) -> list[Hashable]:
    """Return in which order people are served by a single worker that takes a second for each job."""
    served = []
    while (each := queue.next(now)) is not None:
        served.append(each.requester)
        now += 0.001
        queue.note_finished(each, now)
    return served


async def test_people_take_turns_however_much_each_asks_for() -> None:
    queue = filled(*(job("greedy", at) for at in range(6)), job("bob", 6), job("carol", 7))
    assert order(queue, 8) == ["greedy", "bob", "carol", "greedy", "greedy", "greedy", "greedy", "greedy"]


async def test_a_person_who_comes_while_another_is_served_again_and_again_is_next() -> None:
    queue = filled(*(job("greedy", 0) for _ in range(50)))
    for now in range(1, 20):
        running = begun(queue, now)
        if now == 19:
            queue.add(job("bob", 19.5))
        queue.note_finished(running, now + 1)
    assert order(queue, 21)[:2] == ["bob", "greedy"]


async def test_of_all_that_is_done_for_a_person_one_job_is_ahead_of_another_person() -> None:
    reply, review = BackgroundRequester("greedy", "reply"), BackgroundRequester("greedy", "review")
    queue = filled(*(job(who, 0, Priority.MOVE, long=True) for who in (reply, reply, review, review, "greedy")))
    running = begun(queue, 1)
    queue.add(job("bob", 2, Priority.MOVE, long=True))
    queue.note_finished(running, 3)
    assert order(queue, 3)[0] == "bob"


async def test_a_person_of_whom_a_job_runs_comes_after_one_of_whom_none_does() -> None:
    queue = filled(*(job("greedy", 0) for _ in range(3)), at_once=2)
    begun(queue, 1)
    queue.add(job("bob", 2))
    following = begun(queue, 3)
    assert following.requester == "bob"


async def test_the_urgent_goes_first() -> None:
    queue = filled(job("looks", 0), job("moves", 1, Priority.MOVE))
    assert order(queue, 2) == ["moves", "looks"]


async def test_the_most_urgent_of_ones_own_jobs_goes_first() -> None:
    queue = filled(job("alice", 0), job("alice", 1, Priority.MOVE))
    first = begun(queue, 2)
    assert first.spec.priority is Priority.MOVE


async def test_what_is_not_urgent_is_done_all_the_same_after_a_while() -> None:
    queue = filled(job("thinks", 0, Priority.BACKGROUND))
    now, waited = 0.0, 0
    while True:
        now += 1
        queue.add(job(f"person {now}", now, Priority.MOVE))
        served = begun(queue, now)
        queue.note_finished(served, now)
        if served.requester == "thinks":
            break
        waited += 1
    assert waited <= 3 * AGEING


async def test_waiting_for_ones_own_jobs_makes_nobody_more_urgent() -> None:
    queue = filled(*(job("greedy", 0) for _ in range(50)))
    now = 10 * AGEING
    first = begun(queue, now)
    queue.note_finished(first, now)
    queue.add(job("bob", now, Priority.MOVE))
    assert order(queue, now + 1)[0] == "bob"


async def test_a_person_has_so_many_jobs_running_and_no_more() -> None:
    queue = filled(*(job("alice", 0) for _ in range(3)), at_once=2)
    first, _ = begun(queue, 1), begun(queue, 1)
    assert queue.next(1) is None
    queue.note_finished(first, 1)
    assert queue.next(1) is not None


async def test_a_person_has_so_many_jobs_waiting_and_no_more() -> None:
    queue = FairQueue(at_once=1, most=2, most_long=1)
    queue.add(job("alice", 0))
    queue.add(job("alice", 0))
    with pytest.raises(QueueFull):
        queue.add(job("alice", 0))
    queue.add(job("bob", 0))
    assert len(queue) == 3


async def test_what_is_stored_and_done_in_a_persons_name_waits_without_a_limit() -> None:
    queue = FairQueue(at_once=1, most=2, most_long=1)
    for _ in range(5):
        queue.add(job(BackgroundRequester("alice", "reply"), 0))
        queue.add(job(None, 0))
    assert len(queue) == 10


async def test_how_long_somebody_waits_leaves_out_what_waits_for_ones_own() -> None:
    queue = filled(job("greedy", 0), job("greedy", 0))
    assert queue.longest_wait(4) == 4
    assert queue.next(4) is not None
    assert queue.longest_wait(9) == 0
    queue.add(job("bob", 10))
    assert queue.longest_wait(12) == 2


async def test_what_may_wait_in_the_background_is_no_trouble() -> None:
    queue = filled(job("reader", 0, Priority.BACKGROUND))
    assert queue.longest_wait(30) == 0
    queue.add(job("alice", 20))
    assert queue.longest_wait(30) == 10


async def test_long_jobs_never_have_all_workers_so_a_short_one_begins_at_once() -> None:
    queue = filled(*(job(f"reader {number}", 0, long=True) for number in range(5)), job("alice", 9))
    running, short = begun(queue, 10), begun(queue, 10)
    assert (running.spec.long, short.requester) == (True, "alice")
    assert queue.next(10) is None
    queue.note_finished(short, 11)
    assert queue.next(11) is None
    queue.note_finished(running, 12)
    following = begun(queue, 12)
    assert following.spec.long


async def test_ones_own_short_job_overtakes_ones_own_long_one_where_no_more_long_ones_may_run() -> None:
    queue = filled(job("bob", 0, long=True), job("alice", 1, long=True), job("alice", 2))
    first, second = begun(queue, 3), begun(queue, 3)
    assert (first.requester, second.requester, second.spec.long) == ("bob", "alice", False)


async def test_guests_come_after_everybody_however_long_they_may_wait() -> None:
    queue = filled(job(GUESTS, 0, Priority.MOVE), job("alice", GUESTS_WAIT, Priority.BACKGROUND), job(GUESTS, 0))
    assert order(queue, GUESTS_WAIT) == ["alice", GUESTS, GUESTS]


async def test_a_guest_is_told_of_a_crowd_before_their_job_could_rise() -> None:
    waiting = job(GUESTS, 0, Priority.MOVE)
    assert not waiting.expired(GUESTS_WAIT)
    assert waiting.expired(GUESTS_WAIT + 0.1)
    assert GUESTS_WAIT < AGEING


async def test_guests_who_wait_are_nobody_who_waits() -> None:
    assert filled(job(GUESTS, 0, Priority.MOVE)).longest_wait(9) == 0
