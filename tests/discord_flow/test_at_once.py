"""Two people, or one impatient person, doing the same thing at the same time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bot.storage.queries import matches
from bot.storage.records import Match, PlayedMove
from tests.conftest import Town
from tests.discord_flow.acting import (
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


async def stored(town: Town, match_id: int) -> tuple[Match | None, list[PlayedMove]]:
    async with town.bot.host.services.context.database.read() as tx:
        return await matches.get(tx, match_id), await matches.moves_of(tx, match_id)


async def test_two_people_accepting_an_open_challenge_at_once_make_one_match(town: Town) -> None:
    card = await challenge(town, opponent=None)
    clicks = await at_once(town, town.bob.click(card, label="Accept"), town.carol.click(card, label="Accept"))
    match, _ = await stored(town, 1)
    assert match is not None
    assert {seat.person.id for seat in match.seats} in ({town.alice.id, town.bob.id}, {town.alice.id, town.carol.id})
    assert await stored(town, 2) == (None, [])
    assert sorted(told(click) for click in clicks) == ["", "This challenge was taken up already: the match is on."]
    assert len(boards(town, card.id)) == 1


async def test_accepting_twice_at_once_makes_one_match(town: Town) -> None:
    card = await challenge(town)
    await at_once(town, town.bob.click(card, label="Accept"), town.bob.click(card, label="Accept"))
    assert (await stored(town, 2))[0] is None
    assert len(boards(town, card.id)) == 1


async def test_accepting_while_the_challenger_cancels_ends_in_one_of_both(town: Town) -> None:
    card = await challenge(town)
    await at_once(town, town.alice.click(card, label="Cancel"), town.bob.click(card, label="Accept"))
    match, _ = await stored(town, 1)
    words = text_of(cards(town)[0])
    assert ("Called off" in words) is (match is None)
    assert ("Accepted" in words) is (match is not None)


async def test_the_last_button_of_a_builder_pressed_twice_at_once_plays_one_move(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = await opened_builder(town, town.alice, thread, "c3")
    clicks = await at_once(town, town.alice.click(builder, label="Play c3"), town.alice.click(builder, label="Play c3"))
    _, played = await stored(town, 1)
    assert [move.text for move in played] == ["c3"]
    assert len(boards(town, thread)) == 2
    assert text_of(builder.message).strip() == "You played **c3**."
    assert [followup for click in clicks for followup in click.followups] == []


async def test_two_different_moves_at_once_play_the_first(town: Town) -> None:
    thread = await challenge_accepted(town)
    first = await opened_builder(town, town.alice, thread, "c3")
    second = await opened_builder(town, town.alice, thread, "a1")
    await at_once(town, town.alice.click(first, label="Play c3"), town.alice.click(second, label="Play a1"))
    _, played = await stored(town, 1)
    assert len(played) == 1
    texts = [text_of(builder.message) for builder in (first, second)]
    assert sum("You played" in text for text in texts) == 1
    assert sum("earlier turn" in text for text in texts) == 1


async def test_a_move_typed_and_clicked_at_once_is_played_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = await opened_builder(town, town.alice, thread, "c3")
    await at_once(
        town,
        town.alice.slash(town.place(thread), "move", move="c3"),
        town.alice.click(builder, label="Play c3"),
    )
    _, played = await stored(town, 1)
    assert [move.text for move in played] == ["c3"]
    assert len(boards(town, thread)) == 2


async def test_moving_and_resigning_at_once_leaves_a_list_of_moves_that_replays(town: Town) -> None:
    thread = await challenge_accepted(town)
    builder = await opened_builder(town, town.alice, thread, "c3")
    question = answer(await town.alice.slash(town.place(thread), "match resign"))
    await at_once(
        town,
        town.alice.click(question, label="Yes, resign"),
        town.alice.click(builder, label="Play c3"),
    )
    match, played = await stored(town, 1)
    assert match is not None
    assert [move.ply for move in played] == [1]
    assert match.ply == 1
    await town.restart()
    assert "There is no such match" not in told(await town.alice.slash(town.place(thread), "board"))


async def test_one_person_asking_for_a_rematch_twice_at_once_asks_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = board_of(town, thread)
    clicks = await at_once(town, town.alice.click(result, label="Rematch"), town.alice.click(result, label="Rematch"))
    assert len(cards(town)) == 2
    assert (await stored(town, 2))[0] is None
    assert sorted(told(click).strip()[:40] for click in clicks) == [
        "You have asked for a rematch already; th",
        "You have asked for a rematch. It starts ",
    ]


async def test_both_players_asking_for_a_rematch_at_once_start_one(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, *FINISHED)
    result = board_of(town, thread)
    await at_once(town, town.alice.click(result, label="Rematch"), town.bob.click(result, label="Rematch"))
    match, _ = await stored(town, 2)
    assert match is not None
    assert [seat.person.id for seat in match.seats] == [town.bob.id, town.alice.id]
    assert (await stored(town, 3))[0] is None
    assert match.thread_id is not None
    assert len(boards(town, match.thread_id)) == 1


async def test_an_interaction_delivered_twice_is_carried_out_and_answered_once(town: Town) -> None:
    thread = await challenge_accepted(town)
    payloads: list[tuple[str, Any]] = []
    town.env.backend.subscribers.append(lambda event, payload: payloads.append((event, deepcopy(dict(payload)))))
    result = await town.alice.slash(town.place(thread), "move", move="c3")
    (delivered,) = [payload for event, payload in payloads if event == "INTERACTION_CREATE"]
    requests = len(town.env.http_requests)
    town.env.backend.emit("INTERACTION_CREATE", delivered)
    await town.env.settle()
    assert [move.text for move in (await stored(town, 1))[1]] == ["c3"]
    assert "You played **c3**" in told(result)
    repeated = town.env.http_requests[requests:]
    assert [request.path.rsplit("/", 1)[-1] for request in repeated] == ["callback"]


async def test_an_interaction_delivered_twice_at_once_is_carried_out_and_answered_once(town: Town) -> None:
    card = await challenge(town, opponent=None)
    payloads: list[tuple[str, Any]] = []

    def twice(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE" and not payloads:
            payloads.append((event, payload))
            town.env.backend.emit(event, payload)

    town.env.backend.subscribers.insert(0, twice)
    result = await town.bob.click(card, label="Accept")
    assert len(payloads) == 1
    assert (await stored(town, 1))[0] is not None
    assert (await stored(town, 2))[0] is None
    assert told(result) == ""
    assert custom_ids(board_of(town, card.id))[0] == "play:1:0"


@pytest.mark.parametrize("number", [2, 5])
async def test_many_challenges_accepted_together_each_become_a_match(town: Town, number: int) -> None:
    for _ in range(number):
        await challenge(town, opponent=None)
    await at_once(town, *(town.bob.click(card, label="Accept") for card in cards(town)))
    assert [(await stored(town, match_id))[0] is not None for match_id in range(1, number + 2)] == [
        *[True] * number,
        False,
    ]
    assert all(len(boards(town, card.id)) == 1 for card in cards(town))
