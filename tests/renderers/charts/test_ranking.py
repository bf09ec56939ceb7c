"""Rankings: a row for each name, with a bar whose length can be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from renderers.charts import ranking
from renderers.charts.ranking import MOST_ROWS, Row, bar_share
from renderers.pixels.theme import RGB, THEMES
from renderers.scene import Colour
from tests.renderers.conftest import LooksLike, opened

ROWS = [
    Row(1, "Alice", "1688", 1.0),
    Row(2, "日本語", "1601", 0.6, own=True),
    Row(12, "Dmitri the Patient", "1302?", 0.25),
]


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


def test_bars_are_as_long_as_their_shares() -> None:
    picture = opened(ranking.png([replace(row, own=False) for row in ROWS]))
    bar = THEMES["dark"].look(Colour.SEAT1).face
    third = picture.height // 3
    first, second, last = (longest_run(picture, bar, at * third, (at + 1) * third) for at in range(3))
    assert second / first == pytest.approx(0.6, abs=0.04)
    assert last / first == pytest.approx(0.25, abs=0.04)


def test_the_last_rating_has_a_bar_and_not_a_dot() -> None:
    values = [1688.0, 1600.0, 1302.0]
    assert [bar_share(value, values, from_zero=False) for value in (1688, 1302)] == pytest.approx([1.0, 0.25])
    assert 0.25 < bar_share(1600, values, from_zero=False) < 1
    assert bar_share(1500, [1500.0], from_zero=False) == 1.0


def test_bars_of_counts_begin_at_zero() -> None:
    assert [bar_share(wins, [8, 4, 1], from_zero=True) for wins in (8, 4, 1)] == [1.0, 0.5, 0.125]


def test_a_name_the_font_cannot_write_is_told_from_none() -> None:
    named, empty = ([replace(ROWS[1], name=name)] for name in ("日本語", ""))
    assert ranking.png(named) != ranking.png(empty)


def test_what_cannot_be_ranked_is_refused() -> None:
    for rows in ([], ROWS * MOST_ROWS):
        with pytest.raises(ValueError, match=f"1 to {MOST_ROWS} rows"):
            ranking.png(rows)
    with pytest.raises(ValueError, match="pixels wide"):
        ranking.png(ROWS, width=10)
