"""Names in many scripts, in pictures that have been looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers import image
from renderers.charts import ranking
from renderers.charts.ranking import Row
from renderers.scene import SEATS, Tray
from tests.renderers.conftest import LooksLike
from tests.renderers.scenes import gyges, rectangles, redo
from tests.renderers.scripts.names import NAMES

_ROWS = 10
_LISTS = [list(NAMES.items())[start : start + _ROWS] for start in range(0, len(NAMES), _ROWS)]


@pytest.mark.parametrize("at", range(len(_LISTS)))
def test_a_list_of_names_looks_as_it_was_approved(looks_like: LooksLike, at: int) -> None:
    names = _LISTS[at]
    rows = [Row(row + 1, name, script, 1 - row / _ROWS, own=row % 2 == 1) for row, (script, name) in enumerate(names)]
    looks_like(ranking.png(rows, width=600), f"names-{at + 1}")


@pytest.mark.parametrize(
    ("file", "first", "second"),
    [("names-arabic", "Ali علي 3", "דוד!"), ("names-japanese", "田中さくら", "👩‍🚀 Zoë")],
)
def test_names_beside_a_board_look_as_they_were_approved(
    looks_like: LooksLike, file: str, first: str, second: str
) -> None:
    scene = redo()
    named = tuple(
        replace(tray, name=tray.colour.capitalize(), player=player)
        for tray, player in zip(scene.trays, (first, second), strict=True)
    )
    looks_like(image.png(replace(scene, trays=named), width=450), file)


def test_a_caption_in_japanese_looks_as_it_was_approved(looks_like: LooksLike) -> None:
    scene = replace(
        redo(),
        status="第12手／全40手・白：b5-d3",
        notes=("全ての長方形は面積が異なっていなければなりません。「同じ面積」は、二度と使えません。",),
    )
    looks_like(image.png(scene, width=450), "captions-japanese")


def test_goals_and_pointers_in_japanese_look_as_they_were_approved(looks_like: LooksLike) -> None:
    scene = gyges()
    goals = tuple(replace(goal, label=label) for goal, label in zip(scene.goals, ("南の勝ち", "北の勝ち"), strict=True))
    edges = tuple(replace(edge, label=label) for edge, label in zip(scene.edges, ("南の列", "北の列"), strict=True))
    looks_like(image.png(replace(scene, goals=goals, edges=edges), width=450), "goals-japanese")


def test_names_of_six_players_look_as_they_were_approved(looks_like: LooksLike) -> None:
    scene = rectangles()
    players = ("علي بن أبي طالب", "田中さくら🎲", "ที่น้ำ", "김민수", "शर्मा", "דוד 3!")
    trays = tuple(
        Tray(seat, f"Player {seat + 1}", SEATS[seat], label=str(seat), player=player, to_move=seat == 2)
        for seat, player in enumerate(players)
    )
    looks_like(image.png(replace(scene, trays=trays)), "names-six")
