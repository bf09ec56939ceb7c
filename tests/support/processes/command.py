"""One run of ``python -m bot`` in a process forked from one that has everything imported, so that it costs little more
than what it does. Tests that depend on the difference start the real command.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import bot.client
import bot.operation.checks
import bot.operation.upkeep  # noqa: F401  (imported by commands when they are given)
from bot.demo.discord_server import led_to
from bot.operation.command_line import main


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, its folder and its environment; ``bound`` is called first, in its process."""

    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    bound: Callable[[], None] | None = None


def execute(command: Command, listener: tuple[str, int], discord_at: str | None) -> None:
    """Run a command that writes to ``listener``; Discord is at ``discord_at``. The process ends with it."""
    multiprocessing.current_process().daemon = False  # A daemonic process may not start workers.
    with socket.create_connection(listener) as connection:
        for number in (1, 2):
            os.dup2(connection.fileno(), number)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(command.folder)
    os.environ.clear()
    os.environ.update(command.environment)
    if command.bound is not None:
        command.bound()
    sys.argv = ["bot", *command.arguments]
    with nullcontext() if discord_at is None else led_to(discord_at):
        main()
