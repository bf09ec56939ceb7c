"""Time: paces, reminders, time-outs claimed or automatic, absences, and downtime that is credited to every clock."""

from __future__ import annotations

from datetime import timedelta

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
