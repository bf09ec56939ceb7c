"""Reviews from judged positions: marks, accuracy, turning points, and hidden positions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES, OWN
from bot.games.cancellation import run_while
from bot.games.game import Result
from bot.matches.model.game_state import CLOSED, RESIGNS
from bot.matches.model.judging import (
    LEAST_NODES,
    MOST_NODES,
    PositionToJudge,
    advice,
    judgement,
    nodes_for,
    positions_to_judge,
)
from bot.matches.model.review import MOMENTS, THRESHOLDS, MoveMark, Review, mark_of, review_of
from bot.storage.records import Entry, EntryKind, Judgement
from tests.support.acting import FINISHED

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BLUE_WINS = Result(frozenset({0}), "four in a row")


def entries(*texts: str, players: int = 2) -> list[Entry]:
    """Return entries made in turn; ``passes`` is a forced pass, and ``resigns`` a drop."""
    kinds = {"passes": EntryKind.FORCED, RESIGNS: EntryKind.DROP, "left-lying": EntryKind.CLOSED}
    return [
        Entry(ply, (ply - 1) % players, kinds.get(text, EntryKind.MOVE), text, NOW) for ply, text in enumerate(texts, 1)
    ]


def judged(number: int, seat: int, winning: float, best: str, played: float | None = None) -> Judgement:
    return Judgement(number, seat, winning, played, best, exact=winning in (0.0, 1.0))


def test_a_move_is_marked_by_the_winning_chance_it_lost() -> None:
    assert [mark_of(loss) for loss in (-0.1, 0.05, *sorted(THRESHOLDS.values()), 1.0)] == [
        MoveMark.GOOD,
        MoveMark.GOOD,
        MoveMark.INACCURACY,
        MoveMark.MISTAKE,
        MoveMark.BLUNDER,
        MoveMark.BLUNDER,
    ]


def test_the_position_after_a_move_is_valued_for_the_seat_that_moved() -> None:
    known = [judged(0, 0, 0.5, "x"), judged(1, 1, 0.7, "b"), judged(2, 0, 0.3, "c")]
    review = review_of(entries("a", "b", "c"), 2, BLUE_WINS, known)
    assert [(move.text, round(move.after, 2), move.mark) for move in review.moves] == [
        ("a", 0.3, MoveMark.MISTAKE),
        ("b", 0.7, MoveMark.BEST),
        ("c", 1.0, MoveMark.BEST),
    ]
    assert [round(chance, 2) for _, chance in review.chances[0]] == [0.5, 0.3, 0.3, 1.0]
    assert round(review.accuracy(1) or 0) == 100
    assert 30 < (review.accuracy(0) or 0) < 75


@pytest.mark.parametrize(
    ("best", "played", "following", "after"),
    [
        pytest.param(0.6, 0.58, 0.7, 0.58, id="nearly the best by the search before"),
        pytest.param(0.6, 0.3, 0.42, 0.58, id="nearly the best by the search after"),
        pytest.param(0.6, 0.58, 1.0, 0.58, id="proven to lose only later"),
        pytest.param(0.6, 0.3, 0.0, 1.0, id="proven to win only later"),
        pytest.param(0.6, 0.3, 0.8, 0.3, id="poor by both"),
        pytest.param(1.0, 0.9, 1.0, 0.0, id="proven to throw a proven win away"),
        pytest.param(1.0, 0.4, 0.0, 1.0, id="proven to win as well"),
        pytest.param(1.0, 0.9, 0.3, 0.9, id="perhaps a win as well"),
    ],
)
def test_a_move_lost_what_both_searches_say_or_what_is_proven(
    best: float, played: float, following: float, after: float
) -> None:
    known = [judged(0, 0, best, "x", played), judged(1, 1, following, "b")]
    assert review_of(entries("a", "b"), 2, None, known).moves[0].after == pytest.approx(after)


@pytest.mark.parametrize(
    ("following", "charted"),
    [
        pytest.param(0.7, 0.45, id="as said of the move"),
        pytest.param(1.0, 0.0, id="as proven"),
    ],
)
def test_the_chart_shows_what_is_said_of_a_move_until_more_is_proven(following: float, charted: float) -> None:
    known = [judged(0, 0, 0.6, "x", 0.45), judged(1, 1, following, "b")]
    review = review_of(entries("a", "b"), 2, None, known)
    assert review.moves[0].after == pytest.approx(0.45)
    assert dict(review.chances[0])[1] == pytest.approx(charted)
    assert dict(review.chances[1])[1] == pytest.approx(1 - charted)
    passed = review_of(entries("a", "passes", "c"), 2, None, [known[0], judged(2, 0, 0.2, "c")])
    assert dict(passed.chances[0])[2] == pytest.approx(0.45)


chances = st.sampled_from((0.0, 0.2, 0.45, 0.5, 0.55, 0.8, 1.0))
searched = st.tuples(chances, chances, st.booleans())


@given(st.lists(searched, min_size=1, max_size=8), st.booleans(), st.sets(st.integers(1, 7)))
def test_the_chart_never_falls_for_a_player_who_made_the_best_move(
    positions: list[tuple[float, float, bool]], decided: bool, passes: set[int]
) -> None:
    texts = ["passes" if number in passes else f"m{number}" for number in range(len(positions))]
    known = []
    for number, (chance, played, best) in enumerate(positions):
        if number not in passes:
            # A proof of the best move would hold for the position that it leads to, too.
            winning = min(max(chance, 0.2), 0.8) if best else chance
            worth = winning if best else min(winning, played)
            known.append(judged(number, number % 2, winning, texts[number] if best else "x", worth))
    review = review_of(entries(*texts), 2, BLUE_WINS if decided else None, known)
    for move in review.moves:
        line = review.chances[move.seat]
        before = [chance for number, chance in line if number < move.number][-1]
        after = [chance for number, chance in line if number >= move.number][:1]
        assert move.mark is not MoveMark.BEST or not after or after[0] >= before - 1e-9, (move, line)


def reviewed(key: str, variant: str, text: str, numbers: range, nodes: int) -> Review:
    """Return the review of a match in which the positions of these numbers are judged, and taken for clear."""
    played, known = entries(*text.split()), dict[int, Judgement]()
    for question in reversed(positions_to_judge(GAMES[key], variant, 2, played)):
        if question.number in numbers:
            found = judgement(question.knowing(known.get(question.number + 1)), nodes)
            known[question.number] = replace(found, clear=True)
    return review_of(played, 2, None, known.values())


def test_a_move_into_the_first_solved_position_is_no_blunder_if_no_search_could_see_it() -> None:
    text = "e4-g7 f1-g2 g6-h8 d2-e6 a2-c6 a4-b7 c3-h5 a3-e8 b1-c8 d1-h4 a1-e5 c4-f7"
    review = reviewed("rectangles", "8x8", text, range(4, 8), 2_500)
    chances = dict(review.chances[1])
    assert 0.5 < chances[5] < 0.7
    assert chances[6] == 0
    marks = [move.mark for move in review.moves]
    assert marks[:2] == [MoveMark.GOOD, MoveMark.GOOD]
    # A proven win can be thrown away.
    assert marks[2] is MoveMark.BLUNDER
    assert marks[3] in (MoveMark.GOOD, MoveMark.BEST)


def asked(game: str, variant: str, text: str, number: int) -> PositionToJudge:
    """Return the position of a number in a match, to be judged."""
    every = positions_to_judge(GAMES[game], variant, 2, entries(*text.split()))
    return next(question for question in every if question.number == number)


def test_a_move_that_turned_out_to_lose_is_a_blunder_where_another_did_not() -> None:
    text = "d2 b2 d4 b4 d3 b3 b1 b3-d1 b5 b2-a2 d5 b4-c5 d5-c4 e2"
    before = judgement(asked("yonmoque", "standard", text, 11), 500)
    assert before.played is not None
    assert mark_of(before.winning - before.played) is not MoveMark.BLUNDER
    review = reviewed("yonmoque", "standard", text, range(11, 13), 500)
    assert [move.mark for move in review.moves] == [MoveMark.BLUNDER, MoveMark.BEST]


def test_where_the_move_played_loses_a_longer_search_tells_whether_the_match_was_lost_before() -> None:
    question = asked("yonmoque", "standard", "b4 d1 d2 c3 e1 d1-b3 c2 c1 b4-a4 d1 c2-b1", 7)
    assert not judgement(question, 4_000).exact
    found = judgement(question.knowing(judged(8, 0, 1.0, "any")), 4_000)
    assert (found.winning, found.exact) == (0.0, True)


def test_a_move_that_leads_to_more_than_the_search_saw_is_the_best() -> None:
    question = asked("yonmoque", "standard", "b4 d1 d2 c3 e1 d1-b3 c2 c1 b4-a4 d1 c2-b1", 4)
    following = replace(judged(5, 1, 0.05, "any"), exact=False)
    found = judgement(question.knowing(following), 300)
    assert (found.winning, found.played, found.best, found.exact) == (0.95, 0.95, question.played, False)
    slightly = replace(following, winning=0.45)
    assert judgement(question.knowing(slightly), 300).winning != 0.55


POOR = (
    "312231 221331 f1-e1-d1=c3 c6-d6-e6=b5 e1-d1-c1-c3-c5 b6-c5-e6-f6=c4 b1-c1-c3=d2 a6-b5-c3=e5 d1-c1-c3=f5 "
    "e6-d6-b5=b6 c1-c3-c4=d1 f6-d6=e4 d1-d2-c3-c4-e4=f1"
)
"""A match of classic Gygès up to a move that four plies later turns out to be poor."""


@pytest.mark.parametrize(
    ("following", "hurry", "mark"),
    [
        pytest.param(judged(13, 1, 0.87, "any"), False, MoveMark.BLUNDER, id="worse than it seemed"),
        pytest.param(judged(13, 1, 0.75, "any"), False, MoveMark.GOOD, id="much as it seemed"),
        pytest.param(replace(judged(13, 1, 0.87, "any"), clear=False), False, MoveMark.GOOD, id="perhaps worse"),
        pytest.param(judged(13, 1, 0.87, "any"), True, MoveMark.GOOD, id="no time for a second look"),
    ],
)
def test_a_move_that_turned_out_poor_is_compared_with_others_searched_as_deeply(
    following: Judgement, hurry: bool, mark: MoveMark
) -> None:
    played = entries(*POOR.split())
    question = next(one for one in positions_to_judge(GAMES["gyges"], "classic", 2, played) if one.number == 12)
    before = run_while(lambda: True, lambda: judgement(question.knowing(following), 4_000), hurry=lambda: hurry)
    assert [move.mark for move in review_of(played, 2, None, [before, following]).moves] == [mark]


def test_a_move_that_turned_out_to_win_is_the_best_even_where_the_search_does_not_see_it() -> None:
    played = entries("b4", "d1", "d2", "c3", "e1", "d1-b3", "c2", "c1", "b4-a4", "d1", "c2-b1")
    for question in positions_to_judge(GAMES["yonmoque"], "standard", 2, played)[2:6]:
        seat = question.position.to_move
        assert seat is not None
        assert not judgement(question, 50).exact
        lost = judged(question.number + 1, 1 - seat, 0.0, "any")
        found = judgement(question.knowing(lost), 50)
        assert (found.winning, found.exact, found.best) == (1.0, True, question.played)
        # What is only estimated proves nothing.
        guess = replace(lost, winning=0.01, exact=False)
        assert not judgement(question.knowing(guess), 50).exact


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


def test_hidden_positions_and_moves_played_in_them_are_left_out() -> None:
    known = [judged(number, number % 2, 0.5, "best", 0.4) for number in range(4)]
    review = review_of(entries("a", "b", "c", "d"), 2, BLUE_WINS, known, hidden=[1])
    assert [move.number for move in review.moves] == [4]
    assert [number for number, _ in review.chances[0]] == [0, 3, 4]
    assert review_of(entries("a"), 2, BLUE_WINS, known[:1], hidden=[0]).chances == ((), ())


def test_with_more_than_two_each_seat_has_the_chances_of_its_own_turns() -> None:
    known = [judged(0, 0, 0.4, "a", 0.4), judged(1, 1, 0.5, "x", 0.1), judged(2, 2, 0.3, "c", 0.3)]
    review = review_of(entries("a", "b", "c", players=3), 3, Result(frozenset({0, 2}), "areas"), known)
    assert [move.mark for move in review.moves] == [MoveMark.BEST, MoveMark.BLUNDER, MoveMark.BEST]
    assert review.chances == (((0, 0.4), (3, 1.0)), ((1, 0.5), (3, 0.0)), ((2, 0.3), (3, 1.0)))


def test_nothing_is_said_of_a_position_whose_best_move_is_not_clear() -> None:
    known = [judged(0, 0, 0.5, "x", 0.2), judged(1, 1, 0.5, "y", 0.1), judged(2, 0, 0.6, "z", 0.1)]
    known[1] = replace(known[1], clear=False)
    review = review_of(entries("a", "b", "c"), 2, BLUE_WINS, known)
    assert [move.number for move in review.moves] == [1, 3]
    assert review.moves[0].after == 0.2
    assert [number for number, _ in review.chances[0]] == [0, 2, 3]
    assert review.unclear == 1
    silent = review_of(entries("a"), 2, BLUE_WINS, [replace(known[0], clear=False)])
    assert (silent.moves, silent.chances, silent.unclear) == ((), ((), ()), 1)


def test_a_closed_match_has_no_result_to_judge_by() -> None:
    known = [judged(0, 0, 0.5, "a"), judged(1, 1, 0.4, "b")]
    review = review_of(entries("a", "left-lying"), 2, Result(frozenset({0, 1}), CLOSED), known)
    assert [round(chance, 2) for _, chance in review.chances[0]] == [0.5, 0.6]
    assert [move.text for move in review.moves] == ["a"]


def test_the_more_positions_the_less_is_looked_at_for_each() -> None:
    assert nodes_for(1) == nodes_for(16) == MOST_NODES
    assert LEAST_NODES < nodes_for(300) < nodes_for(40) < MOST_NODES
    assert nodes_for(100_000) == LEAST_NODES


def test_every_position_with_a_choice_is_judged_and_no_set_up() -> None:
    played = entries(*FINISHED)
    asked = positions_to_judge(GAMES["yonmoque"], "standard", 2, played)
    assert [(question.number, question.played) for question in asked] == list(enumerate(FINISHED))
    resigned = entries("c3", "a1", RESIGNS)
    asked = positions_to_judge(GAMES["yonmoque"], "standard", 2, resigned)
    assert [question.played for question in asked] == ["c3", "a1", None]
    gyges = GAMES["gyges"]
    for moves in (), ("231123",):
        assert positions_to_judge(gyges, gyges.variants[0].key, 2, entries(*moves, RESIGNS)) == []


@pytest.mark.parametrize("key", GAMES)
def test_a_position_of_every_game_is_judged_and_advised_on(key: str) -> None:
    game = GAMES[key]
    position = game.start(game.players[0], **game.variants[0].options)
    advised = advice(position)
    # Nine moves of tic-tac-toe are equally good.
    assert advised is None if key == "tic-tac-toe" else advised is not None or game not in OWN
    assert advised is None or position.parse(advised.move)
    for question in positions_to_judge(game, game.variants[0].key, game.players[0], []):
        found = judgement(question, 50)
        assert 0 <= found.winning <= 1
        assert position.parse(found.best)
