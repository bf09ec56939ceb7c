"""The compute queue with threads: who is served when, what is dropped, what is made once."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from threading import Event
from time import monotonic

import pytest

from bot.compute import worker_process
from bot.compute.fair_queue import FairQueue
from bot.compute.job import GUESTS, GUESTS_WAIT, Job, JobDropped, JobSpec, Pool, Priority
from bot.compute.queue import MOST_WAITING, ComputeQueue
from bot.compute.work_pool import WorkPool
from bot.compute.workers import Call
from bot.games.cancellation import ComputationCancelled, check_cancelled, time_is_short
from bot.telemetry import metrics
from tests.support.compute_jobs import Gate, ask
from tests.support.manual_time import Time

pytestmark = pytest.mark.timeout(30)

LOOK = JobSpec(Pool.INTERACTIVE, Priority.LOOK)


def dropped(reason: str) -> float:
    return float(metrics.COMPUTE_DROPPED.labels(Pool.INTERACTIVE, reason)._value.get())


async def test_a_turn_waits_for_nobody_who_looks() -> None:
    gate = Gate()
    async with ComputeQueue() as queue:
        looking = [ask(queue, who, LOOK, gate.job(f"look {who}")) for who in range(20)]
        await gate.until_begun(1)
        assert await ask(queue, "victim", JobSpec(), lambda: "played") == "played"
        assert gate.begun == ["look 0"]
        gate.opened.set()
        await asyncio.gather(*looking)


async def test_somebody_who_asks_once_is_served_after_one_job_of_somebody_who_asks_all_the_time() -> None:
    gate = Gate()
    async with ComputeQueue() as queue:
        greedy = [ask(queue, "greedy", LOOK, gate.job("greedy")) for _ in range(MOST_WAITING[Pool.INTERACTIVE])]
        await gate.until_begun(1)
        once = ask(queue, "bob", LOOK, gate.job("bob"))
        await asyncio.sleep(0)
        gate.opened.set()
        await asyncio.gather(once, *greedy)
    assert gate.begun.index("bob") <= 2


async def test_turns_of_one_person_leave_a_thread_for_the_others() -> None:
    gate = Gate()
    async with ComputeQueue(turn_threads=2) as queue:
        many = [ask(queue, "greedy", JobSpec(), gate.job("greedy")) for _ in range(10)]
        await gate.until_begun(1)
        assert await ask(queue, "bob", JobSpec(), lambda: "played") == "played"
        assert gate.begun == ["greedy"]
        gate.opened.set()
        await asyncio.gather(*many)


async def test_what_nobody_waits_for_any_more_is_never_begun() -> None:
    gate = Gate()
    async with ComputeQueue() as queue:
        first = ask(queue, "alice", LOOK, gate.job("first"))
        await gate.until_begun(1)
        gone = ask(queue, "bob", LOOK, gate.job("gone"))
        await asyncio.sleep(0)
        gone.cancel()
        gate.opened.set()
        await first
        assert await ask(queue, "bob", LOOK, gate.job("last")) == "last"
    assert gate.begun == ["first", "last"]


async def test_what_runs_is_given_up_when_nobody_waits_for_it() -> None:
    begun, given_up = Event(), Event()

    def endless() -> None:
        begun.set()
        try:
            while True:
                check_cancelled()
        except ComputationCancelled:
            given_up.set()
            raise

    async with ComputeQueue() as queue:
        waiting = ask(queue, "alice", LOOK, endless)
        await asyncio.to_thread(begun.wait)
        waiting.cancel()
        assert await asyncio.to_thread(given_up.wait, 20)
        assert await ask(queue, "alice", LOOK, lambda: 1) == 1


async def test_a_newer_keystroke_takes_the_place_of_the_older_ones() -> None:
    gate, typed = Gate(), JobSpec(Pool.INTERACTIVE, topic="suggestions")
    before = dropped("superseded")
    async with ComputeQueue() as queue:
        first = ask(queue, "bob", LOOK, gate.job("look"))
        await gate.until_begun(1)
        letters = [ask(queue, "alice", typed, gate.job(letter)) for letter in "abc"]
        other = ask(queue, "carol", typed, gate.job("carol"))
        await asyncio.sleep(0)
        gate.opened.set()
        results = await asyncio.gather(*letters, return_exceptions=True)
        assert [type(result) for result in results] == [JobDropped, JobDropped, str]
        assert (await first, await other) == ("look", "carol")
    assert sorted(gate.begun) == ["c", "carol", "look"]
    assert dropped("superseded") == before + 2


async def test_suggestions_that_come_too_late_are_not_worked_out() -> None:
    gate, time = Gate(), Time()
    async with ComputeQueue(clock=time) as queue:
        first = ask(queue, "bob", LOOK, gate.job("look"))
        await gate.until_begun(1)
        late = ask(queue, "alice", JobSpec(Pool.INTERACTIVE, max_wait=3), gate.job("late"))
        await asyncio.sleep(0)
        time.now = 3.1
        gate.opened.set()
        with pytest.raises(JobDropped):
            await late
        await first
    assert gate.begun == ["look"]


async def test_guests_who_have_waited_for_too_long_are_told_so_while_others_come_before_them() -> None:
    gate, time = Gate(), Time()
    before = dropped("expired")
    async with ComputeQueue(clock=time) as queue:
        players = [ask(queue, "bob", LOOK, gate.job("bob"))]
        await gate.until_begun(1)
        guest = ask(queue, GUESTS, LOOK, gate.job("guest"))
        await asyncio.sleep(0)
        time.now = GUESTS_WAIT + 0.1
        players.append(ask(queue, "alice", LOOK, gate.job("alice")))
        await asyncio.wait([guest], timeout=5)
        told = guest.done()
        gate.opened.set()
        with pytest.raises(JobDropped):
            await guest
        await asyncio.gather(*players)
        assert told
    assert gate.begun == ["bob", "alice"]
    assert dropped("expired") == before + 1


async def test_what_many_ask_for_is_made_once_and_kept() -> None:
    gate, spec = Gate(), JobSpec(Pool.INTERACTIVE, Priority.LOOK, key=("board", 1))
    async with ComputeQueue() as queue:
        many = [ask(queue, who, spec, gate.job("board")) for who in range(5)]
        await gate.until_begun(1)
        gate.opened.set()
        assert await asyncio.gather(*many) == ["board"] * 5
        assert await ask(queue, "late", spec, gate.job("board")) == "board"
    assert gate.begun == ["board"]


async def test_what_one_of_several_no_longer_waits_for_comes_to_the_others() -> None:
    gate, spec = Gate(), JobSpec(Pool.TURNS, key=("board", 1))
    async with ComputeQueue() as queue:
        first, second = (ask(queue, who, spec, gate.job("board")) for who in ("alice", "bob"))
        await gate.until_begun(1)
        first.cancel()
        await asyncio.sleep(0)
        gate.opened.set()
        assert await second == "board"
    assert gate.begun == ["board"]


async def test_a_failure_reaches_whoever_waits_and_is_not_kept() -> None:
    spec = JobSpec(Pool.INTERACTIVE, key="failing")

    def failing() -> None:
        raise ValueError("as it should")

    async with ComputeQueue() as queue:
        with pytest.raises(ValueError, match="as it should"):
            await ask(queue, "alice", spec, failing)
        assert await ask(queue, "alice", spec, lambda: "mended") == "mended"


class _Held:
    """Two workers whose calls end when the test says so."""

    size = 2

    def __init__(self) -> None:
        self.calls: list[asyncio.Future[tuple[str, float]]] = []

    async def run(self, _call: Call) -> tuple[str, float]:
        self.calls.append(asyncio.get_running_loop().create_future())
        return await self.calls[-1]

    async def close(self) -> None:
        """Nothing is left to be ended."""


async def test_whoever_asks_at_the_moment_something_fails_has_it_done_anew() -> None:
    workers = _Held()
    pool = WorkPool(Pool.INTERACTIVE, workers, FairQueue(1, 8, 1), monotonic, 20.0, lambda _who, _seconds: None)

    def asks(who: str) -> asyncio.Task[str]:
        return asyncio.create_task(pool.result(Job(who, JobSpec(key="same"), str, monotonic())))

    first = asks("alice")
    while not workers.calls:
        await asyncio.sleep(0)
    workers.calls[0].set_exception(ValueError("failed"))
    second = asks("bob")
    with pytest.raises(ValueError, match="failed"):
        await first
    for _ in range(10):
        await asyncio.sleep(0)
    workers.calls[1].set_result(("made", 0.0))
    assert await second == "made"
    await pool.close()


async def test_whoever_asks_is_charged_for_the_computing_and_not_for_what_is_kept() -> None:
    charged: list[tuple[Hashable, float]] = []
    async with ComputeQueue(charge=lambda *cost: charged.append(cost)) as queue:
        for who in ("alice", "bob"):
            await ask(queue, who, JobSpec(key="sum"), lambda: sum(range(100_000)))
    assert [who for who, _ in charged] == ["alice"]
    assert charged[0][1] > 0


async def test_closing_gives_up_what_runs_and_what_waits() -> None:
    gate = Gate()

    def endless() -> None:
        gate.begun.append("endless")
        while True:
            check_cancelled()

    queue = ComputeQueue()
    running, waiting = ask(queue, "alice", LOOK, endless), ask(queue, "bob", LOOK, gate.job("never"))
    await gate.until_begun(1)
    await queue.close()
    results = await asyncio.gather(running, waiting, return_exceptions=True)
    assert [type(result) for result in results] == [ComputationCancelled, JobDropped]
    assert gate.begun == ["endless"]


def test_a_job_is_in_a_hurry_after_half_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [0.0]
    monkeypatch.setattr(worker_process, "monotonic", lambda: times[-1])

    def job() -> list[bool]:
        seen = [time_is_short()]
        times.append(10.1)
        return [*seen, time_is_short()]

    assert worker_process.perform(job, lambda: True, 20.0)[0] == [False, True]
    assert not time_is_short()
