"""The logs of libraries: only useful lines."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import structlog
from discord.app_commands import CommandTree

from bot.settings import Settings
from bot.telemetry import logs

SAID = "Ignoring exception in autocomplete"
GONE: Any = SimpleNamespace(status=404, reason="Not Found")


@pytest.fixture
def tree(capsys: pytest.CaptureFixture[str]) -> Iterator[logging.Logger]:
    """Give the logger of slash commands, set up as in the bot, once standard error is captured."""
    del capsys
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    logs.configure(Settings(_env_file=None))
    yield logging.getLogger(CommandTree.__module__)
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
def test_suggestions_that_come_too_late_are_not_worth_a_line(
    tree: logging.Logger, capsys: pytest.CaptureFixture[str], error: Exception, logged: bool
) -> None:
    assert SAID in inspect.getsource(CommandTree)
    try:
        raise error
    except Exception:
        tree.exception(f"{SAID} for %r", "move")
    assert (SAID in capsys.readouterr().err) is logged
