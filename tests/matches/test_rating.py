"""The arithmetic of ratings: wins, draws, more than two players."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matches.model.rating import (
    CERTAIN_GAMES,
    CERTAIN_SIGMA,
    POINTS,
    certain,
    deviation,
    format_rating,
    newcomer,
    points,
    ranks,
    rate,
    weight,
    weights,
    with_newcomers,
)
from bot.storage.rating_records import Rating

DRIFT = 0.01
"""The amount added to the square of every uncertainty before a game, so that ratings never freeze."""


def newcomers(number: int) -> list[Rating]:
    return [newcomer(user_id) for user_id in range(1, number + 1)]


def test_a_newcomer_stands_at_1500_with_a_question_mark() -> None:
    assert points(newcomer(1).mu) == POINTS == 1500
    assert format_rating(newcomer(1)) == "1500?"


def test_a_rating_is_shown_with_two_standard_deviations_in_points() -> None:
    assert deviation(Rating(1, 25.0, 3.0)) == points(25.0 + 2 * 3.0) - points(25.0)


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


def compositions(number: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to divide some people into groups that share a place, the best first."""
    if number == 0:
        yield ()
    for first in range(1, number + 1):
        yield from ((first, *rest) for rest in compositions(number - first))


ENDINGS = [
    ([place for place, size in enumerate(shared, start=1) for _ in range(size)], leavers)
    for players in range(2, 7)
    for leavers in range(players)
    for shared in compositions(players - leavers)
]
"""Every ending of a match of two to six: the places of those who stayed, and how many left."""


@pytest.mark.parametrize(("stayed", "leavers"), ENDINGS, ids=str)
def test_between_equals_a_better_place_never_gains_less(stayed: list[int], leavers: int) -> None:
    places = stayed + [stayed[-1] + 1 + number for number in range(leavers)]
    left = range(len(stayed), len(places))
    after = [points(rating.mu) for rating in rate(newcomers(len(places)), places, left)]
    assert after == sorted(after, reverse=True)
    assert len(set(zip(stayed, after, strict=False))) == len(set(stayed))
    assert all(after[seat] < POINTS for seat in left)
    assert after[0] >= POINTS


@given(st.data())
def test_nobody_gains_by_leaving_whatever_the_ratings(data: st.DataObject) -> None:
    stayed, leavers = data.draw(st.sampled_from([ending for ending in ENDINGS if ending[1]]))
    numbers = st.tuples(st.floats(0, 60), st.floats(0.5, 9))
    places = stayed + [stayed[-1] + 1 + number for number in range(leavers)]
    before = [Rating(seat, *data.draw(numbers)) for seat in range(len(places))]
    after = rate(before, places, range(len(stayed), len(places)))
    assert all(new.mu <= old.mu for old, new in zip(before[len(stayed) :], after[len(stayed) :], strict=True))


def test_of_six_two_who_leave_early_stand_behind_all_who_stay() -> None:
    """Four stay, of whom one wins; seat 4 leaves first."""
    after = rate(newcomers(6), ranks(6, {0}, [4, 5]), [4, 5])
    assert [points(rating.mu) for rating in after] == [1611, 1522, 1522, 1522, 1389, 1411]


def test_a_third_result_of_a_day_and_a_sixth_of_a_week_count_half_and_each_further_one_half_of_that() -> None:
    now = datetime(2026, 1, 8, tzinfo=UTC)
    hours, days = ([now - step * (number + 0.5) for number in range(9)] for step in (timedelta(hours=2), timedelta(1)))
    assert [weight(hours[:number], now) for number in range(5)] == [1, 1, 0.5, 0.25, 0.125]
    assert [weight(days[:number], now) for number in range(9)] == [1, 1, 1, 1, 1, 0.5, 0.25, 0.125, 0.125]


def test_people_who_have_deleted_their_data_may_be_any_opponent_and_others_are_not() -> None:
    now = datetime(2026, 1, 8, tzinfo=UTC)
    met = [(1, -7, now), (1, -8, now), (1, 2, now), (2, 1, now), (1, 4, now)]
    assert weights([1, 2], met, now) == [0.25, 1]
    assert weights([1, 3], met, now) == [0.5, 1]
    assert weights([1, 2, 3], met, now) == [(0.25 + 0.5) / 2, 1, 1]


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
