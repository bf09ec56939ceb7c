"""Ends that the games of ``reference`` do not reach (``RULES.md``, "End"), and what is said of all of them."""

from __future__ import annotations

import pytest

from bot.games.game import Position
from tests.games.rectangles.play import legal, played, start, winner


def test_where_only_players_end_the_game_nothing_tells_that_no_rectangle_is_left() -> None:
    drawn = ("b2-c3", "b1-d4", "a2-d3")
    ended, judged = played(start(dots=4), *drawn), played(start(dots=4, by_players=True), *drawn)
    assert ended.result is not None
    assert judged.result is None
    assert legal(judged) == {"stuck"}
    assert [step.key for step in judged.steps()] == ["a1", "c1", "a4", "c4", "stuck"]
    assert judged.question(judged.parse("stuck")) is not None
    assert winner(played(judged, "stuck")) == 1


def test_where_only_players_end_the_game_a_seat_that_leaves_ends_nothing_among_three() -> None:
    position = played(start(3, 6, by_players=True), "a1-b2")
    after = position.drop(1)
    assert after.result is None
    assert after.to_move == 2
    assert winner(played(after, "stuck")) == 1


@pytest.mark.parametrize(
    ("over", "reason"),
    [
        (played(start(), "a1-b2", "stuck"), "Player 2 said stuck"),
        (start(3).drop(0).drop(2), "everybody else has left"),
        (played(start(2, 4), "b2-c3", "b1-d4", "a2-d3"), "no rectangle is left to draw"),
    ],
)
def test_a_reason_says_how_a_game_ended(over: Position, reason: str) -> None:
    assert over.result is not None
    assert over.result.reason == reason


def test_nobody_drops_out_twice_or_after_the_end_or_from_a_seat_there_is_not() -> None:
    for position, seat in ((start(3).drop(1), 1), (played(start(3), "stuck"), 0), (start(3), 3), (start(3), -1)):
        with pytest.raises(ValueError, match="is not playing"):
            position.drop(seat)
