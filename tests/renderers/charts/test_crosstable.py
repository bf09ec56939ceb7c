"""Tables of tournaments: every mark has a shape of its own, and names in any script fit."""

from __future__ import annotations

from itertools import combinations

import pytest

from renderers.charts import crosstable
from renderers.charts.crosstable import FEWEST_LINES, MOST_LINES, Line, Mark
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
SHOWN = [mark for mark in Mark if mark is not Mark.NONE]


def lines(players: int, *, twice: bool = False) -> list[Line]:
    """Return the table of some players, with every mark in it."""
    met = {
        (row, column): (SHOWN[(row + column) % len(SHOWN)], SHOWN[(row * column) % len(SHOWN)])[: 1 + twice]
        for row in range(players)
        for column in range(players)
    }
    return [
        Line(
            NAMES[row],
            str(2 * (players - row)),
            tuple(() if row == column else met[row, column] for column in range(players)),
            first=row == 0,
            out=row == players - 1,
        )
        for row in range(players)
    ]


def test_tables_for_three_and_eight_look_as_they_were_approved(looks_like: LooksLike) -> None:
    legend = ["2 won", "1 drawn", "0 lost", "○ being played", "• to come", "+ − by forfeit", "× voided"]
    for theme, width in (("dark", 900), ("light", 400)):
        for players in (3, 8):
            drawn = crosstable.png(lines(players, twice=players == 3), "Cup 7 · Gygès", "Points", legend, theme, width)
            looks_like(drawn, f"crosstable-{players}-{theme}-{width}")


@pytest.mark.parametrize("theme", THEMES)
def test_every_mark_can_be_told_from_every_other(theme: str) -> None:
    drawn = {}
    for mark in SHOWN:
        cells = [Line("A", "0", ((), (mark,))), Line("B", "0", ((), ()))]
        drawn[mark] = opened(crosstable.png(cells, theme=theme)).convert("1").tobytes()
    for one, other in combinations(SHOWN, 2):
        assert drawn[one] != drawn[other], f"{one} looks like {other} without colour"


def test_a_table_without_lines_or_with_too_many_is_refused() -> None:
    for players in (FEWEST_LINES - 1, MOST_LINES + 1):
        with pytest.raises(ValueError, match="a table shows"):
            crosstable.png(lines(min(players, 8)) * (2 if players > 8 else 1))
    with pytest.raises(ValueError, match="pixels wide"):
        crosstable.png(lines(3), width=5)
