"""Work that the fork server does once for all its processes: it imports everything, reads the catalogues of all
languages, and looks up the names of commands.

Imported by the fork server alone.
"""

from __future__ import annotations

import asyncio
import gc

import bot.cluster.membership  # noqa: F401
import tests.crash.bot_process
import tests.support.processes.command  # noqa: F401
from bot.client import create_bot
from bot.cogs.command_tree import CommandTranslator
from bot.settings import Settings
from bot.views import against_computer, challenges, stepping  # noqa: F401
from tests.support import translated_once


async def _name_commands() -> None:
    unborn = create_bot(Settings(_env_file=None))
    await unborn.add_commands()
    await unborn.tree.set_translator(CommandTranslator())
    await translated_once.look_up(unborn)


asyncio.run(_name_commands())
# The objects that exist now stay: a collector that visited them would copy their pages in each process.
gc.collect()
gc.freeze()
