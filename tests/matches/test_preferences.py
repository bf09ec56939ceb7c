"""Preferences of people and settings of servers, changed in several places at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.matches.conftest import ALICE, GUILD, Crowd


async def test_two_changes_of_preferences_at_the_same_time_both_count(crowd: Crowd) -> None:
    prefer = crowd.services.personal_settings.prefer
    for _ in range(20):
        await prefer(ALICE.id, lambda before: replace(before, theme="dark", reminders=True))
        await asyncio.gather(
            prefer(ALICE.id, lambda before: replace(before, theme="light")),
            prefer(ALICE.id, lambda before: replace(before, reminders=False)),
        )
        stored = await crowd.services.personal_settings.preferences(ALICE.id)
        assert (stored.theme, stored.reminders) == ("light", False)


async def test_a_change_leaves_all_other_preferences_as_they_were(crowd: Crowd) -> None:
    settings = crowd.services.personal_settings
    before = await settings.preferences(ALICE.id)
    told = await settings.prefer(ALICE.id, lambda now: replace(now, text_boards=True))
    assert told == await settings.preferences(ALICE.id) == replace(before, text_boards=True)


async def test_two_changes_of_a_server_at_the_same_time_both_count(crowd: Crowd) -> None:
    settings = crowd.services.server_settings
    for pace in range(1, 21):
        await settings.change(GUILD, lambda before: replace(before, threads=True, pace=None))
        await asyncio.gather(
            settings.change(GUILD, lambda before: replace(before, threads=False)),
            settings.change(GUILD, lambda before, pace=pace: replace(before, pace=pace)),  # type: ignore[misc]
        )
        stored = await settings.of(GUILD)
        assert (stored.threads, stored.pace) == (False, pace)
