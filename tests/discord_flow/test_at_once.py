"""Two people, or one impatient person, doing the same thing at the same time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bot.storage import matches
from bot.storage.records import Entry, Match
from tests.support.acting import (
    FINISHED,
    answer,
    at_once,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    opened_builder,
    play,
    text_of,
    told,
)
from tests.support.simulated_discord import SimulatedDiscord


async def stored(sim: SimulatedDiscord, match_id: int) -> tuple[Match | None, list[Entry]]:
    async with sim.bot.context.services.database.read() as tx:
        return await matches.get(tx, match_id), await matches.moves_of(tx, match_id)


async def test_two_people_accepting_an_open_challenge_at_once_make_one_match(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    clicks = await at_once(sim, sim.bob.click(card, label="Accept"), sim.carol.click(card, label="Accept"))
    match, _ = await stored(sim, 1)
    assert match is not None
    assert {seat.person.id for seat in match.seats} in ({sim.alice.id, sim.bob.id}, {sim.alice.id, sim.carol.id})
    assert await stored(sim, 2) == (None, [])
    assert sorted(told(click) for click in clicks) == ["", "This challenge has already been accepted: the match is on."]
    assert len(boards(sim, card.id)) == 1


async def test_accepting_twice_at_once_makes_one_match(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    await at_once(sim, sim.bob.click(card, label="Accept"), sim.bob.click(card, label="Accept"))
    assert (await stored(sim, 2))[0] is None
    assert len(boards(sim, card.id)) == 1


async def test_accepting_while_the_challenger_cancels_ends_in_one_of_both(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    await at_once(sim, sim.alice.click(card, label="Cancel"), sim.bob.click(card, label="Accept"))
    match, _ = await stored(sim, 1)
    words = text_of(cards(sim)[0])
    assert ("Cancelled" in words) is (match is None)
    assert ("Accepted" in words) is (match is not None)


async def test_the_last_button_of_a_builder_pressed_twice_at_once_plays_one_move(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    clicks = await at_once(sim, sim.alice.click(builder, label="Play it"), sim.alice.click(builder, label="Play it"))
    _, played = await stored(sim, 1)
    assert [move.text for move in played] == ["c3"]
    assert len(boards(sim, thread)) == 2
    assert text_of(builder.message).strip().startswith("You played **c3**.")
    assert [followup for click in clicks for followup in click.followups] == []


async def test_two_different_moves_at_once_play_the_first(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    first = await opened_builder(sim, sim.alice, thread, "c3")
    await sim.restart()  # Otherwise the second builder would replace the first.
    second = await opened_builder(sim, sim.alice, thread, "a1")
    await at_once(sim, sim.alice.click(first, label="Play it"), sim.alice.click(second, label="Play it"))
    _, played = await stored(sim, 1)
    assert len(played) == 1
    texts = [text_of(builder.message) for builder in (first, second)]
    assert sum("You played" in text for text in texts) == 1
    assert sum("has moved on" in text for text in texts) == 1


async def test_a_move_typed_and_clicked_at_once_is_played_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    await at_once(
        sim,
        sim.alice.slash(sim.place(thread), "move", move="c3"),
        sim.alice.click(builder, label="Play it"),
    )
    _, played = await stored(sim, 1)
    assert [move.text for move in played] == ["c3"]
    assert len(boards(sim, thread)) == 2


async def test_moving_and_resigning_at_once_leaves_a_list_of_moves_that_replays(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    question = answer(await sim.alice.slash(sim.place(thread), "match", action="resign"))
    await at_once(
        sim,
        sim.alice.click(question, label="Yes, resign"),
        sim.alice.click(builder, label="Play it"),
    )
    match, played = await stored(sim, 1)
    assert match is not None
    assert [move.ply for move in played] == [1]
    assert match.ply == 1
    await sim.restart()
    assert "There's no such match" not in told(await sim.alice.slash(sim.place(thread), "board"))


async def test_one_person_asking_for_a_rematch_twice_at_once_asks_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    result = board_of(sim, thread)
    clicks = await at_once(sim, sim.alice.click(result, label="Rematch"), sim.alice.click(result, label="Rematch"))
    assert len(cards(sim)) == 2
    assert (await stored(sim, 2))[0] is None
    assert sorted(told(click).strip()[:40] for click in clicks) == [
        "Rematch offered. It starts as soon as it",
        "You've already asked for a rematch. It's",
    ]


async def test_both_players_asking_for_a_rematch_at_once_start_one(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    result = board_of(sim, thread)
    await at_once(sim, sim.alice.click(result, label="Rematch"), sim.bob.click(result, label="Rematch"))
    match, _ = await stored(sim, 2)
    assert match is not None
    assert [seat.person.id for seat in match.seats] == [sim.bob.id, sim.alice.id]
    assert (await stored(sim, 3))[0] is None
    assert match.thread_id is not None
    assert len(boards(sim, match.thread_id)) == 1


async def test_an_interaction_delivered_twice_is_carried_out_and_answered_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    payloads: list[tuple[str, Any]] = []
    sim.env.backend.subscribers.append(lambda event, payload: payloads.append((event, deepcopy(dict(payload)))))
    result = await sim.alice.slash(sim.place(thread), "move", move="c3")
    (delivered,) = [payload for event, payload in payloads if event == "INTERACTION_CREATE"]
    requests = len(sim.env.http_requests)
    sim.env.backend.emit("INTERACTION_CREATE", delivered)
    await sim.env.settle()
    assert [move.text for move in (await stored(sim, 1))[1]] == ["c3"]
    assert "You played **c3**" in told(result)
    repeated = sim.env.http_requests[requests:]
    assert [request.path.rsplit("/", 1)[-1] for request in repeated] == ["callback"]


async def test_an_interaction_delivered_twice_at_once_is_carried_out_and_answered_once(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, opponent=None)
    payloads: list[tuple[str, Any]] = []

    def twice(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE" and not payloads:
            payloads.append((event, payload))
            sim.env.backend.emit(event, payload)

    sim.env.backend.subscribers.insert(0, twice)
    result = await sim.bob.click(card, label="Accept")
    assert len(payloads) == 1
    assert (await stored(sim, 1))[0] is not None
    assert (await stored(sim, 2))[0] is None
    assert told(result) == ""
    assert custom_ids(board_of(sim, card.id))[0] == "play:1:0"


@pytest.mark.parametrize("number", [2, 5])
async def test_many_challenges_accepted_together_each_become_a_match(sim: SimulatedDiscord, number: int) -> None:
    for _ in range(number):
        await challenge(sim, opponent=None)
    await at_once(sim, *(sim.bob.click(card, label="Accept") for card in cards(sim)))
    assert [(await stored(sim, match_id))[0] is not None for match_id in range(1, number + 2)] == [
        *[True] * number,
        False,
    ]
    assert all(len(boards(sim, card.id)) == 1 for card in cards(sim))
