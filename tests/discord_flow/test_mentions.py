"""Whom a message mentions, and how loudly: not who is there, and silently while another mention waits."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from bot.matches.model.actor import Actor
from tests.support.acting import (
    board_of,
    challenge,
    challenge_accepted,
    direct_messages,
    everything_said,
    pings,
    play,
    text_of,
)
from tests.support.cup_play import begun
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, HOUR, with_number
from tests.support.without_grace import without_grace  # noqa: F401 - used by all tests of this file

pytestmark = pytest.mark.own_bot

MINUTE = 60
SILENT = 1 << 12
"""Discord's flag for messages that make no sound."""


@pytest.fixture
def told_at_once() -> None:
    """Have people told as in life."""


def heard(sim: SimulatedDiscord, person: object) -> list[bool]:
    """Return of every mention of a person whether it made a sound, oldest first."""
    user_id = getattr(person, "id", None)
    return [not message.flags & SILENT for message in everything_said(sim) if user_id in message.ping_user_ids]


async def test_the_reply_of_the_bot_mentions_nobody_who_has_just_moved_and_is_told_once_later(
    sim: SimulatedDiscord,
) -> None:
    await sim.alice.slash(sim.channel, "play", game="yonmoque", level=1)
    thread = max(sim.env.backend.messages)
    assert heard(sim, sim.alice) == [False], "the first board brings her to the thread, without a sound"
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    await sim.env.advance_time(29 * MINUTE)
    assert heard(sim, sim.alice) == [False]
    await sim.restart()
    await sim.env.advance_time(2 * MINUTE)
    assert heard(sim, sim.alice) == [False, True]
    assert "it's your turn in **Yonmoque · match 1**" in text_of(board_of(sim, thread))
    await sim.env.advance_time(DAY)
    assert heard(sim, sim.alice) == [False, True]


async def test_a_turn_that_was_taken_meanwhile_is_not_told_later(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, "a1", "a5", "b1")
    assert (pings(sim, sim.alice), pings(sim, sim.bob)) == (1, 1), "the challenge to Bob, its acceptance to Alice"
    await sim.env.advance_time(10 * MINUTE)
    await play(sim, thread, "b5", begin=1)
    assert pings(sim, sim.alice) == 2, "ten minutes later she may have gone"
    await sim.env.advance_time(HOUR)
    assert (pings(sim, sim.alice), pings(sim, sim.bob)) == (2, 1)


async def test_challenges_of_one_person_make_one_sound_and_three_mentions_a_day(sim: SimulatedDiscord) -> None:
    for _ in range(5):
        await challenge(sim)
    assert heard(sim, sim.bob) == [True, False, False]
    await sim.carol.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
    assert heard(sim, sim.bob) == [True, False, False, False], "another one's mention, while challenges wait"
    await sim.env.advance_time(DAY + HOUR)
    await challenge(sim)
    assert len(heard(sim, sim.bob)) == 5


async def test_of_matches_that_begin_together_one_is_heard(sim: SimulatedDiscord) -> None:
    await begun(sim, players=3)
    await sim.env.advance_time(MINUTE)
    boards = [message for message in everything_said(sim) if "· match" in str(message.components)]
    loud = Counter(person for message in boards if not message.flags & SILENT for person in message.ping_user_ids)
    mentioned = Counter(person for message in boards for person in message.ping_user_ids)
    assert set(loud) == set(mentioned)
    assert set(loud.values()) == {1}


async def test_a_turn_held_back_is_told_where_its_person_wants_it(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", news="direct")
    thread = await challenge_accepted(sim)
    before = pings(sim, sim.bob)
    await play(sim, thread, "a1")
    assert direct_messages(sim, sim.bob) == []
    await sim.env.advance_time(31 * MINUTE)
    assert (pings(sim, sim.bob), len(direct_messages(sim, sim.bob))) == (before, 1)


async def test_what_began_before_quiet_hours_and_was_held_back_is_told_after_them(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "preferences", quiet_from=1, quiet_until=7, zone="UTC")
    await sim.env.advance_time(0.7 * HOUR)
    thread = await challenge_accepted(sim)
    before = pings(sim, sim.bob)
    await play(sim, thread, "a1")
    await sim.env.advance_time(6.1 * HOUR)
    assert (pings(sim, sim.bob), direct_messages(sim, sim.bob)) == (before, [])
    await sim.env.advance_time(0.5 * HOUR)
    assert (pings(sim, sim.bob), direct_messages(sim, sim.bob)) == (before + 1, [])


async def test_who_was_reminded_before_a_pause_is_told_that_the_clock_goes_on(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, pace=DAY)
    await sim.env.advance_time(19 * HOUR)
    match = await with_number(sim, 1)
    for seat in match.seats:
        actor = Actor(match.guild_id, seat.person, UUID(int=seat.seat + 1), sim.env.now(), match.channel_id)
        await sim.bot.context.services.agreements.offer_pause(actor, 1, 0, 7)
    await sim.env.settle()
    before = pings(sim, sim.alice)
    await sim.env.advance_time(7 * DAY + MINUTE)
    assert pings(sim, sim.alice) == before + 1
    assert "your turn" in text_of(sim.messages(thread)[-1])
