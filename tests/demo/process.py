"""The demo in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

SOURCE = Path(__file__).parents[2]


COMMAND = ("-m", "bot")
UNLIMITED = (
    "-c",
    "from bot.compute import rate_limit; rate_limit.BUDGET = 1e9; "
    "from bot.matches.service_context import PlayLimits as Limits; "
    "Limits.__init__.__kwdefaults__['computer_matches_per_hour'] = 10**6; "
    "from bot.matches.model import judging; judging.MOST_NODES = 4_000; "
    "from bot.__main__ import main; main()",
)
"""The same command, with a bot that lets people ask for as much as they like, and takes seconds for a review."""


@asynccontextmanager
async def demo_process(
    directory: Path, command: Sequence[str] = COMMAND
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run the real command in ``directory``; yield the process and the address of its page."""
    environment = {**os.environ, "TMPDIR": str(directory), "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *command, "demo", "--no-browser", "--port", "0"),
        cwd=directory,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(300):
            line = (await process.stdout.readline()).decode()
        yield process, line.split()[-1]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
