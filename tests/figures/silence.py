"""Silence after a kill

Five shards, with a bot that serves them and one that stands by. The first is ended by `kill -9`; then each
shard is silent until the other bot has connected it. Discord allows one connection in five seconds, as for a small bot.
Up to nine seconds are the lease, up to one more passes until the other bot notices.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.figures import table
from tests.scale.standing_in import silences

SHARDS, KILLS = 5, 3


def measure() -> list[str]:
    """Kill the bot that serves several times."""
    with TemporaryDirectory() as folder:
        found = asyncio.run(silences(Path(folder), SHARDS, KILLS))
    rows = [(f"shard {shard}", *(f"{one[shard]:.1f}" for one in found)) for shard in range(SHARDS)]
    return table(("Seconds of silence", *(f"kill {number}" for number in range(1, KILLS + 1))), rows)
