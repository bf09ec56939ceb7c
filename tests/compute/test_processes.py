"""The compute queue with real worker processes: they are cancelled, killed and replaced, and none is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from bot.compute import workers
from bot.compute.job import JobSpec, Pool, Priority, WorkerLost
from bot.compute.queue import ComputeQueue
from bot.games.cancellation import ComputationCancelled
from tests.compute import jobs

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills processes as only POSIX can"),
]

LOOK = JobSpec(Pool.INTERACTIVE, Priority.LOOK)


@pytest_asyncio.fixture
async def queue(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ComputeQueue]:
    """A queue with one worker process, which may stand still for a minute before it is taken for deaf."""
    monkeypatch.setattr(workers, "GRACE", 60.0)
    async with ComputeQueue(picture_workers=1) as made:
        yield made


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


async def begun(folder: Path) -> int:
    """Wait until a job has begun; return the id of its process."""
    await until(lambda: (folder / "begun").exists() and bool((folder / "begun").read_text()))
    return int((folder / "begun").read_text())


def alive(pid: int) -> bool:
    """Return whether a process runs; one that has ended and was not collected yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_process_is_used_again_and_ends_with_the_queue() -> None:
    async with ComputeQueue(picture_workers=2) as queue:
        first, second = await queue.run(LOOK, jobs.pid), await queue.run(LOOK, jobs.pid)
        assert first == second != os.getpid()
    assert not alive(first)


async def test_a_failure_in_a_process_reaches_whoever_waits(queue: ComputeQueue) -> None:
    with pytest.raises(ValueError, match="as it should"):
        await queue.run(LOOK, jobs.failing)
    assert await queue.run(LOOK, jobs.pid)


async def test_what_nobody_waits_for_is_cancelled_in_its_process(queue: ComputeQueue, tmp_path: Path) -> None:
    waiting = asyncio.create_task(queue.run(LOOK, partial(jobs.endless, tmp_path)))
    process = await begun(tmp_path)
    waiting.cancel()
    await until((tmp_path / "given-up").exists)
    assert await queue.run(LOOK, jobs.pid) == process


@pytest.mark.slow
async def test_what_takes_too_long_is_given_up_in_its_process(tmp_path: Path) -> None:
    async with ComputeQueue(picture_workers=1, timeout=0.05) as queue:
        with pytest.raises(ComputationCancelled):
            await queue.run(LOOK, partial(jobs.endless, tmp_path))


@pytest.mark.slow
async def test_a_process_that_does_not_listen_is_killed(
    queue: ComputeQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "GRACE", 0.05)
    waiting = asyncio.create_task(queue.run(LOOK, partial(jobs.deaf, tmp_path)))
    process = await begun(tmp_path)
    waiting.cancel()
    await until(lambda: not alive(process))
    assert await queue.run(LOOK, jobs.pid) != process


async def test_a_job_whose_process_is_killed_is_done_by_another(queue: ComputeQueue, tmp_path: Path) -> None:
    waiting = asyncio.create_task(queue.run(LOOK, partial(jobs.waiting, tmp_path)))
    await until(lambda: any(tmp_path.glob("attempt-*")))
    (attempt,) = tmp_path.glob("attempt-*")
    killed = int(attempt.name.removeprefix("attempt-"))
    os.kill(killed, signal.SIGKILL)
    await until(lambda: len(list(tmp_path.glob("attempt-*"))) == 2)
    (tmp_path / "go-on").touch()
    assert await waiting != killed


@pytest.mark.slow
async def test_a_job_that_kills_every_process_is_given_up_and_the_next_is_done(queue: ComputeQueue) -> None:
    with pytest.raises(WorkerLost):
        await queue.run(LOOK, partial(os._exit, 1))
    assert await queue.run(LOOK, jobs.pid)


@pytest.mark.slow
async def test_an_idle_process_that_was_killed_is_replaced(queue: ComputeQueue) -> None:
    first = await queue.run(LOOK, jobs.pid)
    os.kill(first, signal.SIGKILL)
    await until(lambda: not alive(first))
    assert await queue.run(LOOK, jobs.pid) != first


async def test_a_process_leaves_signals_to_the_bot(queue: ComputeQueue) -> None:
    process = await queue.run(LOOK, jobs.pid)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(process, number)
    assert await queue.run(LOOK, jobs.pid) == process


PARENT = """
import asyncio
from functools import partial
from pathlib import Path
from bot.compute.job import JobSpec, Pool
from bot.compute.queue import ComputeQueue
from tests.compute import jobs

async def main():
    queue = ComputeQueue(picture_workers=1)
    await queue.run(JobSpec(Pool.INTERACTIVE), partial(jobs.deaf, Path({folder!r})))

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_no_process_outlives_a_bot_that_was_killed(tmp_path: Path) -> None:
    file = tmp_path / "parent.py"
    file.write_text(PARENT.format(folder=str(tmp_path)))
    root = str(Path(__file__).parents[2])
    parent = subprocess.Popen([sys.executable, str(file)], env=os.environ | {"PYTHONPATH": root})
    process = await begun(tmp_path)
    assert alive(process)
    parent.kill()
    parent.wait()
    await until(lambda: not alive(process))


def test_a_worker_process_loads_neither_discord_nor_the_database() -> None:
    code = "import sys, bot.messages.drawing, bot.matches.model.building, bot.web.boards, bot.compute.worker_process\n"
    code += "print([name for name in ('discord', 'sqlalchemy', 'aiohttp', 'pydantic') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
