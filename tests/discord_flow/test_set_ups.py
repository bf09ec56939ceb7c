"""Set-ups for beginners: the bot takes the ready-made one without asking, and it can be changed."""

from __future__ import annotations

import pytest

from bot.matches.audit import audit
from tests.support.acting import (
    answer,
    board_of,
    cards,
    challenge_accepted,
    itself,
    labels,
    play,
    resign,
    text_of,
    told,
)
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def test_a_first_match_begins_with_both_set_ups_made(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game="gyges")
    match = await stored(sim)
    assert match.ply == 2
    assert "to move" in text_of(board_of(sim, thread))
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert "Which piece?" in text_of(builder.message)
    assert "Ready-made set-up" not in labels(builder.message)


async def test_a_set_up_that_was_taken_is_changed_and_the_others_is_taken_again(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game="gyges")
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await sim.alice.click(builder, label="Change my set-up")
    assert "set-up is open again" in text_of(builder.message)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert labels(builder.message)[:2] == ["Ready-made set-up", "Random set-up"]
    await sim.alice.slash(sim.place(thread), "move", move="231123")
    match = await stored(sim)
    assert match.to_move == 0
    assert [seat.ready_made for seat in match.seats] == [False, True]
    assert match.ply == 5
    again = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    assert "Change my set-up" not in labels(again.message)
    more = answer(await sim.bob.click(board_of(sim, thread), label="More"))
    await sim.bob.click(more, label="Change my set-up")
    assert (await stored(sim)).to_move == 1
    assert await audit(sim.bot.context.services.database) == []


async def test_a_set_up_stands_once_a_person_has_moved(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim, game="gyges")
    more = answer(await sim.bob.click(board_of(sim, thread), label="More"))
    assert "Change my set-up" in labels(more.message)
    builder = answer(await sim.alice.click(board_of(sim, thread), label="Play"))
    await play(sim, thread, "a1-b3")
    assert "moved on" in told(await sim.bob.click(more, label="Change my set-up"))
    assert "moved on" in told(await sim.alice.click(builder, label="Change my set-up"))


async def test_people_who_know_the_game_set_up_themselves(sim: SimulatedDiscord) -> None:
    first = await challenge_accepted(sim, game="gyges")
    await resign(sim.bob, sim.place(first))
    second = await challenge_accepted(sim, game="gyges")
    builder = answer(await sim.alice.click(board_of(sim, second), label="Play"))
    assert labels(builder.message)[:2] == ["Ready-made set-up", "Random set-up"]


async def test_against_a_weak_computer_player_it_is_always_taken_whoever_begins(sim: SimulatedDiscord) -> None:
    for number, (level, first, taken) in enumerate(
        [(2, "opponent", True), (1, "challenger", True), (3, "challenger", False)], 1
    ):
        await sim.alice.slash(sim.channel, "challenge", game="gyges", opponent=itself(sim), level=level, first=first)
        await sim.env.settle()
        match = await stored(sim, number)
        assert match.mover.person.id == sim.alice.id
        assert (match.ply > 0) is taken, (level, first)


async def test_no_set_up_is_told_in_notation(sim: SimulatedDiscord) -> None:
    await sim.alice.slash(sim.channel, "challenge", game="redtangle", opponent=itself(sim), level=3, first="challenger")
    match = await stored(sim, 1)
    builder = answer(await sim.alice.click(board_of(sim, match.place_id), label="Play"))
    await sim.alice.click(builder, label="Change my set-up")
    builder = answer(await sim.alice.click(board_of(sim, match.place_id), label="Play"))
    await sim.alice.click(builder, label="Ready-made set-up")
    await sim.alice.click(builder, label="Play it")
    assert "2N" not in text_of(builder.message)
    await sim.env.settle()
    assert "Alice sets up the pieces." in text_of(board_of(sim, match.place_id))
    assert any("Alice set up the pieces here" in text_of(message) for message in sim.messages(match.place_id))


@pytest.mark.parametrize("opponent", sampled(["person", "bot"], every=2))
async def test_it_stays_on_the_first_board_where_set_ups_are_ready_made_or_the_bot_begins(
    sim: SimulatedDiscord, opponent: str
) -> None:
    against = {"opponent": itself(sim), "level": 1, "first": "opponent"} if opponent == "bot" else {}
    await sim.alice.slash(sim.channel, "challenge", **({"game": "gyges", "opponent": sim.bob} | against))
    if opponent == "person":
        await sim.bob.click(cards(sim)[-1], label="Accept")
    place = (await stored(sim)).place_id
    first = board_of(sim, place)
    assert "**The aim:**" in text_of(first)
    await sim.alice.slash(sim.channel, "preferences", away_days=3)
    changed = board_of(sim, place)
    assert "away until" in text_of(changed)
    assert ("**The aim:**" in text_of(changed), len(changed.attachments)) == (True, len(first.attachments))
