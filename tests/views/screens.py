"""What a person sees of the move builder and what a click leads to, without Discord: the builder's own stages, controls
and ids, read back as its buttons and menus read them. Knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random

import discord

from bot.games.game import Move, Position
from bot.views.move_builder import BuilderButton, BuilderChoice, BuilderPage, controls
from bot.views.stages import Keys, Stage, keys_of, stage
from tests.games.cases import Case, Ply, samples

MATCH, PLY = 10**18 - 1, 10**6 - 1
"""The longest a match and a ply can be in a ``custom_id``."""
LEVELS = 150
"""Screens looked at in one position before the rest is left to descents at random."""
DEEPEST = 40
POSITIONS = 5


@dataclass(frozen=True)
class Button:
    label: str
    custom_id: str


@dataclass(frozen=True)
class Menu:
    placeholder: str
    custom_id: str
    labels: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class Screen:
    """A stage as it is shown, with one page of its menus; ``clicks`` lead here from the board in the channel.

    ``chosen`` is what was chosen on the way, which the stage has given up where it was refused.
    """

    position: Position
    chosen: Keys
    stage: Stage
    rows: Sequence[discord.ui.ActionRow[discord.ui.LayoutView]] = field(repr=False)
    clicks: int

    @property
    def move(self) -> Move | None:
        return self.stage.move

    @property
    def buttons(self) -> list[Button]:
        items = [item for item in self._items() if isinstance(item, discord.ui.Button)]
        return [Button(item.label or "", item.custom_id or "") for item in items]

    @property
    def every_menu(self) -> list[Menu]:
        """The menus to choose from, and the one to turn pages with, if there is one."""
        selects = [item for item in self._items() if isinstance(item, discord.ui.Select)]
        return [
            Menu(
                select.placeholder or "",
                select.custom_id,
                tuple(option.label for option in select.options),
                tuple(option.value for option in select.options),
            )
            for select in selects
        ]

    @property
    def menus(self) -> list[Menu]:
        return [menu for menu in self.every_menu if menu.custom_id.startswith("b-choose")]

    @property
    def custom_ids(self) -> list[str]:
        return [control.custom_id for control in (*self.buttons, *self.every_menu)]

    def components(self) -> int:
        """How many of the components that Discord allows in a message the rows take."""
        return sum(1 + len(row.children) for row in self.rows)

    def press(self, label: str) -> Screen:
        """Return the screen after a button that leaves the move unplayed."""
        (button,) = [button for button in self.buttons if button.label == label]
        match = _read(BuilderButton, button.custom_id)
        assert match["verb"] in {"back", "take0", "take1"}, f"{label} leads to no other screen"
        return shown(self.position, keys_of(match["prefix"]), self.clicks + 1)

    def choose(self, menu: Menu, value: str) -> Screen:
        """Return the screen after a choice."""
        match = _read(BuilderChoice, menu.custom_id)
        return shown(self.position, (*keys_of(match["prefix"]), value), self.clicks + 1)

    def played(self) -> str:
        """Return the text that the button Play hands to the rules."""
        (button,) = [button for button in self.buttons if button.label.startswith("Play ")]
        return "".join(keys_of(_read(BuilderButton, button.custom_id)["prefix"]))

    def turned(self) -> Iterator[Screen]:
        """Yield this screen and, where there are more pages, the others."""
        yield self
        for menu in self.every_menu:
            if menu.custom_id.startswith("b-page"):
                keys = keys_of(_read(BuilderPage, menu.custom_id)["prefix"])
                for value in menu.values[1:]:
                    yield shown(self.position, keys, self.clicks + 1, int(value))

    def onward(self) -> Iterator[tuple[Screen, Menu, str]]:
        """Yield every choice there is on any page: the page, the menu and the value."""
        for screen in self.turned():
            for menu in screen.menus:
                for value in menu.values:
                    yield screen, menu, value

    def _items(self) -> Iterator[discord.ui.Item[discord.ui.LayoutView]]:
        for row in self.rows:
            for item in row.children:
                yield item.item if isinstance(item, discord.ui.DynamicItem) else item


def _read(kind: type[discord.ui.DynamicItem[discord.ui.Item[discord.ui.LayoutView]]], custom_id: str) -> re.Match[str]:
    match = kind.__discord_ui_compiled_template__.fullmatch(custom_id)
    assert match is not None, f"{custom_id} is not read by {kind.__name__}"
    return match


def shown(position: Position, keys: Keys = (), clicks: int = 1, page: int = 0) -> Screen:
    """Return the screen that choices lead to. Opening the builder has been the first click."""
    now = stage(position, keys, Random(1))
    return Screen(position, keys, now, controls(MATCH, PLY, now, page), clicks)


class Tree:
    """The screens of a position: all of them if they are few, else as many as the bounds allow.

    ``refused`` are the choices that led to no new stage, with what was shown instead.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.screens: dict[Keys, Screen] = {}
        self.refused: dict[Keys, Screen] = {}
        self.whole = self._walk()
        if not self.whole:
            for seed in range(10):
                self._descend(Random(seed))

    def _walk(self) -> bool:
        waiting = [partial(shown, self.position)]
        while waiting and len(self.screens) + len(self.refused) < LEVELS:
            screen = waiting.pop()()
            if not self._is_refused(screen):
                waiting += [partial(page.choose, menu, value) for page, menu, value in screen.onward()]
        return not waiting

    def _descend(self, random: Random) -> None:
        screen = shown(self.position)
        while not self._is_refused(screen) and len(screen.stage.keys) < DEEPEST:
            choices = list(screen.onward())
            if not choices:
                return
            page, menu, value = random.choice(choices)
            screen = page.choose(menu, value)

    def _is_refused(self, screen: Screen) -> bool:
        """Note a screen down, and tell whether it refuses what was chosen."""
        (self.screens if screen.stage.problem is None else self.refused)[screen.chosen] = screen
        return screen.stage.problem is not None

    def moves(self) -> set[Move]:
        return {screen.move for screen in self.screens.values() if screen.move is not None}


@cache
def trees(case: Case) -> tuple[Tree, ...]:
    """Return the screens of positions from all over a random game, the last of them before its end."""
    plies: Sequence[Ply] = [ply for ply in samples(case) if ply.position.to_move]
    return tuple(Tree(ply.position) for ply in plies[:: max(1, len(plies) // POSITIONS)])
