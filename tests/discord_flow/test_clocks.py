"""Time: paces, reminders, time-outs claimed or automatic, absences, and downtime that costs nobody anything."""

from __future__ import annotations

from datetime import timedelta

import discord

from bot.storage.queries import matches
from bot.storage.records import Match, MatchState
from tests.conftest import Town
from tests.discord_flow.acting import board_of, challenge_accepted, labels, pings, play, pressed, text_of, told

HOUR, DAY = 3600, 86400


async def stored(town: Town, number: int = 1) -> Match:
    assert town.bot.database is not None
    async with town.bot.database.read() as tx:
        match = await matches.get(tx, number)
    assert match is not None
    return match


async def test_a_turn_begins_with_the_whole_pace(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await town.env.advance_time(10 * HOUR)
    await play(town, thread, "a1")
    match = await stored(town)
    assert match.deadline_at == town.env.now() + timedelta(days=1)
    assert "to move by" in text_of(board_of(town, thread))


async def test_without_a_pace_nobody_is_ever_late(town: Town) -> None:
    thread = await challenge_accepted(town, pace=0)
    await town.env.advance_time(60 * DAY)
    await play(town, thread, "a1")
    assert (await stored(town)).deadline_at is None
    refused = await town.alice.slash(town.place(thread), "match claim")
    assert "no time limit" in told(refused)


async def test_one_reminder_comes_with_a_quarter_of_the_time_left(town: Town) -> None:
    thread = await challenge_accepted(town, pace=2 * DAY)
    before = pings(town, town.alice)
    await town.env.advance_time(1.5 * DAY - 60)
    assert pings(town, town.alice) == before
    await town.env.advance_time(120)
    assert pings(town, town.alice) == before + 1
    assert "ends" in text_of(board_of(town, thread))
    await town.env.advance_time(6 * HOUR)
    assert pings(town, town.alice) == before + 1


async def test_a_reminder_of_a_turn_that_was_played_is_not_given(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await play(town, thread, "a1")
    before = pings(town, town.alice)
    await town.env.advance_time(20 * HOUR)
    assert pings(town, town.alice) == before


async def test_somebody_who_wants_no_reminders_gets_none(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    await town.alice.slash(town.channel, "preferences", reminders=False)
    before = pings(town, town.alice)
    await town.env.advance_time(20 * HOUR)
    assert pings(town, town.alice) == before


async def test_the_win_on_time_is_there_to_be_claimed_once(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    early = await town.bob.slash(town.place(thread), "match claim")
    assert "still has time" in told(early)
    await town.env.advance_time(DAY + 60)
    notice = board_of(town, thread)
    assert "is up" in text_of(notice)
    assert labels(notice) == ["Claim"]
    await town.bob.click(notice, label="Claim")
    match = await stored(town)
    assert (match.state, match.reason, match.seats[1].won) == (MatchState.OVER, "out of time", True)
    assert "out of time" in text_of(board_of(town, thread))
    again = await pressed(town, town.bob, notice, "claim:1:0")
    assert "over" in told(again)


async def test_a_reminder_and_a_late_notice_lose_their_buttons_with_the_turn(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await town.env.advance_time(DAY + 60)
    reminder, notice = town.messages(thread)[-2:]
    assert (labels(reminder), labels(notice)) == (["Play"], ["Claim"])
    await town.alice.slash(town.place(thread), "board")
    await play(town, thread, "a1")
    reminder, notice = town.messages(thread)[-3:-1]
    assert (labels(reminder), labels(notice)) == ([], [])
    assert "Alice had little time left here" in text_of(reminder)
    assert "the time of Alice was up here" in text_of(notice)
    refused = await pressed(town, town.bob, notice, "claim:1:0")
    assert "your own turn" in told(refused)


async def test_a_notice_keeps_its_button_when_the_board_is_posted_once_more(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await town.env.advance_time(DAY + 60)
    town.env.backend.delete_message(thread, town.messages(thread)[0].id)
    await town.alice.slash(town.place(thread), "board")
    assert labels(board_of(town, thread))[0] == "Play"
    assert [labels(message) for message in town.messages(thread)[:2]] == [["Play"], ["Claim"]]


async def test_a_late_move_before_the_claim_counts(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await town.env.advance_time(2 * DAY)
    await play(town, thread, "a1")
    assert (await stored(town)).ply == 1
    refused = await town.bob.slash(town.place(thread), "match claim")
    assert "your own turn" in told(refused)


async def test_a_server_can_have_time_outs_end_matches_by_themselves(town: Town) -> None:
    manager = town.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    dora = town.guild.add_member(town.env.create_user("dora"), roles=[manager])
    answer = await dora.slash(town.channel, "settings", automatic=True)
    assert "lost at once" in told(answer)
    thread = await challenge_accepted(town, pace=DAY)
    await town.env.advance_time(DAY + 1)
    match = await stored(town)
    assert (match.state, match.reason) == (MatchState.OVER, "out of time")
    assert labels(board_of(town, thread))[0] == "Rematch"


async def test_only_managers_change_the_settings_of_a_server(town: Town) -> None:
    services = town.bot.host.services
    before = await services.personal.settings(town.guild.id)
    assert not before.automatic
    shown = town.alice.available_commands(town.channel)
    assert "settings" not in shown


async def test_being_away_stops_ones_clocks_within_the_years_budget(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    before = (await stored(town)).deadline_at
    answer = await town.alice.slash(town.channel, "preferences", away_days=10)
    assert "Away: **until" in told(answer)
    assert before is not None
    assert (await stored(town)).deadline_at == before + timedelta(days=10)
    await town.env.advance_time(10 * DAY)
    assert not (await stored(town)).flagged
    too_long = await town.alice.slash(town.channel, "preferences", away_days=12)
    assert "11.0 days are left" in told(too_long)


async def test_coming_back_early_gives_the_rest_of_the_budget_back(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    before = (await stored(town)).deadline_at
    await town.alice.slash(town.channel, "preferences", away_days=10)
    await town.env.advance_time(2 * DAY)
    await town.alice.slash(town.channel, "preferences", away_days=0)
    assert before is not None
    assert (await stored(town)).deadline_at == before + timedelta(days=2)
    answer = await town.alice.slash(town.channel, "preferences", away_days=19)
    assert "until" in told(answer)


async def test_time_that_is_up_does_not_come_back_by_being_away(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    before = (await stored(town)).deadline_at
    await town.env.advance_time(DAY + 60)
    await town.alice.slash(town.channel, "preferences", away_days=10)
    await town.alice.slash(town.channel, "preferences", away_days=0)
    assert (await stored(town)).deadline_at == before
    await town.alice.slash(town.channel, "preferences", away_days=10)
    assert "granted" in told(await town.bob.slash(town.place(thread), "match claim"))


async def test_a_turn_that_comes_to_somebody_away_begins_with_his_return(town: Town) -> None:
    thread = await challenge_accepted(town, pace=DAY)
    await town.bob.slash(town.channel, "preferences", away_days=5)
    away_until = town.env.now() + timedelta(days=5)
    await play(town, thread, "a1")
    assert (await stored(town)).deadline_at == away_until + timedelta(days=1)


async def test_downtime_is_given_back_to_every_clock(town: Town) -> None:
    await challenge_accepted(town, pace=DAY)
    before = (await stored(town)).deadline_at
    await town.bot.close()
    town.env.backend.clock.advance(6 * HOUR)
    await town.restart()
    after = (await stored(town)).deadline_at
    assert before is not None
    assert after == before + timedelta(hours=6)
    assert not (await stored(town)).flagged
