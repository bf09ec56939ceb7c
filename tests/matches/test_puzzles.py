"""Puzzles as people solve them: begun once, tried, counted and shown, and no help in a match."""

from __future__ import annotations

from datetime import date

import pytest

from bot.games import GAMES
from bot.games.game import Position
from bot.games.puzzles import Puzzle, TaskKind, puzzles
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import as_rating, first_record, games_with_puzzles, rate_puzzle, symbols
from bot.matches.model.rating import format_rating, points
from bot.matches.model.refusals import AlreadyProcessed, Refusal, Stale
from bot.matches.services.daily_puzzles import is_for_a_day, solved_day
from bot.matches.services.eligibility import Terms
from bot.matches.services.puzzles import PuzzleView, TriedMove
from bot.storage import tables
from bot.storage.records import AttemptState, First
from bot.views.puzzles import rated_record
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd
from tests.support.sampled import sampled

GAME = "rectangles"


async def tried(crowd: Crowd, view: PuzzleView, text: str, *, interaction: int | None = None) -> TriedMove:
    """Try a move for Alice."""
    attempt, number = view.attempt, interaction or crowd.interaction()
    return await crowd.services.puzzles.try_move(ALICE.id, attempt.id, attempt.ply, text, number)


async def solved(crowd: Crowd, view: PuzzleView) -> PuzzleView:
    """Solve the rest of a puzzle for Alice."""
    while view.attempt.state is AttemptState.OPEN:
        view = (await tried(crowd, view, view.puzzle.solution[view.attempt.ply])).view
    return view


async def begun(crowd: Crowd, kind: TaskKind) -> PuzzleView:
    """Go through puzzles until Alice has one of a kind."""
    for _ in range(200):
        view = await crowd.services.puzzles.begin(ALICE.id, GAME)
        if view.puzzle.task.kind is kind and (kind is not TaskKind.WIN or view.puzzle.task.number > 1):
            return view
        await crowd.services.puzzles.show(ALICE.id, view.attempt.id, crowd.interaction())
    raise AssertionError(f"no puzzle of {kind}")


def wrong_move(puzzle: Puzzle) -> str:
    """Return the first legal move that is not the solution."""
    return next(str(move) for move in puzzle.start().legal_moves() if not puzzle.solves(0, move))


async def test_a_puzzle_solved_at_the_first_try_counts_as_won(crowd: Crowd) -> None:
    view = await begun(crowd, TaskKind.WIN)
    before = await crowd.services.puzzles.rating_of(ALICE.id) or first_record(ALICE.id)
    first = await tried(crowd, view, view.puzzle.solution[0])
    assert (first.tried.right, first.view.attempt.ply, first.view.attempt.state) == (True, 2, AttemptState.OPEN)
    with pytest.raises(Stale):
        await tried(crowd, view, view.puzzle.solution[0])
    end = (await solved(crowd, first.view)).attempt
    assert (end.ply, end.wrong, end.state, end.at_first_try) == (len(view.puzzle.solution), (), "solved", True)
    after = await crowd.services.puzzles.rating_of(ALICE.id)
    assert after is not None
    assert after.mu > before.mu
    assert (after.first_try, after.failed) == (before.first_try + 1, before.failed)
    assert symbols(end) == "🟩" * view.puzzle.task.number
    with pytest.raises(Stale):
        await tried(crowd, view, view.puzzle.solution[0])


async def test_a_wrong_try_is_told_counts_once_and_may_be_followed_by_the_right_one(crowd: Crowd) -> None:
    view = await begun(crowd, TaskKind.WIN)
    before = await crowd.services.puzzles.rating_of(ALICE.id) or first_record(ALICE.id)
    interaction = crowd.interaction()
    result = await tried(crowd, view, wrong_move(view.puzzle), interaction=interaction)
    assert (result.tried.right, result.view.attempt.state) == (False, AttemptState.OPEN)
    assert result.view.attempt.wrong == (f"0:{wrong_move(view.puzzle)}",)
    with pytest.raises(AlreadyProcessed):
        await tried(crowd, view, wrong_move(view.puzzle), interaction=interaction)
    assert (await tried(crowd, view, wrong_move(view.puzzle))).view == result.view
    await tried(crowd, view, "stuck")
    with pytest.raises(Refusal, match="not a legal move, so it doesn't count"):
        await tried(crowd, view, "nonsense")
    end = await solved(crowd, await crowd.services.puzzles.view(ALICE.id, view.attempt.id))
    assert (len(end.attempt.wrong), end.attempt.at_first_try, symbols(end.attempt)[:3]) == (2, False, "🟥🟥🟩")
    after = await crowd.services.puzzles.rating_of(ALICE.id)
    assert after is not None
    assert after.mu < before.mu
    assert (after.first_try, after.failed) == (before.first_try, before.failed + 1)


async def test_where_a_move_is_to_be_found_a_guess_that_cannot_be_drawn_is_a_wrong_try(crowd: Crowd) -> None:
    view = await begun(crowd, TaskKind.FIND)
    drawn = view.puzzle.position.split()[5].split(",")[0].split(":")[1]
    result = await tried(crowd, view, drawn)
    assert not result.tried.right
    assert "already" in result.tried.refused
    assert result.view.attempt.wrong == (f"0:{drawn}",)
    # Another spelling is the same guess; a text without a rectangle is none.
    corners = "-".join(reversed(drawn.split("-"))).upper()
    assert (await tried(crowd, result.view, corners)).view == result.view
    for typo in ("a1-", "a1-a2", "nonsense"):
        with pytest.raises(Refusal, match="not a legal move, so it doesn't count"):
            await tried(crowd, result.view, typo)
    assert len((await tried(crowd, result.view, "stuck")).view.attempt.wrong) == 2
    assert (await solved(crowd, result.view)).attempt.state is AttemptState.SOLVED


async def test_a_puzzle_is_the_same_until_it_is_done_and_then_another(crowd: Crowd) -> None:
    service = crowd.services.puzzles
    view = await service.begin(ALICE.id, GAME)
    assert await service.begin(ALICE.id, GAME) == view == await service.begin(ALICE.id)
    crowd.open()
    assert await crowd.services.puzzles.begin(ALICE.id, GAME) == view
    shown = await service.show(ALICE.id, view.attempt.id, crowd.interaction())
    assert shown.attempt.state is AttemptState.SHOWN
    assert await service.show(ALICE.id, view.attempt.id, crowd.interaction()) == shown
    other = await service.begin(ALICE.id, GAME)
    assert other.puzzle != view.puzzle
    assert {other.puzzle.game.key, view.puzzle.game.key} == {GAME}
    record = await service.rating_of(ALICE.id)
    assert record is not None
    assert (record.first_try, record.failed) == (0, 1)


async def test_a_person_who_has_had_all_puzzles_is_told_so(crowd: Crowd) -> None:
    pool = [one for one in puzzles(GAMES[GAME]) if not is_for_a_day(one)]
    async with crowd.database.write() as tx:
        for number, one in enumerate(pool):
            values = {"user_id": ALICE.id, "game": GAME, "puzzle": one.key, "state": "solved", "ply": 1, "wrong": []}
            await tx.execute(tables.puzzle_attempts.insert().values(id=number + 1, begun_at=crowd.now, **values))
    with pytest.raises(Refusal, match="every Rectangles of Distinction puzzle"):
        await crowd.services.puzzles.begin(ALICE.id, GAME)


async def test_puzzles_keep_to_the_rules_of_a_first_match_until_there_are_no_more_of_them(crowd: Crowd) -> None:
    usual = [one for one in puzzles(GAMES["gyges"]) if one.in_first_variant and not is_for_a_day(one)]
    views = []
    for _ in range(len(usual) + 1):
        views.append(await crowd.services.puzzles.begin(ALICE.id, "gyges"))
        await crowd.services.puzzles.show(ALICE.id, views[-1].attempt.id, crowd.interaction())
    assert {view.puzzle.variant for view in views[:-1]} == {GAMES["gyges"].variants[0].key}
    assert views[-1].puzzle.variant == "classic"


async def test_attempts_of_others_and_unknown_ones_are_refused(crowd: Crowd) -> None:
    service = crowd.services.puzzles
    view = await service.begin(ALICE.id, GAME)
    for attempt_id in (view.attempt.id, 999):
        with pytest.raises(Refusal, match="for somebody else"):
            await service.try_move(BOB.id, attempt_id, 0, "a1-b2", crowd.interaction())
        with pytest.raises(Refusal, match="for somebody else"):
            await service.show(BOB.id, attempt_id, crowd.interaction())
    same = await service.begin_same(BOB.id, view.attempt.id)
    assert (same.puzzle, same.attempt.user_id) == (view.puzzle, BOB.id)
    with pytest.raises(Refusal, match="isn't there any more"):
        await service.begin_same(BOB.id, 999)


async def stands_at(crowd: Crowd, position: Position) -> int:
    """Begin a match of Alice and Bob that stands in a position, and return its id."""
    match_id = await crowd.begin(terms=Terms(GAME, "6x6", 2, First.CHALLENGER))
    crowd.services.game_states.remember(match_id, GameState(0, 2, position))
    return match_id


@pytest.mark.parametrize("ply", sampled([0, 1, 2], every=3))
async def test_nothing_is_said_of_a_puzzle_that_stands_in_a_match_between_people(crowd: Crowd, ply: int) -> None:
    service = crowd.services.puzzles
    view = await begun(crowd, TaskKind.WIN)
    attempt_id, first = view.attempt.id, view.puzzle.solution[0]
    match_id = await stands_at(crowd, view.puzzle.at(ply))
    for asked in (
        service.begin(ALICE.id, GAME),
        service.view(ALICE.id, attempt_id),
        service.try_move(ALICE.id, attempt_id, 0, first, crowd.interaction()),
        service.try_move(ALICE.id, attempt_id, 0, wrong_move(view.puzzle), crowd.interaction()),
        service.show(ALICE.id, attempt_id, crowd.interaction()),
        service.begin_same(BOB.id, attempt_id),
    ):
        with pytest.raises(Refusal, match=f"is on the board of match {match_id}"):
            await asked
    assert (await service.begin_same(CAROL.id, attempt_id)).puzzle == view.puzzle
    await crowd.resign(match_id, BOB)
    assert await service.view(ALICE.id, attempt_id) == view


async def test_the_solution_of_a_puzzle_done_before_is_kept_back_as_long_as_it_helps(crowd: Crowd) -> None:
    view = await begun(crowd, TaskKind.FIND)
    end = await solved(crowd, view)
    match_id = await stands_at(crowd, view.puzzle.start())
    for asked in (
        crowd.services.puzzles.view(ALICE.id, view.attempt.id),
        crowd.services.puzzles.show(ALICE.id, view.attempt.id, crowd.interaction()),
    ):
        with pytest.raises(Refusal, match=f"is on the board of match {match_id}"):
            await asked
    await crowd.resign(match_id, ALICE)
    assert await crowd.services.puzzles.view(ALICE.id, view.attempt.id) == end


async def test_a_game_without_puzzles_is_not_offered(crowd: Crowd) -> None:
    assert "tic-tac-toe" in GAMES
    assert "tic-tac-toe" not in games_with_puzzles()
    with pytest.raises(Refusal, match="no puzzles of that game"):
        await crowd.services.puzzles.begin(ALICE.id, "tic-tac-toe")


async def test_the_first_puzzles_are_easy_wins_in_one_move(crowd: Crowd) -> None:
    for game in ("yonmoque", "redo", "gyges"):
        view = await crowd.services.puzzles.begin(ALICE.id, game)
        assert (view.puzzle.task.kind, view.puzzle.task.number) == (TaskKind.WIN, 1)
        assert abs(view.puzzle.difficulty - 1050) <= 120
        await crowd.services.puzzles.show(ALICE.id, view.attempt.id, crowd.interaction())
    later = [await crowd.services.puzzles.begin(user, "yonmoque") for user in range(1000, 1003)]
    assert all(view.puzzle.task.number == 1 for view in later)


def test_a_harder_puzzle_counts_for_more() -> None:
    easy, *_, hard = sorted(puzzles(GAMES[GAME]), key=lambda one: one.difficulty)
    after = [rate_puzzle(None, 1, one, first_try=True).mu for one in (easy, hard)]
    assert after[0] < after[1]
    before = points(first_record(1).mu)
    assert before < points(after[0])
    assert format_rating(as_rating(rate_puzzle(None, 1, hard, first_try=False))).endswith("?")


def test_a_streak_is_of_days_that_follow_each_other() -> None:
    record = first_record(1)
    for day, streak in ((1, 1), (2, 2), (2, 2), (3, 3), (1, 3), (5, 1), (6, 2)):
        record = solved_day(record, date(2026, 3, day))
        assert record.streak == streak
    assert record.longest_streak == 3
    assert rated_record(record).endswith("2 days in a row (longest: 3)")


def test_a_streak_goes_on_over_one_day_that_had_no_puzzle() -> None:
    record = first_record(1)
    for day, previous, streak in ((1, 0, 1), (2, 1, 2), (4, 2, 3), (6, 5, 1), (9, 6, 1)):
        record = solved_day(record, date(2026, 3, day), date(2026, 3, previous) if previous else None)
        assert record.streak == streak
