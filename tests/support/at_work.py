"""Background work of the bot, for the length of a block."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bot.matches.background_work import BackgroundRunner

R = TypeVar("R", bound=BackgroundRunner[Any])


@asynccontextmanager
async def at_work(runner: R) -> AsyncIterator[R]:
    """Have a runner do its work, as the bot does while it runs."""
    task = asyncio.create_task(runner.run())
    try:
        yield runner
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await runner.close()
