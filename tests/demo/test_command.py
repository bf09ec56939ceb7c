"""``python -m bot demo`` says where it is, or plainly why it cannot begin, and leaves no trace when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from glob import glob
from pathlib import Path

import pytest

from bot import demo
from bot.demo import command
from bot.demo.page import MENDED
from bot.demo.realtime import LiveServer
from tests.demo.conftest import Given
from tests.demo.desk import Desk
from tests.demo.tiny_bot import TinyBot

SOURCE = Path(__file__).parents[2]


@asynccontextmanager
async def demo_process(directory: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run the real command in ``directory``; give the process and the address of its page."""
    environment = {**os.environ, "TMPDIR": str(directory), "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "demo", "--no-browser", "--port", "0"),
        cwd=directory,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            line = (await process.stdout.readline()).decode()
        yield process, line.split()[-1]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_demo_and_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    async with demo_process(tmp_path) as (process, url), Desk(url, "Alice") as alice:
        assert any("simulated Discord" in text for text in alice.seen)
        assert glob(f"{tmp_path}/*/*.db"), "the demo has kept nothing, which is not what is tested"

        process.send_signal(number)

        async with asyncio.timeout(10):
            assert await process.wait() == 0
    assert os.listdir(tmp_path) == []


async def test_the_welcome_names_the_people_and_says_what_it_is(given: Given) -> None:
    async with Desk(given.url, "Bob") as bob:
        assert [viewer["name"] for viewer in bob.state["viewers"]] == ["Alice", "Bob", "Carol"]
        assert "This is a simulated Discord." in bob.seen[0]
        assert bob.state["diagnostics"] == []


async def test_a_port_in_use_is_said_to_be() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(demo.DemoError, match=f"Port {port} is in use. .*--port 0"):
            await demo.run(port=port, open_browser=False, create=lambda _: TinyBot())


async def test_packages_that_are_missing_are_named_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command.NEEDED, "no_such_module", "no-such-package")

    with pytest.raises(demo.DemoError, match=r"needs no-such-package\.(.|\n)*pip install \"\.\[demo\]\""):
        await demo.run(open_browser=False, create=lambda _: TinyBot())


async def test_what_is_mended_in_the_page_is_still_in_it(given: Given) -> None:
    static = Path(sys.modules["simcord.preview"].__path__[0]) / "static"

    for name, changes in MENDED.items():
        script = (static / LiveServer._STATIC_FILES[name]).read_text(encoding="utf-8")
        for text, _ in changes:
            assert script.count(text) == 1, f"{name}: {text}"
