"""A turn of Redo built choice by choice, and said in words."""

from __future__ import annotations

from bot.games.game import Position
from tests.games.redo.boards import REDO, at

MIDDLE = "7/7/2Rr3/3r3/1wwWr2/2w4/3w3/6w"


def labels(position: Position, *prefix: str) -> dict[str, str]:
    return {step.key: step.label for step in position.steps(prefix)}


def words(position: Position, text: str) -> str:
    return REDO.move_in_words(position, position.parse(text))


def test_the_first_choice_is_a_piece_that_can_move() -> None:
    assert labels(at(MIDDLE)) == {
        "g1": "Disc g1",
        "d2": "Disc d2",
        "c3": "Disc c3",
        "b4": "Disc b4",
        "c4": "Disc c4",
        "d4": "Tower d4",
    }


def test_the_second_choice_says_what_the_turn_does_and_highlights_the_square_to_go_to() -> None:
    position = at(MIDDLE)
    assert labels(position, "c3") == {"-b4+": "to b4, becomes a tower", "-c4+": "to c4, becomes a tower"}
    assert {step.key: step.square for step in position.steps(("c3",))} == {"-b4+": "b4", "-c4+": "c4"}
    assert labels(position, "g1")["-g3"] == "to g3"
    assert labels(position, "b4")["-b5"] == "to b5, converts 1"
    assert labels(position, "d4")["xf4"] == "jumps e4 to f4, converts 1"


def test_a_pass_is_a_choice_without_a_place() -> None:
    (step,) = [step for step in at("w6/7/7/7/7/7/7/3R3").steps() if step.key == "pass"]
    assert (step.label, step.square, str(step.move)) == ("Pass", None, "pass")


def test_a_turn_is_said_in_words_and_whether_a_pass_was_chosen() -> None:
    position = at(MIDDLE)
    assert words(position, "g1-g3") == "moves g1-g3"
    assert words(position, "c4-b5") == "moves c4-b5 and converts c6"
    assert words(position, "c3-c4+") == "stacks c3 on c4: a tower"
    assert words(position, "d4xf4") == "jumps d4xf4 and converts e4"
    assert words(at("w6/7/7/7/7/7/7/3R3"), "pass") == "has no move and passes"
    assert words(at("wwwwwww/wwwwwww/7/7/7/7/7/3R3"), "pass") == "passes"
