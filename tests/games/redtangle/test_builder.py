"""The choices that lead to a move, and the words said beside them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given

from bot.games.game import Move, Step
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.moves import Jump
from bot.games.redtangle.rules import RedtanglePosition
from bot.games.redtangle.setup import SetUpPosition
from tests.games.redtangle.boards import OUT_OF_THE_WAY, position
from tests.games.redtangle.strategies import positions


def steps(found: RedtanglePosition, *prefix: str) -> dict[str, Step]:
    return {step.key: step for step in found.steps(prefix)}


def built(found: RedtanglePosition, prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Move]]:
    """Yield every move that can be built, with the choices that led to it."""
    choices = found.steps(prefix)
    assert len(choices) <= 25
    for step in choices:
        assert 0 < len(step.label) <= 80
        if step.move is not None:
            yield (*prefix, step.key), step.move
        yield from built(found, (*prefix, step.key))


@given(positions())
def test_every_legal_move_can_be_built_and_nothing_else(found: RedtanglePosition) -> None:
    moves = dict(built(found))
    assert set(moves.values()) == set(found.legal_moves())
    for keys, move in moves.items():
        assert found.parse("".join(keys)) == move
        assert isinstance(move, Jump) or len(keys) <= 3


def test_a_piece_is_chosen_first_then_a_square_around_it_or_a_turn_on_the_spot() -> None:
    found = position(f"d4 w2E, a8 w4, {OUT_OF_THE_WAY}")
    first = steps(found)
    assert {key: (step.label, step.caption, step.square) for key, step in first.items()} == {
        "d4": ("d4: the 2, white faces right and down", "d4", "d4"),
        "a1": ("a1: the 0, black on every side", "a1", "a1"),
        "a8": ("a8: the 4, white on every side", "a8", "a8"),
    }
    choices = steps(found, "d4")
    assert len(choices) == 8 + 3
    assert (choices["-d5"].label, choices["-d5"].square) == ("to d5", "d5")
    assert choices["@N"].label == "d4, turned so that white faces up and right"
    assert choices["@N"].caption == "Turn: white faces up and right"


def test_a_step_is_complete_and_may_still_turn_the_piece() -> None:
    found = position(f"c3 b2E, {OUT_OF_THE_WAY}", "b")
    assert str(steps(found, "c3")["-d3"].move) == "c3-d3"
    turns = steps(found, "c3", "-d3")
    assert set(turns) == {"@N", "@S", "@W"}
    assert turns["@N"].label == "d3, turned so that black faces down and left"
    assert (turns["@N"].square, str(turns["@N"].move)) == (None, "c3-d3@N")


def test_a_jump_may_go_on_and_off_the_board_and_is_called_as_its_player_sees_it() -> None:
    found = position("a4 w4, b4 b4, d4 b1W, e5 b1S, a1 w0, h8 b0")
    first = steps(found, "a4")["xc4"]
    assert (str(first.move), first.label, first.caption) == ("a4xc4", "jump over b4 to c4", "c4, taking 1")
    second = steps(found, "a4", "xc4")
    assert list(second) == ["xe4"]
    assert str(second["xe4"].move) == "a4xc4xe4"
    off = steps(position("b6 w4, b7 b4, b8 b1S, a1 w0, h8 b0"), "b6")["xN"]
    assert (off.label, off.caption) == ("jump over b7, b8 off the board", "Off the board: up")
    assert (off.square, str(off.move)) == (None, "b6xN")
    seen_by_black = position("b2 b4, b1 w4, h8 b0, h1 w0", "b")
    assert steps(seen_by_black, "b2")["xS"].caption == "Off the board: up"


def test_a_choice_that_enters_the_rectangle_says_so() -> None:
    found = position("d6 w4, e6 b4, a1 w0, h8 b0")
    assert steps(found, "d6")["-d7"].caption == "d7"
    assert steps(found, "d6")["-d7"].label == "to d7, into the red rectangle"
    jumping = position("d5 w4, d6 b4, a1 w0, h8 b0")
    assert steps(jumping, "d5")["xd7"].label == "jump over d6 to d7, into the red rectangle"


def test_a_pass_is_a_single_choice() -> None:
    found = position("a1 w0, a2 b4, b1 b1W, b2 b1N")
    (step,) = found.steps()
    assert (step.key, step.label, step.square) == ("pass", "Pass: no piece can move", None)
    assert str(step.move) == "pass"


def test_moves_are_told_in_words() -> None:
    def words(pieces: str, move: str) -> str:
        found = position(f"{pieces}, a1 w0, h8 b0")
        return REDTANGLE.move_in_words(found, found.parse(move))

    assert words("d4 w2E", "d4-d5") == "moves d4-d5"
    assert words("d4 w2E", "d4-d5@N") == "moves d4-d5, turned so that white faces up and right"
    assert words("d4 w2E", "d4@N") == "turns d4 so that white faces up and right"
    assert words("a4 w4, b4 b4, d5 b1S", "a4xc4") == "jumps a4 over b4 to c4, taking 1 piece"
    assert words("a4 w4, b4 b4, c5 b1S, c6 b3S", "a4xc4xc7") == (
        "jumps a4 over b4 to c4, over c5 and c6 to c7, taking 3 pieces"
    )
    assert words("b7 w4, b8 b1S", "b7xN") == "jumps b7 over b8 off the board, taking 1 piece"
    stuck = position("a1 w0, a2 b4, b1 b1W, b2 b1N")
    assert REDTANGLE.move_in_words(stuck, stuck.parse("pass")) == "passes, as no piece can move"
    start = REDTANGLE.start()
    assert isinstance(start, SetUpPosition)
    line = "0,1N,1E,2S,2W,2N,3E,4"
    assert REDTANGLE.move_in_words(start, start.parse(line)) == "sets up the pieces"


def test_an_arrangement_taken_in_one_click_is_shown_before_it_is_played() -> None:
    found = REDTANGLE.start()
    for shortcut in found.shortcuts(Random(1)):
        shown = REDTANGLE.scene(found, chosen=(shortcut.key,)).pieces
        assert shown == REDTANGLE.scene(found.play(shortcut.move)).pieces
        assert len(shown) == 8
        assert not found.steps((shortcut.key,))
