"""The preferences of a person, changed in several places at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.matches.conftest import ALICE, Crowd


async def test_of_two_changes_at_the_same_time_none_is_lost(crowd: Crowd) -> None:
    prefer = crowd.services.personal_settings.prefer
    for _ in range(20):
        await prefer(ALICE.id, lambda before: replace(before, theme="dark", reminders=True))
        await asyncio.gather(
            prefer(ALICE.id, lambda before: replace(before, theme="light")),
            prefer(ALICE.id, lambda before: replace(before, reminders=False)),
        )
        stored = await crowd.services.personal_settings.preferences(ALICE.id)
        assert (stored.theme, stored.reminders) == ("light", False)


async def test_what_is_not_named_stays_as_it_was(crowd: Crowd) -> None:
    settings = crowd.services.personal_settings
    before = await settings.preferences(ALICE.id)
    told = await settings.prefer(ALICE.id, lambda now: replace(now, text_boards=True))
    assert told == await settings.preferences(ALICE.id) == replace(before, text_boards=True)
