"""How soon a bot that stands by answers people after the one that served was killed."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from bot.demo.interactions import NotPossible
from tests.support.postgresql import running_server
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import Running, run_bot

EVERY = 0.25
"""Seconds after which a person asks again."""


async def standing_in(folder: Path, times: int) -> list[float]:
    """Kill the bot that serves so many times; return the seconds until the other answered, for each."""
    loopback = Loopback()
    await loopback.open()
    try:
        with running_server() as url:
            return await _standing_in(folder, loopback, url, times)
    finally:
        await loopback.close()


async def _standing_in(folder: Path, loopback: Loopback, url: str, times: int) -> list[float]:
    running = [await (await run_bot(folder, loopback, database_url=url)).ready()]
    found = []
    try:
        for _ in range(times):
            running.append(await run_bot(folder, loopback, database_url=url))
            await running[-1].logged("standing by: another bot is active")
            # What is asked first may take longer than what follows.
            await _answer(loopback)
            killed = time.monotonic()
            await running.pop(0).end(signal.SIGKILL)
            await _answer(loopback)
            found.append(time.monotonic() - killed)
    finally:
        await _ended(running)
    return found


async def _ended(running: list[Running]) -> None:
    for one in running:
        await one.end(signal.SIGKILL)


async def _answer(loopback: Loopback) -> None:
    """Ask until there is an answer."""
    while True:
        try:
            asked = loopback.ask(loopback.alice, loopback.channel, "games")
        except NotPossible:
            asked = 0
        if asked and await loopback.responded(loopback.backend.interactions[asked], EVERY):
            return
