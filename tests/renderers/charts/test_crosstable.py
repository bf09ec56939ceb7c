"""Tables of tournaments: every mark has a shape of its own, and names in any script fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import ImageChops

from renderers.charts import crosstable
from renderers.charts.crosstable import FEWEST_LINES, MOST_LINES, ResultMark, TableRow, Winner
from renderers.pixels.theme import THEMES
from tests.renderers.conftest import LooksLike, opened

NAMES = (
    "Alexandrina Featherstonehaugh",
    "Дмитрий Преображенский-Воскресенский",
    "さくらもちだいすき桜餅大好き",
    "عبد الرحمن بن محمد الفارسي",
    "Bob",
    "Ñandú",
    "김하늘바라기별빛",
    "Zoë",
)
SHOWN = [mark for mark in ResultMark if mark is not ResultMark.NONE]


def lines(players: int, *, twice: bool = False) -> list[TableRow]:
    """Return the table of some players, with every mark in it."""
    met = {
        (row, column): (SHOWN[(row + column) % len(SHOWN)], SHOWN[(row * column) % len(SHOWN)])[: 1 + twice]
        for row in range(players)
        for column in range(players)
    }
    return [
        TableRow(
            NAMES[row],
            str(2 * (players - row)),
            tuple(() if row == column else met[row, column] for column in range(players)),
            row + 1,
            out=row == players - 1,
        )
        for row in range(players)
    ]


LEGEND = [
    ((ResultMark.WON,), "won"),
    ((ResultMark.DRAWN,), "drawn"),
    ((ResultMark.LOST,), "lost"),
    ((ResultMark.PLAYING,), "being played"),
    ((ResultMark.TO_PLAY,), "to come"),
    ((ResultMark.AWARDED, ResultMark.FORFEITED), "by forfeit"),
    ((ResultMark.VOIDED,), "voided"),
]


def test_tables_for_three_and_eight_look_as_they_were_approved(looks_like: LooksLike) -> None:
    for theme, width in (("dark", 900), ("light", 400)):
        for players in (3, 8):
            drawn = crosstable.png(lines(players, twice=players == 3), "Points", LEGEND, None, theme, width)
            looks_like(drawn, f"crosstable-{players}-{theme}-{width}")


def test_the_table_of_a_tournament_that_is_over_begins_with_who_won(looks_like: LooksLike) -> None:
    tied = [replace(line, place=1 if at < 2 else 3) for at, line in enumerate(lines(3))]
    shared = Winner(f"{NAMES[0]} and {NAMES[1]}", "8 points")
    looks_like(crosstable.png(tied, "Points", LEGEND[:3], shared, "dark", 450), "crosstable-shared-dark")
    alone = Winner("Bob", "12 points · 3 of 3 played")
    looks_like(crosstable.png(lines(4), "Points", LEGEND[:3], alone, "light", 450), "crosstable-won-light")


@pytest.mark.parametrize("names", ["W" * 32, "W" * 32 + " and " + "W" * 32, "😀" * 32, NAMES[3] * 3])
def test_names_of_winners_stay_in_their_banner(names: str) -> None:
    shown, empty = (
        opened(crosstable.png(lines(3), "Points", LEGEND, Winner(name, "8 points"), "dark")) for name in (names, ".")
    )
    box = ImageChops.difference(shown, empty).getbbox()
    assert box is not None
    assert box[0] > 26
    assert box[1] > 26
    assert box[2] <= 900 - 26 - 24
    assert box[3] < 26 + 176


@pytest.mark.parametrize("theme", THEMES)
def test_every_mark_can_be_told_from_every_other(theme: str) -> None:
    drawn = {}
    for mark in SHOWN:
        cells = [TableRow("A", "0", ((), (mark,))), TableRow("B", "0", ((), ()))]
        drawn[mark] = opened(crosstable.png(cells, theme=theme)).convert("1").tobytes()
    for one, other in combinations(SHOWN, 2):
        assert drawn[one] != drawn[other], f"{one} looks like {other} without colour"


def test_a_table_without_lines_or_with_too_many_is_refused() -> None:
    for players in (FEWEST_LINES - 1, MOST_LINES + 1):
        with pytest.raises(ValueError, match="a table shows"):
            crosstable.png(lines(min(players, 8)) * (2 if players > 8 else 1))
    with pytest.raises(ValueError, match="pixels wide"):
        crosstable.png(lines(3), width=5)
