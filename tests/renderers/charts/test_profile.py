"""Profiles: a tile for each game with its last results, and the ratings below."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import ImageChops

from renderers.charts import profile
from renderers.charts.line_chart import Chart, Series
from renderers.charts.profile import MOST_RESULTS, MOST_ROWS, ProfileRow
from renderers.pixels.theme import THEMES
from tests.renderers.conftest import LooksLike, opened

GYGES = ProfileRow("Gygès", "1538", "4 won, 1 drawn, 3 lost", (True, False, True, None, True, False, True, False), 0)
UNRATED = ProfileRow("Rectangles of Distinction", "not rated", "1 won, 0 drawn, 0 lost", (True,))


def chart(matches: int) -> Chart:
    values = (1500.0 + 40 * (at * 7 % 5) - 3 * at for at in range(matches + 1))
    return Chart((Series("Gygès", tuple(zip(map(float, range(matches + 1)), values, strict=False))),), unit="Matches")


def test_profiles_look_as_they_were_approved(looks_like: LooksLike) -> None:
    for theme, matches in (("dark", 3), ("light", 100), ("high-contrast", 1)):
        drawn = profile.png("Alice", [GYGES, UNRATED], chart(matches), theme, width=450)
        looks_like(drawn, f"profile-{matches}-{theme}")


@pytest.mark.parametrize("theme", THEMES)
def test_a_win_a_draw_and_a_loss_differ_in_shape(theme: str) -> None:
    drawn = {
        opened(profile.png("", [replace(GYGES, results=(won,))], theme=theme)).convert("1").tobytes()
        for won in (True, None, False)
    }
    assert len(drawn) == 3


@pytest.mark.parametrize("name", ["W" * 32, "😀" * 32, "عبد الرحمن بن محمد الحضرمي كبير"])
def test_long_names_and_words_are_drawn_over_nothing_else(name: str) -> None:
    full = (True, False) * (MOST_RESULTS // 2)
    row = ProfileRow(name, "2170?", name, full, 0)
    shown, empty = (opened(profile.png("", [replace(row, name=text, words=text), row])) for text in (name, "x"))
    changed = ImageChops.difference(shown, empty).getbbox()
    assert changed is not None
    bars = opened(profile.png("", [replace(row, results=()), row]))
    beside = ImageChops.difference(opened(profile.png("", [replace(row, words=""), row])), bars).getbbox()
    assert beside is not None
    words = ImageChops.difference(opened(profile.png("", [replace(row, words=""), row])), shown).getbbox()
    assert words is not None
    assert words[2] <= 900 - 26 - 20 - MOST_RESULTS * 22 + 9


def test_what_is_no_profile_is_refused() -> None:
    for rows in ([], [GYGES] * (MOST_ROWS + 1)):
        with pytest.raises(ValueError, match=f"1 to {MOST_ROWS} rows"):
            profile.png("Alice", rows)
    with pytest.raises(ValueError, match="pixels wide"):
        profile.png("Alice", [GYGES], width=10)
