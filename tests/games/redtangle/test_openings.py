"""The set-ups that computer players choose in Redtangle."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.moves import Arrangement
from bot.games.redtangle.pieces import BLACK, WHITE
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.search import solid_arrangement
from bot.games.redtangle.setup import SetUpPosition, default_arrangement, random_arrangement

SEEDS = range(40)


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_every_set_up_is_legal_and_other_seeds_choose_others(seat: int) -> None:
    position = SetUpPosition()
    if seat == BLACK:
        position = SetUpPosition(position.play(default_arrangement(WHITE)).board, BLACK)
    chosen = [REDTANGLE.opening(position, Random(seed)) for seed in SEEDS]
    assert all(position.parse(str(move)) == move for move in chosen)
    assert len(set(chosen)) == len(SEEDS)
    assert chosen == [REDTANGLE.opening(position, Random(seed)) for seed in SEEDS]


def test_there_is_nothing_to_arrange_once_the_play_has_begun() -> None:
    begun = SetUpPosition().play(default_arrangement(WHITE)).play(default_arrangement(BLACK))
    assert isinstance(begun, RedtanglePosition)
    assert REDTANGLE.opening(begun, Random(1)) is None


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_fewer_files_can_be_jumped_over_at_once_than_in_a_random_set_up(seat: int) -> None:
    solid = sum(files_alike(solid_arrangement(seat, Random(seed)), seat) for seed in SEEDS)
    drawn = sum(files_alike(random_arrangement(seat, Random(seed)), seat) for seed in SEEDS)
    assert solid < 3 / 4 * drawn


def files_alike(arrangement: Arrangement, seat: int) -> int:
    """Count the files in which both pieces show the opponent the same colour."""
    ahead = 0 if seat == WHITE else 2
    back, front = arrangement.pieces[:4], arrangement.pieces[4:]
    return sum(one.colour_of_side(ahead) == two.colour_of_side(ahead) for one, two in zip(back, front, strict=True))
