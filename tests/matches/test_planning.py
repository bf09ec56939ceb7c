"""Plans while something else happens: who may make them, how large they are, and what others learn of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import structlog
from sqlalchemy import func, select

from bot.games import GAMES
from bot.games.rectangles.board import STUCK
from bot.matches.model import plan as model
from bot.matches.model.game_state import GameState
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.model.turn import PlayedTurn
from bot.matches.services.agreements import Answer
from bot.matches.services.eligibility import Terms
from bot.matches.services.turn import Turn
from bot.storage import guilds, matches, plans, tables
from bot.storage.records import EVERYWHERE, First, MatchState, Person, Plan, PlanTree
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.matches.planning import game_at_random, plan, refused, stored, texts
from tests.matches.policies.facts import MATCH
from tests.support.statements import statements_of
from tests.support.without_grace import without_grace  # noqa: F401

DAY = 86400
TIMED = replace(YONMOQUE, pace=DAY)
REDO = Terms("redo", "standard", 2, First.CHALLENGER)


# At the same moment


AT_ONCE: dict[str, Callable[[Crowd, int], Awaitable[Any]]] = {
    "a take-back": lambda crowd, _: crowd.services.agreements.answer(crowd.actor(BOB), 1, Answer.ACCEPT),
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
    await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))
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
    move, planned = Turn.move, ["c3 d4"]

    async def move_before_a_plan(*args: Any, **options: Any) -> PlayedTurn:
        computed = await move(*args, **options)
        while planned:
            await plan(crowd, match_id, planned.pop())
        return computed

    monkeypatch.setattr(Turn, "move", move_before_a_plan)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3", "d4*"]


async def test_of_two_changes_in_one_instant_one_counts(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    service, view = crowd.services.plans, await plan(crowd, match_id, "c3")
    at = view.plan.version, ("c3",)
    results = await asyncio.gather(
        *(service.add(*crowd.request(match_id, BOB), *at, [reply]) for reply in ("d4", "e5", "a1")),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Stale) for result in results) == 2
    assert [len(one.tree["c3"]) for one in await stored(crowd, match_id)] == [1]


async def test_a_change_that_is_delivered_twice_is_carried_out_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    request = crowd.request(match_id, BOB)
    await crowd.services.plans.add(*request, 0, (), ["c3"])
    with pytest.raises(Refusal):
        await crowd.services.plans.add(*request, 1, ("c3",), ["d4"])
    assert [one.tree for one in await stored(crowd, match_id)] == [{"c3": {}}]


async def test_nothing_is_planned_after_moves_that_the_plan_does_not_hold(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    view = await plan(crowd, match_id, "c3 d4", by=BOB)
    plans, at = crowd.services.plans, (view.plan.version, ("c3", "e5"))
    with pytest.raises(Stale):
        await plans.add(*crowd.request(match_id, BOB), *at, ["a1"])
    with pytest.raises(Stale):
        await plans.remove(*crowd.request(match_id, BOB), *at)
    assert (await plans.remove(*crowd.request(match_id, BOB), at[0], ("c3", "d4"))).tree == {"c3": {}}


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
    assert "takes 3 moves" in await refused(plan(crowd, match_id, "d4"))
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
    match, before = replace(MATCH, game="yonmoque"), GameState(0, 2, GAMES["yonmoque"].start(players=2))
    wide: PlanTree = {"a1": {"b1": {str(number): {} for number in range(49)}}}
    with pytest.raises(Refusal, match="takes 50"):
        model.with_moves(Plan(1, 0, wide, 1), match, before, (), ["c3"], match.turn_at, confirmed=True)
    del wide["a1"]["b1"]["48"]
    after, path, _ = model.with_moves(Plan(1, 0, wide, 1), match, before, (), ["c3"], match.turn_at, confirmed=True)
    assert (list(after), path) == (["a1", "c3"], ("c3",))


async def test_only_players_of_a_running_match_of_two_can_plan(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert "not playing" in await refused(plan(crowd, match_id, "c3", by=CAROL))
    six = next(variant.key for variant in GAMES["rectangles"].variants if 6 in variant.players)
    others = [Person(number, f"P{number}") for number in range(4, 8)]
    begun = await crowd.begin(*others, terms=Terms("rectangles", six, 6, First.CHALLENGER))
    assert "matches of two players" in await refused(crowd.services.plans.view(*crowd.request(begun, ALICE)))
    await crowd.resign(match_id, ALICE)
    assert "over" in await refused(plan(crowd, match_id, "c3"))


async def test_an_illegal_move_is_refused_with_its_reason_on_the_board_that_would_stand(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    assert "not a legal move" in await refused(plan(crowd, match_id, "c3 c3"))
    await crowd.play(match_id, "a1", "a5", "b1", "b5", "c1", "e5", "e2")
    view = await plan(crowd, match_id, "d4 e2-d1", by=ALICE)
    assert "would be over there" in await refused(
        crowd.services.plans.add(*crowd.request(match_id, ALICE), view.plan.version, ("d4", "e2-d1"), ["a2"])
    )


async def test_a_question_of_the_game_is_asked_while_planning(crowd: Crowd) -> None:
    match_id = await crowd.begin(
        terms=Terms("rectangles", GAMES["rectangles"].variants[0].key, 2, First.CHALLENGER, rated=False)
    )
    service, stuck = crowd.services.plans, str(STUCK)
    done = await service.add(*crowd.request(match_id, ALICE), 0, (), [stuck])
    assert (done.view.tree, done.question) == ({}, stuck)
    done = await service.add(*crowd.request(match_id, ALICE), 0, (), [stuck], confirmed=True)
    assert (done.view.tree, done.question) == ({stuck: {}}, None)


async def test_removing_a_move_removes_what_follows_and_clearing_all(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    view = await plan(crowd, match_id, "c3 d4 e5 a1", "b2 c1")
    service = crowd.services.plans
    view = await service.remove(*crowd.request(match_id, BOB), view.plan.version, ("c3", "d4", "e5"))
    assert view.tree == {"c3": {"d4": {}}, "b2": {"c1": {}}}
    view = await service.remove(*crowd.request(match_id, BOB), view.plan.version, ())
    assert (view.tree, view.ended) == ({}, None)
    await crowd.play(match_id, "c3")
    assert await texts(crowd, match_id) == ["c3"]


# Nobody else knows


async def test_nothing_is_logged_and_nothing_posted_when_a_person_plans(crowd: Crowd) -> None:
    match_id = await crowd.begin()

    async def waiting() -> int:
        return int((await crowd.column(select(func.count()).select_from(tables.outbox)))[0])

    version = await crowd.services.read(matches.versions, [match_id])
    told, messages = list[str](), await waiting()
    for name in ("due", "work", "outbox", "pages"):
        getattr(crowd.database.signals, f"on_{name}").append(lambda name=name: told.append(name))
    with structlog.testing.capture_logs() as lines:
        await plan(crowd, match_id, "c3 d4")
    assert await crowd.services.read(matches.versions, [match_id]) == version
    assert (lines, told, await waiting()) == ([], [], messages)


async def test_what_others_are_shown_of_a_match_is_the_same_with_a_plan_and_without(crowd: Crowd) -> None:
    match_id = await crowd.begin()

    async def shown() -> list[Any]:
        view = await crowd.services.queries.match_view(GUILD, match_id)
        beside = await crowd.services.queries.beside(GUILD, match_id, ALICE.id)
        found = await crowd.services.plans.view(*crowd.request(match_id, ALICE))
        return [view.game_state, beside, found.plan, found.ended, replace(view.match, plans_version=0)]

    before = await shown()
    await plan(crowd, match_id, "c3 d4")
    assert await shown() == before


# What they cost


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
