"""The demo, given to a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from bot import demo
from tests.demo.tiny_bot import TinyBot


@dataclass
class Given:
    """A demo that runs in this process, with a bot that does as it is told."""

    bot: TinyBot
    url: str
    running: asyncio.Task[None]


@pytest_asyncio.fixture
async def given(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Given]:
    """Give the demo; end it if the test has not."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("demo")))
    bot = TinyBot()
    lines: asyncio.Queue[str] = asyncio.Queue()
    running = asyncio.ensure_future(demo.run(open_browser=False, say=lines.put_nowait, create=lambda _: bot))
    first = asyncio.ensure_future(lines.get())
    await asyncio.wait((first, running), return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    yield Given(bot, first.result().split()[-1], running)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
