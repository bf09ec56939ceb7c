"""Planned replies: played in the opponent's turn, once, seen by their owner alone, ended by all that goes otherwise."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
import structlog
from sqlalchemy import func, select

from bot.games import GAMES
from bot.games.rectangles.board import STUCK
from bot.matches.model import plan as model
from bot.matches.model.game_state import TAKES_BACK, GameState
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.services.agreements import Answer
from bot.matches.services.computer_players import _PLIES
from bot.matches.services.eligibility import Terms
from bot.opponents import consider
from bot.storage import guilds, matches, plans, tables
from bot.storage.records import EVERYWHERE, First, Match, MatchState, Person, Plan, PlanTree, Seat
from tests.games.redo.boards import at
from tests.matches.against_computer import against, boards_wanted, due, replied
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd, crowd_at
from tests.matches.planning import game_at_random, plan, stored, texts
from tests.support.postgresql import needs_postgresql
from tests.support.statements import statements_of

DAY, NOW = 86400, datetime(2026, 1, 1, tzinfo=UTC)
TIMED = replace(YONMOQUE, pace=DAY)
REDO = Terms("redo", "standard", 2, First.CHALLENGER)


def match_of(game: str) -> Match:
    """Return a match of Alice and Bob that no database holds."""
    seats = tuple(Seat(seat, person, False, None) for seat, person in enumerate((ALICE, BOB)))
    return Match(
        id=1,
        guild_id=GUILD,
        channel_id=20,
        game=game,
        variant="standard",
        rated=False,
        state=MatchState.RUNNING,
        ply=0,
        to_move=0,
        created_at=NOW,
        turn_at=NOW,
        flagged=False,
        seats=seats,
        thread_id=None,
        reason=None,
        board_channel_id=None,
        board_message_id=None,
        board_ply=None,
        ended_at=None,
        pace=None,
        deadline_at=None,
        remind_at=None,
    )


async def refused(attempt: Awaitable[Any]) -> str:
    with pytest.raises(Refusal) as refusal:
        await attempt
    return str(refusal.value)


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
    view = await crowd.services.plans.view(crowd.request(match_id, BOB))
    assert view.tree == {}
    assert view.ended is not None
    assert (view.ended.met, view.ended.tree, view.ended.ply) == ("e1", {"c3": {"d4": {}}}, 1)
    await plan(crowd, match_id, "d4 c3")
    assert (await crowd.services.plans.view(crowd.request(match_id, BOB))).ended is None


async def test_plans_of_both_answer_each_other_as_far_as_they_go(crowd: Crowd) -> None:
    line = game_at_random("redo", 17)
    match_id = await crowd.begin(terms=REDO)
    await plan(crowd, match_id, " ".join(line), by=ALICE)
    await plan(crowd, match_id, " ".join(line[:16]), by=BOB)
    await crowd.play(match_id, line[0])
    assert await texts(crowd, match_id) == [line[0], *(f"{move}*" for move in line[1:])]
    assert (await crowd.match(match_id)).ply == 17
    assert await boards_wanted(crowd) == [0, 17]


def test_one_move_sets_off_at_most_twenty_replies() -> None:
    line = game_at_random("redo", 40)
    trees: list[dict[str, Any]] = [{}, {}]
    for tree in trees:
        for move in line:
            tree[move] = {}
            tree = tree[move]  # noqa: PLW2901 (the next level)
    game = GAMES["redo"]
    match = match_of("redo")
    before = GameState(0, 2, game.start(players=2))
    turn = model.turn_with_replies(
        match, before, 0, line[0], match.turn_at, [Plan(0, 0, trees[0], 1), Plan(1, 0, trees[1], 1)]
    )
    assert [entry.text for entry in turn.entries] == line[:21]
    # What is left goes on with the next move of the person to move, which nobody has planned to be played by itself.
    assert [list(one.tree) for one in turn.plans] == [[line[21]], [line[21]]]


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
    service = crowd.services.computer_players
    store, planned = service._append, [f"{expected} {reply}"]

    async def append(*args: Any, **options: Any) -> None:
        while planned:
            await plan(crowd, match_id, planned.pop(), by=ALICE)
        await store(*args, **options)

    monkeypatch.setattr(service, "_append", append)
    await service.play(turn)
    assert await texts(crowd, match_id) == ["c3", expected, f"{reply}*"]


async def choice_of_the_bot(crowd: Crowd, match_id: int, ply: int) -> str:
    """Return the move that the bot is going to choose."""
    match = await crowd.match(match_id)
    state = await crowd.services.game_states.of(match)
    level = match.mover.person.level
    assert level is not None
    return str(consider(state.position, level, match_id * _PLIES + ply).move)


# Ended by everything else


async def take_back(crowd: Crowd, match_id: int) -> None:
    await crowd.services.agreements.ask_takeback(crowd.request(match_id, ALICE))
    await crowd.services.agreements.answer(GUILD, 1, BOB, crowd.interaction(), Answer.ACCEPT)


async def agree_on_a_draw(crowd: Crowd, match_id: int) -> None:
    for person in (ALICE, BOB):
        await crowd.services.agreements.offer_draw(crowd.request(match_id, person))


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
    await take_back(crowd, match_id)
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
    position, match = at("w6/7/7/7/7/7/7/3R3", "r", plies=10), match_of("redo")
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


# At the same moment


AT_ONCE: dict[str, Callable[[Crowd, int], Awaitable[Any]]] = {
    "a take-back": lambda crowd, _: crowd.services.agreements.answer(GUILD, 1, BOB, crowd.interaction(), Answer.ACCEPT),
    "a resignation": lambda crowd, match_id: crowd.resign(match_id, ALICE),
    "a forfeit": lambda crowd, match_id: crowd.services.forfeits.time_out(match_id),
    "a drop": lambda crowd, match_id: crowd.services.forfeits.give_up(match_id, 1),
    "a bar": lambda crowd, _: crowd.services.bars.bar(EVERYWHERE, ALICE.id, crowd.interaction()),
    "a deletion of data": lambda crowd, _: crowd.services.privacy.erase(ALICE, crowd.interaction()),
    "the opponent's move": lambda crowd, match_id: crowd.play(match_id, "d4", players=(BOB,)),
}


@pytest.mark.parametrize("what", AT_ONCE)
async def test_a_plan_in_the_same_instant_as_something_else_counts_or_is_refused(crowd: Crowd, what: str) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await crowd.play(match_id, "c3")
    await crowd.services.agreements.ask_takeback(crowd.request(match_id, ALICE))
    if what == "a forfeit":
        crowd.later(days=3)
    results = await asyncio.gather(
        plan(crowd, match_id, "d4 e5", by=ALICE), AT_ONCE[what](crowd, match_id), return_exceptions=True
    )
    assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))
    assert not isinstance(results[1], BaseException)
    match, left = await crowd.match(match_id), await stored(crowd, match_id)
    if match.state is MatchState.OVER:
        assert left == []
    else:
        assert all(one.ply == match.ply or one.met is not None for one in left if one.tree)
    assert (await crowd.services.game_states.of(match)).ply == len(await crowd.moves(match_id))


async def test_a_plan_made_while_the_opponents_move_is_computed_is_followed(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await crowd.begin()
    transaction, planned = crowd.services.turns._transaction, ["c3 d4"]
    read = transaction.plans

    async def plans_before(match: Match) -> list[Plan]:
        known = await read(match)
        while planned:
            await plan(crowd, match_id, planned.pop())
        return known

    monkeypatch.setattr(transaction, "plans", plans_before)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3", "d4*"]


async def test_of_two_changes_in_one_instant_one_counts(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    service, view = crowd.services.plans, await plan(crowd, match_id, "c3")
    at = view.plan.version, ("c3",)
    results = await asyncio.gather(
        *(service.add(crowd.request(match_id, BOB), *at, [reply]) for reply in ("d4", "e5", "a1")),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 2
    assert [len(one.tree["c3"]) for one in await stored(crowd, match_id)] == [1]


async def test_a_change_that_is_delivered_twice_is_carried_out_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    request = crowd.request(match_id, BOB)
    await crowd.services.plans.add(request, 0, (), ["c3"])
    with pytest.raises(Refusal):
        await crowd.services.plans.add(request, 1, ("c3",), ["d4"])
    assert [one.tree for one in await stored(crowd, match_id)] == [{"c3": {}}]


async def test_the_plan_of_a_barred_person_and_of_a_match_in_another_channel_is_played(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4")
    await crowd.services.bars.bar(EVERYWHERE, BOB.id, crowd.interaction())
    async with crowd.database.write() as tx:
        await matches.change(tx, match_id, channel_id=77, thread_id=None)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3", "d4*"]


async def test_the_plan_of_a_match_whose_bot_was_removed_waits_for_it(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=TIMED)
    await plan(crowd, match_id, "c3 d4")
    async with crowd.database.write() as tx:
        await guilds.depart(tx, GUILD, crowd.now)
    crowd.later(days=10)
    async with crowd.database.write() as tx:
        await guilds.come_back(tx, GUILD)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3", "d4*"]


# Limits, and who may


async def test_at_most_three_moves_are_expected_at_a_time(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await plan(crowd, match_id, "c3 d4", "b2 c1", "a1 e5", "c3 e1")
    assert "room for 3 moves" in await refused(plan(crowd, match_id, "d4"))
    (left,) = await stored(crowd, match_id)
    assert left.tree == {"c3": {"e1": {}}, "b2": {"c1": {}}, "a1": {"e5": {}}}


async def test_a_plan_goes_eight_replies_deep(crowd: Crowd) -> None:
    line = game_at_random("redo", 18)
    match_id = await crowd.begin(terms=REDO)
    await plan(crowd, match_id, " ".join(line[:16]), by=BOB)
    assert "no deeper than 8" in await refused(plan(crowd, match_id, " ".join(line[:17]), by=BOB))
    await plan(crowd, match_id, " ".join(line[:17]), by=ALICE)
    assert "no deeper than 8" in await refused(plan(crowd, match_id, " ".join(line), by=ALICE))


def test_a_plan_has_room_for_fifty_moves_of_the_opponent() -> None:
    match, before = match_of("yonmoque"), GameState(0, 2, GAMES["yonmoque"].start(players=2))
    wide: PlanTree = {"a1": {"b1": {str(number): {} for number in range(49)}}}
    with pytest.raises(Refusal, match="room for 50"):
        model.with_moves(Plan(1, 0, wide, 1), match, before, (), ["c3"], match.turn_at, confirmed=True)
    del wide["a1"]["b1"]["48"]
    after, path, _ = model.with_moves(Plan(1, 0, wide, 1), match, before, (), ["c3"], match.turn_at, confirmed=True)
    assert (list(after), path) == (["a1", "c3"], ("c3",))


async def test_only_players_of_a_running_match_of_two_can_plan(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert "not playing" in await refused(plan(crowd, match_id, "c3", by=CAROL))
    six = next(variant.key for variant in GAMES["rectangles"].variants if 6 in variant.players)
    lobby = await crowd.offer(terms=Terms("rectangles", six, 6, First.CHALLENGER))
    others = [Person(number, f"P{number}") for number in range(4, 9)]
    begun = [await crowd.services.challenges.accept(GUILD, lobby, one, crowd.interaction()) for one in others][-1]
    assert begun is not None
    assert "matches of two players" in await refused(crowd.services.plans.view(crowd.request(begun, ALICE)))
    await crowd.resign(match_id, ALICE)
    assert "over" in await refused(plan(crowd, match_id, "c3"))


async def test_an_illegal_move_is_refused_with_its_reason_on_the_board_that_would_stand(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert "not a legal move" in await refused(plan(crowd, match_id, "c3 c3"))
    await crowd.play(match_id, "a1", "a5", "b1", "b5", "c1", "e5", "e2")
    view = await plan(crowd, match_id, "d4 e2-d1", by=ALICE)
    assert "would be over there" in await refused(
        crowd.services.plans.add(crowd.request(match_id, ALICE), view.plan.version, ("d4", "e2-d1"), ["a2"])
    )


async def test_a_question_of_the_game_is_asked_while_planning(crowd: Crowd) -> None:
    match_id = await crowd.begin(
        terms=Terms("rectangles", GAMES["rectangles"].variants[0].key, 2, First.CHALLENGER, rated=False)
    )
    service, stuck = crowd.services.plans, str(STUCK)
    done = await service.add(crowd.request(match_id, ALICE), 0, (), [stuck])
    assert (done.view.tree, done.question) == ({}, stuck)
    done = await service.add(crowd.request(match_id, ALICE), 0, (), [stuck], confirmed=True)
    assert (done.view.tree, done.question) == ({stuck: {}}, None)


async def test_removing_a_move_removes_what_follows_and_clearing_all(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    view = await plan(crowd, match_id, "c3 d4 e5 a1", "b2 c1")
    service = crowd.services.plans
    view = await service.remove(crowd.request(match_id, BOB), view.plan.version, ("c3", "d4", "e5"))
    assert view.tree == {"c3": {"d4": {}}, "b2": {"c1": {}}}
    view = await service.remove(crowd.request(match_id, BOB), view.plan.version, ())
    assert (view.tree, view.ended) == ({}, None)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3"]


# Nobody else knows


async def test_the_export_of_ones_data_has_ones_own_plan_and_not_that_of_the_opponent(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    before = json.loads(await crowd.services.privacy.export(ALICE.id))
    await plan(crowd, match_id, "c3 d4")
    assert json.loads(await crowd.services.privacy.export(ALICE.id)) == before
    own = json.loads(await crowd.services.privacy.export(BOB.id))
    assert [(one["match_id"], one["tree"]) for one in own["plans"]] == [(match_id, {"c3": {"d4": {}}})]


async def test_nothing_is_logged_and_nothing_posted_when_a_person_plans(crowd: Crowd) -> None:
    match_id = await crowd.begin()

    async def waiting() -> int:
        async with crowd.database.read() as tx:
            return int((await tx.execute(select(func.count()).select_from(tables.outbox))).scalar_one())

    async with crowd.database.read() as tx:
        version = await matches.versions(tx, [match_id])
    told, messages = list[str](), await waiting()
    for name in ("work", "outbox", "pages"):
        getattr(crowd.database.signals, f"on_{name}").append(lambda name=name: told.append(name))
    with structlog.testing.capture_logs() as lines:
        await plan(crowd, match_id, "c3 d4")
    async with crowd.database.read() as tx:
        assert await matches.versions(tx, [match_id]) == version
    assert (lines, told, await waiting()) == ([], [], messages)


async def test_what_others_are_shown_of_a_match_is_the_same_with_a_plan_and_without(crowd: Crowd) -> None:
    match_id = await crowd.begin()

    async def shown() -> list[Any]:
        view = await crowd.services.queries.match_view(GUILD, match_id)
        beside = await crowd.services.queries.beside(GUILD, match_id, ALICE.id)
        found = await crowd.services.plans.view(crowd.request(match_id, ALICE))
        return [view.game_state, beside, found.plan, found.ended, replace(view.match, plans_version=0)]

    before = await shown()
    await plan(crowd, match_id, "c3 d4")
    assert await shown() == before


# The same as typed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", ["redo", "yonmoque"])
async def test_a_chain_played_is_the_same_moves_typed_one_by_one(crowd: Crowd, key: str, seed: int) -> None:
    line = game_at_random(key, 6 + seed, seed)
    pace, increment = [(DAY, None), (600, 30), (3600, 60)][seed]
    terms = Terms(key, "standard", 2, First.CHALLENGER, pace=pace, increment=increment)
    planned, typed = await crowd.begin(terms=terms), await crowd.begin(terms=terms)
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


def fifty(line: list[str]) -> PlanTree:
    """Return a tree with fifty expected moves, in which the first two of a line are the only ones that are legal."""
    follows: PlanTree = {f"x{number}": {f"y{number}": {}} for number in range(46)}
    return {line[0]: {line[1]: follows}, "a": {"b": {}}, "c": {"d": {"e": {"f": {}}}}}


async def test_a_turn_with_a_plan_of_fifty_moves_asks_for_two_statements_more(crowd: Crowd) -> None:
    counted = []
    for planned in (False, True):
        match_id = await crowd.begin(terms=TIMED)
        if planned:
            async with crowd.database.write() as tx:
                await plans.change(tx, match_id, Plan(1, 0, fifty(["c3", "d4"]), 0))
        await crowd.services.game_states.of(await crowd.match(match_id))
        with statements_of(crowd.database) as statements:
            await crowd.play(match_id, "c3")
        counted.append(len([one for one in statements if not one.startswith("BEGIN")]))
    assert counted[1] == counted[0] + 2


@needs_postgresql
@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_two_processes_play_each_reply_once_or_not_at_all(server: str) -> None:
    async with crowd_at(server) as crowd, crowd_at(server, new=False) as other:
        other._interactions = count(10**6)
        begun = [await crowd.begin() for _ in range(30)]
        results = await asyncio.gather(
            *(plan(other, match_id, "c3 d4 e5 a1") for match_id in begun),
            *(crowd.play(match_id, "c3", players=(ALICE,)) for match_id in begun),
            return_exceptions=True,
        )
        assert all(isinstance(result, Refusal) for result in results if isinstance(result, BaseException))
        assert not any(isinstance(result, BaseException) for result in results[len(begun) :])
        for match_id, planned in zip(begun, results, strict=False):
            expected = ["c3"] if isinstance(planned, BaseException) else ["c3", "d4*"]
            assert await texts(other, match_id) == expected
            assert (await crowd.match(match_id)).ply == len(expected)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_thousand_plans_are_answered_at_once(crowd: Crowd) -> None:
    async with crowd.database.write() as tx:
        begun = [
            await matches.add(
                tx,
                guild_id=GUILD,
                channel_id=number,
                game="yonmoque",
                variant="standard",
                rated=False,
                people=[Person(10 + 2 * number, "A"), Person(11 + 2 * number, "B")],
                to_move=0,
                at=crowd.now,
                rules=GAMES["yonmoque"].rules_major,
            )
            for number in range(1000)
        ]
        for match_id in begun:
            await plans.change(tx, match_id, Plan(1, 0, {"c3": {"d4": {}}}, 0))
    movers = [(await crowd.match(match_id)).seats[0].person for match_id in begun]
    await asyncio.gather(
        *(
            crowd.services.turns.play(crowd.request(match_id, mover), "c3")
            for match_id, mover in zip(begun, movers, strict=True)
        )
    )
    async with crowd.database.read() as tx:
        counted = select(tables.moves.c.text, tables.moves.c.planned, func.count()).group_by(
            tables.moves.c.text, tables.moves.c.planned
        )
        rows = sorted(tuple(row) for row in await tx.execute(counted))
    assert rows == [("c3", False, 1000), ("d4", True, 1000)]
