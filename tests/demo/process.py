"""The demo in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

SOURCE = Path(__file__).parents[2]


@asynccontextmanager
async def demo_process(directory: Path, program: str = "bot") -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run the real command of a ``program`` in ``directory``; give the process and the address of its page."""
    environment = {**os.environ, "TMPDIR": str(directory), "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", program, "demo", "--no-browser", "--port", "0"),
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
