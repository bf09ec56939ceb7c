"""The scenes of Gygès, and its moves in words."""

from __future__ import annotations

import pytest

from bot.contract import golden
from bot.games.gyges import GYGES
from bot.games.gyges.rules import GygesPosition
from renderers.scene import Colour, EdgeMark, Ground, Mark, Path, Scene, Shape, Side
from tests.games.gyges.positions import RULESETS, after, board, game, start

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"


def marked(scene: Scene, mark: Mark) -> set[str]:
    return {square for found, square in scene.marks if found is mark}


def played(before: GygesPosition, move: str) -> Scene:
    turn = before.parse(move)
    return GYGES.scene(before.play(turn), turn, before=before)


def test_the_board_on_cards_and_the_games_of_the_demo_are_of_the_rules_that_a_first_match_has() -> None:
    first = GYGES.variants[0]
    assert GYGES.decode(GYGES.showpiece).ruleset == first.options["ruleset"]
    for name in ("sample.txt", "demo.txt"):
        case, _title, _moves = golden.game_in((golden.folder(GYGES) / name).read_text(encoding="utf-8"))
        assert case.variant == first


@each_ruleset
def test_a_position_is_six_by_six_wooden_cells_with_rings_in_nobodys_colour_and_goals_that_say_who_wins_there(
    ruleset: str,
) -> None:
    scene = GYGES.scene(board(ruleset, CHAIN), seat=0)
    assert (scene.files, scene.ranks, scene.ground, scene.turned) == (6, 6, Ground.CELLS, False)
    assert GYGES.scene(board(ruleset, CHAIN), seat=1).turned
    assert set(scene.tiles) == {Colour.WOOD}
    shown = {piece.square: (piece.shape, piece.value, piece.symbol) for piece in scene.pieces}
    assert (shown["b2"], shown["c3"]) == ((Shape.RINGS, 3, "3"), (Shape.RINGS, 1, "1"))
    assert len({piece.colour for piece in scene.pieces}) == 1
    south, north = scene.trays
    assert (south.name, south.heading, south.to_move) == ("South", Side.TOP, True)
    assert (north.name, north.heading, north.to_move) == ("North", Side.BOTTOM, False)
    assert [(goal.name, goal.side, goal.label, goal.colour) for goal in scene.goals] == [
        ("N", Side.TOP, "South wins here", south.colour),
        ("S", Side.BOTTOM, "North wins here", north.colour),
    ]


@each_ruleset
def test_both_border_rows_are_marked_and_the_one_that_may_move_is_tinted_until_the_game_is_over(ruleset: str) -> None:
    scene = GYGES.scene(board(ruleset, "...... .3.2.. 1.2..3 2.1.31 .3..21 ......", "N"))
    assert scene.edges == (
        EdgeMark(2, Side.LEFT, Colour.SEAT1, "South's border row", "South"),
        EdgeMark(5, Side.RIGHT, Colour.SEAT4, "North's border row", "North"),
    )
    (row,) = scene.regions
    assert (row.squares, row.colour, row.tinted) == (("a5", "b5", "c5", "d5", "e5", "f5"), Colour.SEAT4, True)
    assert GYGES.scene(GYGES.start(ruleset=ruleset)).regions == ()
    assert GYGES.scene(after(board(ruleset, "##.### ##.##. 1.3.2. ...... ...... ......"), "c4-N")).regions == ()


@each_ruleset
def test_the_last_move_is_drawn_through_its_bounces_into_the_goal_and_up_to_a_relocation(ruleset: str) -> None:
    scene = played(board(ruleset, CHAIN), "b2-c4-c6")
    assert scene.paths == (Path(("b2", "b3", "b4", "c4", "c5", "c6")),)
    assert (marked(scene, Mark.LEFT), marked(scene, Mark.PASSED)) == ({"b2"}, {"c4"})
    assert marked(scene, Mark.ENTERED) == {"c6"}
    scene = played(board(ruleset, "##.### ##.##. 1.3.2. ...... ...... ......"), "c4-N")
    assert scene.paths == (Path(("c4", "c5", "c6", "N")),)
    assert marked(scene, Mark.ENTERED) == {"N"}
    assert "N" in {piece.square for piece in scene.pieces}
    scene = played(board(ruleset, CHAIN), "b2-c4=c5")
    assert marked(scene, Mark.ENTERED) == {"c4", "c5"}
    assert scene.paths == (Path(("b2", "b3", "b4", "c4")),)
    before = board(ruleset, CHAIN)
    turn = before.parse("b2-c4-c6")
    alone = GYGES.scene(before.play(turn), turn)
    assert (alone.paths, marked(alone, Mark.PASSED)) == ((), {"c4"})


@each_ruleset
def test_of_several_paths_one_with_the_fewest_turns_is_drawn(ruleset: str) -> None:
    (path,) = played(board(ruleset, "#####. #####. ...... ...... ...... 3...#."), "a1-c2").paths
    assert path in (Path(("a1", "a2", "b2", "c2")), Path(("a1", "b1", "c1", "c2")))


def test_a_canonical_relocation_that_is_a_plain_move_is_drawn_and_told_as_one() -> None:
    opening = "231123 321123 f1-e3 a6-c5 e1-d2 f6-e6=a2 c1-d1-d2-e3=c3 b6-c5=f3 d1-d2-e3-f3=c4"
    before = game("classic", opening)
    turn = before.parse("d6-d5")
    assert turn == "d6-c6=d5"
    assert played(before, "d6-d5").paths == (Path(("d6", "d5")),)
    assert GYGES.move_in_words(before, turn) == "moves the 1 on d6 to d5"


@each_ruleset
def test_a_set_up_shows_the_values_chosen_so_far_and_marks_the_rank_that_was_arranged(ruleset: str) -> None:
    setting_up = start(ruleset=ruleset)
    begun = GYGES.scene(setting_up, chosen=("2", "3"), targets=("c1",))
    assert {piece.square: piece.value for piece in begun.pieces} == {"a1": 2, "b1": 3}
    assert (marked(begun, Mark.CHOSEN), marked(begun, Mark.TARGET)) == ({"a1", "b1"}, {"c1"})
    turn = setting_up.parse("231123")
    scene = GYGES.scene(setting_up.play(turn), turn, before=setting_up)
    assert marked(scene, Mark.ENTERED) == {f"{file}1" for file in "abcdef"}
    assert (scene.edges, scene.caption) == ((), "North to set up. Last move: 231123.")


@each_ruleset
def test_a_move_in_the_making_is_drawn_so_far_and_the_last_one_is_not(ruleset: str) -> None:
    before = board(ruleset, "...... .3.2.. 1.2..3 2.1.31 .3..21 ......", "N")
    turn = before.parse("d5-d3")
    scene = GYGES.scene(before.play(turn), turn, before=before, chosen=("e2",), targets=("e4",))
    assert marked(scene, Mark.CHOSEN) == {"e2"}
    assert (marked(scene, Mark.LEFT), scene.paths) == (set(), ())
    scene = GYGES.scene(board(ruleset, CHAIN), chosen=("b2", "-c4", "=c5"))
    assert scene.paths == (Path(("b2", "b3", "b4", "c4")),)
    assert (marked(scene, Mark.CHOSEN), marked(scene, Mark.ENTERED)) == ({"b2", "c4"}, {"c5"})


@each_ruleset
def test_a_whole_move_in_the_making_is_shown_as_if_it_were_played(ruleset: str) -> None:
    before = board(ruleset, "...... .3.2.. 1.2..3 2.1.31 .3..21 ......")
    turn = next(turn for turn in before.legal_moves() if str(turn).count("-") > 1)
    whole = GYGES.scene(before, chosen=(str(turn),))
    assert set(whole.pieces) == set(GYGES.scene(before.play(turn)).pieces) != set(GYGES.scene(before).pieces)
    assert whole.words == GYGES.scene(before.play(turn)).words
    start, *_ = before.steps()
    assert GYGES.scene(before, chosen=(start.key,)).pieces == GYGES.scene(before).pieces


@each_ruleset
def test_words_say_where_each_value_stands_and_where_the_border_rows_are(ruleset: str) -> None:
    assert GYGES.pieces_in_words(start(ruleset=ruleset)) == ("The board is empty",)
    assert GYGES.pieces_in_words(board(ruleset, CHAIN)) == (
        "1s: a5, c3, e5, f3",
        "2s: a3, c4, d6, e2",
        "3s: b2, b6, e3, f4",
        "Border rows: South's is rank 2, North's is rank 6",
        "Goals: South wins in N, beyond rank 6; North wins in S, beyond rank 1",
    )
    won = after(board(ruleset, "##.### ##.##. 1.3.2. ...... ...... ......"), "c4-N")
    assert "goal N" in GYGES.pieces_in_words(won)[2]


@pytest.mark.parametrize(
    ("ruleset", "move", "words"),
    [
        ("fogliaccio", "b2-d3", "moves the 3 on b2 to d3"),
        ("fogliaccio", "b2-c4-c6", "moves the 3 on b2 to c4, the 2 there to c6"),
        ("fogliaccio", "b2-c4=c5", "moves the 3 on b2 to c4 and puts the 2 there on c5"),
        ("classic", "b2-d3", "moves the 3 on b2 to d3"),
        ("classic", "b2-c4-c6", "moves the 3 on b2 to c6, bouncing on c4"),
        ("classic", "b2-c4=c5", "moves the 3 on b2 to c4 and puts the 2 there on c5"),
        ("classic", "b2-e2-f3=a1", "moves the 3 on b2 to f3, bouncing on e2, and puts the 1 there on a1"),
        ("classic", "b2-e2-f3-f4-N", "moves the 3 on b2 to goal N, bouncing on e2, f3 and f4"),
    ],
)
def test_a_move_is_told_in_words(ruleset: str, move: str, words: str) -> None:
    before = board(ruleset, CHAIN)
    assert GYGES.move_in_words(before, before.parse(move)) == words


def test_many_bounces_are_summed_up_and_passes_and_set_ups_are_told_in_words() -> None:
    before = board("fogliaccio", "...... .3.2.. ..2.2. 3..2.. 131113 ......")
    pushes = before.parse("b2-a2-a3-c4-c2-d2-d3-e2-f2-e4-d5-b5-a5")
    assert GYGES.move_in_words(before, pushes) == "moves the 3 on b2 to a2, then 11 more pieces, the last to a5"
    before = board("classic", "2..2.. ..3.2. 3..2.. .....3 .1.... .1113.", "N")
    bounces = before.parse("d6-c5-a4-b2-b1-c1-d1-e1-f3=a1")
    told = "moves the 2 on d6 to f3, bouncing on 7 pieces, and puts the 3 there on a1"
    assert GYGES.move_in_words(before, bounces) == told
    stuck = board("fogliaccio", "...... ...... ...... ...... 112211 323323")
    assert GYGES.move_in_words(stuck, stuck.parse("pass")) == "passes"
    assert GYGES.move_in_words(start(), start().parse("231123")) == "sets up 2 3 1 1 2 3"


@pytest.mark.parametrize(
    ("lines", "move", "caption"),
    [
        (CHAIN, "b2-d3", "North to move. Last move: b2-d3."),
        ("##.### ##.##. 1.3.2. ...... ...... ......", "c4-N", "South wins: a piece in goal N. Last move: c4-N."),
    ],
)
def test_the_caption_says_who_is_to_move_or_who_has_won(lines: str, move: str, caption: str) -> None:
    assert played(board("fogliaccio", lines), move).caption == caption
