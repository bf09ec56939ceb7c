"""Time: paces, reminders alone or in one message, deadlines put right where they are shown, wins, absences."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from bot.storage.guilds import GuildSettings
from bot.storage.records import MatchState
from tests.support.acting import (
    answer,
    board_of,
    boards,
    challenge_accepted,
    labels,
    pings,
    play,
    pressed,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot


async def test_a_match_that_lay_idle_for_sixty_days_is_closed_by_one_of_its_players(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=0)
    await sim.alice.slash(sim.channel, "preferences", reminders=False)
    before = [pings(sim, person) for person in (sim.alice, sim.bob)]
    await sim.env.advance_time(54 * DAY)
    assert "If nobody moves, each of you can close it" in text_of(board_of(sim, thread))
    assert [pings(sim, person) for person in (sim.alice, sim.bob)] == [before[0], before[1] + 1]
    await sim.env.advance_time(7 * DAY)
    assert "Nobody has moved" in text_of(board_of(sim, thread))
    assert [pings(sim, person) for person in (sim.alice, sim.bob)] == [before[0] + 1, before[1] + 2]
    question = answer(await sim.bob.click(board_of(sim, thread), label="Close the match"))
    await sim.bob.click(question, label="No, play on")
    more = answer(await sim.alice.click(boards(sim, thread)[0], label="More"))
    await sim.alice.click(more, label="Close the match")
    question = answer(await sim.bob.slash(sim.place(thread), "match", action="close"))
    await sim.bob.click(question, label="Close the match")
    assert (await stored(sim)).state is MatchState.OVER
    assert "Closed: no move for 60 days. It doesn't count." in text_of(board_of(sim, thread))
    assert sum("was still to move here" in text_of(message) for message in sim.messages(thread)) == 2


async def test_the_win_on_time_is_there_to_be_claimed_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    early = await sim.bob.slash(sim.place(thread), "match", action="claim")
    assert "still has time" in told(early)
    await sim.env.advance_time(DAY + 60)
    notice = board_of(sim, thread)
    assert "is out of time" in text_of(notice)
    assert labels(notice) == ["Claim"]
    await sim.bob.click(notice, label="Claim")
    match = await stored(sim)
    assert (match.state, match.reason, match.seats[1].won) == (MatchState.OVER, "out of time", True)
    assert "wins on time" in text_of(board_of(sim, thread))
    again = await pressed(sim, sim.bob, notice, "claim:1:0")
    assert told(again) == "You won. The final board is posted below."
    assert (await stored(sim)).ply == match.ply


async def test_a_reminder_loses_its_button_with_the_time_and_a_late_notice_with_the_turn(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY + 60)
    reminder, notice = sim.messages(thread)[-2:]
    assert (labels(reminder), labels(notice)) == ([], ["Claim"])
    assert "Alice had little time left here" in text_of(reminder)
    await sim.alice.slash(sim.place(thread), "board")
    await play(sim, thread, "a1")
    reminder, notice = sim.messages(thread)[-3:-1]
    assert (labels(reminder), labels(notice)) == ([], [])
    assert "Alice had no time left here" in text_of(notice)
    refused = await pressed(sim, sim.bob, notice, "claim:1:0")
    assert "has moved on" in told(refused)


async def test_a_notice_keeps_its_button_when_the_board_is_posted_once_more(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY + 60)
    sim.env.backend.delete_message(thread, sim.messages(thread)[0].id)
    await sim.alice.slash(sim.place(thread), "board")
    assert labels(board_of(sim, thread))[0] == "Play"
    assert [labels(message) for message in sim.messages(thread)[:2]] == [[], ["Claim"]]


@pytest.mark.slow
async def test_time_without_discord_is_nobodys_loss_though_the_bot_lives_on(sim: SimulatedDiscord) -> None:
    await sim.bot.context.services.server_settings.change(
        sim.guild.id, lambda _: GuildSettings(automatic=True, grace=False)
    )
    thread = await challenge_accepted(sim, pace=12 * HOUR)
    reminded = pings(sim, sim.alice)
    sim.bot.dispatch("shard_disconnect", 0)
    await sim.env.advance_time(13 * HOUR)
    assert (await stored(sim)).state is MatchState.RUNNING
    assert pings(sim, sim.alice) == reminded
    sim.bot.dispatch("shard_resumed", 0)
    await sim.env.advance_time(60)
    assert (await stored(sim)).deadline_at == sim.env.now() + timedelta(hours=12, seconds=-60)
    await play(sim, thread, "a1")


async def named(sim: SimulatedDiscord, place: int, number: int = 1) -> list[bool]:
    """Return of each message in a place that names a time whether it is the deadline of a match."""
    deadline = (await stored(sim, number)).deadline_at
    assert deadline is not None
    shown = discord.utils.format_dt(deadline, "R")
    return [shown in text_of(message) for message in sim.messages(place) if "<t:" in text_of(message)]


async def test_the_board_and_the_reminder_name_the_deadline_of_who_is_away_and_back_again(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    aim, pictures = "The aim", len(board_of(sim, thread).attachments)
    await sim.env.advance_time(20 * HOUR)
    assert await named(sim, thread) == [True, True]
    before = pings(sim, sim.alice)
    await sim.alice.slash(sim.channel, "preferences", away_days=3)
    assert await named(sim, thread) == [True, True]
    board = boards(sim, thread)[0]
    assert (aim in text_of(board), len(board.attachments)) == (True, pictures), "all else stays"
    await sim.env.advance_time(HOUR)
    await sim.alice.slash(sim.channel, "preferences", away_days=0)
    assert await named(sim, thread) == [True, True]
    assert [labels(message)[0] for message in sim.messages(thread)] == ["Play", "Play"]
    assert pings(sim, sim.alice) == before


async def agree_on_three_days(sim: SimulatedDiscord, thread: int) -> None:
    for person in (sim.alice, sim.bob):
        await person.slash(sim.place(thread), "match", pace="3 days")


@pytest.mark.slow
async def test_a_pace_that_both_agree_on_is_in_the_reminder_too(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY - HOUR)
    await agree_on_three_days(sim, thread)
    (reminder,) = [message for message in sim.messages(thread) if "runs out" in text_of(message)]
    deadline = (await stored(sim)).deadline_at
    assert deadline is not None
    assert discord.utils.format_dt(deadline, "R") in text_of(reminder)


@pytest.mark.slow
async def test_a_pace_agreed_on_after_the_time_was_up_takes_the_news_of_that_back(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(DAY + 60)
    late = board_of(sim, thread)
    assert labels(late) == ["Claim"]
    await agree_on_three_days(sim, thread)
    reminder, late = sim.messages(thread)[1:3]
    assert "had little time left here" in text_of(reminder)
    assert (labels(late), "had no time left here" in text_of(late)) == ([], True)


def away_lines(sim: SimulatedDiscord, place: int) -> list[str]:
    """Return the lines about absences on the newest board in a place."""
    return [line for line in text_of(board_of(sim, place)).splitlines() if "is away until" in line]


async def test_boards_no_longer_say_that_a_player_is_away_once_they_are_back(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=7 * DAY)
    said = []
    for person, name, days in ((sim.alice, "Alice", 2), (sim.bob, "Bob", 3), (sim.bob, "Bob", 5)):
        await sim.env.advance_time(1)
        await person.slash(sim.channel, "preferences", away_days=days)
        until = discord.utils.format_dt(sim.env.now() + timedelta(days=days), "D")
        said.append(f"-# {name} is away until {until}.")
    assert away_lines(sim, thread) == [said[0], said[2]]
    await sim.env.advance_time(1)
    await sim.bob.slash(sim.channel, "preferences", away_days=0)
    assert away_lines(sim, thread) == said[:1]
    await sim.env.advance_time(2 * DAY + 60)
    assert away_lines(sim, thread) == []


def reminders(sim: SimulatedDiscord, threads: list[int]) -> list[discord.Message]:
    return [one for place in threads for one in sim.messages(place) if "your time" in text_of(one)]


async def reminded(sim: SimulatedDiscord, number: int) -> tuple[list[int], int]:
    """Have the reminders of some matches fall due at once; return their threads, and how often Alice was mentioned."""
    threads = [await challenge_accepted(sim, pace=DAY) for _ in range(number)]
    before = pings(sim, sim.alice)
    await sim.env.advance_time(19 * HOUR)
    return threads, pings(sim, sim.alice) - before


async def test_four_reminders_at_once_are_one_message_that_keeps_up_with_its_matches(sim: SimulatedDiscord) -> None:
    threads, mentions = await reminded(sim, 4)
    (message,) = reminders(sim, threads)
    assert (text_of(message).count("[board]("), mentions) == (4, 1)
    assert "your time runs out in 4 matches:" in text_of(message)
    assert labels(message) == ["Play"]

    await play(sim, threads[0], "a1")
    (message,) = reminders(sim, threads)
    assert "your time runs out in 3 matches:" in text_of(message)
    assert "match 1" not in text_of(message)

    await sim.restart()
    await sim.alice.slash(sim.channel, "preferences", away_days=3)
    for match_id in (2, 3, 4):
        await sim.bot.context.services.forfeits.give_up(match_id, 0)
    await sim.env.settle()
    assert not reminders(sim, threads)
    (message,) = [one for place in threads for one in sim.messages(place) if "moved in all of these" in text_of(one)]
    assert labels(message) == []


async def test_who_wants_no_reminders_gets_no_common_one(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "preferences", reminders=False)
    threads, mentions = await reminded(sim, 4)
    assert (reminders(sim, threads), mentions) == ([], 0)


async def test_the_reminder_of_a_match_that_ended_tells_how(sim: SimulatedDiscord) -> None:
    (thread,), _ = await reminded(sim, 1)
    await sim.bot.context.services.forfeits.give_up(1, 0)
    await sim.env.settle()
    reminder = sim.messages(thread)[-2]
    assert "had little time left here" in text_of(reminder)
    assert "wins" in text_of(reminder)
    assert "wins" in text_of(board_of(sim, thread))
