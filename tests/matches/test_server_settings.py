"""The settings of a server, changed by several people at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.matches.conftest import GUILD, Crowd


async def test_of_two_changes_at_the_same_time_none_is_lost(crowd: Crowd) -> None:
    settings = crowd.services.server_settings
    for pace in range(1, 21):
        await settings.change(GUILD, lambda before: replace(before, threads=True, pace=None))
        await asyncio.gather(
            settings.change(GUILD, lambda before: replace(before, threads=False)),
            settings.change(GUILD, lambda before, pace=pace: replace(before, pace=pace)),  # type: ignore[misc]
        )
        stored = await settings.of(GUILD)
        assert (stored.threads, stored.pace) == (False, pace)
