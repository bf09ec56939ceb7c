"""Matches against a computer player: each of its turns is played exactly once, and it answers offers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.queue import ComputeQueue
from bot.matches.model import match_record
from bot.matches.model.match_record import RecordError
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.turn import PlayedTurn
from bot.matches.services.turn import Turn
from bot.storage import matches, tables
from bot.storage.records import EntryKind, MatchState, OfferState
from tests.matches.against_computer import (
    COMPUTER_BEGINS,
    DAY,
    against,
    boards_wanted,
    due,
    imported,
    nothing_due,
    replied,
    running,
)
from tests.matches.conftest import ALICE, CHANNEL, GUILD, YONMOQUE, Crowd, everybody_left
from tests.support.acting import FINISHED

# Its turn


async def test_a_match_against_the_computer_begins_at_once_and_is_not_rated(crowd: Crowd) -> None:
    match = await crowd.match(await against(crowd, level=3))
    assert [(seat.person.name, seat.person.level) for seat in match.seats] == [
        ("Alice", None),
        ("Tavoliere (level 3)", 3),
    ]
    assert (match.state, match.rated, match.mover.person) == (MatchState.RUNNING, False, ALICE)
    assert await crowd.services.computer_players.take(1) == []


async def test_a_move_makes_it_the_computers_turn_and_its_reply_ends_that(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    assert (await due(crowd)).ply == 1
    await replied(crowd)
    match = await crowd.match(match_id)
    assert (match.ply, match.mover.person) == (2, ALICE)
    assert await crowd.services.computer_players.take(1) == []


async def test_where_the_computer_begins_it_moves_first(crowd: Crowd) -> None:
    match_id = await against(crowd, COMPUTER_BEGINS)
    await replied(crowd)
    assert [(move.seat, move.kind) for move in await crowd.moves(match_id)] == [(0, EntryKind.MOVE)]


async def test_a_turn_taken_by_two_processes_is_played_once(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    turn = await due(crowd)
    await asyncio.gather(*(crowd.services.computer_players.play(turn) for _ in range(2)))
    assert [move.seat for move in await crowd.moves(match_id)] == [0, 1]


async def test_a_search_that_was_lost_is_repeated_and_finds_the_same_move(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    lost: list[str] = []

    async def lose(_turn: Turn, _tx: AsyncConnection, _current: object, played: PlayedTurn) -> None:
        lost.append(played.text)
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(Turn, "store", lose)
        with pytest.raises(ConnectionError):
            await replied(crowd)
    assert len(await crowd.moves(match_id)) == 1
    crowd.open()
    await replied(crowd)
    assert [move.text for move in await crowd.moves(match_id)] == ["c3", *lost]


async def test_a_move_taken_back_meanwhile_drops_the_reply(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    turn = await due(crowd)
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    await crowd.services.computer_players.play(turn)
    assert (await crowd.match(match_id)).ply == 2


async def test_every_turn_is_played_while_the_bot_runs(crowd: Crowd) -> None:
    ids = [await against(crowd, COMPUTER_BEGINS) for _ in range(3)]
    async with running(crowd) as runner:
        await nothing_due(crowd, runner)
    assert [(await crowd.match(match_id)).ply for match_id in ids] == [1, 1, 1]


async def test_a_turn_that_fails_is_tried_again(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.matches.background_work.FIRST_WAIT", 0.01)
    match_id = await against(crowd, COMPUTER_BEGINS)
    store, failures = Turn.store, [ConnectionError(), Refusal("busy")]

    async def fail_at_first(*asked: object) -> None:
        if failures:
            raise failures.pop()
        await store(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(Turn, "store", fail_at_first)
    async with running(crowd) as runner:
        await nothing_due(crowd, runner)
    assert (await crowd.match(match_id)).ply == 1
    # Until a retry succeeds, the board shows the computer's turn.
    assert await boards_wanted(crowd) == [0, 1]


async def test_it_searches_in_a_process_of_its_own(crowd: Crowd) -> None:
    async with ComputeQueue(thinkers=1) as queue:
        crowd.queue = queue
        crowd.open()
        match_id = await against(crowd, COMPUTER_BEGINS)
        await replied(crowd)
        await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    assert (await crowd.match(match_id)).ply >= 1


# Its boards


async def test_a_reply_takes_the_place_of_the_board_before(crowd: Crowd) -> None:
    match_id = await against(crowd, COMPUTER_BEGINS)
    assert await boards_wanted(crowd) == []
    await replied(crowd)
    assert await boards_wanted(crowd) == [1]
    assert (await crowd.match(match_id)).ply == 1


async def test_the_board_it_thinks_about_for_long_is_wanted_once(crowd: Crowd) -> None:
    await against(crowd, COMPUTER_BEGINS)
    turn = await due(crowd)
    for _ in range(2):
        await crowd.services.computer_players.show_thinking(turn)
    assert await boards_wanted(crowd) == [0]


async def test_a_board_that_comes_with_the_reply_is_not_taken_to_be_gone(crowd: Crowd) -> None:
    match_id = await against(crowd)
    async with crowd.database.write() as tx:
        await tx.execute(update(tables.outbox).values(state="sent"))
        await matches.put_board(tx, match_id, CHANNEL, 99, 0)
    await crowd.play(match_id, "c3")
    assert not await crowd.services.turns.post_again(crowd.actor(ALICE), await crowd.match(match_id))
    assert await boards_wanted(crowd) == [0]


# Time


async def test_no_clock_runs_for_the_computer(crowd: Crowd) -> None:
    match_id = await against(crowd, replace(YONMOQUE, pace=DAY))
    assert (await crowd.match(match_id)).deadline_at == crowd.now + timedelta(days=1)
    await crowd.play(match_id, "c3")
    assert (await crowd.match(match_id)).deadline_at is None
    await replied(crowd)
    assert (await crowd.match(match_id)).deadline_at == crowd.now + timedelta(days=1)


async def test_a_person_out_of_time_loses_without_a_claim(crowd: Crowd) -> None:
    match_id = await against(crowd, replace(YONMOQUE, pace=DAY))
    crowd.later(days=2)
    await crowd.services.forfeits.notice_late()
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "out of time")
    assert [seat.won for seat in match.seats] == [False, True]


async def test_nothing_can_be_claimed_from_the_computer(crowd: Crowd) -> None:
    match_id = await against(crowd, replace(YONMOQUE, pace=DAY))
    await crowd.play(match_id, "c3")
    crowd.open(has_left=everybody_left)
    with pytest.raises(Refusal, match="nothing to claim"):
        await crowd.services.forfeits.claim_win(*crowd.request(match_id, ALICE))


# Offers to it


async def test_it_agrees_to_a_take_back_of_the_move_it_has_replied_to(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    await replied(crowd)
    assert await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE)) is None
    view = await crowd.services.queries.match_view(GUILD, match_id)
    assert (view.match.ply, view.match.mover.person, view.game_state.last) == (3, ALICE, None)


async def test_without_a_move_there_is_nothing_to_take_back(crowd: Crowd) -> None:
    first, second = await against(crowd), await against(crowd, COMPUTER_BEGINS)
    await replied(crowd)
    for match_id in (first, second):
        with pytest.raises(Refusal, match="no move to take back"):
            await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))


@pytest.mark.parametrize(
    ("seats", "answer"),
    [
        (("1, Alice", "level 2, Tavoliere"), OfferState.ACCEPTED),
        (("level 2, Tavoliere", "1, Alice"), OfferState.DECLINED),
    ],
)
async def test_it_agrees_to_a_draw_where_it_would_lose(
    crowd: Crowd, seats: tuple[str, str], answer: OfferState
) -> None:
    # The first seat can win at once.
    match_id = await imported(crowd, seats, *FINISHED[:-1])
    assert await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE)) is answer
    match = await crowd.match(match_id)
    assert (match.state is MatchState.OVER) is (answer is OfferState.ACCEPTED)
    if answer is OfferState.DECLINED:
        with pytest.raises(Refusal, match="already offered a draw"):
            await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))


# Around a match


async def test_a_rematch_begins_at_once_with_seats_swapped_and_only_once(crowd: Crowd) -> None:
    match_id = await against(crowd, level=2)
    await crowd.resign(match_id, ALICE)
    again = await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)
    assert again is not None
    assert [seat.person.level for seat in (await crowd.match(again)).seats] == [2, None]
    with pytest.raises(Stale):
        await crowd.services.rematches.ask(crowd.actor(ALICE), match_id)


async def test_a_win_against_it_counts_in_the_profile_and_on_no_leaderboard(crowd: Crowd) -> None:
    match_id = await imported(crowd, ("1, Alice", "level 1, Tavoliere"), *FINISHED[:-1])
    await crowd.play(match_id, FINISHED[-1])
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, ALICE.id)
    assert profile.records["yonmoque"].wins == 1
    assert await crowd.winners("") == []
    assert await crowd.leaderboard("") == []


async def test_a_person_whose_data_is_deleted_resigns_and_the_computer_keeps_its_seat(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3")
    assert await crowd.services.privacy.erase(ALICE, crowd.interaction()) == 1
    match = await crowd.match(match_id)
    assert match.seats[0].person.deleted
    assert match.seats[1].person.level == 1
    assert await crowd.services.computer_players.take(1) == []


async def test_the_record_of_a_match_keeps_the_level_and_take_backs_after_a_reply(crowd: Crowd) -> None:
    match_id = await against(crowd, level=4)
    await crowd.services.agreements.offer_draw(*crowd.request(match_id, ALICE))
    await crowd.play(match_id, "c3")
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
    text = match_record.write(await crowd.match(match_id), await crowd.moves(match_id))
    assert [person.level for person in match_record.read(text).people] == [None, 4]
    with pytest.raises(RecordError, match="Discord id or level"):
        match_record.read(text.replace("level 4,", "level 0,"))


async def test_there_are_two_seats_against_the_computer(crowd: Crowd) -> None:
    with pytest.raises(Refusal, match="for two"):
        await against(crowd, replace(YONMOQUE, game="rectangles", variant="6x6", players=3))
