"""The picture of a profile: which games it shows, in which order, and where the rated matches stand in its graph."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.matches.services.match_queries import Profile, ResultCounts
from bot.storage.rating_records import Rating, RatingChange
from bot.views.leaderboards import profile_chart, profile_rows

START = datetime(2026, 1, 20, 18, 30, tzinfo=UTC)


def change(number: int, after: float) -> RatingChange:
    """Return the change of the rating by a person's match of a number, from 1."""
    return RatingChange(number, 1, after - 1, 5, after, 5, START + timedelta(hours=number))


def a_profile(
    games: dict[str, list[int]], *, step: int = 1, latest: tuple[tuple[str, bool | None], ...] = ()
) -> Profile:
    """Return the profile of a person who has played rated matches of these numbers, every ``step``-th of them told."""
    every = sorted(number for numbers in games.values() for number in numbers)
    known = {"": every, **games}
    return Profile(
        {key: Rating(1, 30.0, 5, wins=len(numbers)) for key, numbers in known.items()},
        {key: ResultCounts(wins=len(numbers)) for key, numbers in games.items()},
        ResultCounts(),
        0,
        0,
        {
            key: [change(number, 25.0 + number / 100) for number in numbers[::-step][::-1]]
            for key, numbers in known.items()
        },
        list(latest),
        {},
    )


def numbers(profile: Profile) -> dict[str, list[float]]:
    chart = profile_chart(profile)
    assert chart is not None
    return {one.name: [number for number, _ in one.points] for one in chart.series}


def test_a_graph_begins_before_the_first_match_and_counts_the_matches() -> None:
    profile = a_profile({"redo": [1, 2, 3]})
    assert numbers(profile) == {"Redo": [0, 1, 2, 3]}
    chart = profile_chart(profile)
    assert chart is not None
    assert chart.series[0].points[0] == (0, 1458)
    assert chart.unit == "Rated matches since 20 January 2026"


def test_each_game_stands_where_its_matches_are_among_all_of_them() -> None:
    shown = numbers(a_profile({"redo": [1, 3, 4], "gyges": [2, 5]}))
    assert shown == {"All games": [0, 1, 2, 3, 4, 5], "Redo": [0, 1, 3, 4], "Gygès": [1, 2, 5]}


def test_of_many_matches_those_that_are_told_keep_their_numbers() -> None:
    shown = numbers(a_profile({"redo": list(range(1, 401)), "gyges": list(range(401, 601))}, step=3))
    assert shown["All games"][:3] == [2, 3, 6]
    assert (shown["All games"][-1], shown["Gygès"][-1], shown["Redo"][-1]) == (600, 600, 399)


def test_the_rows_are_all_games_and_then_the_most_played_ones_with_the_last_results_of_each() -> None:
    latest = (("redo", True), ("gyges", None), ("redo", False))
    rows = profile_rows(a_profile({"gyges": [2], "redo": [1, 3]}, latest=latest))
    assert [(row.name, row.results, row.series) for row in rows] == [
        ("All games", (True, None, False), 0),
        ("Redo", (True, False), 1),
        ("Gygès", (None,), 2),
    ]
    assert (rows[0].value, rows[0].words) == ("1710?", "3 won, 0 drawn, 0 lost")


def test_a_person_without_rated_matches_has_rows_and_no_graph() -> None:
    profile = Profile({}, {"redo": ResultCounts(losses=1)}, ResultCounts(), -1, 0, {}, [("redo", False)], {})
    assert profile_chart(profile) is None
    assert [(row.value, row.series) for row in profile_rows(profile)] == [("not rated", None)]
