"""The move builder offers dots, never rectangles: finding them is the game."""

from __future__ import annotations

from itertools import permutations

from bot.games.game import Position
from bot.games.rectangles.rules import RectanglesPosition
from tests.games.rectangles.play import RECTANGLES, played, start


def keys(position: Position, *prefix: str) -> list[str]:
    return [step.key for step in position.steps(prefix)]


def test_the_first_choice_is_a_free_dot_or_stuck_which_says_what_it_means() -> None:
    assert len(keys(start())) == 37
    position = played(start(), "b2-d3")
    offered = keys(position)
    assert len(offered) == 33
    assert not {"b2", "d2", "b3", "d3"} & set(offered)
    *dots, stuck = position.steps()
    assert all(step.move is None for step in dots)
    assert (stuck.key, stuck.label, stuck.square) == ("stuck", "I'm stuck: there's nothing left to draw", None)
    assert str(stuck.move) == "stuck"
    assert position.confirmation(stuck.move) == "End the game"
    assert position.confirmation(position.parse("a1-c4")) == "Play it"


def test_a_free_dot_is_offered_whether_a_rectangle_with_it_is_possible_or_not() -> None:
    position = played(start(2, 4), "b2-c3", "b1-d4")
    possible = {corner for move in position.legal_moves() for corner in str(move).split("-")}
    assert possible == {"a2", "d3", "stuck"}
    assert keys(position) == ["a1", "c1", "a2", "d2", "a3", "d3", "a4", "c4", "stuck"]


def test_the_second_choice_is_any_free_dot_not_on_a_line_with_the_first() -> None:
    assert len(keys(start(), "a1")) == 25
    position = played(start(), "b2-d3")
    offered = keys(position, "a1")
    assert "-c4" in offered
    assert "-a4" not in offered
    assert "-b2" not in offered
    assert {"-c2", "-c3", "-d5", "-e6"} <= set(offered)


def test_a_guess_the_rules_refuse_is_labelled_like_others_has_no_move_and_leads_nowhere() -> None:
    position = played(start(), "b2-d3")
    steps = {step.key: step for step in position.steps(("a1",))}
    assert (steps["-c3"].label, steps["-c2"].label) == ("c3: 2 × 2, area 4", "c2: 2 × 1, area 2")
    assert steps["-c3"].move is not None
    assert steps["-c2"].move is None
    assert keys(position, "a1", "-c2") == []
    assert [key for key, step in steps.items() if step.spent] == ["-c2"], "everybody sees that its area is used"
    assert not any(step.spent for step in position.steps())


def test_a_tilted_game_offers_every_free_dot_as_second_corner() -> None:
    assert len(keys(played(start(tilted=True), "b2-d3"), "a1")) == 31


def test_a_third_corner_is_one_that_makes_a_rectangle_by_geometry_alone() -> None:
    assert keys(start(tilted=True), "c1", "-e5") == ["-e1", "-a2", "-b2", "-f2", "-b4", "-f4", "-c5", "-c6"]
    for taken in ((), ("b2-d3",), ("b2-d3", "a1-e4")):
        position = played(start(tilted=True), *taken)
        assert isinstance(position, RectanglesPosition)
        board = position.board
        free = board.free(position.taken)
        for first, second in permutations(free, 2):
            possible = {
                dot for corners in board.by_corners if {first, second} < corners for dot in corners - {first, second}
            }
            offered = keys(position, f"{first}", f"-{second}")
            assert offered == [f"-{dot}" for dot in free if dot in possible]


def test_in_a_tilted_game_two_dots_may_be_complete_and_go_on() -> None:
    steps = {step.key: step for step in start(tilted=True).steps(("b1",))}
    assert str(steps["-d2"].move) == "b1-d2"
    assert "-c4" in keys(start(tilted=True), "b1", "-d2")
    third = {step.key: step for step in start(tilted=True).steps(("b1", "-d2"))}
    assert str(third["-c4"].move) == "b1-d2-c4"
    assert third["-c4"].label == "c4: tilted, area 5"
    assert "-f6" not in third


def test_in_a_tilted_game_nothing_is_said_or_drawn_of_the_upright_box_nobody_asked_for() -> None:
    position = start(tilted=True)
    (second,) = [step for step in position.steps(("b1",)) if step.key == "-d2"]
    assert (second.label, second.caption) == ("d2", "d2")
    targets = [str(step.square) for step in position.steps(("b1", "-d2"))]
    assert RECTANGLES.scene(position, chosen=("b1", "-d2"), targets=targets).outlines == ()
    assert len(RECTANGLES.scene(position, chosen=("b1-d2",)).outlines) == 1
    assert position.confirmation(second.move) == "Draw it upright"


def test_an_example_for_typing_gives_no_rectangle_away() -> None:
    position = played(start(2, 4), "b2-c3", "b1-d4")
    assert position.example() == "a1-d2"
    assert "a1-d2" not in [str(move) for move in position.legal_moves()]


def test_dots_that_are_not_offered_lead_nowhere_nor_does_a_whole_rectangle() -> None:
    position = played(start(), "b2-d3")
    for prefix in (("b2",), ("a1", "-a1"), ("a1", "-a4"), ("a1", "-c4"), ("stuck",), ("a1", "-c4", "-a4")):
        assert keys(position, *prefix) == []


def test_completions_are_free_dots_and_stuck_not_rectangles() -> None:
    position = played(start(), "b2-d3")
    assert position.completions("", 40)[:3] == ["a1", "b1", "c1"]
    assert position.completions("", 40)[-1] == "stuck"
    assert position.completions("d", 25) == ["d1", "d4", "d5", "d6"]
    assert position.completions("b2", 25) == []
    after = position.completions("a1", 25)
    assert (len(after), after[0]) == (21, "a1-c2")
    assert position.completions("A1-c", 25) == ["a1-c2", "a1-c3", "a1-c4", "a1-c5", "a1-c6"]
    assert "a1-c2" not in [str(move) for move in position.legal_moves()], "they tell legal ones from no others"
    assert start(dots=10).completions("a1", 3) == ["a10", "a1-b2", "a1-c2"]
    assert start(tilted=True).completions("b1-d2-c", 25) == ["b1-d2-c4"]
    assert start().completions("b1-d2-c", 25) == []
    assert played(start(), "stuck").completions("", 25) == []


def test_a_turn_is_said_in_words() -> None:
    position = start(tilted=True)

    def words(text: str) -> str:
        return RECTANGLES.move_in_words(position, position.parse(text))

    assert words("a1-c4") == "draws a1-c4: 2 × 3, area 6"
    assert words("b1-d2-c4") == "draws b1-d2-c4: tilted, area 5"
    assert words("stuck") == "says stuck"
