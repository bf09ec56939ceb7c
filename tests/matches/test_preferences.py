"""Preferences of people and settings of servers, changed in several places at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.services.preferences import PersonalSettings
from bot.storage import guilds, people
from bot.storage.people import Preferences
from bot.storage.records import News
from tests.matches.conftest import ALICE, BOB, GUILD, Crowd


async def test_two_changes_of_preferences_at_the_same_time_both_count(crowd: Crowd) -> None:
    prefer = crowd.services.personal_settings.prefer
    for _ in range(20):
        await prefer(ALICE.id, lambda before: replace(before, theme="dark", reminders=True))
        await asyncio.gather(
            prefer(ALICE.id, lambda before: replace(before, theme="light")),
            prefer(ALICE.id, lambda before: replace(before, reminders=False)),
        )
        stored = await crowd.services.read(people.preferences, ALICE.id)
        assert (stored.theme, stored.reminders) == ("light", False)


async def test_a_change_leaves_all_other_preferences_as_they_were(crowd: Crowd) -> None:
    settings = crowd.services.personal_settings
    before = await crowd.services.read(people.preferences, ALICE.id)
    told = await settings.prefer(ALICE.id, lambda now: replace(now, text_boards=True))
    assert told == await crowd.services.read(people.preferences, ALICE.id) == replace(before, text_boards=True)


async def test_preferences_changed_by_another_process_are_known_within_a_minute_and_ones_own_at_once(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 0.0
    monkeypatch.setattr("bot.matches.services.preferences.monotonic", lambda: seconds)
    settings, elsewhere = crowd.services.personal_settings, PersonalSettings(crowd.services)
    assert (await settings.recent_preferences(ALICE.id, "de")).theme == "dark"
    await elsewhere.prefer(ALICE.id, lambda before: replace(before, theme="light"))
    assert (await settings.recent_preferences(ALICE.id, "de")).theme == "dark"
    seconds = 60.0
    assert (await settings.recent_preferences(ALICE.id, "de")).theme == "light"
    await settings.prefer(ALICE.id, lambda before: replace(before, theme="high-contrast"))
    assert (await settings.recent_preferences(ALICE.id, "de")).theme == "high-contrast"


async def test_preferences_read_before_a_change_are_not_kept_after_it(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = crowd.services.personal_settings
    read = people.preferences

    async def read_and_changed_meanwhile(tx: AsyncConnection, user_id: int) -> Preferences:
        found = await read(tx, user_id)
        patch.undo()
        await settings.prefer(user_id, lambda before: replace(before, theme="light"))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(people, "preferences", read_and_changed_meanwhile)
        await settings.recent_preferences(ALICE.id)
    assert (await settings.recent_preferences(ALICE.id)).theme == "light"


async def test_two_changes_of_a_server_at_the_same_time_both_count(crowd: Crowd) -> None:
    settings = crowd.services.server_settings
    for pace in range(1, 21):
        await settings.change(GUILD, lambda before: replace(before, threads=True, pace=None))
        await asyncio.gather(
            settings.change(GUILD, lambda before: replace(before, threads=False)),
            settings.change(GUILD, lambda before, pace=pace: replace(before, pace=pace)),  # type: ignore[misc]
        )
        stored = await crowd.services.read(guilds.settings, GUILD)
        assert (stored.threads, stored.pace) == (False, pace)


async def test_who_takes_no_direct_messages_is_told_of_all_their_own_matches_in_channels(crowd: Crowd) -> None:
    running, over = [await crowd.begin() for _ in range(2)]
    settings = crowd.services.personal_settings
    for person in (ALICE, BOB):
        await settings.prefer(person.id, lambda before: replace(before, news=News.BOTH))
        for match_id in (running, over):
            await settings.prefer_in_match(GUILD, match_id, person.id, News.DIRECT)
    await crowd.resign(over, BOB)
    await settings.refuse_direct_news(ALICE.id)
    stored = [await crowd.services.read(people.preferences, person.id) for person in (ALICE, BOB)]
    assert [one.news for one in stored] == [News.CHANNEL, News.BOTH]
    assert [seat.news for seat in (await crowd.match(running)).seats] == [None, News.DIRECT]
    assert [seat.news for seat in (await crowd.match(over)).seats] == [News.DIRECT] * 2, "it is told of no more"
