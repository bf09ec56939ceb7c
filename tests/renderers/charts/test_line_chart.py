"""Plots: values over turns or matches, on axes with round numbers and a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.charts import line_chart
from renderers.charts.line_chart import Chart, Note, Series, number_ticks, reach, value_ticks
from renderers.pixels.theme import THEMES
from renderers.scene import Colour
from tests.renderers.conftest import LooksLike, opened

GYGES = Series("Gygès", tuple((3.0 * at, 1500.0 + 40 * (at * 7 % 5) - 3 * at) for at in range(30)))
REDO = Series("Redo", tuple((5.0 * at, 1460.0 + 9 * at) for at in range(12)))
CHANCES = Chart(
    (Series("Blue", tuple(enumerate([50.0, 55, 52, 20, 28, 33, 72, 80, 78, 100]))),),
    "Blue's chance to win",
    "Move",
    (0, 100),
    per_cent=True,
    notes=(Note(3, 20, "3. c3-d4??"), Note(6, 72, "6. b2-c3?")),
)
finite = st.floats(-1e6, 1e6)
numbers = st.floats(0, 1e5) | st.integers(0, 400).map(float)


def test_a_plot_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    looks_like(line_chart.png(Chart((GYGES, REDO), "Alice", "Matches"), width=450), "chart-dark")
    looks_like(line_chart.png(Chart((GYGES,), "Alice · Gygès"), theme="light", width=450), "chart-light")
    looks_like(line_chart.png(CHANCES, theme="high-contrast", width=450), "chart-noted")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [300, 400, 900])
def test_a_plot_is_as_wide_as_asked(theme: str, width: int) -> None:
    assert opened(line_chart.png(CHANCES, theme, width)).size == (width, round(width * 0.6))


def test_every_series_title_unit_note_and_theme_changes_the_plot() -> None:
    plots = {
        line_chart.png(Chart((GYGES,))),
        line_chart.png(Chart((REDO,))),
        line_chart.png(Chart((GYGES, REDO))),
        line_chart.png(Chart((REDO, GYGES))),
        line_chart.png(Chart((GYGES,), title="Alice")),
        line_chart.png(Chart((GYGES,), unit="Matches")),
        line_chart.png(Chart((GYGES,), notes=(Note(*GYGES.points[3], "here"),))),
        line_chart.png(Chart((GYGES,)), theme="light"),
    }
    assert len(plots) == 8


def test_points_need_not_come_in_order() -> None:
    assert line_chart.png(Chart((GYGES,))) == line_chart.png(Chart((Series("Gygès", GYGES.points[::-1]),)))


@given(st.lists(st.tuples(numbers, finite), min_size=1, max_size=8), st.text(max_size=40))
def test_any_values_and_names_can_be_plotted(points: list[tuple[float, float]], name: str) -> None:
    series = Series(name, tuple(points)), Series(name, tuple(points[:1]))
    notes = tuple(Note(*point, name) for point in points)
    assert opened(line_chart.png(Chart(series, name, name, notes=notes), width=300)).width == 300
    line_chart.png(Chart(series[:1], notes=notes), width=300)


def test_the_names_of_points_cover_neither_each_other_nor_the_end_of_the_line() -> None:
    panel = THEMES["dark"].panel
    near = tuple(Note(at, value, "10. a1-b2-c3-d4??") for at, value in CHANCES.series[0].points[-3:])
    covered = []
    for notes in ((), *((note,) for note in near), near):
        picture = opened(line_chart.png(Chart(CHANCES.series, span=(0, 100), notes=notes)))
        covered.append(sum(pixels for pixels, colour in picture.getcolors(1 << 24) or () if colour == panel))
    labels = [pixels - covered[0] for pixels in covered[1:]]
    assert min(labels) > 2000
    assert labels[-1] == pytest.approx(sum(labels[:-1]), rel=0.05)


def test_a_number_is_found_where_it_is_drawn() -> None:
    shown = reach(CHANCES)
    assert (shown.first, shown.last) == (0, 9)
    picture, ink = opened(line_chart.png(CHANCES, "dark")), THEMES["dark"].look(Colour.SEAT1).face
    for number, value in CHANCES.series[0].points[1:-1]:
        x = round(picture.width * (shown.left + (shown.right - shown.left) * number / 9))
        assert ink in {picture.getpixel((x, y)) for y in range(picture.height)}, (number, value)


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


def test_the_axis_of_turns_names_round_numbers() -> None:
    assert [label for _, label in number_ticks([float(turn) for turn in range(41)])] == ["0", "10", "20", "30", "40"]
    assert [label for _, label in number_ticks([3.0])] == ["3"]


@given(numbers, numbers)
def test_the_axis_never_names_more_than_five_numbers_and_none_outside(first: float, second: float) -> None:
    ticks = number_ticks([first, second])
    assert 1 <= len(ticks) <= 5
    assert all(min(first, second) <= at <= max(first, second) for at, _ in ticks)


def test_what_cannot_be_plotted_is_refused() -> None:
    for series in ((), (Series("Gygès", ()),)):
        with pytest.raises(ValueError, match="nothing to plot"):
            line_chart.png(Chart(series))
    with pytest.raises(ValueError, match="at most 6"):
        line_chart.png(Chart((GYGES,) * 7))
    with pytest.raises(ValueError, match="finite"):
        line_chart.png(Chart((Series("Gygès", ((0, float("nan")),)),)))
    with pytest.raises(ValueError, match="pixels wide"):
        line_chart.png(Chart((GYGES,)), width=10)
