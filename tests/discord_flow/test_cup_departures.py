"""Players who are out of a cup: how the bot notices that they left the server, and what it tells them and others."""

from __future__ import annotations

import pytest

from bot.storage.contest_states import CupState, Withdrawal
from bot.storage.cups import CupPlayer
from bot.storage.records import MatchState
from tests.support.acting import answer, challenge_accepted, direct_messages, text_of
from tests.support.cup_play import (
    begun,
    cup_message,
    members,
    running_matches,
    started,
    stored_cup,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import HOUR, stored
from tests.support.without_grace import without_grace  # noqa: F401


def leave_server(sim: SimulatedDiscord, user_id: int) -> None:
    """Let a person leave the server. Without the privileged intent Discord tells the bot nothing."""
    del sim.env.backend.guilds[sim.guild.id].members[user_id]


async def player(sim: SimulatedDiscord, user_id: int) -> CupPlayer:
    found = (await stored_cup(sim))[0].player_of(user_id)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.own_bot
async def test_who_left_is_noticed_when_their_reminder_is_due(sim: SimulatedDiscord) -> None:
    await begun(sim, pace=3 * 24 * HOUR)
    gone = (await running_matches(sim))[0].mover.person.id
    await members(sim)[gone].slash(sim.channel, "preferences", reminders=False)
    leave_server(sim, gone)
    await sim.env.advance_time(2 * 24 * HOUR)
    assert (await player(sim, gone)).withdrawal is None
    await sim.env.advance_time(7 * HOUR)
    assert (await player(sim, gone)).withdrawal is Withdrawal.GONE
    assert (await stored_cup(sim))[0].state is CupState.RUNNING


async def test_a_discord_that_does_not_answer_or_knows_no_server_withdraws_nobody(sim: SimulatedDiscord) -> None:
    sim.env.inject_error("GET", f"/guilds/{sim.guild.id}/members/*", status=404, code=10004, times=None)
    await begun(sim)
    assert all(one.withdrawal is None for one in (await stored_cup(sim))[0].players)


@pytest.mark.own_bot
@pytest.mark.slow
async def test_who_is_removed_by_a_manager_is_told_directly(sim: SimulatedDiscord) -> None:
    await begun(sim)
    await sim.alice.click(
        answer(await sim.alice.slash(sim.channel, "manage remove", person=sim.carol)), label="Yes, remove"
    )
    (told,) = direct_messages(sim, sim.carol)
    assert told == (
        "A person who manages the server has removed you from Cup 1 · Yonmoque. Matches that are running go on, but "
        "don't count for the cup."
    )
    assert not direct_messages(sim, sim.bob)


async def test_the_card_of_an_open_cup_names_its_starter_no_more_once_they_deleted_their_data(
    sim: SimulatedDiscord,
) -> None:
    thread = await challenge_accepted(sim)
    await started(sim, players=4)
    await sim.bob.click(cup_message(sim), label="Join")
    question = answer(await sim.alice.slash(sim.channel, "privacy", action="delete"))
    await sim.alice.click(question, label="Delete everything")
    assert (await stored(sim)).state is MatchState.OVER
    assert (await stored_cup(sim))[0].state is CupState.CANCELLED
    said = [text_of(message) for place in (sim.channel, thread) for message in sim.messages(place)]
    cup = text_of(cup_message(sim))
    assert str(sim.alice.id) not in cup
    assert "Alice" not in cup
    assert str(sim.alice.id) not in "".join(said)
