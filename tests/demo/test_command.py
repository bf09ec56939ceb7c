"""``python -m bot demo`` says where it is, or plainly why it cannot begin, and leaves no trace when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from glob import glob
from pathlib import Path

import pytest

from bot import demo
from bot.demo import command
from tests.demo.conftest import Given
from tests.demo.http_client import PageClient
from tests.demo.process import demo_process
from tests.demo.tiny_bot import TinyBot
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
async def test_a_signal_ends_the_demo_and_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    async with demo_process(tmp_path) as (process, url), PageClient(url, "Alice") as alice:
        assert any("simulated Discord" in text for text in alice.seen)
        assert glob(f"{tmp_path}/*/*.db"), "the demo has kept nothing, which is not what is tested"

        process.send_signal(number)

        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 0
    assert os.listdir(tmp_path) == []


async def test_the_people_of_the_demo_are_there(given: Given) -> None:
    async with PageClient(given.url, "Bob") as bob:
        assert [person["name"] for person in bob.hello["people"]] == ["Alice", "Bob", "Carol", "Tavoliere"]


async def test_a_port_in_use_is_said_to_be() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(demo.DemoError, match=f"Port {port} is in use. .*--port 0"):
            await demo.run(port=port, open_browser=False, create=lambda _: TinyBot())


async def test_packages_that_are_missing_are_named_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command.NEEDED, "no_such_module", "no-such-package")

    with pytest.raises(demo.DemoError, match=r'needs no-such-package, .* "tavoliere\[demo\]"'):
        await demo.run(open_browser=False, create=lambda _: TinyBot())
