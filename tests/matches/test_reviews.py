"""Reviews are made once and go on where they stopped; hints stay out of matches between people."""

from __future__ import annotations

import asyncio
import pickle
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

import pytest

from bot.compute.job import BackgroundRequester, JobSpec, Pool, Priority, requester
from bot.games.game import Position
from bot.matches.background_work import ReviewRunner
from bot.matches.model import judging
from bot.matches.model.judging import PositionToJudge
from bot.matches.model.refusals import LimitReached, NoSuchMatch, Quarantined, Refusal, Stale
from bot.matches.service_context import plain_idle
from bot.matches.services import create_services
from bot.matches.services import hints as hints_service
from bot.matches.services.eligibility import Terms
from bot.matches.services.reviews import REVIEWS_OF_ONE
from bot.storage.records import First, Judgement
from tests.matches.against_computer import against
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, Crowd
from tests.support.acting import FINISHED
from tests.support.at_work import at_work


@pytest.fixture(autouse=True)
def thought_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search few nodes: these tests are not about the quality of judgements."""
    monkeypatch.setattr(judging, "MOST_NODES", 60)
    monkeypatch.setattr(judging, "LEAST_NODES", 20)


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the positions that are judged."""
    asked: list[int] = []
    judge = judging.judgement

    def noting(question: PositionToJudge, nodes: int) -> Judgement:
        asked.append(question.number)
        return judge(question, nodes)

    monkeypatch.setattr(judging, "judgement", noting)
    return asked


def running(crowd: Crowd) -> AbstractAsyncContextManager[ReviewRunner]:
    """Make reviews in the background, as the bot does while it runs."""
    return at_work(ReviewRunner(crowd.services, lambda: plain_idle))


async def over(crowd: Crowd) -> int:
    """Play a match to its end and return its id."""
    match_id = await crowd.begin()
    await crowd.play(match_id, *FINISHED)
    return match_id


async def test_a_review_asked_for_by_five_is_made_once_and_there_for_the_next(
    crowd: Crowd, questions: list[int]
) -> None:
    match_id, reviews = await over(crowd), crowd.services.reviews
    asked = await asyncio.gather(*(reviews.ask(GUILD, match_id, user) for user in range(1, 6)))
    assert {(progress.judged, progress.positions, progress.done) for progress in asked} == {(0, 9, False)}
    assert await reviews.review_for(GUILD, match_id, CAROL.id) is None
    async with running(crowd):
        await reviews.wait_until_finished(match_id, 30)
    assert questions == list(reversed(range(9)))
    reviewed = await reviews.review_for(GUILD, match_id, CAROL.id)
    assert reviewed is not None
    assert [move.text for move in reviewed.review.moves] == list(FINISHED)
    assert reviewed.review.chances[0][-1] == (9, 1.0)
    assert (await reviews.ask(GUILD, match_id, CAROL.id)).done


async def test_of_every_move_it_is_known_what_it_led_to_when_it_is_judged(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, judge, lost = await over(crowd), judging.judgement, dict[int, bool]()

    def noting(question: PositionToJudge, nodes: int) -> Judgement:
        lost[question.number] = question.proven and question.after == 0
        return judge(question, nodes)

    monkeypatch.setattr(judging, "judgement", noting)
    await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    await crowd.services.reviews.judge(match_id)
    assert lost[7]  # White let Blue win at once,
    assert not lost[8]  # and Blue did.


async def test_a_review_that_was_killed_goes_on_where_it_was(
    crowd: Crowd, questions: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await over(crowd)
    await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    with monkeypatch.context() as patch:
        noting = judging.judgement

        def dying(question: PositionToJudge, nodes: int) -> Judgement:
            if question.number == 4:
                raise ConnectionError
            return noting(question, nodes)

        patch.setattr(judging, "judgement", dying)
        with pytest.raises(ConnectionError):
            await crowd.services.reviews.judge(match_id)
    crowd.open()
    progress = await crowd.services.reviews.progress(GUILD, match_id)
    assert progress is not None
    assert (progress.judged, progress.done) == (4, False)
    assert await crowd.services.reviews.review_for(GUILD, match_id, ALICE.id) is None
    so_far = await crowd.services.reviews.review_for(GUILD, match_id, ALICE.id, so_far=True)
    assert so_far is not None
    assert [move.text for move in so_far.review.moments()] == ["e2", "d4"], "that each let the other win"
    async with running(crowd):
        await crowd.services.reviews.wait_until_finished(match_id, 30)
    assert questions == list(reversed(range(9)))


async def test_a_review_that_cannot_go_on_is_tried_again(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.matches.background_work.FIRST_WAIT", 0.01)
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    judge, failures = judging.judgement, [ConnectionError(), Refusal("busy")]

    def failing(question: PositionToJudge, nodes: int) -> Judgement:
        if failures:
            raise failures.pop()
        return judge(question, nodes)

    monkeypatch.setattr(judging, "judgement", failing)
    async with running(crowd):
        await crowd.services.reviews.wait_until_finished(match_id, 30)
    assert await crowd.services.reviews.take(1) == []


async def test_positions_are_judged_with_low_priority_and_in_the_name_of_the_requester(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[tuple[JobSpec, object]] = set()
    run = crowd.queue.run

    async def noting(spec: JobSpec, function: partial[Any]) -> Any:
        if spec.pool is not Pool.TURNS:
            # Worker processes load this module and no more; arguments and results are pickled.
            assert function.func.__module__ == judging.__name__
            function = pickle.loads(pickle.dumps(function))
        if spec.pool is Pool.THINKING:
            asked.add((spec, requester()))
        return pickle.loads(pickle.dumps(await run(spec, function)))

    monkeypatch.setattr(crowd.queue, "run", noting)
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    await crowd.services.reviews.judge(match_id)
    await crowd.begin()
    await crowd.services.reviews.review_for(GUILD, match_id, ALICE.id)
    await crowd.services.hints.best(GUILD, match_id, 0, CAROL.id)
    asked.remove((JobSpec(Pool.THINKING, Priority.LOOK, ("advice", match_id, 1, 0)), None))
    assert asked == {(JobSpec(Pool.THINKING, Priority.BACKGROUND, long=True), BackgroundRequester(ALICE.id, "review"))}


async def test_what_cannot_be_reviewed_is_refused_and_what_has_nothing_in_it_is_done_at_once(crowd: Crowd) -> None:
    reviews, match_id = crowd.services.reviews, await crowd.begin()
    with pytest.raises(Refusal, match="still being played"):
        await reviews.ask(GUILD, match_id, CAROL.id)
    with pytest.raises(NoSuchMatch):
        await reviews.ask(GUILD + 1, match_id, CAROL.id)
    await crowd.resign(match_id, ALICE)
    assert (await reviews.ask(GUILD, match_id, ALICE.id)).positions == 1
    terms = Terms("gyges", "fogliaccio", 2, First.CHALLENGER)
    await crowd.resign(await crowd.begin(terms=terms), BOB)
    setting_up = await crowd.begin(terms=terms)  # The ready-made set-ups are taken in a first match only.
    await crowd.play(setting_up, "231123")
    await crowd.resign(setting_up, BOB)
    assert (await reviews.ask(GUILD, setting_up, ALICE.id)).done
    reviewed = await reviews.review_for(GUILD, setting_up, ALICE.id)
    assert reviewed is not None
    assert not reviewed.review.moves
    unreadable = await crowd.begin()
    await crowd.play(unreadable, "c3")
    await crowd.resign(unreadable, BOB)
    await crowd.rewrite(unreadable, "z9")
    with pytest.raises(Quarantined):
        await reviews.ask(GUILD, unreadable, ALICE.id)


async def test_one_person_has_only_so_many_reviews_under_way(crowd: Crowd) -> None:
    ids = [await crowd.begin() for _ in range(REVIEWS_OF_ONE + 1)]
    for match_id in ids:
        await crowd.resign(match_id, BOB)
    for match_id in ids[:-1]:
        await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)
    with pytest.raises(LimitReached):
        await crowd.services.reviews.ask(GUILD, ids[-1], ALICE.id)
    await crowd.services.reviews.ask(GUILD, ids[-1], BOB.id)


async def test_reviews_that_another_process_has_finished_are_under_way_no_more(crowd: Crowd) -> None:
    ids = [await over(crowd) for _ in range(REVIEWS_OF_ONE + 1)]
    elsewhere = create_services(crowd.services)
    for match_id in ids[:-1]:
        assert not (await crowd.services.reviews.ask(GUILD, match_id, ALICE.id)).done
    with pytest.raises(LimitReached):
        await crowd.services.reviews.ask(GUILD, ids[-1], ALICE.id)
    await elsewhere.reviews.judge(ids[0])
    assert not (await crowd.services.reviews.ask(GUILD, ids[-1], ALICE.id)).done


async def test_a_review_leaves_out_positions_of_its_readers_matches_between_people(crowd: Crowd) -> None:
    match_id, reviews = await over(crowd), crowd.services.reviews
    await reviews.ask(GUILD, match_id, ALICE.id)
    await reviews.judge(match_id)
    again = await crowd.begin()
    # The same first move but for a symmetry of the board, by players whose colours count the same.
    await crowd.play(again, "e5")
    for reader, hidden in ((ALICE, (again,)), (BOB, (again,)), (CAROL, ())):
        reviewed = await reviews.review_for(GUILD, match_id, reader.id)
        assert reviewed is not None
        assert tuple(match.id for match in reviewed.hidden) == hidden
        assert [reviewed.review.move(number) is None for number in (1, 2)] == [bool(hidden)] * 2
        assert reviewed.review.move(9) is not None


async def test_hints_are_for_the_person_to_move_against_the_computer(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts: list[Position] = []

    def noting(position: Position) -> judging.Advice | None:
        thoughts.append(position)
        return judging.advice(position)

    monkeypatch.setattr(hints_service, "advice", noting)
    hints = crowd.services.hints
    match_id = await against(crowd)
    both = await asyncio.gather(*(hints.hint(*crowd.request(match_id, ALICE)) for _ in range(2)))
    assert len({hint.advice for hint in both}) == len(thoughts) == 1
    with pytest.raises(Refusal, match="not playing"):
        await hints.hint(*crowd.request(match_id, BOB))
    with pytest.raises(Refusal, match="still being played"):
        await hints.best(GUILD, match_id, 0, CAROL.id)
    with pytest.raises(Stale):
        await hints.hint(*crowd.request(match_id, ALICE, ply=7))
    await crowd.play(match_id, "c3")
    with pytest.raises(Refusal, match="not your turn"):
        await hints.hint(*crowd.request(match_id, ALICE))


async def test_there_is_no_help_in_a_match_between_people(crowd: Crowd) -> None:
    hints = crowd.services.hints
    finished = await over(crowd)
    against_computer = await against(crowd)
    between = await crowd.begin()
    with pytest.raises(Refusal, match="no hints in matches between people"):
        await hints.hint(*crowd.request(between, ALICE))
    # The same position is in the match against the computer, and at the beginning of the finished one.
    with pytest.raises(Refusal, match=f"is on the board of match {between}"):
        await hints.hint(*crowd.request(against_computer, ALICE))
    for reader in (ALICE, BOB):
        with pytest.raises(Refusal, match=f"is on the board of match {between}"):
            await hints.best(GUILD, finished, 0, reader.id)
    assert (await hints.best(GUILD, finished, 0, CAROL.id)).advice.move
    await crowd.play(between, "e1")
    assert (await hints.hint(*crowd.request(against_computer, ALICE))).advice.move
    with pytest.raises(Refusal, match=f"is on the board of match {between}"):
        await hints.best(GUILD, finished, 1, BOB.id)
    with pytest.raises(Refusal, match="no move to suggest"):
        await hints.best(GUILD, finished, 99, CAROL.id)
