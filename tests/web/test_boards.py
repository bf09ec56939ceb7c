"""What the page is told of a move under construction."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.games.game import Position, Variant
from bot.matches.model.building import Choices
from bot.web.boards import choices
from renderers.i18n import capitalised


def begun(key: str) -> Position:
    """Return the first position after the set-ups."""
    position = GAMES[key].start(players=2)
    while (move := position.ready_made()) is not None:
        position = position.play(move)
    return position


def complete(position: Position, keys: Choices = ()) -> Choices:
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


@pytest.mark.parametrize("variant", GAMES["rectangles"].variants, ids=lambda variant: variant.key)
def test_whether_a_guess_is_legal_is_told_nowhere(variant: Variant) -> None:
    position = GAMES["rectangles"].start(players=2, **variant.options)
    for move in list(position.legal_moves())[:1]:
        position = position.play(move)
    legal = set()
    for first in list(position.steps())[::7]:  # corners all over the board
        real = {step.key: step for step in position.steps((first.key,))}
        for said in choices("rectangles", position, (first.key,))["steps"]:
            step = real[said["key"]]
            legal |= {step.move is not None} if step.guess else set()
            assert (said["complete"], said["guess"], "move" in said) == (step.guess, step.guess, False)
    assert legal == {True, False}
