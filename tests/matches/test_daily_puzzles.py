"""The puzzle of the day: posted once a day at the server's hour, whatever happens to clocks and bots."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import update

from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import Refusal
from bot.matches.model.time_zones import moment, next_moment, zone_names
from bot.matches.services.daily_puzzles import is_for_a_day, of_the_day
from bot.matches.services.eligibility import Terms
from bot.matches.services.puzzles import COUNTED_WITHIN
from bot.storage import due, guilds, puzzles, tables
from bot.storage.records import First
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd

ONE, OTHER, CHANNEL = 501, 502, 77
ROME = "Europe/Rome"


async def posts(crowd: Crowd, kind: str = "daily_puzzle") -> list[tuple[int, str]]:
    """Return the puzzles of the day in the outbox, in order."""
    return [(payload["guild"], payload["day"]) for payload in await crowd.queued(kind)]


async def at(crowd: Crowd, *time: int) -> list[tuple[int, str]]:
    """Set the clock to a time in UTC, do what is due, and return all posts so far."""
    crowd.now = datetime(*time, tzinfo=UTC)  # type: ignore[misc,arg-type]
    await crowd.services.daily_puzzles.post_due()
    return await posts(crowd)


async def solve(crowd: Crowd, user_id: int, guild_id: int, day: date) -> None:
    """Solve a puzzle of a day for a person."""
    service = crowd.services.puzzles
    view = await service.begin_daily(user_id, guild_id, day)
    while view.attempt.state == "open":
        text = view.puzzle.solution[view.attempt.ply]
        view = (await service.try_move(user_id, view.attempt.id, view.attempt.ply, text, crowd.interaction())).view


async def test_two_servers_at_the_same_minute_get_one_each_and_only_one(crowd: Crowd) -> None:
    service = crowd.services.daily_puzzles
    for guild_id in (ONE, OTHER):
        await service.announce(guild_id, CHANNEL, 9, "UTC")
    assert await at(crowd, 2026, 1, 1, 8, 59) == []
    both = await at(crowd, 2026, 1, 1, 9, 0)
    assert both == [(ONE, "2026-01-01"), (OTHER, "2026-01-01")]
    crowd.open()
    assert await at(crowd, 2026, 1, 1, 9, 1) == both
    assert await at(crowd, 2026, 1, 2, 9, 0) == [*both, (ONE, "2026-01-02"), (OTHER, "2026-01-02")]


async def test_after_days_of_downtime_only_the_last_day_gets_its_puzzle(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    assert await at(crowd, 2026, 1, 5, 8, 0) == [(ONE, "2026-01-04")]
    assert await at(crowd, 2026, 1, 5, 9, 0) == [(ONE, "2026-01-04"), (ONE, "2026-01-05")]


async def test_a_server_whose_time_zone_is_gone_has_its_hour_in_utc(crowd: Crowd) -> None:
    for guild_id in (ONE, OTHER):
        await crowd.services.daily_puzzles.announce(guild_id, CHANNEL, 9, ROME)
    both = await at(crowd, 2026, 1, 1, 8, 0)
    channel = tables.puzzle_channels
    async with crowd.database.write() as tx:
        await tx.execute(update(channel).where(channel.c.guild_id == ONE).values(zone="Europe/Atlantis"))
    assert await at(crowd, 2026, 1, 2, 8, 0) == [*both, (OTHER, "2026-01-02")]
    assert await at(crowd, 2026, 1, 2, 9, 0) == [*both, (OTHER, "2026-01-02"), (ONE, "2026-01-02")]


async def test_a_server_the_bot_has_left_gets_none_until_it_is_back(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    async with crowd.database.write() as tx:
        await guilds.depart(tx, ONE, crowd.now)
    assert await at(crowd, 2026, 1, 1, 9, 0) == []
    async with crowd.database.write() as tx:
        await guilds.come_back(tx, ONE)
    assert await at(crowd, 2026, 1, 1, 10, 0) == [(ONE, "2026-01-01")]


async def test_an_hour_that_daylight_saving_skips_is_at_the_change(crowd: Crowd) -> None:
    """In Rome 29 March 2026 has no 2:00: after 1:59 comes 3:00, which is 1:00 UTC."""
    crowd.now = datetime(2026, 3, 28, 12, tzinfo=UTC)
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 2, ROME)
    await crowd.services.daily_puzzles.announce(OTHER, CHANNEL, 2, "America/New_York")
    assert await at(crowd, 2026, 3, 29, 0, 59) == []
    assert await at(crowd, 2026, 3, 29, 1, 0) == [(ONE, "2026-03-29")]
    assert await at(crowd, 2026, 3, 29, 6, 0) == [(ONE, "2026-03-29"), (OTHER, "2026-03-29")]
    assert await at(crowd, 2026, 3, 30, 0, 0) == [(ONE, "2026-03-29"), (OTHER, "2026-03-29"), (ONE, "2026-03-30")]


async def test_an_hour_that_daylight_saving_repeats_has_one_puzzle(crowd: Crowd) -> None:
    """In Rome 25 October 2026 has 2:30 twice: at 0:30 UTC and at 1:30 UTC."""
    crowd.now = datetime(2026, 10, 24, 12, tzinfo=UTC)
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 2, ROME)
    first = await at(crowd, 2026, 10, 25, 0, 0)
    assert first == [(ONE, "2026-10-25")]
    assert await at(crowd, 2026, 10, 25, 1, 0) == first == await at(crowd, 2026, 10, 25, 1, 30)
    assert await at(crowd, 2026, 10, 26, 1, 0) == [*first, (ONE, "2026-10-26")]


async def test_a_new_hour_or_zone_gives_no_day_a_second_puzzle(crowd: Crowd) -> None:
    service = crowd.services.daily_puzzles
    await service.announce(ONE, CHANNEL, 9, "Asia/Tokyo")
    first = await at(crowd, 2026, 1, 2, 0, 0)
    assert first == [(ONE, "2026-01-02")]
    moved = await service.announce(ONE, zone="America/Los_Angeles")
    assert (moved.hour, moved.channel_id) == (9, CHANNEL)
    assert await at(crowd, 2026, 1, 2, 17, 0) == first
    assert await at(crowd, 2026, 1, 3, 17, 0) == [*first, (ONE, "2026-01-03")]
    await service.announce(ONE, hour=10)
    assert await at(crowd, 2026, 1, 3, 18, 0) == [*first, (ONE, "2026-01-03")]


@pytest.mark.slow
def test_there_are_time_zones_where_the_system_has_none() -> None:
    asked = "from bot.matches.model.time_zones import common_zones; print(*common_zones('Asia/Tokyo'))"
    environment = os.environ | {"PYTHONTZPATH": ""}
    run = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert "Europe/Rome" in run.stdout.split()


async def test_what_cannot_be_is_refused(crowd: Crowd) -> None:
    service = crowd.services.daily_puzzles
    with pytest.raises(Refusal, match="Choose the channel"):
        await service.announce(ONE, hour=9)
    for zone in ("Europe/Atlantis", "../etc/passwd", ""):
        with pytest.raises(Refusal, match="time zone"):
            await service.announce(ONE, CHANNEL, 9, zone)
    assert await crowd.services.read(puzzles.channel, ONE) is None
    await service.announce(ONE, CHANNEL)
    await service.stop(ONE)
    assert await at(crowd, 2026, 1, 2, 12, 0) == []


async def test_solving_is_counted_on_the_post_soon_but_not_at_every_turn(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    day = date(2026, 1, 1)
    for user_id in (ALICE.id, BOB.id):
        crowd.later(seconds=20)
        await solve(crowd, user_id, ONE, day)
    assert await crowd.services.read(due.next_due) == crowd.now - timedelta(seconds=20) + COUNTED_WITHIN
    assert await posts(crowd, "daily_count") == []
    crowd.later(minutes=1)
    for _ in range(2):
        await crowd.services.daily_puzzles.post_due()
        assert await posts(crowd, "daily_count") == [(ONE, "2026-01-01")]
    view = await crowd.services.daily_puzzles.view(ONE, day)
    assert view is not None
    assert [one.user_id for one in view.solvers] == [ALICE.id, BOB.id]
    record = await crowd.services.puzzles.rating_of(ALICE.id)
    assert record is not None
    assert (record.streak, record.last_day) == (1, day)


async def test_a_puzzle_whose_answer_was_posted_can_be_tried_and_no_longer_counts(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    begun = await crowd.services.puzzles.begin_daily(BOB.id, ONE, date(2026, 1, 1))
    await at(crowd, 2026, 1, 2, 9, 0)
    assert await posts(crowd, "daily_count") == [(ONE, "2026-01-01")], "the post says that it no longer counts"
    assert (await crowd.services.puzzles.begin_daily(ALICE.id, ONE, date(2026, 1, 1))).late
    assert (await crowd.services.puzzles.begin_same(CAROL.id, begun.attempt.id)).late
    await solve(crowd, ALICE.id, ONE, date(2026, 1, 1))
    await crowd.services.puzzles.show(CAROL.id, begun.attempt.id + 2, crowd.interaction())
    assert await crowd.services.puzzles.rating_of(ALICE.id) is None
    assert await crowd.services.puzzles.rating_of(CAROL.id) is None
    with pytest.raises(Refusal, match="isn't there"):
        await crowd.services.puzzles.begin_daily(ALICE.id, OTHER, date(2026, 1, 2))
    await solve(crowd, BOB.id, ONE, date(2026, 1, 1))
    record = await crowd.services.puzzles.rating_of(BOB.id)
    assert record is not None
    assert (record.first_try, record.streak) == (1, 0)
    assert await posts(crowd, "daily_count") == [(ONE, "2026-01-01")]
    view = await crowd.services.daily_puzzles.view(ONE, date(2026, 1, 2))
    assert view is not None
    assert view.before is not None
    assert (view.before.daily.day, view.before.solvers) == (date(2026, 1, 1), ())


async def test_a_puzzle_begun_in_one_server_counts_in_another_whose_day_it_is_when_it_is_solved(crowd: Crowd) -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(60)]
    begun, solved = next(
        (one, other)
        for one, other in itertools.combinations(days, 2)
        if of_the_day(ONE, one) == of_the_day(OTHER, other)
    )
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, begun.year, begun.month, begun.day, 9, 0)
    await crowd.services.puzzles.begin_daily(ALICE.id, ONE, begun)
    await crowd.services.daily_puzzles.announce(OTHER, CHANNEL, 9, "UTC")
    await at(crowd, solved.year, solved.month, solved.day, 9, 0)
    await solve(crowd, ALICE.id, OTHER, solved)
    view = await crowd.services.daily_puzzles.view(OTHER, solved)
    record = await crowd.services.puzzles.rating_of(ALICE.id)
    assert view is not None
    assert record is not None
    assert [attempt.user_id for attempt in view.solvers] == [ALICE.id]
    assert (record.streak, record.last_day) == (1, solved)


async def test_a_puzzle_that_comes_round_is_solved_anew_so_that_no_streak_ends_with_it(crowd: Crowd) -> None:
    first = date(2026, 1, 1)
    days = (first + timedelta(days=number) for number in range(1, 2000))
    again = next(day for day in days if of_the_day(ONE, day) == of_the_day(ONE, first))
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    for day in (first, again - timedelta(days=1), again):
        await at(crowd, day.year, day.month, day.day, 9, 0)
        await solve(crowd, ALICE.id, ONE, day)
    record = await crowd.services.puzzles.rating_of(ALICE.id)
    assert record is not None
    assert (record.streak, record.last_day, record.first_try) == (2, again, 3)
    view = await crowd.services.daily_puzzles.view(ONE, again)
    assert view is not None
    assert [attempt.user_id for attempt in view.solvers] == [ALICE.id]
    assert (await crowd.services.puzzles.begin_daily(ALICE.id, ONE, first)).attempt.day == again


async def test_a_streak_that_was_missed_is_shown_as_over(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    for day in (1, 2):
        await at(crowd, 2026, 1, day, 9, 0)
        await solve(crowd, ALICE.id, ONE, date(2026, 1, day))
    for day, hour, streak in ((3, 9, 2), (4, 9, 2), (5, 12, 0)):
        await at(crowd, 2026, 1, day, hour, 0)
        record = await crowd.services.puzzles.rating_of(ALICE.id)
        assert record is not None
        assert (record.streak, record.longest_streak) == (streak, 2)


async def test_a_streak_is_shown_for_as_long_as_it_can_continue(crowd: Crowd) -> None:
    """The puzzle of 2 January, posted late in the evening of Honolulu, can be solved until 4 January, 9:00 UTC."""
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 23, "Pacific/Honolulu")
    await at(crowd, 2026, 1, 2, 9, 0)
    await solve(crowd, ALICE.id, ONE, date(2026, 1, 1))
    await at(crowd, 2026, 1, 4, 8, 59)
    told = await crowd.services.puzzles.rating_of(ALICE.id)
    await solve(crowd, ALICE.id, ONE, date(2026, 1, 2))
    after = await crowd.services.puzzles.rating_of(ALICE.id)
    assert told is not None
    assert after is not None
    assert (told.streak, after.streak) == (1, 2)


async def test_no_streak_ends_because_a_new_hour_left_a_day_without_a_puzzle(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 23, "UTC")
    await at(crowd, 2026, 1, 1, 23, 0)
    await solve(crowd, ALICE.id, ONE, date(2026, 1, 1))
    crowd.later(hours=13)
    await crowd.services.daily_puzzles.announce(ONE, hour=9)
    assert await at(crowd, 2026, 1, 3, 9, 0) == [(ONE, "2026-01-01"), (ONE, "2026-01-03")]
    for person in (ALICE, BOB):
        await solve(crowd, person.id, ONE, date(2026, 1, 3))
    records = [await crowd.services.puzzles.rating_of(person.id) for person in (ALICE, BOB)]
    assert [record and record.streak for record in records] == [2, 1]


async def test_the_puzzle_of_a_day_waits_while_it_is_on_the_board_of_a_match_between_people(crowd: Crowd) -> None:
    await crowd.services.daily_puzzles.announce(ONE, CHANNEL, 9, "UTC")
    await at(crowd, 2026, 1, 1, 9, 0)
    puzzle = of_the_day(ONE, date(2026, 1, 1))
    match_id = await crowd.begin(terms=Terms(puzzle.game.key, puzzle.variant, 2, First.CHALLENGER))
    crowd.services.game_states.remember(match_id, GameState(0, 2, puzzle.start()))
    with pytest.raises(Refusal, match=f"is on the board of match {match_id}"):
        await solve(crowd, ALICE.id, ONE, date(2026, 1, 1))
    await solve(crowd, CAROL.id, ONE, date(2026, 1, 1))
    await crowd.resign(match_id, BOB)
    await solve(crowd, ALICE.id, ONE, date(2026, 1, 1))


def test_days_have_puzzles_of_different_games_that_are_not_given_out_otherwise() -> None:
    days = [of_the_day(ONE, date(2026, 1, 1) + timedelta(days=number)) for number in range(40)]
    assert all(map(is_for_a_day, days))
    assert all(one.in_first_variant for one in days)
    assert len({one.key for one in days}) == len(days)
    assert all(one.game != following.game for one, following in itertools.pairwise(days))
    assert days[0] == of_the_day(ONE, date(2026, 1, 1))
    assert days != [of_the_day(OTHER, date(2026, 1, 1) + timedelta(days=number)) for number in range(40)]


def test_the_next_time_is_always_ahead() -> None:
    for zone in (ROME, "Asia/Kathmandu", "Pacific/Kiritimati", "UTC"):
        now = datetime(2026, 3, 28, tzinfo=UTC)
        for _ in range(50):
            now += timedelta(hours=1)
            following = next_moment(2, zone, now)
            assert now < following <= now + timedelta(hours=25)
    assert moment(date(2026, 7, 1), 9, ROME) == datetime(2026, 7, 1, 7, tzinfo=UTC)
    assert {ROME, "UTC"} <= set(zone_names())
