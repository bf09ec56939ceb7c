"""Clicks a move

The clicks that a move takes in the builder, from the board in the channel until the move is played: one to open it, one
for a choice by a button, two for a choice by a file and a square or from a menu, and *Play it* where the last choice
does not play the move. The positions are from all over a random game for two players; each move is entered in the
shortest way, and set-ups are left out. "By menus" makes the same choices from menus only, with *Play it* after every
move, for comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median, quantiles

from bot.contract.cases import CASES
from bot.games import GAMES
from bot.matches.model.building import Choices
from bot.messages.custom_id_form import write_choices
from tests.figures import table
from tests.views.screens import Screen, Tree, trees

_OPEN = _PLAY = _BUTTON = 1
_MENU = 2


def measure() -> list[str]:
    """Count the clicks of the moves of every game and variant for two players."""
    heads = ("Game, variant", "moves", "median", "nine in ten", "by menus: median", "nine in ten")
    rows = []
    for case in CASES:
        if case.players == 2 and case.game in GAMES.values():
            playing = [tree for tree in trees(case) if not tree.position.shortcuts(Random(1))]
            counted = [counts for tree in playing for counts in clicks(tree)]
            now, menus = zip(*counted, strict=True)
            rows.append((f"{case.game.key}-{case.variant.key}", len(counted), *_summed(now), *_summed(menus)))
    return table(heads, rows)


def clicks(tree: Tree) -> Iterator[tuple[int, int]]:
    """Yield for every move that is reached the fewest clicks to play it, and as many as by menus alone."""
    reached: dict[Choices, int] = {}
    fewest: dict[object, tuple[int, int]] = {}
    for chosen, screen in sorted(tree.screens.items(), key=lambda item: len(item[0])):
        spent = _OPEN if not chosen else reached[chosen[:-1]] + _choosing(tree.screens, chosen)
        state = screen.builder_state
        reached[state.choices] = min(spent, reached.get(state.choices, spent))
        if screen.move is not None:
            plays = _PLAY if state.steps or state.unseen else 0
            by_menus = _OPEN + _MENU * len(state.choices) + _PLAY
            fewest[screen.move] = min((spent + plays, by_menus), fewest.get(screen.move, (99, 99)))
    yield from fewest.values()


def _choosing(screens: dict[Choices, Screen], chosen: Choices) -> int:
    """Return how many clicks the last of some choices takes."""
    before = next(screen for screen in screens.values() if screen.builder_state.choices == chosen[:-1])
    direct = any(button.custom_id.endswith(write_choices(chosen)) for button in before.picks)
    if before.files and not direct:
        return 2 * _BUTTON
    if before.picks:
        return _BUTTON
    first = any(chosen[-1] in menu.values for menu in before.menus)
    return _MENU if first else 2 * _MENU


def _summed(counts: tuple[int, ...]) -> tuple[str, str]:
    return f"{median(counts):g}", f"{quantiles(counts, n=10)[-1]:g}"
