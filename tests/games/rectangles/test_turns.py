"""The rectangles that may be drawn (``RULES.md``, "Board" and "Turn")."""

from __future__ import annotations

import pytest

from bot.contract.perft import perft
from tests.games.rectangles.play import RECTANGLES, legal, played, start


@pytest.mark.parametrize(("depth", "count"), [(1, 225), (2, 28530), pytest.param(3, 1874586, marks=pytest.mark.slow)])
def test_there_are_so_many_ways_to_begin_on_six_by_six_dots(depth: int, count: int) -> None:
    assert perft(start(), depth) == count


@pytest.mark.parametrize(("depth", "count"), [(1, 313), (2, 53514)])
def test_there_are_so_many_ways_to_begin_with_tilted_rectangles(depth: int, count: int) -> None:
    assert perft(start(tilted=True), depth) == count


def test_six_by_six_dots_and_upright_is_the_default() -> None:
    assert RECTANGLES.start() == start(2, 6, False)
    assert RECTANGLES.variants[0].options == {"dots": 6}


@pytest.mark.parametrize(("dots", "most"), [(4, 2), (6, 4), (8, 6), (10, 6)])
def test_a_board_is_for_so_many_players(dots: int, most: int) -> None:
    for players in range(2, most + 1):
        assert start(players, dots).to_move == 0
    for players in (0, 1, most + 1):
        with pytest.raises(ValueError, match="players"):
            start(players, dots)
    for variant in RECTANGLES.variants:
        if variant.options["dots"] == dots:
            assert variant.players == range(2, most + 1)


@pytest.mark.parametrize("dots", [-6, 0, 2, 5, 7, 12])
def test_there_are_no_other_boards(dots: int) -> None:
    with pytest.raises(ValueError, match="dots a side"):
        start(dots=dots)


def test_there_are_eight_variants_that_the_bot_ends_and_three_that_it_does_not() -> None:
    ended = [v.options for v in RECTANGLES.variants if not v.options.get("by_players")]
    options = [(one["dots"], one.get("tilted", False)) for one in ended]
    assert sorted(options) == [(dots, tilted) for dots in (4, 6, 8, 10) for tilted in (False, True)]
    judged = [v.options for v in RECTANGLES.variants if v.options.get("by_players")]
    assert [one["dots"] for one in judged] == [6, 8, 10]


def test_turns_go_round() -> None:
    position = start(3, 8)
    seats: list[int | None] = []
    for text in ("a1-b2", "c1-d3", "e1-f4", "g1-h5"):
        seats.append(position.to_move)
        position = played(position, text)
    assert seats == [0, 1, 2, 0]


def test_a_corner_is_used_once_whoever_drew_it() -> None:
    position = played(start(), "b2-d3")
    for corner in ("b2", "d2", "d3", "b3"):
        assert not any(corner in text for text in legal(position) if text != "stuck")
    assert not {text for text in legal(position) if text in ("a1-b2", "d3-e5", "b4-c2")}
    # The corners that are not written count as well: d2-f5 would have d2, b3-c6 would have b3.
    assert not {"d2-f5", "b3-c6", "a2-b6", "a2-d5"} & legal(position)


def test_an_area_is_used_once_whoever_drew_it() -> None:
    position = played(start(), "a1-b3")
    assert "c1-d3" not in legal(position)
    assert "c1-e2" not in legal(position)
    assert "c1-d2" in legal(position)


def test_areas_are_compared_across_shapes() -> None:
    assert "c4-e6" not in legal(played(start(), "a1-b5"))


def test_sides_may_lie_on_other_sides_and_cross_them() -> None:
    position = played(start(), "b2-e4")
    assert "a4-f5" in legal(position)
    assert "c1-d5" in legal(position)
    assert "c2-d4" in legal(position)


def test_dots_on_a_side_or_inside_stay_free() -> None:
    position = played(start(), "b2-e4")
    assert "c2-f6" in legal(position)
    assert "c3-d4" in legal(position)


def test_squares_are_rectangles() -> None:
    assert "a1-c3" in legal(start())


def test_sides_run_along_the_grid_unless_the_game_is_tilted() -> None:
    assert "b1-d2-c4" not in legal(start())
    assert "b1-d2-c4" in legal(start(tilted=True))


def test_tilted_games_allow_upright_rectangles_too() -> None:
    assert legal(start()) < legal(start(tilted=True))


def test_the_area_of_a_tilted_rectangle_counts_like_any_other() -> None:
    position = played(start(tilted=True), "b1-d2-c4")
    assert "e1-f6" not in legal(position)
    assert "e1-f3" in legal(position)
    assert "e1-f3" not in legal(played(position, "d4-e5-d6"))


def test_the_hidden_corner_of_a_tilted_rectangle_is_used() -> None:
    position = played(start(tilted=True), "b1-d2-c4")
    assert not any("a3" in text for text in legal(position))
    assert not {"a1-c3", "a2-c3", "a3-f6"} & legal(position)
    assert "a2-c5" in legal(position)


def test_stuck_is_always_legal() -> None:
    position = start()
    while position.result is None:
        assert "stuck" in legal(position)
        assert position.forced_move() is None
        position = position.play(next(iter(position.legal_moves())))
    assert legal(position) == set()
