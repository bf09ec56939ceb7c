"""``python -m tests.renderers.contact_sheet FOLDER [GAME ...]``: draws every board as people meet it, to be looked at.

A sheet for each theme on each background of Discord: a row for each game, in the middle of a game and at its end, at
900 pixels and as a phone shows it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

from PIL import Image

from bot.contract.golden import game_in
from renderers import image
from renderers.pixels.theme import RGB, THEMES, rgb
from renderers.scene import Scene

DISCORD: Mapping[str, RGB] = {"dark": rgb("313338"), "light": rgb("ffffff")}
"""The backgrounds of messages in Discord."""
GAMES: Mapping[str, tuple[str, int, str]] = {
    "gyges": ("classic-goal-n", 10, "classic-goal-n"),
    "rectangles": ("10x10-tilted-four", 12, "10x10-tilted-full"),
    "redo": ("red-bare", 21, "white-bare"),
    "redtangle": ("a-chain-into-the-rectangle", 20, "a-chain-into-the-rectangle"),
    "yonmoque": ("four-by-a-step", 9, "four-by-a-step"),
}
"""For every game the golden playthrough that is shown in its middle, after how many moves, and the one shown ended."""
WIDTHS = (900, 400)
_NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank")
_GAP = 24
_GOLDEN = Path(__file__).parents[2] / "bot" / "games"


def scene(game: str, playthrough: str, plies: int | None = None) -> Scene:
    """Return the position of a golden playthrough after so many plies, by default its end, with its players' names."""
    case, _, moves = game_in((_GOLDEN / game / "golden" / f"{playthrough}.txt").read_text(encoding="utf-8"))
    before = case.start()
    for text in moves[:plies][:-1]:
        before = before.play(before.parse(text))
    last = before.parse(moves[:plies][-1])
    position = before.play(last)
    drawn = case.game.scene(position, last, before=before)
    drawn = replace(drawn, trays=tuple(replace(tray, player=_NAMES[tray.seat]) for tray in drawn.trays))
    return drawn if position.result is None else drawn.ended(position.result.winners)


def both(game: str) -> tuple[Scene, Scene]:
    """Return a position in the middle of a game, and the end of one."""
    middle, plies, end = GAMES[game]
    return scene(game, middle, plies), scene(game, end)


def sheet(games: Iterable[str], theme: str, background: RGB) -> Image.Image:
    """Return the boards of games in a theme, one row for each game."""
    rows = [
        [image.draw(each, theme, width).convert("RGB") for width in WIDTHS for each in both(game)] for game in games
    ]
    heights = [max(board.height for board in row) + _GAP for row in rows]
    wide = max(sum(board.width + _GAP for board in row) for row in rows) + _GAP
    picture = Image.new("RGB", (wide, sum(heights) + _GAP), background)
    top = _GAP
    for row, high in zip(rows, heights, strict=True):
        left = _GAP
        for board in row:
            picture.paste(board, (left, top))
            left += board.width + _GAP
        top += high
    return picture


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.renderers.contact_sheet", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sheets are written")
    parser.add_argument("games", nargs="*", help="the games shown, by default all")
    chosen = parser.parse_args(arguments)
    for game in chosen.games:
        if game not in GAMES:
            parser.error(f"no game {game!r}; there are {', '.join(GAMES)}")
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for theme, (name, background) in product(THEMES, DISCORD.items()):
        sheet(chosen.games or GAMES, theme, background).save(chosen.folder / f"{theme}-in-{name}.png")


if __name__ == "__main__":
    main()
