"""Wins in one are taken from level 2, and from level 3 no win in one is allowed that can be prevented."""

from __future__ import annotations

import pytest

from bot.contract.cases import CASES, Case, playout
from bot.games.game import Move, Position
from bot.opponents import choose
from tests.games.yonmoque.positions import board
from tests.support.sampled import sampled

LISTED = 150
"""Positions with more moves are left out here: trying every answer to every move would take too long."""


def winning(position: Position) -> list[Move]:
    """Return the moves that win at once for the seat to move alone."""
    found = []
    for move in position.legal_moves():
        result = position.play(move).result
        if result is not None and result.winners == {position.to_move}:
            found.append(move)
    return found


def allows(position: Position, move: Move) -> bool:
    """Tell whether ``move`` loses at once, or lets the next seat win at once."""
    after = position.play(move)
    if after.result is not None:
        return position.to_move not in after.result.winners
    return bool(winning(after))


def late(case: Case, seeds: range) -> list[Position]:
    """Return positions near the end of random games, where they are decided."""
    found = [ply.position for seed in seeds for ply in playout(case, seed)[-5:-1]]
    return [position for position in found if len(list(position.legal_moves())) <= LISTED]


TWO = [case for case in CASES if case.players == 2 and not case.variant.options.get("by_players")]
"""Where only a player ends the game, no move wins at once."""


@pytest.mark.parametrize("level", [6, 7, 10])
@pytest.mark.parametrize("case", sampled(TWO, every=2), ids=str)
def test_a_win_in_one_is_never_missed(case: Case, level: int) -> None:
    checked = 0
    for position in late(case, range(10, 18 if level < 8 else 14)):
        wins = winning(position)
        if wins:
            assert choose(position, level, seed=checked) in wins
            checked += 1
    assert checked


@pytest.mark.parametrize("case", sampled(TWO, every=4), ids=str)
def test_a_win_in_one_that_can_be_prevented_is_never_allowed(case: Case) -> None:
    for seed, position in enumerate(late(case, range(20, 26))):
        if winning(position):
            continue
        allowing = [move for move in position.legal_moves() if allows(position, move)]
        if 0 < len(allowing) < len(list(position.legal_moves())):
            for level in (3, 4, 6):
                assert choose(position, level, seed) not in allowing


def test_a_beginner_overlooks_but_does_not_lose_by_a_move_of_their_own() -> None:
    position = board("bbbb. ..... w.w.. .w... .....")
    five = position.parse("e5")
    assert position.play(five).result is not None
    assert five not in {choose(position, 1, seed) for seed in range(80)}
