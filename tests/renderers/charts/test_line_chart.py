"""Plots: values over time or turns, on axes with round numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.charts import line_chart
from renderers.charts.line_chart import Series, value_ticks
from renderers.charts.ticks import seconds, time_ticks
from renderers.pixels.theme import THEMES
from tests.renderers.conftest import LooksLike, opened

START = datetime(2026, 1, 20, 18, 30, tzinfo=UTC)
GYGES = Series("Gygès", tuple((START + timedelta(days=3 * at), 1500 + 40 * (at * 7 % 5) - 3 * at) for at in range(30)))
REDO = Series("Redo", tuple((START + timedelta(days=5 * at), 1460 + 9 * at) for at in range(12)))
finite = st.floats(-1e6, 1e6)
times = st.datetimes(datetime(2015, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def test_a_plot_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    looks_like(line_chart.png([GYGES, REDO], title="Alice", width=450), "chart-dark")
    looks_like(line_chart.png([GYGES], title="Alice · Gygès", theme="light", width=450), "chart-light")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [300, 400, 900])
def test_a_plot_is_as_wide_as_asked(theme: str, width: int) -> None:
    assert opened(line_chart.png([GYGES], theme=theme, width=width)).size == (width, round(width * 0.6))


def test_every_series_title_and_theme_changes_the_plot() -> None:
    plots = {
        line_chart.png([GYGES]),
        line_chart.png([REDO]),
        line_chart.png([GYGES, REDO]),
        line_chart.png([REDO, GYGES]),
        line_chart.png([GYGES], title="Alice"),
        line_chart.png([GYGES], theme="light"),
    }
    assert len(plots) == 6


def test_points_need_not_come_in_order() -> None:
    assert line_chart.png([GYGES]) == line_chart.png([Series("Gygès", GYGES.points[::-1])])


def test_a_time_without_a_zone_is_taken_for_utc() -> None:
    assert seconds(START.replace(tzinfo=None)) == seconds(START)


@given(st.lists(st.tuples(times, finite), min_size=1, max_size=8), st.text(max_size=40))
def test_any_values_and_names_can_be_plotted(points: list[tuple[datetime, float]], name: str) -> None:
    series = [Series(name, tuple(points)), Series(name, tuple(points[:1]))]
    assert opened(line_chart.png(series, title=name, width=300)).width == 300


@given(st.lists(st.tuples(st.integers(0, 400), finite), min_size=1, max_size=8))
def test_turns_can_be_plotted_as_well_as_times(points: list[tuple[int, float]]) -> None:
    line_chart.png([Series("Blue", tuple(points))], width=300)


@given(finite, finite, st.integers(2, 6))
def test_the_grid_reaches_from_the_lowest_to_the_highest_value(first: float, second: float, wanted: int) -> None:
    low, high = sorted((first, second))
    ticks = value_ticks(low, high, wanted)
    slack = 1e-6 * max(1.0, abs(low), abs(high))
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert 2 <= len(ticks) <= wanted + 3


def test_the_grid_has_round_numbers() -> None:
    assert value_ticks(1432, 1561, 4) == [1400, 1450, 1500, 1550, 1600]
    assert value_ticks(-1, 1, 4) == [-1, -0.5, 0, 0.5, 1]
    assert value_ticks(1500, 1500, 4)[0] < 1500 < value_ticks(1500, 1500, 4)[-1]


@pytest.mark.parametrize(
    ("span", "labels"),
    [
        (timedelta(hours=10), ["20:00", "22:00", "21 Jan", "02:00", "04:00"]),
        (timedelta(days=4), ["21 Jan", "22 Jan", "23 Jan", "24 Jan"]),
        (timedelta(days=100), ["Feb", "Mar", "Apr"]),
        (timedelta(days=300), ["Mar", "May", "Jul", "Sep", "Nov"]),
        (timedelta(days=1500), ["2027", "2028", "2029", "2030"]),
        (timedelta(0), ["20 Jan"]),
    ],
)
def test_the_axis_names_round_times(span: timedelta, labels: list[str]) -> None:
    assert [label for _, label in time_ticks([START, START + span])] == labels


def test_the_axis_of_turns_names_round_numbers() -> None:
    assert [label for _, label in time_ticks([float(turn) for turn in range(41)])] == ["0", "10", "20", "30", "40"]
    assert [label for _, label in time_ticks([3.0])] == ["3"]


@given(times, times)
def test_the_axis_never_names_more_than_five_times_and_none_outside(first: datetime, second: datetime) -> None:
    ticks = time_ticks([first, second])
    assert 1 <= len(ticks) <= 5
    assert all(min(first, second).timestamp() <= at <= max(first, second).timestamp() for at, _ in ticks)


def test_what_cannot_be_plotted_is_refused() -> None:
    for series in ([], [Series("Gygès", ())]):
        with pytest.raises(ValueError, match="nothing to plot"):
            line_chart.png(series)
    with pytest.raises(ValueError, match="at most 6"):
        line_chart.png([GYGES] * 7)
    with pytest.raises(ValueError, match="finite"):
        line_chart.png([Series("Gygès", ((START, float("nan")),))])
    with pytest.raises(ValueError, match="pixels wide"):
        line_chart.png([GYGES], width=10)
