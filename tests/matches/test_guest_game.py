"""A guest's game as a list of moves: which levels it has, what the bot answers, and what a forced pass is."""

from __future__ import annotations

from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.game import PASS
from bot.matches.model.guest_game import games, levels_for, played, with_reply


@pytest.mark.parametrize(("levels", "offered"), [(10, [1, 2, 3]), (4, [1, 2]), (3, [1]), (2, [])])
def test_guests_play_the_weakest_levels_that_think_quickly(levels: int, offered: list[int]) -> None:
    game: Any = SimpleNamespace(levels=levels)
    assert levels_for(game) == offered


def test_all_own_games_are_for_guests() -> None:
    assert games() == dict(GAMES)


def test_the_reply_follows_from_its_seed() -> None:
    state, _seats = played("yonmoque", [])
    replies = [with_reply(state, "c3", 1, seed) for seed in (1, 1, *range(20))]
    assert replies[0] == replies[1]
    assert len(set(replies)) > 1


def forced_to_pass() -> list[str]:
    """Return the moves of a game of Redo up to one at which the bot has nothing but to pass, and passes."""
    for seed in range(50):
        random, position, moves = Random(seed), GAMES["redo"].start(), list[str]()
        while position.to_move is not None:
            if position.to_move == 1 and (forced := position.forced_move()) is not None:
                return [*moves, str(forced)]
            move = position.forced_move() or random.choice(list(islice(position.legal_moves(), 60)))
            moves.append(str(move))
            position = position.play(move)
    raise AssertionError("nobody has to pass")


def test_who_has_nothing_else_to_play_was_forced_to_pass() -> None:
    moves = forced_to_pass()
    state, seats = played("redo", moves)
    assert (moves[-1], state.passed, str(state.last)) == (PASS, (1,), moves[-2])
    assert len(seats) == len(moves)
