"""What a review says, from what is known of the positions: marks, accuracy, moments, and what it leaves out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.games import GAMES
from bot.games.game import Result
from bot.matches.model.game_state import PUT_AWAY, RESIGNS
from bot.matches.model.judging import LEAST_NODES, MOST_NODES, advice, judgement, nodes_for, questions
from bot.matches.model.review import MOMENTS, THRESHOLDS, Mark, mark_of, review_of
from bot.storage.records import MoveKind, PlayedMove
from bot.storage.review_records import Judgement
from tests.support.acting import FINISHED

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BLUE_WINS = Result(frozenset({0}), "four in a row")


def entries(*texts: str, players: int = 2) -> list[PlayedMove]:
    """Return moves made in turn; ``passes`` is forced, and a seat that ``resigns`` drops out."""
    kinds = {"passes": MoveKind.FORCED, RESIGNS: MoveKind.DROP, "left-lying": MoveKind.PUT_AWAY}
    return [
        PlayedMove(ply, (ply - 1) % players, kinds.get(text, MoveKind.MOVE), text, NOW)
        for ply, text in enumerate(texts, 1)
    ]


def judged(number: int, seat: int, winning: float, best: str, played: float | None = None) -> Judgement:
    return Judgement(number, seat, winning, played, best, exact=winning in (0.0, 1.0))


def test_a_move_is_marked_by_the_winning_chance_it_lost() -> None:
    assert [mark_of(loss) for loss in (-0.1, 0.05, *sorted(THRESHOLDS.values()), 1.0)] == [
        Mark.GOOD,
        Mark.GOOD,
        Mark.INACCURACY,
        Mark.MISTAKE,
        Mark.BLUNDER,
        Mark.BLUNDER,
    ]


def test_what_a_move_led_to_is_seen_from_the_side_of_whoever_made_it() -> None:
    known = [judged(0, 0, 0.5, "x"), judged(1, 1, 0.7, "b"), judged(2, 0, 0.3, "c")]
    review = review_of(entries("a", "b", "c"), 2, BLUE_WINS, known)
    assert [(move.text, round(move.after, 2), move.mark) for move in review.moves] == [
        ("a", 0.3, Mark.MISTAKE),
        ("b", 0.7, Mark.BEST),
        ("c", 1.0, Mark.BEST),
    ]
    assert [round(chance, 2) for _, chance in review.chances[0]] == [0.5, 0.3, 0.3, 1.0]
    assert round(review.accuracy(1) or 0) == 100
    assert 30 < (review.accuracy(0) or 0) < 75


def test_a_move_nearly_as_good_by_the_same_search_is_good_unless_the_opposite_is_proven() -> None:
    near = [judged(0, 0, 0.6, "x", played=0.58), judged(1, 1, 0.7, "b")]
    assert review_of(entries("a", "b"), 2, None, near).moves[0].mark is Mark.GOOD
    proven = [near[0], judged(1, 1, 1.0, "b")]
    assert review_of(entries("a", "b"), 2, None, proven).moves[0].mark is Mark.BLUNDER


def test_what_follows_a_forced_pass_judges_the_move_before_it() -> None:
    known = [judged(0, 0, 0.5, "x"), judged(2, 0, 0.9, "c")]
    review = review_of(entries("a", "passes", "c"), 2, BLUE_WINS, known)
    assert [(move.number, move.after) for move in review.moves] == [(1, 0.9), (3, 1.0)]


def test_at_most_three_moments_are_shown_in_the_order_they_were_made() -> None:
    known = [judged(number, number % 2, 0.5 + 0.05 * number, "best") for number in range(8)]
    review = review_of(entries(*"abcdefgh"), 2, BLUE_WINS, known)
    moments = review.moments()
    assert len(moments) == MOMENTS
    assert [move.number for move in moments] == sorted(move.number for move in moments)
    assert min(move.loss for move in moments) >= max(move.loss for move in review.moves if move not in moments)
    quiet = review_of(entries("a", "b"), 2, None, [judged(0, 0, 0.5, "a"), judged(1, 1, 0.5, "b")])
    assert quiet.moments() == []


def test_nothing_is_said_of_hidden_positions_nor_of_what_was_played_there() -> None:
    known = [judged(number, number % 2, 0.5, "best") for number in range(4)]
    review = review_of(entries("a", "b", "c", "d"), 2, BLUE_WINS, known, hidden=[1])
    assert [move.number for move in review.moves] == [4]
    assert [number for number, _ in review.chances[0]] == [0, 3, 4]
    assert review_of(entries("a"), 2, BLUE_WINS, known[:1], hidden=[0]).chances == ((), ())


def test_with_more_than_two_each_seat_has_the_chances_of_its_own_turns() -> None:
    known = [judged(0, 0, 0.4, "a", 0.4), judged(1, 1, 0.5, "x", 0.1), judged(2, 2, 0.3, "c", 0.3)]
    review = review_of(entries("a", "b", "c", players=3), 3, Result(frozenset({0, 2}), "areas"), known)
    assert [move.mark for move in review.moves] == [Mark.BEST, Mark.BLUNDER, Mark.BEST]
    assert review.chances == (((0, 0.4), (3, 1.0)), ((1, 0.5), (3, 0.0)), ((2, 0.3), (3, 1.0)))


def test_a_match_put_away_has_no_end_to_judge_by() -> None:
    known = [judged(0, 0, 0.5, "a"), judged(1, 1, 0.4, "b")]
    review = review_of(entries("a", "left-lying"), 2, Result(frozenset({0, 1}), PUT_AWAY), known)
    assert [round(chance, 2) for _, chance in review.chances[0]] == [0.5, 0.6]
    assert [move.text for move in review.moves] == ["a"]


def test_the_more_positions_the_less_is_looked_at_for_each() -> None:
    assert nodes_for(1) == nodes_for(40) == MOST_NODES
    assert LEAST_NODES < nodes_for(300) < MOST_NODES
    assert nodes_for(100_000) == LEAST_NODES


def test_every_position_with_a_choice_is_judged_and_no_set_up() -> None:
    played = entries(*FINISHED)
    asked = questions(GAMES["yonmoque"], "standard", 2, played)
    assert [(question.number, question.played) for question in asked] == list(enumerate(FINISHED))
    resigned = entries("c3", "a1", RESIGNS)
    assert [question.played for question in questions(GAMES["yonmoque"], "standard", 2, resigned)] == ["c3", "a1", None]
    gyges = GAMES["gyges"]
    for moves in (), ("231123",):
        assert questions(gyges, gyges.variants[0].key, 2, entries(*moves, RESIGNS)) == []


@pytest.mark.parametrize("key", GAMES)
def test_a_position_of_every_game_is_judged_and_advised_on(key: str) -> None:
    game = GAMES[key]
    position = game.start(game.players[0], **game.variants[0].options)
    assert position.parse(advice(position).move)
    for question in questions(game, game.variants[0].key, game.players[0], []):
        found = judgement(question, 50)
        assert 0 <= found.winning <= 1
        assert position.parse(found.best)
