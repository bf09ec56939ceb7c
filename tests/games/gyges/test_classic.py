"""The second column of ``RULES.md``, "Rulesets", sentence by sentence, and the published game."""

from __future__ import annotations

from tests.games.gyges.positions import NORTH, after, board, changed, game, relocations, texts, why_not

CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"
"""The 3 on b2 can land on the 2 on c4."""

SAMPLE = (
    "231123 321123 f1-e3 a6-c5 e1-d2 f6-e6=a2 c1-d1-d2-e3=c3 b6-c5=f3 d1-d2-e3-f3=c4 d6-d5 "
    "b1-c3-d5=d1 e6-e3-f3=d3 d1-d2-e3-f3-f6 c6-d6 a1-b2 d6-d5-e3-f3-S"
)


def test_the_arriving_piece_itself_moves_on_by_the_value_of_the_piece_it_landed_on_and_that_one_stays() -> None:
    assert changed(board("classic", CHAIN), "b2-c4-c6") == {"b2": (3, 0), "c6": (0, 3)}
    assert "c5 is out of reach from c4: exactly 2 steps" in why_not(board("classic", CHAIN), "b2-c4-c5")


def test_no_connection_is_used_twice_in_either_direction() -> None:
    position = board("classic", "#####. ####.. ...... ...... 1..... 1....1")
    refusal = "every free way from a2 to a1 uses a connection between two squares twice in this turn"
    assert why_not(position, "a1-a2-a1") == refusal


def test_squares_and_pieces_may_be_visited_again() -> None:
    lines = "#####. ####.. ..1... ..3... ..1... ......"
    assert not why_not(board("classic", lines), "c2-c3-c4-c3-f3")
    assert "enters a square twice" in why_not(board("fogliaccio", lines), "c2-c3-c4-c3-f3")


def test_a_path_may_cross_the_square_the_piece_has_left() -> None:
    position = board("classic", "#####. ####.. ...... ...... 1.3... .2....")
    assert changed(position, "b1-c2-a1") == {"a1": (0, 2), "b1": (2, 0)}
    assert "enters a square twice" in why_not(
        board("fogliaccio", "#####. ####.. ...... ...... 1.3... .2...."), "b1-c2-a1"
    )


def test_a_move_that_ends_where_it_began_is_illegal() -> None:
    position = board("classic", "#####. ####.. ...... ...... ...... 31...#")
    assert why_not(position, "b1-a1-b1") == "that leaves everything where it was: a move must change the board"
    assert "b1-a1-b1" not in texts(position)


def test_a_piece_is_relocated_to_the_opponents_border_row_or_the_far_side_of_it_from_his_home() -> None:
    lines = "...... .3.2.. 1.2..3 2.1.31 .3..2. .1...."
    free = "a1 a2 a5 b1 b3 b4 c1 c2 c5 d1 d2 d3 d4 e1 e4 e5 f1 f2 f5"
    assert relocations(board("classic", lines), "b1-b2") == free
    refusal = "b6 is out of bounds: with North's border row on rank 5, a piece is put on ranks 1 to 5"
    assert why_not(board("classic", lines), "b1-b2=b6") == refusal
    upside_down = board("classic", " ".join(reversed(lines.split())), "N")
    assert relocations(upside_down, "b6-b5") == " ".join(
        sorted(f"{name[0]}{7 - int(name[1])}" for name in free.split())
    )


def test_the_opponents_border_row_is_the_one_at_the_beginning_of_the_turn() -> None:
    position = board("classic", "...... ..1... ##.### ##.### ..3... ......")
    places = relocations(position, "c2-c5").split()
    assert {"a5", "f5", "c4", "c3", "c2", "a1"} <= set(places)
    assert not any(name[1] == "6" for name in places)


def test_a_player_whose_border_row_is_stuck_plays_from_the_next_rank_that_has_a_legal_move() -> None:
    position = board("classic", "...... ...... ...... ...... 112211 323323")
    assert {text[1] for text in texts(position)} == {"2"}
    three_ranks = after(board("classic", "323323 .12211 1..... ...... ...... ......"), "a4-a5")
    assert three_ranks.to_move == NORTH
    assert {text[1] for text in texts(three_ranks)} == {"5"}


def test_no_further_rank_may_be_played_from() -> None:
    stuck = board("classic", "...... ...... ...... ..2... 11.211 323323")
    assert {text[1] for text in texts(stuck)} == {"2"}
    refusal = "c3 is not on rank 2: only pieces standing there may move now, as South's border row is stuck"
    assert why_not(stuck, "c3-c5") == refusal


def test_who_can_move_from_another_rank_may_not_pass() -> None:
    position = board("classic", "...... ...... ...... ...... 112211 323323")
    assert "you may pass only when you have no legal move" in why_not(position, "pass")


def test_the_published_game_is_legal_and_won_by_north() -> None:
    result = game("classic", SAMPLE).result
    assert result is not None
    assert (result.winners, result.reason) == (frozenset({NORTH}), "a piece in goal S")


def test_the_published_game_goes_on_to_its_last_move() -> None:
    moves = SAMPLE.split()
    assert game("classic", " ".join(moves[:-1])).result is None
    assert moves[-1] in texts(game("classic", " ".join(moves[:-1])))
