"""Hours of a day: when a person usually moves, when they want quiet, and when a reminder comes then."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from bot.matches.model.quiet_hours import quiet_at, reminded_at
from bot.matches.model.typed import DAY
from bot.matches.model.usual_hours import FEWEST_DAYS, FEWEST_MOVES, heard_at, usual_hours
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import mentions, tables
from bot.storage.records import News
from tests.matches.conftest import ALICE, BOB, GUILD, YONMOQUE, Crowd


def at(hour: float, day: int = 2) -> datetime:
    """Return a moment in the first days of a year."""
    return datetime(2026, 1, day, tzinfo=UTC) + timedelta(hours=hour)


@pytest.mark.parametrize(
    ("moment", "zone", "quiet"),
    [
        (at(21.9), None, None),
        (at(22), None, (at(22), at(8, 3))),
        (at(3), None, (at(22, 1), at(8))),
        (at(8), None, None),
        (at(22), "Europe/Rome", (at(21), at(7, 3))),
        (at(22), "Nowhere/Such", None),
    ],
)
def test_quiet_hours_reach_over_midnight_in_their_zone(
    moment: datetime, zone: str | None, quiet: tuple[datetime, datetime] | None
) -> None:
    assert quiet_at(22, 8, zone, moment) == quiet


@pytest.mark.parametrize(
    ("planned", "deadline", "begun", "comes"),
    [
        (at(12), at(20), at(9), at(12)),
        (at(3, 3), at(12, 3), at(9), at(8, 3)),
        (at(3, 3), at(8.5, 3), at(9), at(21.75)),
        (at(3, 3), at(5, 3), at(23), at(3, 3)),
    ],
)
def test_a_reminder_comes_after_quiet_hours_or_before_them_if_time_runs_out_by_then(
    planned: datetime, deadline: datetime, begun: datetime, comes: datetime
) -> None:
    assert reminded_at(planned, deadline, begun, quiet_at(22, 8, None, planned)) == comes


async def _prefer(crowd: Crowd, **wanted: object) -> None:
    await crowd.services.personal_settings.prefer(ALICE.id, lambda before: replace(before, **wanted))  # type: ignore[arg-type]


async def _reminded(crowd: Crowd) -> list[str]:
    """Return the kinds of the reminders that were queued."""
    kinds = MessageKind.REMINDER, MessageKind.REMINDERS, MessageKind.NEWS_DIRECTLY
    query = select(tables.outbox.c.kind).where(tables.outbox.c.kind.in_(kinds)).order_by(tables.outbox.c.id)
    return await crowd.column(query)


async def test_a_turn_that_runs_out_in_quiet_hours_is_reminded_of_before_them(crowd: Crowd) -> None:
    await _prefer(crowd, quiet_from=22, quiet_until=8)
    crowd.now = at(6, 1)
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=DAY))
    assert (await crowd.match(match_id)).remind_at == at(21.75, 1)


async def test_quiet_hours_that_were_chosen_since_put_a_reminder_off(crowd: Crowd) -> None:
    crowd.now = at(13, 1)
    match_id = await crowd.begin(terms=replace(YONMOQUE, pace=DAY))
    await _prefer(crowd, quiet_from=22, quiet_until=8)
    crowd.now = at(7.1)
    await crowd.services.forfeits.remind()
    assert await _reminded(crowd) == []
    assert (await crowd.match(match_id)).remind_at == at(8)
    crowd.now = at(8)
    await crowd.services.forfeits.remind()
    assert await _reminded(crowd) == ["reminder"]


@pytest.mark.parametrize(
    ("news", "kinds"),
    [
        (News.CHANNEL, ["reminder", "reminder"]),
        (News.DIRECT, ["news_directly"]),
        (News.BOTH, ["reminder", "reminder", "news_directly"]),
        (News.NONE, []),
    ],
)
async def test_a_reminder_goes_where_a_person_wants_news(crowd: Crowd, news: News, kinds: list[str]) -> None:
    await _prefer(crowd, news=news)
    for _ in range(2):
        await crowd.begin(terms=replace(YONMOQUE, pace=DAY))
    crowd.later(hours=19)
    await crowd.services.forfeits.remind()
    assert await _reminded(crowd) == kinds


async def test_a_mention_waits_for_an_answer_until_its_person_acts_or_its_turn_is_gone(crowd: Crowd) -> None:
    async def mentioned_and_waits(match_id: int) -> bool:
        match = await crowd.match(match_id)
        async with crowd.database.write() as tx:
            await mentions.note(tx, match_id, match.ply, crowd.now)
        return await waits()

    async def waits() -> bool:
        return await crowd.services.read(mentions.unanswered, GUILD, BOB.id)

    match_id, other = await crowd.begin(), await crowd.begin()
    await crowd.play(match_id, "a1")
    assert await mentioned_and_waits(match_id)
    crowd.later(minutes=1)
    await crowd.play(match_id, "a5", players=(BOB,))
    assert not await waits(), "he has moved"
    crowd.later(minutes=1)
    await crowd.play(other, "a1")
    assert await mentioned_and_waits(other)
    await crowd.services.forfeits.resign(*crowd.request(other, ALICE))
    assert not await waits(), "the match is over"


ROME, KOLKATA = ZoneInfo("Europe/Rome"), ZoneInfo("Asia/Kolkata")
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def evenings(moves: int, days: int) -> list[datetime]:
    """Return the times of some moves in the evenings of some days."""
    return [MONDAY + timedelta(days=n % days, hours=20 + n % 2, minutes=n) for n in range(moves)]


def test_usual_hours_are_those_of_enough_moves_on_enough_days() -> None:
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS), None) == frozenset({20, 21})
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS), ROME) == frozenset({21, 22})
    assert usual_hours(evenings(FEWEST_MOVES - 1, FEWEST_DAYS), None) is None
    assert usual_hours(evenings(FEWEST_MOVES, FEWEST_DAYS - 1), None) is None
    assert usual_hours([], None) is None


@pytest.mark.parametrize(
    ("hours", "at", "heard"),
    [
        ({20, 21}, (5, 20, 0), None),
        ({20, 21}, (5, 21, 59), None),
        ({20, 21}, (5, 16, 40), (5, 21, 0)),
        ({20, 21}, (5, 22, 0), None),
        ({20, 21}, (5, 23, 0), (6, 21, 0)),
        ({8, 20}, (5, 22, 30), (6, 9, 0)),
        ({23}, (5, 0, 30), None),
        ({23}, (5, 21, 30), (6, 0, 0)),
    ],
)
def test_a_sound_in_another_hour_is_heard_after_the_next_usual_one(
    hours: set[int], at: tuple[int, int, int], heard: tuple[int, int, int] | None
) -> None:
    expected = None if heard is None else datetime(2026, 1, *heard, tzinfo=UTC)
    assert heard_at(frozenset(hours), datetime(2026, 1, *at, tzinfo=UTC), None) == expected


@pytest.mark.parametrize(
    ("zone", "at", "heard"),
    [
        # At half past eight in the evening by their own clock, before and after it changes.
        (ROME, datetime(2026, 3, 27, 19, 30, tzinfo=UTC), None),
        (ROME, datetime(2026, 3, 30, 18, 30, tzinfo=UTC), None),
        (ROME, datetime(2026, 3, 30, 19, 30, tzinfo=UTC), datetime(2026, 3, 31, 19, 0, tzinfo=UTC)),
        (KOLKATA, datetime(2026, 3, 30, 14, 45, tzinfo=UTC), None),
        (KOLKATA, datetime(2026, 3, 30, 13, 45, tzinfo=UTC), datetime(2026, 3, 30, 15, 30, tzinfo=UTC)),
    ],
)
def test_hours_are_those_of_the_zone_of_a_person(zone: ZoneInfo, at: datetime, heard: datetime | None) -> None:
    assert heard_at(frozenset({20}), at, zone) == heard


@given(st.frozensets(st.integers(0, 23), min_size=1), st.integers(0, 7 * 86400))
def test_every_sound_is_heard_within_a_day_and_after_a_usual_hour(hours: frozenset[int], seconds: int) -> None:
    heard = heard_at(hours, at := MONDAY + timedelta(seconds=seconds), None)
    assert (heard is None) == any((at.hour + beside) % 24 in hours for beside in (-1, 0, 1))
    if heard is not None:
        assert timedelta(0) < heard - at <= timedelta(days=1)
        usual = heard - timedelta(hours=1)
        assert usual.hour in hours
        assert not any((at + timedelta(hours=n)).hour in hours for n in range(ceil((usual - at) / timedelta(hours=1))))
