"""News of a turn where and when a person wants it, never twice: in the channel, directly, daily."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from simcord.actors import MemberActor

from bot.matches.services.preferences import next_digest, quiet_hours
from bot.settings import Settings
from bot.storage import digests, people
from bot.storage.people import Preferences
from bot.storage.records import News
from tests.support.acting import (
    answer,
    board_of,
    challenge_accepted,
    custom_ids,
    direct_messages,
    items,
    labels,
    pings,
    play,
    preferences,
    resign,
    text_of,
    told,
)
from tests.support.ports import free_port
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR
from tests.support.without_grace import without_grace  # noqa: F401


def utc(year: int, month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


async def prefer(sim: SimulatedDiscord, person: MemberActor, news: News) -> None:
    await person.slash(sim.channel, "preferences", news=news.value)


async def preferred(sim: SimulatedDiscord, person: MemberActor) -> News:
    return (await sim.bot.context.services.read(people.preferences, person.id)).news


@pytest.mark.own_bot
async def test_a_turn_is_told_where_a_person_wants_it(sim: SimulatedDiscord) -> None:
    await prefer(sim, sim.bob, News.BOTH)
    thread = await challenge_accepted(sim)
    before = pings(sim, sim.bob)
    await play(sim, thread, "a1")
    assert pings(sim, sim.bob) - before == 1
    (text,) = direct_messages(sim, sim.bob)
    assert all(words in text for words in ("Yonmoque · match 1", "to move", sim.guild.name))
    message = sim.messages(sim.env.backend.dm_channels[sim.bob.id])[-1]
    assert [item.url for item in items(message) if getattr(item, "url", None)], "it leads to the board"
    assert len(message.attachments) == 1


@pytest.mark.own_bot
async def test_news_of_one_match_may_come_elsewhere_than_all_others(sim: SimulatedDiscord) -> None:
    threads = [await challenge_accepted(sim) for _ in range(2)]
    more = answer(await sim.bob.click(board_of(sim, threads[0]), label="More"))
    asked = answer(await sim.bob.click(more, label="News of my turns"))
    assert "As in my preferences: In the channel" in text_of(asked.message)
    await sim.bob.select(asked, ["direct"], custom_id="news-of:1")
    assert "**By direct message**" in text_of(asked.message)
    before = pings(sim, sim.bob)
    for thread in threads:
        await play(sim, thread, "a1")
    assert (pings(sim, sim.bob) - before, len(direct_messages(sim, sim.bob))) == (1, 1)
    assert "match 1" in direct_messages(sim, sim.bob)[0]
    refused = await sim.carol.click(board_of(sim, threads[0]), label="More")
    assert "News of my turns" not in labels(answer(refused).message)
    exported = json.loads(await sim.bot.context.services.privacy.export(sim.alice.id))
    assert all("news" not in seat for seat in exported["matches"][0]["seats"] if seat["person"]["id"] != sim.alice.id)


async def test_who_takes_no_direct_messages_is_told_in_the_channel_and_once_why(sim: SimulatedDiscord) -> None:
    await prefer(sim, sim.bob, News.DIRECT)
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    before = pings(sim, sim.bob)
    await play(sim, thread, "a1")
    assert pings(sim, sim.bob) == before + 1
    assert "I can't send you direct messages" in text_of(board_of(sim, thread))
    assert await preferred(sim, sim.bob) is News.CHANNEL
    await play(sim, thread, "a5", begin=1)
    assert "was still to move here" in "".join(text_of(message) for message in sim.messages(thread))
    await play(sim, thread, "b1")
    assert pings(sim, sim.bob) == before + 2
    texts = [text_of(message) for message in sim.messages(thread)]
    assert sum("I can't send you direct messages" in text for text in texts) == 0
    assert direct_messages(sim, sim.bob) == []


async def test_who_is_mentioned_anyway_is_not_mentioned_twice_when_the_direct_message_is_refused(
    sim: SimulatedDiscord,
) -> None:
    await prefer(sim, sim.bob, News.BOTH)
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    before = pings(sim, sim.bob)
    await play(sim, thread, "a1")
    assert pings(sim, sim.bob) == before + 1
    assert "I can't send you direct messages" in text_of(board_of(sim, thread))


async def test_a_turn_is_told_once_though_its_board_is_posted_again(sim: SimulatedDiscord) -> None:
    await prefer(sim, sim.bob, News.BOTH)
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1")
    before = pings(sim, sim.bob)
    sim.env.backend.delete_message(thread, board_of(sim, thread).id)
    assert "posted it again" in told(await sim.alice.slash(sim.place(thread), "board"))
    assert (pings(sim, sim.bob) - before, len(direct_messages(sim, sim.bob))) == (0, 1)


async def test_what_a_person_wants_is_shown_and_chosen(sim: SimulatedDiscord) -> None:
    shown = await preferences(sim.bob, sim.channel, "News")
    assert "News of your turns: **In the channel**\n-# After you move in a server" in text_of(shown.message)
    await sim.bob.select(shown, ["none"], custom_id="prefer:news")
    assert "News of your turns: **Nowhere**" in text_of(shown.message)
    assert "wait half an hour" not in text_of(shown.message)
    assert await preferred(sim, sim.bob) is News.NONE


async def be_quiet(sim: SimulatedDiscord, person: MemberActor, zone: str = "UTC") -> None:
    """Have a person want no news from ten in the evening until seven."""
    await person.slash(sim.channel, "preferences", quiet_from=22, quiet_until=7, zone=zone)


@pytest.mark.own_bot
async def test_what_falls_into_quiet_hours_and_still_waits_comes_as_one_message_at_their_end(
    sim: SimulatedDiscord,
) -> None:
    await be_quiet(sim, sim.bob, "Europe/Rome")
    threads = [await challenge_accepted(sim, pace=pace) for pace in (0, 7 * DAY, DAY)]
    assert sim.env.now().hour == 0
    before = pings(sim, sim.bob)
    for thread in threads:
        await play(sim, thread, "a1")
    await play(sim, threads[1], "a5", begin=1)
    await sim.env.advance_time(5.9 * HOUR)
    assert (pings(sim, sim.bob), direct_messages(sim, sim.bob)) == (before, [])
    await sim.env.advance_time(0.2 * HOUR)
    (told_then,) = direct_messages(sim, sim.bob)
    assert re.findall(r"match (\d) against Alice", told_then) == ["3", "1"], "the least time left is first"
    await sim.env.advance_time(2 * DAY)
    assert len(direct_messages(sim, sim.bob)) == 1
    await play(sim, threads[1], "b1")
    assert pings(sim, sim.bob) == before + 2, "by day they are told as always, and once that their time runs out"
    await play(sim, threads[1], "b5", begin=1)
    await sim.env.advance_time(16 * HOUR)
    await play(sim, threads[1], "c1", "c5")
    await sim.env.advance_time(DAY)
    assert len(direct_messages(sim, sim.bob)) == 1, "nothing that began in the night waits for them"


@pytest.mark.own_bot
async def test_after_quiet_hours_nothing_is_told_of_matches_of_which_a_person_wants_no_news(
    sim: SimulatedDiscord,
) -> None:
    await be_quiet(sim, sim.bob)
    threads = [await challenge_accepted(sim) for _ in range(2)]
    await sim.bot.context.services.personal_settings.prefer_in_match(sim.guild.id, 2, sim.bob.id, News.NONE)
    for thread in threads:
        await play(sim, thread, "a1")
    await sim.env.advance_time(7.1 * HOUR)
    (told_then,) = direct_messages(sim, sim.bob)
    assert re.findall(r"match (\d) against", told_then) == ["1"]


@pytest.mark.own_bot
async def test_after_quiet_hours_who_takes_no_direct_messages_is_told_in_the_channel(sim: SimulatedDiscord) -> None:
    await be_quiet(sim, sim.bob)
    threads = [await challenge_accepted(sim) for _ in range(2)]
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    before = pings(sim, sim.bob)
    for thread in threads:
        await play(sim, thread, "a1")
    await sim.env.advance_time(7.1 * HOUR)
    assert pings(sim, sim.bob) == before + 1
    said = text_of(board_of(sim, threads[0]))
    assert "match 1 against Alice" in said
    assert "match 2 against Alice" in said
    assert "I can't send you" not in said, "they never asked for direct messages"


async def test_quiet_hours_are_shown_and_chosen(sim: SimulatedDiscord) -> None:
    shown = await preferences(sim.bob, sim.channel, "When I play")
    assert "Quiet hours: **none**" in text_of(shown.message)
    hours = answer(await sim.bob.click(shown, label="Quiet hours and digest"))
    await sim.bob.select(hours, ["22"], custom_id="prefer:quiet-from")
    assert "Quiet hours: **22:00–7:00, UTC**" in text_of(hours.message)
    await sim.bob.select(hours, ["8"], custom_id="prefer:quiet-until")
    await sim.bob.select(hours, ["Europe/Rome"], custom_id="prefer:zone")
    assert "Quiet hours: **22:00–8:00, Europe/Rome**" in text_of(hours.message)
    assert "don't know the time zone" in told(await sim.bob.slash(sim.channel, "preferences", zone="Mars"))
    await sim.bob.slash(sim.channel, "preferences", quiet_from=3, quiet_until=3)
    assert "Quiet hours: **none**" in text_of((await preferences(sim.bob, sim.channel, "When I play")).message)


@pytest.mark.parametrize(
    ("zone", "now", "hours"),
    [
        ("UTC", utc(2026, 5, 1, 21, 59), None),
        ("UTC", utc(2026, 5, 1, 22, 0), (utc(2026, 5, 1, 22), utc(2026, 5, 2, 7))),
        ("UTC", utc(2026, 5, 2, 6, 59), (utc(2026, 5, 1, 22), utc(2026, 5, 2, 7))),
        ("UTC", utc(2026, 5, 2, 7, 0), None),
        ("Asia/Tokyo", utc(2026, 5, 1, 14), (utc(2026, 5, 1, 13), utc(2026, 5, 1, 22))),
        # The nights in which an hour is skipped, and in which one is repeated.
        ("Europe/Rome", utc(2026, 3, 29, 1), (utc(2026, 3, 28, 21), utc(2026, 3, 29, 5))),
        ("Europe/Rome", utc(2026, 10, 25, 1), (utc(2026, 10, 24, 20), utc(2026, 10, 25, 6))),
        ("Nowhere/Known", utc(2026, 5, 1, 23), None),
    ],
)
def test_quiet_hours_follow_the_clocks_of_a_zone(
    zone: str, now: datetime, hours: tuple[datetime, datetime] | None
) -> None:
    wanted = Preferences(quiet_from=22, quiet_until=7, zone=zone)
    assert quiet_hours(wanted, now) == hours


class TestWithPage:
    """A direct message with the page switched on."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        port = free_port()
        return settings.model_copy(update={"web_port": port, "web_url": f"http://localhost:{port}"})

    @pytest.mark.own_bot
    async def test_a_direct_message_opens_the_board_for_its_reader(self, sim: SimulatedDiscord) -> None:
        await prefer(sim, sim.bob, News.DIRECT)
        thread = await challenge_accepted(sim)
        await play(sim, thread, "a1")
        place = sim.env.backend.dm_channels[sim.bob.id]
        message = sim.messages(place)[-1]
        assert custom_ids(message) == ["open:1:1"]
        opened = answer(await sim.bob.user.click(message, label="Open board"))
        assert "This link is for you alone" in text_of(opened.message)


async def ask_for_digest(sim: SimulatedDiscord, hour: int = 8, zone: str = "UTC") -> None:
    said = told(await sim.bob.slash(sim.channel, "preferences", digest=hour, zone=zone))
    assert f"Daily digest: **{hour}:00, {zone}**" in said


@pytest.mark.own_bot
async def test_a_digest_tells_once_a_day_what_waits_what_runs_out_and_what_has_ended(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    threads = [await challenge_accepted(sim, pace=pace) for pace in (0, 7 * DAY, DAY)]
    for thread in threads:
        await play(sim, thread, "a1")
    ended = await challenge_accepted(sim)
    await resign(sim.alice, sim.place(ended))
    await sim.restart()
    await sim.env.advance_time(7.9 * HOUR)
    assert direct_messages(sim, sim.bob) == []
    await sim.env.advance_time(0.2 * HOUR)
    (digest,) = direct_messages(sim, sim.bob)
    soon, waiting, over = re.split(r"\*\*(?:Waiting for you|Ended)\*\*", digest)
    assert "**Your time runs out within a day**" in soon
    assert re.findall(r"match (\d) against Alice", soon) == ["3"]
    assert re.findall(r"match (\d) against Alice", waiting) == ["2", "1"]
    assert re.findall(r"match (\d) against Alice", over) == ["4"]
    assert "wins" in over
    assert direct_messages(sim, sim.alice) == [], "she has not asked for one"
    await sim.restart()
    await sim.env.advance_time(HOUR)
    assert len(direct_messages(sim, sim.bob)) == 1
    await sim.env.advance_time(DAY)
    digests_told = direct_messages(sim, sim.bob)
    assert len(digests_told) == 2
    assert "match 4" not in digests_told[1], "it has been told"


@pytest.mark.own_bot
async def test_who_has_nothing_to_do_gets_no_digest(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    thread = await challenge_accepted(sim)
    await sim.env.advance_time(DAY)
    assert direct_messages(sim, sim.bob) == [], "it is Alice's turn"
    await play(sim, thread, "a1")
    await sim.env.advance_time(5 * DAY)
    assert len(direct_messages(sim, sim.bob)) >= 1
    said = told(await sim.bob.slash(sim.channel, "preferences", digest=-1))
    assert "Daily digest: **none**" in said
    before = len(direct_messages(sim, sim.bob))
    await sim.env.advance_time(2 * DAY)
    assert len(direct_messages(sim, sim.bob)) == before


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_refused_digest_is_told_once_in_the_channel_and_is_the_last(sim: SimulatedDiscord) -> None:
    await ask_for_digest(sim)
    thread = await challenge_accepted(sim, pace=0)
    await play(sim, thread, "a1")
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    before = pings(sim, sim.bob)
    await sim.env.advance_time(3 * DAY)
    assert pings(sim, sim.bob) == before + 1
    said = [text_of(message) for message in sim.messages(thread)]
    assert sum("this is your last digest" in text for text in said) == 1
    assert "match 1 against Alice" in said[-1]
    assert "Daily digest: **none**" in text_of((await preferences(sim.bob, sim.channel, "When I play")).message)


@pytest.mark.slow
@pytest.mark.own_bot
async def test_digests_of_two_people_in_one_thread_are_both_told_though_discord_fails(sim: SimulatedDiscord) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.channel, "preferences", digest=8)
    thread = await challenge_accepted(sim)
    await resign(sim.alice, sim.place(thread))
    sim.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=2)
    await sim.env.advance_time(9 * HOUR)
    said = [text_of(message) for message in sim.messages(thread)]
    told_to = [
        person.id for person in (sim.alice, sim.bob) if any(f"<@{person.id}>\n**Ended**" in text for text in said)
    ]
    assert told_to == [sim.alice.id, sim.bob.id]


async def test_a_digest_is_chosen_by_touch(sim: SimulatedDiscord) -> None:
    shown = await preferences(sim.bob, sim.channel, "When I play")
    hours = answer(await sim.bob.click(shown, label="Quiet hours and digest"))
    await sim.bob.select(hours, ["21"], custom_id="prefer:digest")
    assert "Daily digest: **21:00, UTC**" in text_of(hours.message)
    await sim.bob.select(hours, ["Asia/Tokyo"], custom_id="prefer:zone")
    digest = await sim.bot.context.services.read(digests.of_person, sim.bob.id)
    assert digest is not None
    assert digest.due_at == sim.env.now().replace(hour=12, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize(
    ("hour", "zone", "now", "told_today", "due"),
    [
        (8, "UTC", utc(2026, 5, 1, 7, 59), False, utc(2026, 5, 1, 8)),
        (8, "UTC", utc(2026, 5, 1, 8), False, utc(2026, 5, 2, 8)),
        # Another hour on the same day brings no second digest.
        (9, "UTC", utc(2026, 5, 1, 8, 30), True, utc(2026, 5, 2, 9)),
        # The night in which two o'clock is skipped, and the one in which it comes twice.
        (2, "Europe/Rome", utc(2026, 3, 28, 23), False, utc(2026, 3, 29, 1)),
        (2, "Europe/Rome", utc(2026, 10, 24, 23), False, utc(2026, 10, 25, 0)),
        (2, "Europe/Rome", utc(2026, 10, 25, 0, 30), True, utc(2026, 10, 26, 1)),
        (8, "Nowhere/Known", utc(2026, 5, 1, 7), False, utc(2026, 5, 1, 8)),
    ],
)
def test_a_digest_is_due_by_the_clocks_of_a_zone(
    hour: int, zone: str, now: datetime, told_today: bool, due: datetime
) -> None:
    wanted = Preferences(digest_hour=hour, zone=zone)
    assert next_digest(wanted, now, now if told_today else None) == due
