"""The first turn of Redo, and who passes (``RULES.md``, "Board" and "Pass"); how pieces move the reference tells."""

from __future__ import annotations

import pytest

from tests.games.redo.boards import REDO, at, legal, played


def test_the_first_turn_has_38_moves_19_of_them_promotions() -> None:
    texts = [str(move) for move in REDO.start().legal_moves()]
    assert len(texts) == len(set(texts)) == 38
    assert sum(text.endswith("+") for text in texts) == 19


@pytest.mark.parametrize(
    ("board", "texts", "forced"),
    [
        pytest.param("w6/7/7/7/7/7/7/3R3", {"pass"}, "pass", id="without any move the bot passes for them"),
        pytest.param("1R5/w6/7/7/7/7/7/7", {"a7-a8"}, None, id="a single move is not played for them"),
        pytest.param("wwwwwww/w6/7/7/7/7/7/6R", {"pass", "a7-a8+", "a7-b8+"}, None, id="who could only promote may"),
    ],
)
def test_who_passes(board: str, texts: set[str], forced: str | None) -> None:
    position = at(board)
    assert legal(position) == texts
    assert forced == (None if position.forced_move() is None else str(position.forced_move()))


def test_a_pass_is_a_ply_of_its_own() -> None:
    position = at("w6/7/7/7/7/7/7/3R3", plies=10)
    assert played(position, "pass").encode() == "w6/7/7/7/7/7/7/3R3 r 1 1 11 w6/7/7/7/7/7/7/3R3:w"
    assert played(position, "pass", "d1-d2", "pass").result is None
