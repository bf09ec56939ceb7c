"""The arithmetic of ratings: wins, draws, more than two players."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matches.model.rating import (
    CERTAIN_GAMES,
    CERTAIN_SIGMA,
    POINTS,
    certain,
    format_rating,
    leaderboard_order,
    newcomer,
    points,
    rate,
    with_newcomers,
)
from bot.matches.writing.results import ranks
from bot.storage.records import Rating

DRIFT = 0.01
"""The amount added to the square of every uncertainty before a game, so that ratings never freeze."""


def newcomers(number: int) -> list[Rating]:
    return [newcomer(user_id) for user_id in range(1, number + 1)]


def test_a_newcomer_stands_at_1500_with_a_question_mark() -> None:
    assert points(newcomer(1).mu) == POINTS == 1500
    assert format_rating(newcomer(1)) == "1500?"


def test_a_win_raises_the_winner_as_much_as_it_lowers_an_equal_opponent() -> None:
    winner, loser = rate(newcomers(2), [1, 2])
    assert winner.mu > newcomer(1).mu > loser.mu
    assert winner.mu - newcomer(1).mu == pytest.approx(newcomer(1).mu - loser.mu)
    assert (winner.wins, winner.draws, winner.losses) == (1, 0, 0)
    assert (loser.wins, loser.draws, loser.losses) == (0, 0, 1)


def test_every_game_makes_a_rating_more_certain() -> None:
    assert all(after.sigma < newcomer(1).sigma for after in rate(newcomers(2), [1, 2]))


def test_a_draw_between_equals_changes_no_rating_and_counts_for_both() -> None:
    after = rate(newcomers(2), [1, 1])
    assert [rating.mu for rating in after] == pytest.approx([newcomer(1).mu] * 2)
    assert [(rating.wins, rating.draws, rating.losses) for rating in after] == [(0, 1, 0)] * 2


def test_a_draw_brings_unequal_players_closer() -> None:
    strong, weak = Rating(1, 35.0, 3.0), Rating(2, 20.0, 3.0)
    after = rate([strong, weak], [1, 1])
    assert after[0].mu < strong.mu
    assert after[1].mu > weak.mu


def test_beating_a_stronger_player_gains_more_than_beating_a_weaker_one() -> None:
    me = Rating(1, 25.0, 4.0)
    over_strong = rate([me, Rating(2, 35.0, 4.0)], [1, 2])[0].mu
    over_weak = rate([me, Rating(2, 15.0, 4.0)], [1, 2])[0].mu
    assert over_strong > over_weak > me.mu


def test_in_a_game_of_four_each_place_is_worth_more_than_the_next() -> None:
    after = rate(newcomers(4), [2, 4, 1, 3])
    assert [rating.user_id for rating in sorted(after, key=lambda rating: -rating.mu)] == [3, 1, 4, 2]
    assert [rating.wins for rating in after] == [0, 0, 1, 0]
    assert [rating.losses for rating in after] == [1, 1, 0, 1]


def test_a_player_who_leaves_is_ranked_behind_those_who_stay() -> None:
    assert ranks(3, {0}, [2]) == [1, 2, 3]
    assert ranks(4, {0}, [2, 1]) == [1, 3, 4, 2]


def test_sharing_the_first_place_of_three_is_a_win_for_both() -> None:
    after = rate(newcomers(3), [1, 1, 2])
    assert [rating.wins for rating in after] == [1, 1, 0]
    assert after[0].mu == pytest.approx(after[1].mu)
    assert after[0].mu > after[2].mu


def test_a_rating_is_certain_after_some_games_and_not_before() -> None:
    settled = Rating(1, 30.0, CERTAIN_SIGMA, wins=CERTAIN_GAMES)
    assert certain(settled)
    assert format_rating(settled) == str(points(30.0))
    assert not certain(Rating(1, 30.0, CERTAIN_SIGMA, wins=CERTAIN_GAMES - 1))
    assert not certain(Rating(1, 30.0, CERTAIN_SIGMA + 0.1, wins=50))


def test_a_leaderboard_puts_the_certain_first_then_the_strong_then_the_older_account() -> None:
    unsure = Rating(1, 40.0, 8.0, wins=1)
    best, good, older = (Rating(user_id, mu, 3.0, wins=9) for user_id, mu in ((2, 35.0), (4, 30.0), (3, 30.0)))
    assert sorted([unsure, good, best, older], key=leaderboard_order) == [best, older, good, unsure]


def test_those_without_a_rating_join_as_newcomers_in_their_place() -> None:
    known = Rating(2, 30.0, 5.0, wins=3)
    assert with_newcomers({2: known}, [1, 2, 3]) == [newcomer(1), known, newcomer(3)]


@given(
    st.lists(st.tuples(st.floats(0, 60), st.floats(0.5, 9)), min_size=2, max_size=6).flatmap(
        lambda people: st.tuples(st.just(people), st.permutations(range(1, len(people) + 1)))
    )
)
def test_ratings_stay_finite_ordered_as_given_and_hardly_less_certain(
    case: tuple[list[tuple[float, float]], list[int]],
) -> None:
    people, ranks = case
    before = [Rating(user_id, mu, sigma) for user_id, (mu, sigma) in enumerate(people)]
    after = rate(before, ranks)
    assert [rating.user_id for rating in after] == [rating.user_id for rating in before]
    assert all(new.sigma**2 <= old.sigma**2 + DRIFT for old, new in zip(before, after, strict=True))
    assert all(-1000 < rating.mu < 1000 and rating.games == 1 for rating in after)
