"""The position before the first turn (``RULES.md``, "Board", "Pieces" and "Set-up")."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.game import IllegalMove, Position
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.pieces import EQUIPMENT

LINE = "0,1N,1E,2S,2W,2N,3E,4"


def test_each_player_has_pieces_with_0_1_1_2_2_2_3_and_4_own_sides() -> None:
    assert sorted(EQUIPMENT) == [0, 1, 1, 2, 2, 2, 3, 4]


def test_a_set_up_is_understood_whatever_its_case_spaces_and_separators() -> None:
    start = REDTANGLE.start()
    for typed in ("0, 1n, 1e, 2s, 2w, 2n, 3e, 4", "0 1N 1E 2S 2W 2N 3E 4", "01n1e2s2w2n3e4", " 0;1N;1E;2S;2W;2N;3E;4 "):
        assert str(start.parse(typed)) == LINE


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("0,1N,1E,2S,2W,2N,3E", "missing: 4"),
        ("0,1N,1E,2S,2W,2N,3E,3E", "too many: 3; missing: 4"),
        ("0,1N,1E,2S,2W,2N,3E,4,4", "too many: 4"),
        ("0,1N,1E,2S,2W,2N,3,4", "a 3 needs the direction of its first own side"),
        ("0N,1N,1E,2S,2W,2N,3E,4", "a 0 looks the same from every side"),
        ("0,1N,1E,2S,2W,2N,3E,5", "there is no piece 5"),
        ("0,1NE,1E,2S,2W,2N,3E,4", "a 1 needs the direction"),
        ("c2-c3", "a set-up is a list of eight pieces"),
        ("", "a set-up is a list of eight pieces"),
        ("pass", "a set-up is a list of eight pieces"),
        ("0," * 100, "too long"),
    ],
)
def test_a_wrong_set_up_is_refused_with_its_reason(typed: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        REDTANGLE.start().parse(typed)


def test_completions_of_an_almost_complete_set_up_are_all_there_are() -> None:
    assert REDTANGLE.start().completions("0,1N,1E,2S,2W,2N,4,", 25) == [
        f"0,1N,1E,2S,2W,2N,4,3{side}" for side in "NESW"
    ]


@pytest.mark.parametrize("typed", ["0,0", "5", "c2", "4N", "0,1N,1E,2S,2W,2N,3E,4,", "1" * 1000])
def test_nothing_completes_what_begins_no_set_up(typed: str) -> None:
    assert REDTANGLE.start().completions(typed, 25) == []


def test_the_builder_asks_for_a_piece_on_each_square_in_turn_and_then_how_it_lies() -> None:
    position: Position = REDTANGLE.start()
    prefix: tuple[str, ...] = ()
    squares: list[str | None] = []
    for text in LINE.split(","):
        squares += {step.square for step in position.steps(prefix)}
        for part in filter(None, (text[:1], text[1:])):
            steps = {step.key.lstrip(","): step for step in position.steps(prefix)}
            assert len(steps) <= 5
            step = steps[part]
            prefix = (*prefix, step.key)
    assert squares == ["c1", "d1", "e1", "f1", "c2", "d2", "e2", "f2"]
    assert str(step.move) == "".join(prefix) == LINE
    assert position.steps(prefix) == ()


def test_the_builder_offers_only_pieces_that_are_left() -> None:
    keys = [step.key for step in REDTANGLE.start().steps(("0", ",1", "N", ",1", "N", ",4"))]
    assert keys == [",2", ",3"]


def test_the_builder_says_in_words_which_piece_it_is_and_how_it_lies() -> None:
    start = REDTANGLE.start()
    assert [step.caption for step in start.steps()] == [
        *("no white side", "one white side", "two white sides", "three white sides", "all white"),
    ]
    assert start.prompt(("2",)) == "Which way round is the piece on c1?"
    lying = {step.key: step for step in start.steps(("2",))}
    assert (lying["E"].caption, lying["E"].label) == (
        *("white faces right and down", "c1: the 2, white faces right and down"),
    )
    black = start.play(start.parse(LINE))
    assert {step.key: step.caption for step in black.steps(("2",))}["E"] == "black faces left and up"


def test_choices_of_buttons_posted_before_there_were_two_steps_still_lead_on() -> None:
    start = REDTANGLE.start()
    assert start.steps(("0", ",1N")) == start.steps(("0", ",1", "N"))
    assert start.prompt(("0", ",1N")) == "Which piece on e1?"


@pytest.mark.parametrize("prefix", [("c2",), ("0", ",0"), ("0", "nonsense"), ("5",)])
def test_the_builder_knows_no_way_on_from_nonsense(prefix: tuple[str, ...]) -> None:
    assert REDTANGLE.start().steps(prefix) == ()


def test_a_default_and_a_random_arrangement_are_one_click_away() -> None:
    position: Position = REDTANGLE.start()
    for _ in range(2):
        shortcuts = position.shortcuts(Random(7))
        assert [step.label for step in shortcuts] == ["Ready-made set-up", "Random set-up"]
        for step in shortcuts:
            assert position.parse(step.key) == step.move
        assert len({position.shortcuts(Random(seed))[1].move for seed in range(20)}) == 20
        position = position.play(shortcuts[0].move)
    assert position.shortcuts(Random(7)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/8/8/8/8 b set-up",
        "8/8/8/8/8/8/8/7w0 w set-up",
        "8/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 w set-up",
        "8/8/8/8/8/2w2W5/3w2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "b08/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "b07/8/8/8/8/8/2w2Ww2Nw3Ew42/2w0w1Nw1Ew2S2 b set-up",
        "8/8/8/8/8/8/8/8 w setup",
        "8/8/8/8/8/8/8/8 w",
    ],
)
def test_what_is_no_set_up_is_not_decoded(text: str) -> None:
    with pytest.raises(ValueError, match=r"Redtangle|set-up|White|Black|rank|squares"):
        REDTANGLE.decode(text)
