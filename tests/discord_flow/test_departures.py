"""People who left the server: they are not invited, and nothing begins against them."""

from __future__ import annotations

from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    cards,
    challenge,
    challenge_accepted,
    pings,
    play,
    text_of,
    three_playing,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY


def leave_server(sim: SimulatedDiscord, user_id: int) -> None:
    """Let a person leave the server. Without the privileged intent Discord tells the bot nothing."""
    del sim.env.backend.guilds[sim.guild.id].members[user_id]


async def test_who_left_is_not_asked_for_a_rematch(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    leave_server(sim, sim.bob.id)
    posted, before = len(cards(sim)), pings(sim, sim.bob)
    assert "isn't in this server" in told(await sim.alice.click(board_of(sim, thread), label="Rematch"))
    assert (len(cards(sim)), pings(sim, sim.bob)) == (posted, before)


async def test_a_rematch_of_several_mentions_those_who_played_and_are_here_once(sim: SimulatedDiscord) -> None:
    thread = await three_playing(sim)
    for person in (sim.alice, sim.bob):
        await person.click(answer(await person.slash(sim.place(thread), "match", action="resign")), label="Yes, resign")
    leave_server(sim, sim.carol.id)
    people = (sim.alice, sim.bob, sim.carol)
    before = [pings(sim, person) for person in people]
    await sim.alice.click(board_of(sim, thread), label="Rematch")
    card = cards(sim)[-1]
    assert f"asks for a rematch with <@{sim.bob.id}>." in text_of(card)
    await sim.bob.click(card, label="Join")
    assert [pings(sim, person) - count for person, count in zip(people, before, strict=True)] == [0, 1, 0]


async def test_the_card_of_who_left_closes_by_itself_within_two_days(sim: SimulatedDiscord) -> None:
    await challenge(sim, opponent=None)
    await challenge(sim, opponent=sim.carol)
    await sim.bob.slash(sim.channel, "challenge", game="redo")
    for person in (sim.alice, sim.carol):
        leave_server(sim, person.id)
    await sim.env.advance_time(2 * DAY)
    await sim.restart()
    mine, hers, bobs = (text_of(card) for card in cards(sim))
    assert "Cancelled" in mine
    assert "Cancelled" in hers
    assert "Open until" in bobs


async def test_the_challenge_to_who_left_closes_by_itself(sim: SimulatedDiscord) -> None:
    await challenge(sim, opponent=sim.carol)
    leave_server(sim, sim.carol.id)
    await sim.env.advance_time(2 * DAY)
    await sim.restart()
    assert "Cancelled" in text_of(cards(sim)[0])


async def test_the_card_of_who_left_closes_when_somebody_accepts_it(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    leave_server(sim, sim.alice.id)
    assert "isn't in this server" in told(await sim.bob.click(card, label="Accept"))
    assert "Cancelled" in text_of(cards(sim)[0])
