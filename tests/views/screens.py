"""The move builder as a person sees it and the effect of each click, without Discord: the builder's own stages,
controls and ids, read back as its buttons and menus read them. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from random import Random
from typing import Any

import discord

from bot.contract.cases import Case, Ply, samples
from bot.games.game import Game, Move, Position
from bot.matches.model.building import BuilderState, Choices, builder_state
from bot.messages import layout
from bot.messages.custom_id_form import CustomId, Ids
from bot.views import builder_ids
from bot.views.builder import BuilderControls
from bot.views.choice_grid import choice_grid
from renderers.scene import Scene

Row = discord.ui.ActionRow[discord.ui.LayoutView]

MATCH, PLY = 10**18 - 1, 10**6 - 1
"""The longest a match and a ply can be in a ``custom_id``."""
VERBS: tuple[builder_ids.BuilderVerb, ...] = ("hint", "cancel")
LEVELS = 150
"""Screens looked at in one position before the rest is left to descents at random."""
DEEPEST = 40
POSITIONS = 5


@dataclass(frozen=True)
class Button:
    label: str
    custom_id: str
    disabled: bool = False


@dataclass(frozen=True)
class Menu:
    placeholder: str
    custom_id: str
    labels: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class Screen:
    """A state of the builder with one page of its menus; ``clicks`` lead here from the board in the channel.

    ``chosen`` are the choices on the way; the state is without them where they were refused.
    """

    game: Game
    position: Position
    chosen: Choices
    builder_state: BuilderState
    rows: Sequence[Row] = field(repr=False)
    clicks: int

    @property
    def move(self) -> Move | None:
        return self.builder_state.move

    @property
    def buttons(self) -> list[Button]:
        items = [item for item in self._items() if isinstance(item, discord.ui.Button)]
        return [Button(item.label or "", item.custom_id or "", item.disabled) for item in items]

    @property
    def grid(self) -> list[Button]:
        """The buttons of the choices and of files of them, and those that only keep their place on the board."""
        return [button for button in self.buttons if button.custom_id.startswith(("b-pick:", "b-idle:", "b-file:"))]

    @property
    def picks(self) -> list[Button]:
        return [button for button in self.grid if button.custom_id.startswith("b-pick:")]

    @cached_property
    def files(self) -> list[Screen]:
        """The screens that the buttons of files lead to."""
        found = [
            _read(builder_ids.BUILDER, button.custom_id)
            for button in self.grid
            if button.custom_id.startswith("b-file:")
        ]
        assert all(ids.choices == self.builder_state.choices for ids in found)
        game, position, state = self.game, self.position, self.builder_state
        every = [_rows(game, position, state, ids.menu) for ids in found]
        return [Screen(game, position, state.choices, state, rows, self.clicks + 1) for rows in every]

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
        return [*(button.custom_id for button in self.buttons), *(menu.custom_id for menu in self.every_menu)]

    def components(self) -> int:
        """How many of the components that Discord allows in a message the rows take."""
        return sum(1 + len(row.children) for row in self.rows)

    def press(self, label: str) -> Screen:
        """Return the screen after a button that leaves the move unplayed."""
        below = [button for button in self.buttons if button not in self.grid]
        (button,) = [button for button in below if button.label == label]
        ids = _read(builder_ids.BUILDER, button.custom_id)
        assert ids.verb in {"back", "take0", "take1"}, f"{label} leads to no other screen"
        return self.at(ids.choices)

    def at(self, keys: Choices, page: int = 0) -> Screen:
        """Return the screen one click further on."""
        return shown(self.game, self.position, keys, self.clicks + 1, page)

    def played(self) -> str:
        """Return the text that the button Play hands to the rules."""
        assert self.plays is not None
        return "".join(_read(builder_ids.BUILDER, self.plays.custom_id).choices)

    @property
    def plays(self) -> Button | None:
        """The button that plays the move, if there is one."""
        return next((button for button in self.buttons if button.custom_id.startswith("b-play:")), None)

    def turned(self) -> Iterator[Screen]:
        """Yield this screen and, where there are more pages or files, the others."""
        yield self
        yield from self.files
        for menu in self.every_menu:
            if menu.custom_id.startswith("b-page"):
                keys = _read(builder_ids.BUILDER_PAGE, menu.custom_id).choices
                for value in menu.values[1:]:
                    yield self.at(keys, int(value))

    def onward(self) -> Iterator[tuple[Screen, Choices]]:
        """Yield every choice there is on any page: the page, and the choices it leads to."""
        for screen in self.turned():
            for button in screen.picks:
                yield screen, _read(builder_ids.BUILDER, button.custom_id).choices
            for menu in screen.menus:
                prefix = _read(builder_ids.BUILDER_CHOICE, menu.custom_id).choices
                for value in menu.values:
                    yield screen, (*prefix, value)

    def _items(self) -> Iterator[discord.ui.Item[discord.ui.LayoutView]]:
        for row in self.rows:
            for item in row.children:
                yield item.item if isinstance(item, discord.ui.DynamicItem) else item


def _read(form: CustomId[..., Ids], custom_id: str) -> Ids:
    ids = form.read(custom_id)
    assert ids is not None, f"{custom_id} is not of the form {form.form}"
    return ids


class _Remembered:
    """A position whose steps are worked out once: the screens that lead to each other ask for the same ones."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self.steps = cache(position.steps)
        self.example = cache(position.example)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._position, name)


@lru_cache(maxsize=8)
def _remembered(position: Position) -> Any:
    return _Remembered(position)


def shown(game: Game, position: Position, keys: Choices = (), clicks: int = 1, page: int = 0) -> Screen:
    """Return the screen that choices lead to. Opening the builder has been the first click."""
    now = builder_state(_remembered(position), keys, Random(1))
    return Screen(game, position, keys, now, _rows(game, position, now, page), clicks)


def _rows(game: Game, position: Position, now: BuilderState, page: int) -> Sequence[Row]:
    grid = choice_grid(now.steps, _scene(game, position), page) if now.steps else ()
    at = MATCH, PLY, 0, ()
    hint, leave = (layout.button(builder_ids.BUILDER(verb, *at), verb.title()) for verb in VERBS)
    return BuilderControls(builder_ids.OF_MATCH, (MATCH, PLY), leave, (hint,)).rows(now, grid, page)


@lru_cache(maxsize=8)
def _scene(game: Game, position: Position) -> Scene:
    return game.scene(position, seat=position.to_move or 0)


class Tree:
    """The screens of a position: all of them if they are few, else as many as the bounds allow.

    ``refused`` are the choices that led to no new builder_state, with what was shown instead.
    """

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.position = position
        self.screens: dict[Choices, Screen] = {}
        self.refused: dict[Choices, Screen] = {}
        self.whole = self._walk()
        if not self.whole:
            for seed in range(10):
                self._descend(Random(seed))

    def _walk(self) -> bool:
        waiting = [partial(shown, self.game, self.position)]
        while waiting and len(self.screens) + len(self.refused) < LEVELS:
            screen = waiting.pop()()
            if not self._is_refused(screen):
                waiting += [partial(page.at, keys) for page, keys in screen.onward()]
        return not waiting

    def _descend(self, random: Random) -> None:
        screen = shown(self.game, self.position)
        while not self._is_refused(screen) and len(screen.builder_state.choices) < DEEPEST:
            choices = list(screen.onward())
            if not choices:
                return
            page, keys = random.choice(choices)
            screen = page.at(keys)

    def _is_refused(self, screen: Screen) -> bool:
        """Note a screen down, and tell whether it refuses what was chosen."""
        (self.screens if screen.builder_state.problem is None else self.refused)[screen.chosen] = screen
        return screen.builder_state.problem is not None

    def moves(self) -> set[Move]:
        return {screen.move for screen in self.screens.values() if screen.move is not None}


@cache
def trees(case: Case) -> tuple[Tree, ...]:
    """Return the screens of positions from all over a random game, the last of them before its end."""
    plies: Sequence[Ply] = [ply for ply in samples(case) if ply.position.to_move is not None]
    return tuple(Tree(case.game, ply.position) for ply in plies[:: max(1, len(plies) // POSITIONS)])
