"""The engine of Rectangles of Distinction and the second one of ``reference`` play the same games."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.game import Position
from tests.games.rectangles.play import RECTANGLES, start
from tests.games.rectangles.reference import Reference, shapes

KINDS = [
    (players, dots, tilted)
    for dots, most in ((4, 2), (6, 4), (8, 6), (10, 6))
    for tilted in (False, True)
    for players in sorted({2, 3, most} - ({3} if most == 2 else set()))
]


@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize("dots", [4, 6, 8, 10])
def test_every_rectangle_there_is_can_be_drawn_first(dots: int, tilted: bool) -> None:
    texts = [str(move) for move in start(dots=dots, tilted=tilted).legal_moves()]
    assert sorted(texts) == sorted([*shapes(dots, tilted), "stuck"])


@pytest.mark.parametrize(("players", "dots", "tilted"), KINDS)
def test_legal_moves_and_results_agree_over_whole_games(players: int, dots: int, tilted: bool) -> None:
    for seed in range(8):
        random = Random(seed)
        position, game = start(players, dots, tilted), Reference(players, dots, tilted)
        while game.winner is None:
            assert position.to_move == game.seat
            assert sorted(str(move) for move in position.legal_moves()) == sorted([*game.legal(), "stuck"])
            position = one_event(game, position, random)
        assert position.result is not None
        assert position.result.winners == {game.winner}
        assert list(position.legal_moves()) == []


def one_event(game: Reference, position: Position, random: Random) -> Position:
    """Play the same move in both games, or let the same seat drop out."""
    chance = random.random()
    if chance < 0.05:
        seat = random.choice(sorted(game.inside))
        game.drop(seat)
        return position.drop(seat)
    if chance < 0.08:
        game.stuck()
        return position.play(position.parse("stuck"))
    text = random.choice(game.legal())
    game.draw(text)
    return position.play(position.parse(text))


def test_a_game_is_restored_wherever_it_stands() -> None:
    for seed in range(40):
        random = Random(seed)
        position, game = start(4, 6, True), Reference(4, 6, True)
        while game.winner is None:
            position = one_event(game, position, random)
            assert RECTANGLES.decode(position.encode()) == position
            assert RECTANGLES.decode(position.encode()).encode() == position.encode()
