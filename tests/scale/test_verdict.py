"""The verdict of a scale test names every fault."""

from __future__ import annotations

import pytest

from tests.scale.crowded_discord import Posted
from tests.scale.verdict import wrong_boards


def shown(*plies: int | None, notified: tuple[int, ...] = (1,)) -> list[Posted]:
    """Return boards as they were posted, None for that of the end."""
    return [Posted(7, ply, 20, 100 + at, notified) for at, ply in enumerate(plies)]


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (shown(0, 1, 1, 2), "posted twice"),
        (shown(0, 2, 1, 2), "out of order"),
        (shown(0, 1), "its newest board"),
        (shown(0, 1, 2, notified=(1, 1)), "notified twice"),
        ([], "its newest board"),
    ],
)
def test_a_board_twice_late_or_missing_is_noticed(boards: list[Posted], told: str) -> None:
    assert any(told in line for line in wrong_boards(7, 2, over=False, boards=boards))


def test_boards_that_are_as_they_have_to_be_are_nothing_to_speak_of() -> None:
    assert list(wrong_boards(7, 2, over=False, boards=shown(0, 1, 2))) == []
    assert list(wrong_boards(7, 3, over=True, boards=shown(0, 2, None))) == []
