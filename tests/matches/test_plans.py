"""Planned replies: played in the opponent's turn, once, and ended by all that goes otherwise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.matches.model import plan as model
from bot.matches.model.game_state import TAKES_BACK, GameState
from bot.matches.model.turn import PlayedTurn
from bot.matches.services.computer_players import _PLIES
from bot.matches.services.eligibility import Terms
from bot.matches.services.turn import Turn
from bot.opponents import consider
from bot.storage import plans
from bot.storage.records import First, MatchState, Plan
from tests.games.redo.boards import at
from tests.matches.against_computer import against, boards_wanted, due, replied
from tests.matches.conftest import ALICE, BOB, YONMOQUE, Crowd
from tests.matches.planning import game_at_random, plan, stored, texts
from tests.matches.policies.facts import MATCH
from tests.support.without_grace import without_grace  # noqa: F401

DAY = 86400
TIMED = replace(YONMOQUE, pace=DAY)
REDO = Terms("redo", "standard", 2, First.CHALLENGER)


# Played


async def test_the_reply_is_played_in_the_turn_of_the_opponent_and_one_board_is_posted(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await plan(crowd, match_id, "c3 d4", "b2 c1")
    await crowd.play(match_id, "b2")
    assert await texts(crowd, match_id) == ["b2", "c1*"]
    match = await crowd.match(match_id)
    assert (match.ply, match.to_move, match.turn_at) == (2, 0, crowd.now)
    assert await boards_wanted(crowd) == [0, 2]


async def test_the_reply_takes_no_time(crowd: Crowd) -> None:
    planned, typed = await crowd.begin(terms=TIMED), await crowd.begin(terms=TIMED)
    await plan(crowd, planned, "c3 d4")
    crowd.later(hours=5)
    await crowd.play(planned, "c3")
    await crowd.play(typed, "c3", "d4")
    one, other = await crowd.match(planned), await crowd.match(typed)
    assert (one.deadline_at, one.remind_at) == (other.deadline_at, other.remind_at)


async def test_what_follows_the_reply_is_still_planned(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4 e5 a1", "c3 d4 b1 b5")
    await crowd.play(match_id, "c3", players=(ALICE,))
    (left,) = await stored(crowd, match_id)
    assert (left.ply, left.tree, left.met) == (2, {"e5": {"a1": {}}, "b1": {"b5": {}}}, None)
    await crowd.play(match_id, "b1", players=(ALICE,))
    assert await texts(crowd, match_id) == ["c3", "d4*", "b1", "b5*"]
    assert [one.tree for one in await stored(crowd, match_id)] == [{}]


async def test_a_plan_made_on_ones_own_turn_begins_after_the_move_one_is_about_to_make(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4 e5", by=ALICE)
    assert await texts(crowd, match_id) == []
    await crowd.play(match_id, "c3", "d4")
    assert await texts(crowd, match_id) == ["c3", "d4", "e5*"]


async def test_another_move_of_ones_own_ends_it(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4 e5", by=ALICE)
    await crowd.play(match_id, "c1", "d4")
    assert await texts(crowd, match_id) == ["c1", "d4"]
    assert [(one.met, one.ply) for one in await stored(crowd, match_id)] == [("c1", 1)]


async def test_another_move_of_the_opponent_ends_the_plan_and_its_owner_can_read_it_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4")
    await crowd.play(match_id, "e1")
    view = await crowd.services.plans.view(*crowd.request(match_id, BOB))
    assert view.tree == {}
    assert view.ended is not None
    assert (view.ended.met, view.ended.tree, view.ended.ply) == ("e1", {"c3": {"d4": {}}}, 1)
    await plan(crowd, match_id, "d4 c3")
    assert (await crowd.services.plans.view(*crowd.request(match_id, BOB))).ended is None


async def test_plans_of_both_answer_each_other_as_far_as_they_go(crowd: Crowd) -> None:
    line = game_at_random("redo", 17)
    match_id = await crowd.begin(terms=REDO)
    await plan(crowd, match_id, " ".join(line), by=ALICE)
    await plan(crowd, match_id, " ".join(line[:16]), by=BOB)
    await crowd.play(match_id, line[0])
    assert await texts(crowd, match_id) == [line[0], *(f"{move}*" for move in line[1:])]
    assert (await crowd.match(match_id)).ply == 17
    assert await boards_wanted(crowd) == [0, 17]


def test_one_move_sets_off_every_reply_that_both_players_may_plan() -> None:
    line = game_at_random("redo", 40)
    match, before = replace(MATCH, game="redo"), GameState(0, 2, GAMES["redo"].start(players=2))
    plans = []
    for seat, moves in ((0, line[:17]), (1, line[:16])):
        none = Plan(seat, 0, {}, 1)
        tree, *_ = model.with_moves(none, match, before, (), moves, match.turn_at, confirmed=True)
        plans.append(Plan(seat, 0, tree, 1))
    turn = model.turn_with_replies(match, before, 0, line[0], match.turn_at, plans)
    assert [entry.text for entry in turn.entries] == line[:17]
    assert len(turn.entries) == 1 + 2 * model.MOST_REPLIES


def test_a_reply_that_cannot_be_played_ends_its_plan_and_not_that_of_the_other() -> None:
    line = game_at_random("redo", 3)
    match, before = replace(MATCH, game="redo"), GameState(0, 2, GAMES["redo"].start(players=2))
    plans = [Plan(0, 0, {line[0]: {line[1]: {line[2]: {}}}}, 1), Plan(1, 0, {line[0]: {"a1-a1": {}}}, 1)]
    turn = model.turn_with_replies(match, before, 0, line[0], match.turn_at, plans)
    assert [entry.text for entry in turn.entries] == line[:1]
    assert [(one.tree, one.met) for one in turn.plans] == [({line[1]: {line[2]: {}}}, None), ({"a1-a1": {}}, "")]


async def test_the_bot_is_answered_too(crowd: Crowd) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3", players=(ALICE,))
    turn = await due(crowd)
    expected = await choice_of_the_bot(crowd, match_id, turn.ply)
    reply = next(square for square in ("e5", "a5") if square != expected)
    await plan(crowd, match_id, f"{expected} {reply}", by=ALICE)
    await crowd.services.computer_players.play(turn)
    assert await texts(crowd, match_id) == ["c3", expected, f"{reply}*"]
    assert (await crowd.match(match_id)).mover.person.computer
    await replied(crowd)
    assert (await crowd.match(match_id)).ply == 4
    assert (await boards_wanted(crowd))[-1] == 4


async def test_what_is_planned_while_the_bot_thinks_counts(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = await against(crowd)
    await crowd.play(match_id, "c3", players=(ALICE,))
    turn = await due(crowd)
    expected = await choice_of_the_bot(crowd, match_id, turn.ply)
    reply = next(square for square in ("e5", "a5") if square != expected)
    move, planned = Turn.move, [f"{expected} {reply}"]

    async def move_before_a_plan(*args: Any, **options: Any) -> PlayedTurn:
        computed = await move(*args, **options)
        while planned:
            await plan(crowd, match_id, planned.pop(), by=ALICE)
        return computed

    monkeypatch.setattr(Turn, "move", move_before_a_plan)
    await crowd.services.computer_players.play(turn)
    assert await texts(crowd, match_id) == ["c3", expected, f"{reply}*"]


async def choice_of_the_bot(crowd: Crowd, match_id: int, ply: int) -> str:
    """Return the move that the bot is going to choose."""
    match = await crowd.match(match_id)
    state = await crowd.services.game_states.of(match)
    level = match.mover.person.level
    assert level is not None
    return str(consider(state.position, level, match_id * _PLIES + ply).move)


# Ended by everything else


async def agree_on_a_draw(crowd: Crowd, match_id: int) -> None:
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_draw(*crowd.request(match_id, person))


async def run_out_of_time(crowd: Crowd, match_id: int) -> None:
    crowd.later(days=3)
    await crowd.services.forfeits.time_out(match_id)


async def erase_data(crowd: Crowd, _match_id: int) -> None:
    await crowd.services.privacy.erase(BOB, crowd.interaction())


async def erase_data_of_the_opponent(crowd: Crowd, _match_id: int) -> None:
    await crowd.services.privacy.erase(ALICE, crowd.interaction())


async def close(crowd: Crowd, match_id: int) -> None:
    await crowd.services.forfeits.give_up(match_id, 0)


ENDS: dict[str, Callable[[Crowd, int], Awaitable[None]]] = {
    "a draw": agree_on_a_draw,
    "a resignation": lambda crowd, match_id: crowd.resign(match_id, ALICE),
    "a resignation of its owner": lambda crowd, match_id: crowd.resign(match_id, BOB),
    "a forfeit": run_out_of_time,
    "a drop": close,
    "a deletion of data": erase_data,
    "a deletion of the opponent's data": erase_data_of_the_opponent,
    "a voided match": lambda crowd, match_id: crowd.void(match_id),
}


@pytest.mark.parametrize("end", ENDS)
async def test_nothing_is_left_of_a_plan_after(crowd: Crowd, end: str) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await crowd.play(match_id, "c3")
    await plan(crowd, match_id, "d4 e5 a1", by=BOB)
    await plan(crowd, match_id, "d4 e5", by=ALICE)
    await ENDS[end](crowd, match_id)
    assert (await crowd.match(match_id)).state is MatchState.OVER
    assert await stored(crowd, match_id) == []


async def test_a_move_that_ends_the_match_leaves_nothing_of_plans(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "a1", "a5", "b1", "b5", "c1", "e5", "e2")
    await plan(crowd, match_id, "d4 e2-d1", by=ALICE)
    await crowd.play(match_id, "d4", players=(BOB,))
    match = await crowd.match(match_id)
    assert (match.state, match.ply, match.seats[0].won) == (MatchState.OVER, 9, True)
    assert await stored(crowd, match_id) == []


async def test_a_take_back_ends_plans_and_their_owners_can_read_them_again(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, "c3")
    await plan(crowd, match_id, "d4 e5", by=ALICE)
    await plan(crowd, match_id, "d4 e5 a1", by=BOB)
    await crowd.take_back(match_id, ALICE, BOB)
    assert [(one.met, one.ply, one.tree != {}) for one in await stored(crowd, match_id)] == [(TAKES_BACK, 2, True)] * 2
    await crowd.play(match_id, "c3", "d4")
    assert await texts(crowd, match_id) == ["c3", TAKES_BACK, "c3", "d4"]


async def test_a_reply_that_is_no_longer_possible_is_not_played(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4")
    async with crowd.database.write() as tx:
        await plans.put(tx, match_id, [Plan(1, 0, {"c3": {"c3": {}}}, 1)])
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3"]
    assert [one.met for one in await stored(crowd, match_id)] == [""]


def test_a_forced_pass_comes_before_the_reply_and_the_plan_goes_on_after_it() -> None:
    position, match = at("w6/7/7/7/7/7/7/3R3", "r", plies=10), replace(MATCH, game="redo")
    mover = position.to_move
    assert mover is not None
    before, owner = GameState(0, 2, position), 1 - mover
    # The owner of this plan is not asked for a reply, but for the next move of the opponent.
    reached = model.planned_states(match, before, ("d1-d2",), match.turn_at)[-1]
    assert (reached.position.to_move, reached.passed) == (mover, (owner,))
    turn = model.turn_with_replies(
        match, before, mover, "d1-d2", match.turn_at, [Plan(owner, 0, {"d1-d2": {"d2-d3": {}}}, 1)]
    )
    assert [(entry.text, entry.planned) for entry in turn.entries] == [("d1-d2", False), ("pass", False)]
    assert [(one.tree, one.met) for one in turn.plans] == [({"d2-d3": {}}, None)]
    # Nor is a move played for a person who is to move again because the other had to pass.
    own = model.turn_with_replies(
        match, before, mover, "d1-d2", match.turn_at, [Plan(mover, 0, {"d1-d2": {"d2-d3": {}}}, 1)]
    )
    assert [entry.text for entry in own.entries] == ["d1-d2", "pass"]


# The same as typed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", ["redo", "yonmoque"])
async def test_a_chain_played_is_the_same_moves_typed_one_by_one(crowd: Crowd, key: str, seed: int) -> None:
    line = game_at_random(key, 6 + seed, seed)
    pace, increment = [(DAY, None), (600, 30), (3600, 60)][seed]
    terms = Terms(key, "standard", 2, First.CHALLENGER, pace=pace, increment=increment)
    began = crowd.now
    planned = await crowd.begin(terms=terms)
    crowd.now = began
    typed = await crowd.begin(terms=terms)
    await plan(crowd, planned, " ".join(line), by=ALICE)
    await plan(crowd, planned, " ".join(line), by=BOB)
    crowd.later(seconds=200)
    await crowd.play(planned, line[0])
    await crowd.play(typed, *line)
    entries = [[replace(entry, planned=False) for entry in await crowd.moves(one)] for one in (planned, typed)]
    assert entries[0] == entries[1]
    one, other = [await crowd.match(match_id) for match_id in (planned, typed)]
    same = ("ply", "to_move", "state", "turn_at", "deadline_at", "remind_at", "flagged")
    assert {name: getattr(one, name) for name in same} == {name: getattr(other, name) for name in same}
    # A bank that is full is stored as none.
    assert [seat.bank or pace for seat in one.seats] == [seat.bank or pace for seat in other.seats]
    states = [(await crowd.services.game_states.of(match)) for match in (one, other)]
    assert (states[0].position, states[0].passed) == (states[1].position, states[1].passed)
