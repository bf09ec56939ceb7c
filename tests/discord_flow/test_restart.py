"""The bot is stopped and started again in the middle: every old control goes on working, and so does the outbox."""

from __future__ import annotations

from tests.conftest import Town
from tests.discord_flow.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    build,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    opened_builder,
    pings,
    play,
    text_of,
    told,
)


async def test_a_card_works_after_a_restart(town: Town) -> None:
    card = await challenge(town)
    await town.restart()
    await town.bob.click(card, label="Accept")
    assert "Accepted" in text_of(cards(town)[0])
    assert custom_ids(board_of(town, card.id))[0] == "play:1:0"


async def test_a_board_and_a_builder_work_after_a_restart(town: Town) -> None:
    thread = await challenge_accepted(town)
    opened = await opened_builder(town, town.alice, thread, "c3")
    await town.restart()
    assert "to move" in told(await town.carol.slash(town.place(thread), "board"))
    await town.alice.click(opened, label="Back")
    await build(town.alice, opened, "c2")
    assert text_of(opened.message).strip() == "You played **c2**."
    await town.restart()
    builder = answer(await town.bob.click(board_of(town, thread), label="Play"))
    form = await town.bob.click(builder, label="Type")
    await town.restart()
    await town.bob.submit_modal(form, {"move": "a1"})
    assert "a1" in text_of(board_of(town, thread))
    assert len(boards(town, thread)) == 3


async def test_a_result_and_everything_private_works_after_a_restart(town: Town) -> None:
    thread = await challenge_accepted(town)
    more = answer(await town.alice.click(board_of(town, thread), label="More"))
    question = answer(await town.alice.slash(town.place(thread), "match resign"))
    await town.restart()
    await town.alice.click(more, label="Board as text")
    assert "```" in text_of(more.message)
    await town.alice.click(question, label="No, play on")
    await play(town, thread, *FINISHED)
    rules = answer(await town.alice.click(board_of(town, thread), label="Rules"))
    await town.restart()
    await town.alice.click(rules, label="Next ▶")
    await town.alice.click(board_of(town, thread), label="Rematch")
    await town.restart()
    await town.bob.click(cards(town)[-1], label="Accept")
    assert custom_ids(board_of(town, cards(town)[-1].id))[0] == "play:2:0"


async def test_what_was_not_said_before_a_restart_is_said_after_it(town: Town) -> None:
    thread = await challenge_accepted(town)
    town.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await play(town, thread, "c3")
    assert len(boards(town, thread)) == 1
    town.env.backend.faults.clear()
    await town.restart()
    await town.env.advance_time(60)
    assert custom_ids(board_of(town, thread))[0] == "play:1:1"
    assert len(boards(town, thread)) == 2
    assert pings(town, town.bob) == 2


async def test_a_restart_says_nothing_twice(town: Town) -> None:
    thread = await challenge_accepted(town)
    await play(town, thread, "c3")
    requests = len(town.env.http_requests)
    await town.restart()
    await town.env.advance_time(600)
    posted = [request for request in town.env.http_requests[requests:] if request.path.startswith("/channels")]
    assert posted == []
