"""Discord fails: nothing is lost or said twice, nothing is done that was not acknowledged, and pictures stay or go."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime, timedelta
from fnmatch import fnmatch
from typing import Any

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.delivery import handlers
from bot.delivery.context import DeliveryContext
from bot.delivery.dispatcher import Done
from bot.delivery.handlers import board
from bot.matches.writing.outbox_messages import MessageKind
from bot.storage import matches, outbox
from bot.storage.outbox import OutboxMessage
from bot.storage.tables import outbox as outbox_rows
from tests.support.acting import (
    FINISHED,
    answer,
    board_of,
    boards,
    cards,
    challenge,
    challenge_accepted,
    custom_ids,
    direct_messages,
    opened_builder,
    pings,
    play,
    slash,
    text_of,
    told,
)
from tests.support.faults import done_but_denied
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord

MESSAGES = "/channels/*/messages"
MESSAGE = "/channels/*/messages/*"
THREADS = "/channels/*/messages/*/threads"
ACKNOWLEDGEMENT = "/interactions/*/callback"
ORIGINAL = "/webhooks/*/messages/@original"
TEMPORARY = (503, 429)


async def texts_played(sim: SimulatedDiscord) -> list[str]:
    return [move.text for move in await sim.bot.context.services.read(matches.moves_of, 1)]


@pytest.mark.own_bot
async def test_a_card_used_before_the_bot_knows_that_it_was_posted_is_brought_up_to_date(sim: SimulatedDiscord) -> None:
    with done_but_denied("POST", MESSAGES):
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
        await sim.bob.click(cards(sim)[0], label="Accept")
    await sim.env.advance_time(60)
    assert len(cards(sim)) == 1
    assert "Accepted" in text_of(cards(sim)[0])
    assert custom_ids(cards(sim)[0]) == []


@pytest.mark.own_bot
async def test_boards_overtaken_while_discord_is_away_are_skipped_together_and_each_that_stands_tells_what_happened(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("POST", f"/channels/{thread}/messages", status=503, times=None)
    await play(sim, thread, "c3", "a1", "a2", "a3", "a4", "b4")
    looked_at: list[int] = []
    send = board.send

    async def counted(context: DeliveryContext, message: OutboxMessage) -> Done | None:
        looked_at.append(message.payload["ply"])
        return await send(context, message)

    monkeypatch.setitem(handlers._SENDERS, MessageKind.BOARD, counted)
    sim.env.backend.faults.clear()
    await sim.env.advance_time(700)
    assert looked_at == [1, 6]
    async with sim.bot.context.services.database.read() as tx:
        rows = (await tx.execute(select(outbox_rows).where(outbox_rows.c.kind == MessageKind.BOARD))).all()
    states = {row.payload["ply"]: row.state for row in rows}
    assert states == {0: "sent", 6: "sent"} | dict.fromkeys(range(1, 6), "skipped")
    assert all(row.done_at is not None for row in rows)
    first, last = boards(sim, thread)
    assert "played **c3** here" in text_of(first)
    assert "b4" in text_of(last)
    assert custom_ids(last)[0] == "play:1:6"


@pytest.mark.own_bot
@pytest.mark.parametrize("hours", sampled([0, -3, 1, 24], every=4))
async def test_what_was_posted_is_found_however_far_the_clock_of_the_machine_is_from_discords(
    sim: SimulatedDiscord, hours: int
) -> None:
    services, dispatcher = sim.bot.context.services, sim.bot._dispatcher
    assert dispatcher is not None

    def clock() -> datetime:
        return sim.env.now() + timedelta(hours=hours)

    for context in (services, services.challenges._context):  # each service has the context that they were made with
        object.__setattr__(context, "clock", clock)
    dispatcher._clock = clock
    with done_but_denied("POST", MESSAGES):
        await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
        await sim.env.advance_time(60)
    assert (len(cards(sim)), pings(sim, sim.bob)) == (1, 1)
    await sim.bob.click(cards(sim)[0], label="Accept")
    assert "Accepted" in text_of(cards(sim)[0])
    (thread,) = [place.id for place in sim.bot.get_guild(sim.guild.id).threads]  # type: ignore[union-attr]
    with done_but_denied("POST", f"/channels/{thread}/messages"):
        await sim.alice.slash(sim.place(thread), "move", move="c3", match=1)
        await sim.bob.slash(sim.place(thread), "move", move="c3", match=1)
        await sim.env.advance_time(60)
    assert (len(boards(sim, thread)), pings(sim, sim.alice) + pings(sim, sim.bob)) == (2, 3)


async def test_controls_that_cannot_be_taken_away_do_not_hold_the_next_board_up(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", MESSAGE, status=500, times=None)
    await play(sim, thread, "c3", "a1", "a2")
    assert len(boards(sim, thread)) == 4


@pytest.mark.own_bot
@pytest.mark.parametrize(("status", "code"), sampled([(403, 50001), (404, 10008)], every=2))
async def test_controls_of_a_board_out_of_reach_are_given_up(sim: SimulatedDiscord, status: int, code: int) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", MESSAGE, status=status, code=code, times=None)
    await play(sim, thread, "c3", "a1")
    await sim.env.advance_time(3600)
    assert len(boards(sim, thread)) == 3
    assert await outbox_is_empty(sim)


async def outbox_is_empty(sim: SimulatedDiscord) -> bool:
    return (await sim.bot.context.services.read(outbox.waiting))[0] == 0


@pytest.mark.own_bot
@pytest.mark.parametrize("status", sampled(TEMPORARY, every=2))
async def test_a_thread_discord_cannot_open_now_is_opened_later(sim: SimulatedDiscord, status: int) -> None:
    card = await challenge(sim)
    sim.env.inject_error("POST", THREADS, status=status)
    await sim.bob.click(card, label="Accept")
    await sim.env.advance_time(60)
    assert len(boards(sim, card.id)) == 1


@pytest.mark.own_bot
async def test_a_thread_that_was_opened_though_discord_said_no_is_used(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    with done_but_denied("POST", THREADS):
        await sim.bob.click(card, label="Accept")
    sim.env.inject_error("POST", THREADS, status=400, code=160004)
    await sim.env.advance_time(60)
    assert [thread.id for thread in sim.channel.threads] == [card.id]
    assert len(boards(sim, card.id)) == 1


@pytest.mark.own_bot
@pytest.mark.parametrize(("status", "code"), sampled([(403, 50013), (400, 160006), (400, 50024)], every=3))
async def test_where_no_thread_can_be_opened_the_match_is_played_in_the_channel(
    sim: SimulatedDiscord, status: int, code: int
) -> None:
    card = await challenge(sim)
    sim.env.inject_error("POST", "/channels/*/threads", status=status, code=code, times=None)
    await sim.bob.click(card, label="Accept")
    assert custom_ids(boards(sim, sim.channel.id)[-1])[0] == "play:1:0"


@pytest.mark.slow
@pytest.mark.own_bot
async def test_a_deleted_card_makes_place_for_a_thread_beside_it(sim: SimulatedDiscord) -> None:
    card = await challenge(sim)
    with done_but_denied("POST", "/channels/*/threads") as denied:
        sim.env.inject_error("POST", THREADS, status=404, code=10008)
        await sim.bob.click(card, label="Accept")
        assert len(denied) == 1
        sim.env.inject_error("POST", THREADS, status=404, code=10008)
        await sim.env.advance_time(60)
    (thread,) = sim.channel.threads
    assert len(boards(sim, thread.id)) == 1


async def test_a_card_that_may_not_be_posted_is_called_off_and_its_challenger_told(sim: SimulatedDiscord) -> None:
    sim.env.inject_error("POST", f"/channels/{sim.channel.id}/messages", status=403, code=50013)
    await sim.alice.slash(sim.channel, "challenge", game="yonmoque", opponent=sim.bob)
    assert cards(sim) == []
    (note,) = direct_messages(sim, sim.alice)
    assert "couldn't post your challenge" in note
    assert pings(sim, sim.bob) == 0


@pytest.mark.own_bot
async def test_a_rematch_whose_channel_is_closed_is_offered_in_the_thread(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    await play(sim, thread, *FINISHED)
    sim.env.inject_error("POST", f"/channels/{sim.channel.id}/messages", status=403, code=50013, times=None)
    await sim.alice.click(board_of(sim, thread), label="Rematch")
    card = board_of(sim, thread)
    assert "asks for a rematch" in text_of(card)
    await sim.bob.click(card, label="Accept")
    assert custom_ids(board_of(sim, thread))[0] == "play:2:0"


@pytest.mark.own_bot
@pytest.mark.parametrize("status", sampled([500, 404], every=2))
async def test_a_move_whose_acknowledgement_failed_is_not_made(sim: SimulatedDiscord, status: int) -> None:
    thread = await challenge_accepted(sim)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    sim.env.inject_error("POST", ACKNOWLEDGEMENT, status=status)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert await texts_played(sim) == []
    sim.env.inject_error("POST", ACKNOWLEDGEMENT, status=status)
    await sim.alice.click(builder, label="Play it")
    assert await texts_played(sim) == []
    await sim.alice.click(builder, label="Play it")
    assert await texts_played(sim) == ["c3"]


@pytest.mark.own_bot
async def test_what_was_acknowledged_without_an_answer_is_carried_out_and_answered(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    with done_but_denied("POST", ACKNOWLEDGEMENT, status=400, code=40060):
        result = await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert "You played **c3**" in told(result)
    builder = await opened_builder(sim, sim.bob, thread, "a1")
    with done_but_denied("POST", ACKNOWLEDGEMENT, status=400, code=40060):
        await sim.bob.click(builder, label="Play it")
    assert await texts_played(sim) == ["c3", "a1"]


@pytest.mark.own_bot
async def test_no_button_or_command_fails_loudly_when_it_cannot_be_acknowledged(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    board = board_of(sim, thread)
    builder = await opened_builder(sim, sim.alice, thread, "c3")
    more = answer(await sim.alice.click(board, label="More"))
    sim.env.inject_error("POST", ACKNOWLEDGEMENT, status=500, times=None)
    for label in ("Play", "Rules", "More"):
        await sim.alice.click(board, label=label)
    for label in ("Back", "Type", "Cancel", "Play it"):
        await sim.alice.click(builder, label=label)
    for label in ("Flip the board", "Board as text", "Resign"):
        await sim.alice.click(more, label=label)
    for command in ("board", "matches", "match resign", "games", "help", "leaderboard", "profile"):
        await slash(sim.alice, sim.place(thread), command)
    await sim.alice.autocomplete(sim.place(thread), "move", "move", "c")
    sim.env.backend.faults.clear()
    assert await texts_played(sim) == []
    assert len(boards(sim, thread)) == 1


@pytest.mark.own_bot
@pytest.mark.parametrize("status", sampled([500, 404], every=2))
async def test_a_move_is_made_and_announced_though_its_player_cannot_be_answered(
    sim: SimulatedDiscord, status: int
) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", ORIGINAL, status=status)
    await sim.alice.slash(sim.place(thread), "move", move="c3")
    assert await texts_played(sim) == ["c3"]
    assert len(boards(sim, thread)) == 2


@pytest.mark.parametrize(("status", "code"), [(500, 0), (403, 50013)])
async def test_a_board_that_cannot_be_looked_up_is_not_posted_again(
    sim: SimulatedDiscord, status: int, code: int
) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("GET", MESSAGE, status=status, code=code)
    assert "to move" in told(await sim.alice.slash(sim.place(thread), "board"))
    assert len(boards(sim, thread)) == 1


@pytest.mark.own_bot
async def test_a_history_that_cannot_be_read_now_is_read_before_anything_is_posted_again(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    with done_but_denied("POST", f"/channels/{thread}/messages"):
        await play(sim, thread, "c3")
        sim.env.inject_error("GET", f"/channels/{thread}/messages", status=500, times=2)
        await sim.env.advance_time(120)
    assert len(boards(sim, thread)) == 2


async def test_an_answer_discord_does_not_take_is_replaced_by_a_reference(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", ORIGINAL, status=400, code=50035)
    assert "give this reference to the people" in told(await sim.alice.slash(sim.place(thread), "board"))
    sim.env.inject_error("PATCH", ORIGINAL, status=400, code=50035)
    more = answer(await sim.alice.click(board_of(sim, thread), label="Rules"))
    assert "this reference" in text_of(more.message)


@pytest.mark.own_bot
async def test_an_interaction_delivered_twice_is_carried_out_and_answered_once(sim: SimulatedDiscord) -> None:
    thread = await challenge_accepted(sim)
    payloads: list[tuple[str, Any]] = []
    sim.env.backend.subscribers.append(lambda event, payload: payloads.append((event, deepcopy(dict(payload)))))
    result = await sim.alice.slash(sim.place(thread), "move", move="c3")
    (delivered,) = [payload for event, payload in payloads if event == "INTERACTION_CREATE"]
    requests = len(sim.env.http_requests)
    sim.env.backend.emit("INTERACTION_CREATE", delivered)
    await sim.env.settle()
    assert await texts_played(sim) == ["c3"]
    assert "You played **c3**" in told(result)
    repeated = sim.env.http_requests[requests:]
    assert [request.path.rsplit("/", 1)[-1] for request in repeated] == ["callback"]


PICTURE = "attachment://board.png"


@pytest.mark.own_bot
async def test_an_edit_names_the_picture_that_stays(sim: SimulatedDiscord) -> None:
    place = await challenge_accepted(sim)
    await play(sim, place, "a1")
    await sim.restart()
    await play(sim, place, "a5", begin=1)
    kept = [board.attachments[0].id for board in boards(sim, place)[:2]]
    edits = [asked.json for asked in sim.env.http_requests if asked.method == "PATCH" and fnmatch(asked.path, MESSAGE)]
    shown = [edit["attachments"] for edit in edits if edit and PICTURE in str(edit["components"])]
    assert shown == [[{"id": str(one), "filename": "board.png"}] for one in kept]
    assert all("play:" not in str(custom_ids(board)) for board in boards(sim, place)[:2])


@pytest.mark.own_bot
async def test_controls_go_though_discord_refuses_to_keep_the_picture(sim: SimulatedDiscord) -> None:
    place = await challenge_accepted(sim)
    sim.env.inject_error("PATCH", MESSAGE, status=400, times=1)
    with capture_logs() as logs:
        await play(sim, place, "a1")
    old = next(message for message in sim.messages(place) if "a1" in text_of(message))
    assert custom_ids(old) == []
    assert old.attachments == []
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == [
        "message changed without its pictures"
    ]
    await sim.env.advance_time(600)
    await play(sim, place, "a5", begin=1)
    assert "play:" in str(custom_ids(boards(sim, place)[-1]))


@pytest.mark.own_bot
async def test_controls_go_where_the_bot_may_not_look_up_the_picture(sim: SimulatedDiscord) -> None:
    place = await challenge_accepted(sim)
    await sim.restart()
    sim.env.inject_error("GET", MESSAGE, status=403, code=50001, times=None)
    await play(sim, place, "a1")
    old = next(message for message in sim.messages(place) if "a1" in text_of(message))
    assert custom_ids(old) == []
