"""Rankings: a row for each name, with a bar or a dot that can be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from renderers.charts import ranking
from renderers.charts.ranking import MOST_ROWS, Row, spread_shares
from renderers.pixels.theme import RGB, THEMES
from renderers.scene import Colour
from tests.renderers.conftest import LooksLike, opened

ROWS = [
    Row(1, "Alice", "1688", 1.0),
    Row(2, "日本語", "1601", 0.6, own=True),
    Row(12, "Dmitri the Patient", "1302?", 0.25),
]

SPREAD = spread_shares([1688, 1601, 1302], [52, 71, 240])


def longest_run(picture: Image.Image, colour: RGB, top: int, bottom: int) -> int:
    """Return the longest row of pixels of a colour between two heights."""
    found = 0
    for y in range(top, bottom):
        run = 0
        for x in range(picture.width):
            run = run + 1 if picture.getpixel((x, y)) == colour else 0
            found = max(found, run)
    return found


def test_a_ranking_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    looks_like(ranking.png(ROWS, "All games", width=450), "ranking-dark")
    looks_like(ranking.png(ROWS, "All games", theme="light", width=450), "ranking-light")
    rated = [replace(row, share=share, spread=spread) for row, (share, spread) in zip(ROWS, SPREAD, strict=True)]
    looks_like(ranking.png(rated, "All games", width=450), "ranking-rated")


def test_bars_are_as_long_as_their_shares() -> None:
    picture = opened(ranking.png([replace(row, own=False) for row in ROWS]))
    bar = THEMES["dark"].look(Colour.SEAT1).face
    third = picture.height // 3
    first, second, last = (longest_run(picture, bar, at * third, (at + 1) * third) for at in range(3))
    assert second / first == pytest.approx(0.6, abs=0.04)
    assert last / first == pytest.approx(0.25, abs=0.04)


def test_a_rating_is_a_dot_with_a_line_as_long_as_it_is_uncertain() -> None:
    picture = opened(ranking.png([Row(1, "Alice", "1688", 0.8, spread=0.1), Row(2, "Bob", "1302?", 0.4, spread=0.3)]))
    line, half = THEMES["dark"].muted, picture.height // 2
    sure, unsure = longest_run(picture, line, 0, half), longest_run(picture, line, half, picture.height)
    assert unsure > 2 * sure > 0


def test_all_values_fit_on_one_scale_with_their_deviations() -> None:
    (highest, above), (lowest, below) = spread_shares([1688, 1302], [62, 198])
    assert (highest + above, lowest - below) == pytest.approx((1, 0))
    assert below / above == pytest.approx(198 / 62)
    assert spread_shares([1500], [0]) == [(0.0, 0.0)]


def test_a_name_the_font_cannot_write_is_told_from_none() -> None:
    named, empty = ([replace(ROWS[1], name=name)] for name in ("日本語", ""))
    assert ranking.png(named) != ranking.png(empty)


def test_what_cannot_be_ranked_is_refused() -> None:
    for rows in ([], ROWS * MOST_ROWS):
        with pytest.raises(ValueError, match=f"1 to {MOST_ROWS} rows"):
            ranking.png(rows)
    with pytest.raises(ValueError, match="pixels wide"):
        ranking.png(ROWS, width=10)
