"""The move builder offers dots, never rectangles: finding them is the game."""

from __future__ import annotations

from itertools import permutations

from bot.games.game import Position
from bot.games.rectangles.rules import RectanglesPosition
from tests.games.rectangles.play import RECTANGLES, played, start


def keys(position: Position, *prefix: str) -> list[str]:
    return [step.key for step in position.steps(prefix)]


def test_the_first_choice_is_a_free_dot_or_stuck() -> None:
    assert len(keys(start())) == 37
    position = played(start(), "b2-d3")
    offered = keys(position)
    assert len(offered) == 33
    assert not {"b2", "d2", "b3", "d3"} & set(offered)
    assert offered[-1] == "stuck"
    assert all(step.move is None for step in position.steps() if step.key != "stuck")


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


def test_labels_do_not_tell_whether_the_rectangle_is_legal() -> None:
    steps = {step.key: step for step in played(start(), "b2-d3").steps(("a1",))}
    assert (steps["-c3"].label, steps["-c2"].label) == ("c3: 2 × 2, area 4", "c2: 2 × 1, area 2")
    assert steps["-c3"].move is not None
    assert steps["-c2"].move is None


def test_a_rectangle_whose_area_everybody_sees_used_is_spent_and_nothing_else_is() -> None:
    position = played(start(), "b2-d3")
    steps = {step.key: step for step in position.steps(("a1",))}
    assert [key for key, step in steps.items() if step.spent] == ["-c2"]
    assert not any(step.spent for step in position.steps())


def test_a_guess_the_rules_refuse_has_no_move_and_leads_nowhere() -> None:
    position = played(start(), "b2-d3")
    (step,) = [step for step in position.steps(("a1",)) if step.key == "-c2"]
    assert step.move is None
    assert keys(position, "a1", "-c2") == []


def test_two_dots_are_enough_where_sides_run_along_the_grid() -> None:
    assert keys(start(), "a1", "-c4") == []


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


def test_saying_stuck_is_confirmed_by_a_button_that_says_what_it_does() -> None:
    position = start()
    assert position.confirmation(position.parse("stuck")) == "End the game"
    assert position.confirmation(position.parse("a1-c4")) == "Play it"


def test_an_example_for_typing_gives_no_rectangle_away() -> None:
    position = played(start(2, 4), "b2-c3", "b1-d4")
    assert position.example() == "a1-d2"
    assert "a1-d2" not in [str(move) for move in position.legal_moves()]


def test_dots_that_are_not_offered_lead_nowhere() -> None:
    position = played(start(), "b2-d3")
    for prefix in (("b2",), ("a1", "-a1"), ("a1", "-a4"), ("z9",), ("stuck",), ("a1", "-c4", "-a4")):
        assert keys(position, *prefix) == []


def test_stuck_is_a_choice_that_says_what_it_means() -> None:
    (step,) = [step for step in start().steps() if step.key == "stuck"]
    assert (step.label, step.square, str(step.move)) == ("I'm stuck: there's nothing left to draw", None, "stuck")


def test_completions_are_free_dots_and_stuck_not_rectangles() -> None:
    position = played(start(), "b2-d3")
    assert position.completions("", 40)[:3] == ["a1", "b1", "c1"]
    assert position.completions("", 40)[-1] == "stuck"
    assert position.completions("d", 25) == ["d1", "d4", "d5", "d6"]
    assert position.completions("s", 25) == ["stuck"]
    assert position.completions("b2", 25) == []


def test_completions_go_on_after_a_dot() -> None:
    position = played(start(), "b2-d3")
    after = position.completions("a1", 25)
    assert len(after) == 21
    assert after[0] == "a1-c2"
    assert position.completions("A1-c", 25) == ["a1-c2", "a1-c3", "a1-c4", "a1-c5", "a1-c6"]
    assert position.completions("a1-c4", 25) == ["a1-c4"]


def test_completions_do_not_tell_legal_rectangles_from_others() -> None:
    position = played(start(), "b2-d3")
    assert "a1-c2" in position.completions("a1-c", 25)
    assert "a1-c2" not in [str(move) for move in position.legal_moves()]


def test_completions_know_two_figures() -> None:
    assert start(dots=10).completions("a1", 3) == ["a10", "a1-b2", "a1-c2"]


def test_a_third_dot_is_suggested_in_a_tilted_game_only() -> None:
    assert start(tilted=True).completions("b1-d2-c", 25) == ["b1-d2-c4"]
    assert start().completions("b1-d2-c", 25) == []


def test_nothing_is_offered_once_the_game_is_over() -> None:
    over = played(start(), "stuck")
    assert keys(over) == []
    assert over.completions("", 25) == []


def test_a_turn_is_said_in_words() -> None:
    position = start(tilted=True)

    def words(text: str) -> str:
        return RECTANGLES.move_in_words(position, position.parse(text))

    assert words("a1-c4") == "draws a1-c4: 2 × 3, area 6"
    assert words("b1-d2-c4") == "draws b1-d2-c4: tilted, area 5"
    assert words("stuck") == "says stuck"
