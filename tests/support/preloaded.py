"""What a process is forked from has done once, for all: everything imported, and the catalogues of all languages read.

Imported by the fork server alone.
"""

from __future__ import annotations

import gc

import bot.sharded_client  # noqa: F401
import tests.crash.bot_process
import tests.support.processes.command  # noqa: F401
from bot.languages import OFFERED, language
from bot.views import challenge_buttons, computer_seats, stepping  # noqa: F401

for code in OFFERED:
    language(code)
# What is there by now stays: no collector need go through it, and so copy it, in each process.
gc.collect()
gc.freeze()
