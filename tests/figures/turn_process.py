"""Runs the bot of whichever tree Python finds first, for a Discord at an address, until it is told to stop.

    python -P tests/figures/turn_process.py 127.0.0.1:1234 sqlite+aiosqlite:////tmp/tavoliere.db

Imports nothing of these tests, so that another tree's bot can be measured, too.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys

from bot.client import create_bot
from bot.demo.discord_server import led_to
from bot.settings import Settings


async def main(address: str, url: str, token: str) -> None:
    """Run the bot until SIGTERM."""
    settings = Settings(_env_file=None, database_url=url, picture_workers=0, thinkers=0)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    with led_to(address):
        bot = create_bot(settings)
        # As ``bot run`` does.
        gc.collect()
        gc.freeze()
        running = asyncio.create_task(bot.start(token))
        await stopped.wait()
        await bot.close()
        await asyncio.gather(running, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
