"""``python -m tests.renderers.games_picture``: draws ``docs/games.png``, a position of each game side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.contract.golden import game_in
from renderers import image
from renderers.pixels import png
from renderers.pixels.palette import palette
from renderers.pixels.theme import DARK
from renderers.scene import Scene

PICTURE = Path(__file__).parents[2] / "docs" / "games.png"
_GOLDEN = Path(__file__).parents[2] / "bot" / "games"
_POSITIONS: Mapping[str, int] = {
    "gyges/golden/fogliaccio-goal-n": 10,
    "rectangles/golden/6x6-tilted-two-2": 6,
    "redo/golden/red-bare": 21,
    "redtangle/golden/a-chain-into-the-rectangle": 28,
    "yonmoque/golden/four-by-a-step": 11,
}
"""Golden playthroughs, and after how many moves they are shown."""
_BOARD = 400
"""Width of each board, in pixels."""


def scenes() -> list[Scene]:
    """Return the positions without what is said beside the boards."""
    shown = []
    for name, plies in _POSITIONS.items():
        case, _, moves = game_in((_GOLDEN / f"{name}.txt").read_text(encoding="utf-8"))
        before = case.start()
        for text in moves[: plies - 1]:
            before = before.play(before.parse(text))
        last = before.parse(moves[plies - 1])
        scene = case.game.scene(before.play(last), last, before=before)
        shown.append(replace(scene, trays=(), notes=(), strip=(), edges=(), coordinates=False))
    return shown


def draw() -> bytes:
    """Return the picture as a PNG file."""
    boards = [image.draw(scene, DARK.name, _BOARD) for scene in scenes()]
    size = sum(board.width for board in boards), max(board.height for board in boards)
    picture = palette(DARK).image(size, DARK.background)
    left = 0
    for board in boards:
        picture.paste(board, (left, (size[1] - board.height) // 2))
        left += board.width
    return png.encode(picture)


if __name__ == "__main__":
    PICTURE.write_bytes(draw())
