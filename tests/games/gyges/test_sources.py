"""What the sources of the two rulesets print: a game of the classic rules, and an example of Fogliaccio's."""

from __future__ import annotations

from tests.games.gyges.positions import NORTH, after, board, changed, game, texts

SAMPLE = (
    "231123 321123 f1-e3 a6-c5 e1-d2 f6-e6=a2 c1-d1-d2-e3=c3 b6-c5=f3 d1-d2-e3-f3=c4 d6-d5 "
    "b1-c3-d5=d1 e6-e3-f3=d3 d1-d2-e3-f3-f6 c6-d6 a1-b2 d6-d5-e3-f3-S"
)


def test_the_published_game_is_legal_and_won_by_north() -> None:
    result = game("classic", SAMPLE).result
    assert result is not None
    assert (result.winners, result.reason) == (frozenset({NORTH}), "a piece in goal S")


def test_the_published_game_goes_on_to_its_last_move() -> None:
    moves = SAMPLE.split()
    assert game("classic", " ".join(moves[:-1])).result is None
    assert moves[-1] in texts(game("classic", " ".join(moves[:-1])))


def test_five_pieces_of_which_one_pushes_the_next_and_north_wins() -> None:
    position = board("fogliaccio", "...... .3...3 1..12. ..2..3 .1..2. 2.13..", "N")
    pushed = {"b5": (3, 0), "c3": (2, 3), "d4": (1, 2), "e4": (2, 1), "S": (0, 2)}
    assert changed(position, "b5-c3-d4-e4-e2-S") == pushed
    result = after(position, "b5-c3-d4-e4-e2-S").result
    assert result is not None
    assert result.winners == {NORTH}
