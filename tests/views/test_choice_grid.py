"""Choices as buttons: as they lie on the board, whole boards where they fit, and never more than a message takes."""

from __future__ import annotations

from bot.games import GAMES
from bot.games.game import Position, Step
from bot.views.choice_grid import COLUMNS, ROWS, Cell, Grid, choice_grid


def grid(key: str, position: Position, *prefix: str, seat: int = 0) -> Grid:
    """Return the buttons of a step of a game."""
    found = choice_grid(position.steps(prefix), GAMES[key].scene(position, seat=seat))
    assert found is not None
    return found


def labels(cells: Grid) -> list[list[str]]:
    return [[cell.label for cell in row] for row in cells]


def played(key: str, *moves: str) -> Position:
    position = GAMES[key].start()
    for move in moves:
        position = position.play(position.parse(move))
    return position


def test_yonmoque_is_played_on_the_board_itself() -> None:
    position = played("yonmoque", "a1", "c3", "b2", "c2")
    assert labels(grid("yonmoque", position)) == [
        ["a5", "b5", "c5", "d5", "e5"],
        ["a4", "b4", "c4", "d4", "e4"],
        ["a3", "b3", "c3", "d3", "e3"],
        ["a2", "b2", "c2", "d2", "e2"],
        ["a1", "b1", "c1", "d1", "e1"],
    ]


def test_a_button_stays_where_it_is_from_step_to_step_and_only_choices_can_be_pressed() -> None:
    position = played("yonmoque", "a1", "c3", "b2", "c2")
    first, second = grid("yonmoque", position), grid("yonmoque", position, "b2")
    assert [[cell.label for cell in row] for row in first] == [[cell.label for cell in row] for row in second]
    assert {cell.label for row in second for cell in row if cell.step is not None} == {
        *("b1", "c1", "a2", "a3", "b3"),
    }
    assert Cell("c3") in first[2]


def test_the_board_is_turned_to_the_player_who_moves() -> None:
    position = played("yonmoque", "a1")
    assert labels(grid("yonmoque", position, seat=1))[0] == ["e1", "d1", "c1", "b1", "a1"]
    assert labels(grid("yonmoque", position, seat=1))[4] == ["e5", "d5", "c5", "b5", "a5"]


def test_on_a_wider_board_what_lies_on_one_rank_stands_together_in_rows_of_one_length() -> None:
    position = played("gyges", "231123", "321123")
    assert labels(grid("gyges", position)) == [
        ["2 on a1", "3 on b1", "1 on c1"],
        ["1 on d1", "2 on e1", "3 on f1"],
    ]
    assert labels(grid("gyges", position, "a1"))[-1] == ["b2"]


def test_what_a_choice_does_is_on_its_button_or_beside_it() -> None:
    position = played("yonmoque", "a1", "b1", "d1", "a5")
    (target,) = [cell for row in grid("yonmoque", position, "d1") for cell in row if cell.label.startswith("c1")]
    assert target.label == "c1"
    assert position.prompt(("d1",)) == "Where to? (c1 flips 1)"
    assert "a2 tower" in [cell.label for row in grid("redo", GAMES["redo"].start(), "a1") for cell in row]


def test_what_is_no_square_comes_last() -> None:
    rectangles = GAMES["rectangles"].start(dots=4)
    assert labels(grid("rectangles", rectangles))[-1] == ["I'm stuck"]


def test_more_choices_than_a_message_has_room_for_are_no_buttons() -> None:
    scene = GAMES["redo"].scene(GAMES["redo"].start())
    steps = [Step(f"n{number}", f"Number {number}") for number in range(ROWS * COLUMNS + 1)]
    assert choice_grid(steps, scene) is None
    full = choice_grid(steps[1:], scene)
    assert full is not None
    assert [len(row) for row in full] == [COLUMNS] * ROWS


def test_choices_scattered_over_many_ranks_fill_rows_in_reading_order() -> None:
    scene = GAMES["redo"].scene(GAMES["redo"].start())
    squares = ["a1", "b2", "c3", "d4", "e5", "f6", "g7"]
    steps = [Step(square, square, square) for square in squares]
    found = choice_grid(steps, scene)
    assert found is not None
    assert labels(found) == [["g7", "f6", "e5", "d4"], ["c3", "b2", "a1"]]
