"""Boards, their variants, and the ways to begin (``RULES.md``, "Players" and "Board"); turns the reference tells."""

from __future__ import annotations

import pytest

from bot.contract.perft import perft
from tests.games.rectangles.play import RECTANGLES, start


@pytest.mark.parametrize(
    ("tilted", "counts"),
    [
        (False, (225, 28_530)),
        (True, (313, 53_514)),
        pytest.param(False, (225, 28_530, 1_874_586), marks=pytest.mark.slow),
    ],
)
def test_there_are_so_many_ways_to_begin_on_six_by_six_dots(tilted: bool, counts: tuple[int, ...]) -> None:
    assert tuple(perft(start(tilted=tilted), depth) for depth in range(1, len(counts) + 1)) == counts


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
