"""How many ways there are to play on for some plies, counted with repetitions."""

from __future__ import annotations

import pytest

from bot.contract.perft import perft
from bot.games.game import Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.rules import RedtanglePosition

BEGINNING = "2b4b2Eb2Sb02/2b1Nb2Eb3Wb1S2/8/8/8/8/2w1Nw3Ew2Ww1S2/2w0w2Nw2Ww42 w 0 -"
"""Both default arrangements."""
MELEE = "8/1w2E4w01/3w42b01/1w1S3b41b3E/3w3S2b1E1/5b2S1b2E/1w2E1w1S1w2Wb1E1/7b2E w 0 -"
"""Many moves, among them chains of six jumps."""


def begun(text: str) -> RedtanglePosition:
    position = REDTANGLE.decode(text)
    assert isinstance(position, RedtanglePosition)
    return position


@pytest.mark.parametrize(("text", "counts"), [(BEGINNING, (86, 7_396, 729_452)), (MELEE, (238, 24_122))])
def test_the_ways_to_play_on_are_as_many_as_ever(text: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(begun(text), plies) for plies in range(1, len(counts) + 1)) == counts


def test_the_beginning_is_the_one_after_the_default_set_ups() -> None:
    position: Position = REDTANGLE.start()
    for arrangement in ("0,2N,2W,4,1N,3E,2W,1S", "4,2E,2S,0,1N,2E,3W,1S"):
        assert str(position.ready_made()) == arrangement
        position = position.play(position.parse(arrangement))
    assert position.encode() == BEGINNING
