"""Where the squares of a scene lie, and what is said of them."""

from __future__ import annotations

import re

import pytest

from bot.games import GAMES
from bot.languages.catalogues import OFFERED
from bot.languages.speaking import language
from renderers.i18n import ENGLISH, speak
from renderers.squares import placed


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
