"""Work that the fork server does once for all its processes: it imports everything and reads the catalogues.

Imported by the fork server alone. It saves each of some hundred processes half a second.
"""

from __future__ import annotations

import gc

import bot.cluster.membership  # noqa: F401
import tests.crash.bot_process
import tests.support.processes.command  # noqa: F401
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language
from bot.views import against_computer, challenges, stepping  # noqa: F401

for code in OFFERED:
    language(code)
# The objects that exist now stay: a collector that visited them would copy their pages in each process.
gc.collect()
gc.freeze()
