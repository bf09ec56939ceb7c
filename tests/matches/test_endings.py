"""Ends of matches: seats, ranks, ratings and limits, also of several, and why a match was lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from statistics import mean

import pytest
from sqlalchemy import event

from bot.games import GAMES
from bot.games.game import Position
from bot.matches.model.defeat import Defeat, defeat
from bot.matches.model.refusals import MatchOver, Refusal
from bot.matches.services.eligibility import Terms
from bot.messages.board import text
from bot.opponents.analysis import analyse
from bot.storage import match_lists
from bot.storage.records import Entry, EntryKind, First, MatchState, Person
from tests.matches.conftest import ALICE, BOB, CAROL, GUILD, YONMOQUE, Crowd
from tests.support.acting import FINISHED

SEVERAL = Terms("rectangles", "8x8", 3, First.CHALLENGER)


async def ranks(crowd: Crowd, game: str = "rectangles") -> list[int]:
    """Return the rated people, best first."""
    board = await crowd.leaderboard(game)
    return [rating.user_id for rating in sorted(board, key=lambda rating: -rating.mu)]


async def test_a_win_on_the_board_is_stored_with_its_reason_and_rated_once(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.play(match_id, *FINISHED)
    match = await crowd.match(match_id)
    assert (match.state, match.reason) == (MatchState.OVER, "four in a row")
    assert [seat.won for seat in match.seats] == [True, False]
    assert match.to_move is None
    table = await crowd.services.queries.match_view(GUILD, match_id)
    assert table.changes[ALICE.id].mu_after > table.changes[ALICE.id].mu_before
    for game in ("yonmoque", ""):
        board = await crowd.leaderboard(game)
        assert [(rating.user_id, rating.games) for rating in board] == [(ALICE.id, 1), (BOB.id, 1)]


async def test_resigning_loses_whether_or_not_it_is_ones_turn(crowd: Crowd) -> None:
    for resigning, winner in ((ALICE, BOB), (BOB, ALICE)):
        match_id = await crowd.begin()
        await crowd.resign(match_id, resigning)
        match = await crowd.match(match_id)
        assert match.reason == "resignation"
        assert [seat.person for seat in match.seats if seat.won] == [winner]


async def test_who_says_stuck_and_is_not_has_lost_for_good_and_is_rated(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("rectangles", "6x6-by-players", 2, First.CHALLENGER))
    await crowd.play(match_id, "a1-b2", "c1-e2", "a3-d4", "a5-e6")
    await crowd.services.turns.play(*crowd.request(match_id, ALICE), "stuck", confirmed=True)
    match = await crowd.match(match_id)
    assert [seat.person for seat in match.seats if seat.won] == [BOB]
    assert await ranks(crowd) == [BOB.id, ALICE.id]
    with pytest.raises(MatchOver):
        await crowd.services.agreements.ask_takeback(*crowd.request(match_id, ALICE))


async def test_of_three_the_last_one_left_wins_and_the_first_to_leave_is_last(crowd: Crowd) -> None:
    match_id = await crowd.begin(CAROL, terms=SEVERAL)
    await crowd.move_twice(match_id)
    await crowd.resign(match_id, BOB)
    match = await crowd.match(match_id)
    assert match.state is MatchState.RUNNING
    assert [seat.dropped for seat in match.seats] == [False, True, False]
    await crowd.resign(match_id, CAROL)
    match = await crowd.match(match_id)
    assert [seat.won for seat in match.seats] == [True, False, False]
    assert await ranks(crowd) == [ALICE.id, CAROL.id, BOB.id]


async def test_dropping_out_of_turn_leaves_the_clock_of_the_one_to_move_alone(crowd: Crowd) -> None:
    match_id = await crowd.begin(CAROL, terms=replace(SEVERAL, pace=86400))
    begun = await crowd.match(match_id)
    crowd.later(hours=5)
    await crowd.resign(match_id, CAROL)
    match = await crowd.match(match_id)
    assert match.ply == 1
    assert match.mover.person == ALICE
    assert (match.deadline_at, match.turn_at) == (begun.deadline_at, begun.turn_at)
    crowd.later(hours=1)
    await crowd.resign(match_id, ALICE)
    assert (await crowd.match(match_id)).reason is not None


async def test_a_seat_that_dropped_out_neither_moves_nor_leaves_again(crowd: Crowd) -> None:
    match_id = await crowd.begin(CAROL, terms=SEVERAL)
    await crowd.resign(match_id, ALICE)
    with pytest.raises(Refusal, match="left this match"):
        await crowd.services.turns.play(*crowd.request(match_id, ALICE), "a1-b2")
    with pytest.raises(Refusal, match="left this match"):
        await crowd.resign(match_id, ALICE)
    assert (await crowd.match(match_id)).ply == 1


async def test_a_match_does_not_count_toward_the_limit_of_a_person_who_left_it(crowd: Crowd) -> None:
    match_id = await crowd.begin(CAROL, terms=SEVERAL)
    await crowd.resign(match_id, BOB)
    profile = await crowd.services.queries.profile(GUILD, BOB.id, BOB.id)
    assert profile.running == 0
    assert await crowd.services.read(match_lists.running_of, GUILD, BOB.id) == []


async def test_an_unrated_match_changes_no_rating(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=Terms("yonmoque", "standard", 2, First.CHALLENGER, rated=False))
    await crowd.resign(match_id, BOB)
    assert await crowd.leaderboard("yonmoque") == []
    profile = await crowd.services.queries.profile(GUILD, ALICE.id, BOB.id)
    assert (profile.against.wins, profile.streak) == (1, 1)


async def test_ratings_of_one_server_are_not_those_of_another(crowd: Crowd) -> None:
    match_id = await crowd.begin()
    await crowd.resign(match_id, BOB)
    assert await crowd.leaderboard("yonmoque", GUILD + 1) == []


async def test_a_failed_beginning_leaves_nothing_behind_for_the_match_that_gets_its_number(crowd: Crowd) -> None:
    first, second = await crowd.offer(), await crowd.offer(terms=Terms("redo", "standard", 2, First.CHALLENGER))

    def fail(_connection: object) -> None:
        raise OSError("the disk is full")

    event.listen(crowd.database.engine.sync_engine, "commit", fail, once=True)
    with pytest.raises(OSError, match="the disk is full"):
        await crowd.services.challenges.accept(crowd.actor(BOB), first)
    match_id = await crowd.services.challenges.accept(crowd.actor(Person(9, "Dora")), second)
    assert match_id == 1
    table = await crowd.services.queries.match_view(GUILD, 1)
    assert table.game_state.position == GAMES["redo"].start(2)
    assert [seat.person.id for seat in table.match.seats] == [ALICE.id, 9]


TWO_THREATS = ("b2", "a1", "d4", "a1-a2", "c1", "d2", "a5", "b1", "c2", "d2-e3", "a4", "e3-d2")
"""White threatens with b1, and again with d2-e3."""
BEYOND_SAVING = ("b2", "c5", "b5", "e4", "b4", "a3", "e5", "e1", "d4", "c5-c4", "b4-c3")
"""After d4 White loses whatever they play."""


def played(*moves: str) -> list[Entry]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Entry(ply, (ply - 1) % 2, EntryKind.MOVE, move, at) for ply, move in enumerate(moves, start=1)]


def of_yonmoque(*moves: str) -> Defeat | None:
    return defeat(GAMES["yonmoque"], "standard", 2, played(*moves))


def after(*moves: str) -> Position:
    position = GAMES["yonmoque"].start(players=2)
    for move in moves:
        position = position.play(position.parse(move))
    return position


def has_lost(position: Position, winner: int) -> bool:
    """Tell by the rules alone whether ``winner`` has won, or wins with the next move."""
    if position.result is not None:
        return position.result.winners == {winner}
    results = [position.play(move).result for move in position.legal_moves()]
    return any(result is not None and result.winners == {winner} for result in results)


def lost_replies(position: Position, winner: int) -> list[bool]:
    return [has_lost(position.play(move), winner) for move in position.legal_moves()]


def test_a_threat_is_named_with_the_move_it_came_from_and_what_would_have_stopped_it() -> None:
    found = of_yonmoque(*FINISHED)
    assert found is not None
    assert (found.loser, found.won_by, found.mistake) == (1, "e2-d1", "d4")
    assert (found.threat, found.number) == ("e2", 7)
    assert found.saved is not None
    assert not has_lost(after(*FINISHED[:7], found.saved), winner=0)


def test_of_several_threats_the_earliest_is_named_with_a_legal_reply_to_it_that_stops_it() -> None:
    shares = {number: mean(lost_replies(after(*TWO_THREATS[:number]), winner=1)) for number in (6, 8, 10)}
    assert shares[6] < 0.5 <= min(shares[8], shares[10])
    found = of_yonmoque(*TWO_THREATS)
    assert found is not None
    assert (found.loser, found.threat, found.number) == (0, "b1", 8)
    assert (found.won_by, found.mistake) == ("e3-d2", "a4")
    assert found.saved is not None
    assert not has_lost(after(*TWO_THREATS[:8], found.saved), winner=1)


@pytest.mark.parametrize("moves", [FINISHED, TWO_THREATS])
def test_what_is_said_to_have_stopped_it_is_the_best_reply_to_the_threat_that_is_named(moves: tuple[str, ...]) -> None:
    found = of_yonmoque(*moves)
    assert found is not None
    assert found.number is not None
    position = after(*moves[: found.number])
    assert found.saved in [str(move) for move in position.legal_moves()]
    best = analyse(position, nodes=4_000).lines[0]
    assert str(best.move) == found.saved
    assert best.winning > 0.1


def test_where_every_reply_loses_nothing_is_said_to_have_saved() -> None:
    assert all(lost_replies(after(*BEYOND_SAVING[:9]), winner=0))
    assert of_yonmoque(*BEYOND_SAVING) == Defeat(1, "b4-c3", "c5-c4", threat="d4", number=9, saved=None)


@pytest.mark.parametrize("moves", [(), FINISHED[:8]])
def test_a_match_that_did_not_end_on_the_board_has_no_reason(moves: tuple[str, ...]) -> None:
    assert of_yonmoque(*moves) is None


@pytest.mark.parametrize("key", sorted(set(GAMES) & {"gyges", "redo", "redtangle", "rectangles", "yonmoque"}))
def test_what_is_said_to_have_saved_would_not_have_lost_at_once(key: str) -> None:
    """For a game of random moves: the rules agree with the search."""
    game = GAMES[key]
    variant = game.variants[0]
    position = game.start(players=2, **variant.options)
    entries: list[Entry] = []
    random = Random(7)
    while position.result is None and len(entries) < 400:
        seat = position.to_move
        assert seat is not None
        move = position.ready_made() or random.choice(list(position.legal_moves())[:50])
        kind = EntryKind.MOVE if position.forced_move() is None else EntryKind.FORCED
        entries.append(Entry(len(entries) + 1, seat, kind, str(move), datetime(2026, 1, 1, tzinfo=UTC)))
        position = position.play(move)
    found = defeat(game, variant.key, 2, entries)
    if found is None or found.saved is None:
        return
    before = game.start(players=2, **variant.options)
    for entry in entries[: found.number or -2]:
        before = before.play(before.parse(entry.text))
    after = before.play(before.parse(found.saved))
    assert after.result is None or after.result.winners != {1 - found.loser}
    assert not any(
        after.play(move).result is not None and after.play(move).result.winners == {1 - found.loser}  # type: ignore[union-attr]
        for move in after.legal_moves()
    )


async def test_the_first_sentence_of_a_result_says_it(crowd: Crowd) -> None:
    match_id = await crowd.begin(terms=YONMOQUE)
    await crowd.play(match_id, *FINISHED, players=(ALICE, BOB))
    said = text(await crowd.services.queries.match_view(GUILD, match_id))
    assert said.startswith("From move 7, **e2**, Blue threatened to win; **")
    assert said.splitlines()[0].endswith("** would have stopped it.")
    beyond = await crowd.begin(terms=YONMOQUE)
    await crowd.play(beyond, *BEYOND_SAVING, players=(ALICE, BOB))
    assert text(await crowd.services.queries.match_view(GUILD, beyond)).startswith(
        "From move 9, **d4**, Blue threatened to win, and in the end no move could stop it."
    )
    resigned = await crowd.begin(terms=YONMOQUE)
    await crowd.resign(resigned, ALICE)
    assert "threatened" not in text(await crowd.services.queries.match_view(GUILD, resigned))
