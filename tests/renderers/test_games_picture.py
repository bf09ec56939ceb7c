"""The picture of all games in the README: it shows what the games look like now."""

from __future__ import annotations

from PIL import Image

from tests.renderers.conftest import is_nearly, opened
from tests.renderers.games_picture import PICTURE, draw


def test_the_picture_of_the_games_is_what_its_command_draws() -> None:
    assert is_nearly(opened(draw()), Image.open(PICTURE).convert("RGB"))
