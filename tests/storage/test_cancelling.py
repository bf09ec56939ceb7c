"""``cancel_all`` ends tasks, even one that misses its first cancellation."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from bot.storage import transactions
from bot.storage.transactions import cancel_all


async def _deaf(times: int) -> int:
    """Wait for ever, and go on waiting so many times when cancelled."""
    for _ in range(times):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    await asyncio.Event().wait()
    return times


async def _failing() -> None:
    raise OSError("the connection broke")


async def test_every_task_has_ended_though_one_was_deaf_and_one_had_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "CANCELLED_AGAIN", 0.01)
    tasks = [asyncio.create_task(work) for work in (_deaf(0), _deaf(2), _failing())]
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        await cancel_all(tasks)
    assert [task.cancelled() for task in tasks] == [True, True, False]


async def test_without_tasks_there_is_nothing_to_wait_for() -> None:
    await cancel_all([])
    assert asyncio.all_tasks() == {asyncio.current_task()}
