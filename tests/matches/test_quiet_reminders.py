"""Reminders and quiet hours: after them where there is time, before them where there is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from bot.matches.model.quiet_hours import quiet_at, reminded_at
from bot.matches.model.typed import DAY
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
    async with crowd.database.read() as tx:
        return list((await tx.execute(query)).scalars())


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
        async with crowd.database.read() as tx:
            return await mentions.unanswered(tx, GUILD, BOB.id)

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
