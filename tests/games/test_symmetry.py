"""The symmetries of a game turn positions with the same canonical form into each other, and no others."""

from __future__ import annotations

import re
from random import Random

import pytest

from bot.games import GAMES
from bot.games.game import Game, Position
from bot.games.redo.rules import RedoPosition
from bot.games.redtangle.pieces import SYMMETRIES
from bot.games.redtangle.rules import RedtanglePosition, fresh
from bot.games.yonmoque.rules import YonmoquePosition
from bot.opponents import choose
from tests.games.gyges import positions as gyges
from tests.games.redtangle import boards as redtangle

FILES = {"gyges": "abcdef", "rectangles": "abcdef", "redo": "abcdefg", "yonmoque": "abcde"}
UPSIDE_DOWN = str.maketrans("12345678", "87654321")


def mirrored(key: str, text: str) -> str:
    """Return what the text of a move becomes in a mirror that exchanges left and right."""
    if re.fullmatch("[123]{6}", text):
        return text[::-1]
    files = FILES[key]
    text = re.sub(r"[a-h](?=\d)", lambda file: files[-1 - files.index(file[0])], text)
    corners = re.findall(r"[a-h]\d", text)
    # A rectangle is named by its lower left corner and the one opposite.
    return f"{corners[1][0]}{corners[0][1]}-{corners[0][0]}{corners[1][1]}" if key == "rectangles" else text


def played_at_random(game: Game, seed: int, plies: int) -> list[tuple[Position, str]]:
    """Return positions of a game, each with the move made there."""
    random, position, found = Random(seed), game.start(), list[tuple[Position, str]]()
    while position.to_move is not None and len(found) < plies:
        listed = [move for move in position.legal_moves() if str(move) not in ("stuck", "pass")]
        move = random.choice(listed)
        found.append((position, str(move)))
        position = position.play(move)
    return found


@pytest.mark.parametrize("key", FILES)
def test_a_game_and_its_mirror_image_have_the_same_canonical_forms(key: str) -> None:
    game = GAMES[key]
    for seed in range(3):
        played = played_at_random(game, seed, 6)
        other = game.start()
        for position, text in played:
            assert game.canonical_form(position) == game.canonical_form(other)
            other = other.play(other.parse(mirrored(key, text)))
        assert len({game.canonical_form(position) for position, _ in played}) >= len(played) - 1


def test_the_board_of_yonmoque_may_be_turned_and_its_colours_not_exchanged() -> None:
    form = GAMES["yonmoque"].canonical_form
    corner, next_to_it = 1 << 0, 1 << 1
    turned = [YonmoquePosition((1 << square, 0)) for square in (0, 4, 20, 24)]
    assert len({form(position) for position in turned}) == 1
    assert form(YonmoquePosition((corner, next_to_it))) != form(YonmoquePosition((next_to_it, corner)))
    assert form(YonmoquePosition((corner, 0))) != form(YonmoquePosition((corner, 0), side=1))


def test_who_drew_a_rectangle_and_whose_turn_it_is_makes_no_difference() -> None:
    game = GAMES["rectangles"]
    first = game.start()
    one, other = (first.play(first.parse(text)) for text in ("a1-b2", "e5-f6"))
    assert game.canonical_form(one) == game.canonical_form(other)
    one, other = one.play(one.parse("c1-d3")), first.play(first.parse("c1-d3"))
    assert game.canonical_form(one) == game.canonical_form(other.play(other.parse("a1-b2")))
    assert game.canonical_form(game.start(3)) != game.canonical_form(game.start(2))


def test_upside_down_with_the_players_exchanged_is_equivalent() -> None:
    redo = GAMES["redo"]
    moved, answered = RedoPosition(), RedoPosition(side=1)
    for text in ("c2-c3", "d7-d6"):
        assert redo.canonical_form(moved) == redo.canonical_form(answered)
        moved = moved.play(moved.parse(text))
        answered = answered.play(answered.parse(text.translate(UPSIDE_DOWN)))
    assert redo.canonical_form(moved) != redo.canonical_form(RedoPosition())
    form = GAMES["gyges"].canonical_form
    rows = ["321123", "......", ".2....", "......", "......", "132.13"]
    south = gyges.board("classic", "/".join(rows))
    north = gyges.board("classic", "/".join(rows[::-1]), "N")
    assert form(south) == form(north)
    assert form(south) != form(gyges.board("classic", "/".join(rows[::-1])))


def test_pieces_of_redtangle_are_turned_by_a_mirror_as_the_eye_sees_it() -> None:
    canonical_form = GAMES["redtangle"].canonical_form
    one = redtangle.position("c3 w2E, d6 b3S, a1 w1W")
    assert canonical_form(one) == canonical_form(redtangle.position("f3 w2S, e6 b3N, h1 w1E"))
    assert canonical_form(one) == canonical_form(redtangle.position("c6 b2N, d3 w3S, a8 b1W", "b"))
    assert canonical_form(one) != canonical_form(redtangle.position("f3 w2E, e6 b3S, h1 w1W"))


def test_in_a_mirror_redtangle_has_as_many_moves_and_answers() -> None:
    game, position = GAMES["redtangle"], GAMES["redtangle"].start()
    for ply in range(14):
        if isinstance(position, RedtanglePosition):
            images = [fresh(way.image(position.board), position.side ^ way.exchanges) for way in SYMMETRIES]
            assert {len(list(image.legal_moves())) for image in images} == {len(list(position.legal_moves()))}
            assert {game.canonical_form(image) for image in images} == {game.canonical_form(position)}
        position = position.play(choose(position, 1, ply))
