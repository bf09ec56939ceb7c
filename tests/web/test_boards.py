"""What the page is told of a move under construction."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.games.game import Position
from bot.matches.model.building import Keys
from bot.web.boards import choices
from renderers.i18n import capitalised


def begun(key: str) -> Position:
    """Return the first position after the set-ups."""
    position = GAMES[key].start(players=2)
    while (move := position.ready_made()) is not None:
        position = position.play(move)
    return position


def complete(position: Position, keys: Keys = ()) -> Keys:
    """Return the first choices that make a move."""
    step = position.steps(keys)[0]
    return (*keys, step.key) if step.move is not None else complete(position, (*keys, step.key))


@pytest.mark.parametrize("key", GAMES)
def test_what_a_move_does_is_a_sentence_before_what_is_asked_next(key: str) -> None:
    position = begun(key)
    assert choices(key, position, ())["does"] == ""
    said = choices(key, position, complete(position))["does"]
    assert said == capitalised(said)
    assert said.endswith(".")
