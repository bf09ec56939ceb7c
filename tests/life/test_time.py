"""Time as it really goes: leap days, clocks put forward, New Year, restarts at bad moments, things at one instant."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import discord
import pytest

from bot.matches.challenges import Terms
from bot.matches.refusals import Refusal, Stale
from bot.storage.records import ChallengeState, GuildSettings, MatchState
from bot.views import match_board
from tests.life.books import Books
from tests.life.pinboard import Trouble
from tests.life.playing import (
    ALICE,
    BOB,
    CHANNEL,
    DAY,
    GUILD,
    HOUR,
    at_once,
    begin,
    check,
    claiming,
    late_notices,
    match_of,
    moving,
    play,
    reminders,
)
from tests.life.world import World

# The calendar


@pytest.mark.parametrize(
    ("begins", "pace", "ends"),
    [
        ("2028-02-28T12:00", DAY, "2028-02-29T12:00"),
        ("2028-02-29T12:00", DAY, "2028-03-01T12:00"),
        ("2027-02-28T12:00", DAY, "2027-03-01T12:00"),
        ("2028-02-20T00:00", 14 * DAY, "2028-03-05T00:00"),
        ("2027-12-31T23:59", 12 * HOUR, "2028-01-01T11:59"),
    ],
)
def test_a_pace_is_days_of_24_hours_whatever_the_calendar_says(
    world: World, begins: str, pace: timedelta, ends: str
) -> None:
    world.now = datetime.fromisoformat(begins).replace(tzinfo=UTC)
    world.run(world.timekeeper.beat())
    number = begin(world, pace)
    deadline = datetime.fromisoformat(ends).replace(tzinfo=UTC)
    assert match_of(world, number).deadline_at == deadline
    assert match_of(world, number).remind_at == deadline - pace / 4
    world.pass_time(deadline - world.now - timedelta(seconds=1))
    check(world)
    assert len(reminders(world, number, 0)) == 1
    assert late_notices(world, number, 0) == []
    world.pass_time(timedelta(seconds=1))
    check(world)
    assert len(late_notices(world, number, 0)) == 1


@pytest.fixture
def in_rome() -> Iterator[None]:
    """A machine whose clock is put forward on 29 March 2026 at 1:00 UTC, and back on 25 October."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Europe/Rome"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("in_rome")
@pytest.mark.parametrize("changes", [datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC)])
def test_a_clock_put_forward_or_back_neither_gives_nor_takes_an_hour(world: World, changes: datetime) -> None:
    world.now = changes - 12 * HOUR
    world.run(world.timekeeper.beat())
    number = begin(world)
    deadline = match_of(world, number).deadline_at
    assert deadline == changes + 12 * HOUR
    table = world.run(world.services.overview.table(GUILD, number))
    assert f"<t:{int(changes.timestamp()) + 12 * 3600}:R>" in match_board.text(table)
    world.stop()
    world.now += 6 * HOUR
    world.start()
    assert match_of(world, number).deadline_at == deadline + 6 * HOUR
    world.pass_time(23 * HOUR)
    check(world)
    assert late_notices(world, number, 0) == []
    world.pass_time(HOUR)
    check(world)
    assert len(late_notices(world, number, 0)) == 1


# Away


def away(world: World, days: float) -> float:
    """Have Alice away from now on; return how many days she has left."""
    left = world.run(world.services.personal.leave_until(ALICE.id, world.now + timedelta(days=days)))
    return left / DAY


def test_the_budget_of_a_year_is_not_renewed_on_new_years_day(world: World) -> None:
    world.now = datetime(2026, 12, 25, tzinfo=UTC)
    assert away(world, 15) == 6
    world.pass_time(20 * DAY)
    with pytest.raises(Refusal, match=r"6\.0 days are left"):
        away(world, 7)
    world.pass_time(345 * DAY)
    assert world.now == datetime(2027, 12, 25, tzinfo=UTC)
    world.pass_time(5 * DAY)
    assert away(world, 11) == pytest.approx(0)


def test_an_absence_over_the_leap_day_counts_it_as_a_day(world: World) -> None:
    world.now = datetime(2028, 2, 28, 12, tzinfo=UTC)
    world.run(world.timekeeper.beat())
    number = begin(world)
    assert away(world, 2) == 19
    assert match_of(world, number).deadline_at == datetime(2028, 3, 2, 12, tzinfo=UTC)
    world.pass_time(2 * DAY)
    assert world.now == datetime(2028, 3, 1, 12, tzinfo=UTC)
    check(world)
    assert reminders(world, number, 0) == []
    world.pass_time(18 * HOUR)
    check(world)
    assert len(reminders(world, number, 0)) == 1


def test_extending_an_absence_costs_only_what_is_added(world: World) -> None:
    number = begin(world)
    before = match_of(world, number).deadline_at
    assert before is not None
    assert away(world, 10) == 11
    world.pass_time(5 * DAY)
    assert away(world, 10) == 6
    assert match_of(world, number).deadline_at == before + 15 * DAY
    world.pass_time(DAY)
    world.run(world.services.personal.come_back(ALICE.id))
    assert match_of(world, number).deadline_at == before + 6 * DAY


# Restarts


@pytest.mark.parametrize("end", [World.stop, World.kill], ids=["stopped", "killed"])
def test_a_restart_across_a_deadline_gives_the_time_back_and_the_end_is_told_once(
    world: World, end: Callable[[World], None]
) -> None:
    number = begin(world)
    deadline = match_of(world, number).deadline_at
    assert deadline is not None
    world.pass_time(23 * HOUR)
    world.run(world.timekeeper.beat())
    check(world)
    for _ in range(3):
        end(world)
        world.now += 3 * HOUR
        world.start()
    check(world)
    assert late_notices(world, number, 0) == []
    assert match_of(world, number).deadline_at == deadline + 9 * HOUR
    world.pass_time(HOUR)
    end(world)
    world.start()
    check(world)
    assert len(late_notices(world, number, 0)) == len(reminders(world, number, 0)) == 1


def test_what_fell_due_just_before_the_end_is_done_once_by_the_next_life(world: World) -> None:
    number = begin(world)
    world.pass_time(18 * HOUR - timedelta(seconds=1))
    world.run(world.timekeeper.beat())
    world.now += timedelta(seconds=3)
    for _ in range(3):
        world.kill()
        world.start()
    check(world)
    assert len(reminders(world, number, 0)) == 1


def test_a_challenge_whose_week_ends_while_nobody_is_there_expires_once(world: World) -> None:
    terms = Terms("yonmoque", "standard", 2)
    offer = world.services.challenges.offer
    number = world.run(offer(GUILD, CHANNEL, ALICE, BOB, terms, world.interaction()))
    world.deliver()
    world.kill()
    world.now += 8 * DAY
    world.start()
    with pytest.raises(Stale, match="expired"):
        world.run(world.services.challenges.accept(GUILD, number, BOB, world.interaction()))
    check(world)
    (challenge,) = Books(world.everything_stored()).table("challenges")
    assert challenge["state"] == ChallengeState.EXPIRED
    (card,) = world.board.posted_with(f"challenge:accept:{number}")
    assert card.custom_ids == ()


def test_a_match_lost_by_the_clock_is_lost_once_however_often_the_bot_dies_of_it(world: World) -> None:
    world.run(world.services.personal.settle(GUILD, GuildSettings(automatic=True)))
    number = begin(world)
    world.pass_time(DAY - timedelta(seconds=1))
    world.now += timedelta(seconds=2)
    for _ in range(3):
        world.kill()
        world.start()
    check(world)
    match = match_of(world, number)
    assert (match.state, match.reason, match.ply) == (MatchState.OVER, "out of time", 1)


# At one instant


@pytest.mark.parametrize("first", ["claim", "move"])
def test_a_claim_and_a_late_move_at_the_same_instant_have_one_outcome(world: World, first: str) -> None:
    number = begin(world)
    world.pass_time(DAY)
    deeds = {"claim": claiming(world, number, BOB), "move": moving(world, number, ALICE, "c3")}
    order = [first, *(name for name in deeds if name != first)]
    results = dict(zip(order, at_once(world, *(deeds[name] for name in order)), strict=True))
    match = match_of(world, number)
    assert match.ply == 1
    lost = match.state is MatchState.OVER
    assert isinstance(results["move"], Refusal) is lost
    assert isinstance(results["claim"], Refusal) is not lost
    assert match.reason == ("out of time" if lost else None)
    check(world)


def test_many_claims_at_the_same_instant_end_the_match_once(world: World) -> None:
    number = begin(world)
    world.pass_time(DAY)
    results = at_once(world, *(claiming(world, number, BOB) for _ in range(5)))
    assert sum(isinstance(result, Refusal) for result in results) == 4
    assert match_of(world, number).ply == 1
    check(world)


def test_a_late_move_where_time_outs_are_automatic_is_the_end_and_said_once(world: World) -> None:
    number = begin(world)
    world.pass_time(DAY - timedelta(seconds=1))
    world.run(world.services.personal.settle(GUILD, GuildSettings(automatic=True)))
    world.now += timedelta(seconds=2)
    overdue = world.services.leaving.notice_late()
    results = at_once(world, moving(world, number, ALICE, "c3"), overdue)
    assert isinstance(results[0], Stale)
    match = match_of(world, number)
    assert (match.state, match.reason, match.ply) == (MatchState.OVER, "out of time", 1)
    check(world)


def test_a_move_at_the_very_moment_of_the_deadline_is_late_and_one_before_is_not(world: World) -> None:
    world.run(world.services.personal.settle(GUILD, GuildSettings(automatic=True)))
    first, second = begin(world), begin(world)
    world.now += DAY - timedelta(microseconds=1)
    play(world, first, ALICE, "c3")
    assert match_of(world, first).ply == 1
    world.now += timedelta(microseconds=1)
    with pytest.raises(Stale, match="time was up"):
        play(world, second, ALICE, "c3")
    check(world)


# Reminders and moves


def test_a_reminder_that_falls_due_while_the_move_is_being_posted_is_not_given(world: World) -> None:
    number = begin(world)
    world.pass_time(18 * HOUR - timedelta(seconds=1))
    play(world, number, ALICE, "c3")
    world.board.trouble.append(Trouble.STALLS_AFTER)
    assert world.deliver_until_stalled()
    world.now += timedelta(seconds=2)
    world.keep_time()
    world.kill()
    world.start()
    check(world)
    assert reminders(world, number, 0) == []
    (board,) = world.board.posted_with(f"play:{number}:1")
    assert board.notified == (BOB.id,)


def test_a_reminder_on_its_way_when_the_move_is_made_is_not_given_any_more(world: World) -> None:
    number = begin(world)
    world.pass_time(18 * HOUR)
    play(world, number, ALICE, "c3")
    check(world)
    assert reminders(world, number, 0) == []


def test_a_reminder_and_the_move_at_the_same_instant_notify_nobody_of_a_turn_that_is_over(world: World) -> None:
    number = begin(world)
    world.now += 18 * HOUR
    at_once(world, world.services.leaving.remind(), moving(world, number, ALICE, "c3"))
    check(world)
    assert reminders(world, number, 0) == []


def test_a_reminder_given_whose_answer_was_lost_is_given_once_and_loses_its_button_with_the_turn(world: World) -> None:
    number = begin(world)
    world.pass_time(18 * HOUR)
    world.board.trouble.append(Trouble.STALLS_AFTER)
    assert world.deliver_until_stalled()
    world.kill()
    world.start()
    play(world, number, ALICE, "c3")
    check(world)
    (reminder,) = reminders(world, number, 0)
    assert reminder.notified == (ALICE.id,)
    assert reminder.custom_ids == ()


def test_nobody_is_reminded_of_a_match_he_has_lost(world: World) -> None:
    number = begin(world)
    world.pass_time(18 * HOUR)
    resign = world.services.leaving.resign
    world.run(resign(GUILD, number, ALICE, world.interaction()))
    check(world)
    assert reminders(world, number, 0) == []


def test_timestamps_are_read_by_everybody_in_his_own_time(world: World) -> None:
    number = begin(world)
    table = world.run(world.services.overview.table(GUILD, number))
    deadline = table.match.deadline_at
    assert deadline is not None
    words = match_board.text(table)
    assert discord.utils.format_dt(deadline, "f") in words
    assert discord.utils.format_dt(deadline, "R") in words
    assert "UTC" not in words
