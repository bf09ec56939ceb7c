"""The page on adding a game shows the smallest game as it is, whole and in order."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import tavoliere_tic_tac_toe as toy_game

from bot.games.game import Game, Position

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def test_the_code_on_the_page_is_the_whole_of_the_game() -> None:
    shown = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    source = inspect.getsource(toy_game)
    assert [line for block in shown for line in block.splitlines() if line] == [
        line for line in source.splitlines() if line
    ]


def test_the_game_stays_small_enough_to_be_read_at_once() -> None:
    assert len(inspect.getsource(toy_game).splitlines()) < 150


def test_the_page_names_every_method_that_may_be_left_out() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## What may be left out")[2].partition("## The guide")[0]
    named = set(re.findall(r"`(?:Position\.|Game\.)?(\w+)`", table))
    optional = {
        name
        for kind in (Position, Game)
        for name, method in vars(kind).items()
        if inspect.isfunction(method) and not name.startswith("_") and name not in kind.__abstractmethods__
    }
    assert named == optional - {"start", "scene", "variant"}, "start, scene and variant are for callers"
