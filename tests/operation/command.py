"""One run of ``python -m bot`` in a process forked from one that has everything imported, so that it costs little more
than what it does. Where it makes a difference tests start the real command instead.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partialmethod

import yarl
from discord import Client
from discord.gateway import DiscordWebSocket
from discord.http import Route

import bot.checks
import bot.client
import bot.upkeep  # noqa: F401  (imported by commands when they are given)
from bot.cli import main


@dataclass(frozen=True, slots=True)
class Command:
    """What is run where, with which environment; ``bound`` is called first, in its process."""

    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    bound: Callable[[], None] | None = None


def execute(command: Command, listener: tuple[str, int], discord_at: str | None) -> None:
    """Run a command that writes to ``listener``; Discord is at ``discord_at``. The process ends with it."""
    with socket.create_connection(listener) as connection:
        for number in (1, 2):
            os.dup2(connection.fileno(), number)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(command.folder)
    os.environ.clear()
    os.environ.update(command.environment)
    if discord_at is not None:
        lead_to(discord_at)
    if command.bound is not None:
        command.bound()
    sys.argv = ["bot", *command.arguments]
    main()


def lead_to(address: str) -> None:
    """Lead discord.py to another server than discord.com."""
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    # How long is waited for servers the gateway may still tell of; the usual two seconds are lost to every test.
    Client.__init__ = partialmethod(Client.__init__, guild_ready_timeout=0.05)  # type: ignore[method-assign, assignment]
