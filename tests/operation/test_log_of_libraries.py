"""The logs of libraries: only useful lines."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import logging
from collections.abc import Iterator
from io import StringIO
from types import SimpleNamespace
from typing import Any, Literal

import discord
import pytest
import structlog
from discord.app_commands import CommandTree

from bot.settings import Settings
from bot.storage import engines
from bot.telemetry import logs
from tests.support.postgresql import ASYNCPG

SAID = "Ignoring exception in autocomplete"
GONE: Any = SimpleNamespace(status=404, reason="Not Found")


@pytest.fixture
def written() -> Iterator[StringIO]:
    """Give what is logged from now on, as the bot logs it."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    logs.configure(Settings(_env_file=None))
    (handler,) = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    found = StringIO()
    handler.setStream(found)
    yield found
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        pytest.param(discord.NotFound(GONE, {"code": 10062, "message": "Unknown interaction"}), False, id="too late"),
        pytest.param(OSError("the disk is full"), True, id="anything else"),
    ],
)
def test_suggestions_that_come_too_late_are_not_worth_a_line(written: StringIO, error: Exception, logged: bool) -> None:
    assert SAID in inspect.getsource(CommandTree)
    try:
        raise error
    except Exception:
        logging.getLogger(CommandTree.__module__).exception(f"{SAID} for %r", "move")
    assert (SAID in written.getvalue()) is logged


GIVEN_UP = "connection given up while it was opened: ConnectionError('unexpected connection_lost() call')"
ROUND = 40
"""More steps of the event loop than it takes to connect."""


def forget(error: Exception, *, in_task: bool) -> None:
    """Let a future or a task fail with an error that is never retrieved."""

    async def fail() -> None:
        raise error

    async def forgotten() -> None:
        failed = asyncio.ensure_future(fail()) if in_task else asyncio.get_running_loop().create_future()
        if isinstance(failed, asyncio.Task):
            await asyncio.wait([failed])
        else:
            failed.set_exception(error)

    asyncio.run(forgotten())
    gc.collect()


@pytest.mark.parametrize(
    ("error", "in_task", "level"),
    [
        pytest.param(ConnectionError("broken"), False, "warning", id="a connection that was opened"),
        pytest.param(ConnectionError("broken"), True, "error", id="a task of our own"),
        pytest.param(OSError("the disk is full"), False, "error", id="anything else"),
    ],
)
def test_a_connection_that_breaks_when_nobody_waits_for_it_is_no_error(
    written: StringIO, error: Exception, in_task: bool, level: str
) -> None:
    forget(error, in_task=in_task)
    said = written.getvalue()
    assert f"[{level}" in said
    assert repr(error) in said
    assert ("Traceback" in said) is in_task


@pytest.mark.skipif(not ASYNCPG, reason="asyncpg is not installed")
async def test_what_asyncpg_forgets_when_it_is_cancelled_while_it_connects_is_no_error(written: StringIO) -> None:
    async with await asyncio.start_server(lambda *_: None, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with asyncio.timeout(60):
            while GIVEN_UP not in written.getvalue():
                for steps in range(ROUND):
                    opening = asyncio.create_task(engines.connect("127.0.0.1", port, user="somebody"))
                    for _ in range(steps):
                        await asyncio.sleep(0)
                    opening.cancel()
                    await asyncio.wait([opening])
                    del opening
                gc.collect()
    assert "[error" not in written.getvalue()


class _Away(Exception):
    is_sentence = True


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_line_is_short_and_whole_whatever_it_tells(log_format: Literal["json", "console"], written: StringIO) -> None:
    def deep(times: int) -> None:
        private = "my " + "diary"
        if times and private:
            try:
                deep(times - 1)
            except ValueError as error:
                raise ValueError("x" * 5000) from error
        raise ValueError("the cause")

    logs.configure(Settings(log_format=log_format, _env_file=None))
    logging.getLogger().handlers[0].setStream(written)  # type: ignore[attr-defined]
    log = structlog.get_logger("some")
    try:
        deep(30)
    except ValueError:
        log.exception("failed", match=7, text="y" * 100_000)
    try:
        raise _Away("The database is away.") from ValueError("deep")
    except _Away:
        log.exception("refused", match=8)
    failed, _, refused = written.getvalue().strip().rpartition("\n")
    assert len(failed.encode()) <= 8192
    assert "match" in failed
    assert "the cause" in failed
    assert "The database is away." in refused
    assert "Traceback" not in refused
    assert "my diary" not in failed
    if log_format == "console":
        assert "match=7" in failed
    else:
        assert json.loads(failed)["match"] == 7
        assert json.loads(refused)["error"] == "The database is away."
