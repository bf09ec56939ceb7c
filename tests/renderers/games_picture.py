"""``python -m tests.renderers.games_picture``: draws ``docs/games.png``, a position of each game side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

import renderers
from bot.games import GAMES
from renderers import image
from renderers.pixels.theme import MEDIUM
from renderers.scene import Scene
from tests.renderers.contact_sheet import scene

PICTURE = Path(__file__).parents[2] / "docs" / "games.png"
FONT = Path(renderers.__file__).parent / "fonts" / "Inter-Medium.otf"
_POSITIONS: Mapping[str, tuple[str, int]] = {
    "gyges": ("fogliaccio-goal-n", 10),
    "rectangles": ("6x6-tilted-two-2", 6),
    "redo": ("red-bare", 21),
    "redtangle": ("a-chain-into-the-rectangle", 28),
    "yonmoque": ("four-by-a-step", 11),
}
"""Golden playthroughs, and after how many moves they are shown."""
_BOARD = 400
"""Width of each board, in pixels."""
_CAPTION = 56
"""Height of the line under a board with the name of its game, in pixels."""


def scenes() -> list[tuple[str, Scene]]:
    """Return the name of each game and a position of it, without what is said beside the board."""
    bare: dict[str, Any] = {"trays": (), "notes": (), "strip": (), "edges": (), "coordinates": False}
    return [(GAMES[game].name, replace(scene(game, *at), **bare)) for game, at in _POSITIONS.items()]


def draw() -> bytes:
    """Return the picture as a PNG file."""
    boards = [(name, image.draw(scene, MEDIUM.name, _BOARD)) for name, scene in scenes()]
    height = max(board.height for _name, board in boards)
    size = sum(board.width for _name, board in boards), height + _CAPTION
    picture = Image.new("RGB", size, MEDIUM.background)
    words = ImageFont.truetype(FONT, 28)
    left = 0
    for name, board in boards:
        picture.paste(board.convert("RGB"), (left, (height - board.height) // 2))
        place = left + board.width / 2, height + _CAPTION / 2 - 4
        ImageDraw.Draw(picture).text(place, str(name), MEDIUM.text, words, anchor="mm")
        left += board.width
    file = BytesIO()
    picture.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(draw())
