"""Time as it really goes: leap days, clocks put forward, New Year and restarts at bad moments."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services.eligibility import Terms
from bot.messages import board
from bot.storage.guilds import GuildSettings
from bot.storage.records import ChallengeState, MatchState
from tests.lifecycle.fake_discord import Trouble
from tests.lifecycle.harness import GUILD, Harness
from tests.lifecycle.invariants import Invariants
from tests.lifecycle.playing import (
    ALICE,
    BOB,
    DAY,
    HOUR,
    begin,
    check,
    late_notices,
    match_of,
    play,
    reminders,
)

# The calendar


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
def test_a_clock_put_forward_or_back_neither_gives_nor_takes_an_hour(harness: Harness, changes: datetime) -> None:
    harness.now = changes - 12 * HOUR
    harness.downtime.begin()
    harness.run(harness.downtime.beat())
    number = begin(harness)
    deadline = match_of(harness, number).deadline_at
    assert deadline == changes + 12 * HOUR
    table = harness.run(harness.services.queries.match_view(GUILD, number))
    assert f"<t:{int(changes.timestamp()) + 12 * 3600}:R>" in board.text(table)
    harness.stop()
    harness.now += 6 * HOUR
    harness.start()
    assert match_of(harness, number).deadline_at == deadline + 6 * HOUR
    harness.pass_time(23 * HOUR)
    check(harness)
    assert late_notices(harness, number, 0) == []
    harness.pass_time(HOUR)
    check(harness)
    assert len(late_notices(harness, number, 0)) == 1


# Away


def away(harness: Harness, days: float) -> float:
    """Have Alice away from now on; return how many days she has left."""
    left = harness.run(harness.services.absences.leave_until(ALICE.id, harness.now + timedelta(days=days)))
    return left / DAY


def test_the_budget_of_a_year_is_not_renewed_on_new_years_day(harness: Harness) -> None:
    harness.now = datetime(2026, 12, 25, tzinfo=UTC)
    assert away(harness, 15) == 6
    harness.pass_time(20 * DAY)
    with pytest.raises(Refusal, match=r"you have 6\.0 left"):
        away(harness, 7)
    harness.pass_time(345 * DAY)
    assert harness.now == datetime(2027, 12, 25, tzinfo=UTC)
    harness.pass_time(5 * DAY)
    assert away(harness, 11) == pytest.approx(0)


def test_extending_an_absence_costs_only_what_is_added(harness: Harness) -> None:
    number = begin(harness)
    before = match_of(harness, number).deadline_at
    assert before is not None
    assert away(harness, 10) == 11
    harness.pass_time(5 * DAY)
    assert away(harness, 10) == 6
    assert match_of(harness, number).deadline_at == before + 15 * DAY
    harness.pass_time(DAY)
    harness.run(harness.services.absences.come_back(ALICE.id))
    assert match_of(harness, number).deadline_at == before + 6 * DAY


# Restarts


def test_what_fell_due_just_before_the_end_is_done_once_by_the_next_life(harness: Harness) -> None:
    number = begin(harness)
    harness.pass_time(18 * HOUR - timedelta(seconds=1))
    harness.run(harness.downtime.beat())
    harness.now += timedelta(seconds=3)
    for _ in range(3):
        harness.kill()
        harness.start()
    check(harness)
    assert len(reminders(harness, number, 0)) == 1


def test_a_challenge_whose_week_ends_while_nobody_is_there_expires_once(harness: Harness) -> None:
    terms = Terms("yonmoque", "standard", 2)
    offer = harness.services.challenges.offer
    number = harness.run(offer(harness.actor(ALICE), BOB, terms))
    harness.deliver()
    harness.kill()
    harness.now += 8 * DAY
    harness.start()
    with pytest.raises(Stale, match="expired"):
        harness.run(harness.services.challenges.accept(harness.actor(BOB), number))
    check(harness)
    (challenge,) = Invariants(harness.everything_stored()).table("challenges")
    assert challenge["state"] == ChallengeState.EXPIRED
    (card,) = harness.discord.posted_with(f"challenge:accept:{number}")
    assert card.custom_ids == ()


def test_a_match_lost_by_the_clock_is_lost_once_however_often_the_bot_dies_of_it(harness: Harness) -> None:
    harness.run(harness.services.server_settings.change(GUILD, lambda _: GuildSettings(automatic=True, grace=False)))
    number = begin(harness)
    harness.pass_time(DAY - timedelta(seconds=1))
    harness.now += timedelta(seconds=2)
    for _ in range(3):
        harness.kill()
        harness.start()
    check(harness)
    match = match_of(harness, number)
    assert (match.state, match.reason, match.ply) == (MatchState.OVER, "out of time", 1)


# Reminders and moves


def test_a_reminder_that_falls_due_while_the_move_is_being_posted_is_not_given(harness: Harness) -> None:
    number = begin(harness)
    harness.pass_time(18 * HOUR - timedelta(seconds=1))
    play(harness, number, ALICE, "c3")
    harness.discord.trouble.append(Trouble.STALLS_AFTER)
    assert harness.deliver_until_stalled()
    harness.now += timedelta(seconds=2)
    harness.keep_time()
    harness.kill()
    harness.start()
    check(harness)
    assert reminders(harness, number, 0) == []
    (board,) = harness.discord.posted_with(f"play:{number}:1")
    assert board.notified == (BOB.id,)


def test_a_reminder_given_whose_answer_was_lost_is_given_once_and_loses_its_button_with_the_turn(
    harness: Harness,
) -> None:
    number = begin(harness)
    harness.pass_time(18 * HOUR)
    harness.discord.trouble.append(Trouble.STALLS_AFTER)
    assert harness.deliver_until_stalled()
    harness.kill()
    harness.start()
    play(harness, number, ALICE, "c3")
    check(harness)
    (reminder,) = reminders(harness, number, 0)
    assert reminder.notified == (ALICE.id,)
    assert reminder.custom_ids == ()
