"""Where the squares of a scene lie, and what is said of them."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.games import GAMES
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language
from renderers import image
from renderers.i18n import ENGLISH, speak
from renderers.scene import Colour, Piece, Shape
from renderers.squares import fullest_part, placed


@pytest.mark.parametrize("tag", OFFERED)
@pytest.mark.parametrize("key", GAMES)
def test_squares_are_told_in_words_and_not_in_the_signs_of_text_boards(key: str, tag: str) -> None:
    game = GAMES[key]
    position = game.start()
    while (set_up := position.ready_made()) is not None:
        position = position.play(position.parse(str(set_up)))
    speak(language(tag))
    try:
        spots = [spot for row in placed(game.scene(position), 600).rows for spot in row]
        symbols = {piece.symbol for piece in game.scene(position).pieces}
    finally:
        speak(ENGLISH)
    told = {word for spot in spots for word in re.split(r"[\s,、，]+", spot.words)}
    assert not told & symbols - {"1", "2", "3"}


def test_a_piece_of_redtangle_is_told_with_the_sides_that_are_seen() -> None:
    game = GAMES["redtangle"]
    position = game.start()
    for move in ("0,2N,2W,4,1N,3E,2W,1S", "4,2E,2S,0,1N,2E,3W,1S"):
        position = position.play(position.parse(move))
    spots = {spot.name: spot.words for row in placed(game.scene(position), 600).rows for spot in row}
    assert spots["f2"] == "red square, white piece, white faces down"
    assert spots["c1"] == "red square, white piece, no white side"


@pytest.mark.parametrize(
    ("pieces", "part"),
    [
        (("a1", "b2"), (0, 2, 3)),
        (("e5", "d4", "a1"), (2, 0, 3)),
        (("c3",), (1, 1, 3)),
        ((), (1, 1, 3)),
    ],
)
def test_a_part_of_a_board_is_where_most_pieces_are(pieces: tuple[str, ...], part: tuple[int, int, int]) -> None:
    scene = GAMES["yonmoque"].scene(GAMES["yonmoque"].start(players=2))
    placed_there = replace(scene, pieces=tuple(Piece(name, Shape.DISC, Colour.SEAT1, "B") for name in pieces))
    assert fullest_part(placed_there, 3) == part
    assert fullest_part(placed_there, 6) is None


def test_a_detail_is_the_same_squares_of_the_whole_picture() -> None:
    game = GAMES["yonmoque"]
    scene = game.scene(game.decode(game.showpiece))
    whole = image.draw(scene, width=500).convert("RGB")
    part = Image.open(BytesIO(image.detail(scene, "dark", 500, (2, 0, 3)))).convert("RGB")
    spot = placed(scene, 500).rows[0][2]
    left, top = round(spot.left * whole.width), round(spot.top * whole.height)
    assert part.tobytes() == whole.crop((left, top, left + part.width, top + part.height)).tobytes()
    assert part.width == part.height == 3 * round(spot.width * whole.width)
