"""The controls of the move builder: buttons where the choices of a step fit a message, menus where they do not.

Knows what a builder's state is and what Discord allows; it must not know any one game, nor what a press leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import discord

from bot.games.game import Step
from bot.messages.custom_ids import CustomId
from bot.messages.layout import LABEL_LIMIT, PLACEHOLDER_LIMIT, button, row, select
from bot.messages.wording import shorten
from bot.views.builder_state import OPTION_LIMIT, BuilderState, Keys, Menu, pages, prefix_of
from bot.views.choice_grid import Cell, Grid
from renderers.i18n import bracketed
from renderers.i18n import gettext as _

Row = discord.ui.ActionRow[discord.ui.LayoutView]
Button = discord.ui.Button[discord.ui.LayoutView]


@dataclass(frozen=True, slots=True)
class BuilderIds:
    """What the controls of a builder are known by: its forms of custom ids, and the fields that say what it is for."""

    button: CustomId
    choice: CustomId
    page: CustomId
    fields: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BuilderControls:
    """The controls of one builder.

    ``leave`` is what the button says that leads out of it, ``hint`` the custom id of the button for a hint, if any.
    """

    ids: BuilderIds
    leave: str
    hint: str | None = None

    def rows(self, now: BuilderState, grid: Grid | None, page: int = 0) -> list[Row]:
        """Return the choices of a state, as ``grid`` or in menus, and below them at most five buttons."""
        choices = self._menus(now, page) if grid is None else self._grid(now.keys, grid)
        return [*choices, row(*self._below(now))]

    def _grid(self, keys: Keys, grid: Grid) -> Iterator[Row]:
        place = 0
        for cells in grid:
            yield row(*(self._cell(keys, cell, place + column) for column, cell in enumerate(cells)))
            place += len(cells)

    def _cell(self, keys: Keys, cell: Cell, place: int) -> Button:
        label = shorten(cell.label, LABEL_LIMIT)
        if cell.step is None:
            return button(self._id("idle", (), place), label, disabled=True)
        return button(self._id("pick", (*keys, cell.step.key), place), label, discord.ButtonStyle.primary)

    def _menus(self, now: BuilderState, page: int) -> Iterator[Row]:
        every = pages(now.steps)
        page = page if page < len(every) else 0
        several = len(every) > 1 or (bool(every) and len(every[page]) > 1)
        fields = {**self.ids.fields, "prefix": prefix_of(now.keys)}
        if len(every) > 1:
            more = self.ids.page(**fields, menu=0)
            yield row(select(more, _("More choices"), _page_options(every, page)))
        for index, menu in enumerate(every[page] if every else ()):
            asks = _asked(now.prompt, menu) if several else now.prompt
            options = [discord.SelectOption(label=shorten(step.label, OPTION_LIMIT), value=step.key) for step in menu]
            yield row(select(self.ids.choice(**fields, menu=index), shorten(asks, PLACEHOLDER_LIMIT), options))

    def _below(self, now: BuilderState) -> Iterator[Button]:
        if now.move is not None:
            label = shorten(_("Play {move}", move=now.move), LABEL_LIMIT)
            yield button(self._id("play", now.keys), label, discord.ButtonStyle.success)
        for index, shortcut in enumerate(now.shortcuts[:2]):
            yield button(self._id(f"take{index}", (shortcut.key,)), shortcut.label)
        if now.back is not None:
            yield button(self._id("back", now.back), _("Back"))
        yield button(self._id("type", ()), _("Type"))
        if self.hint is not None:
            yield button(self.hint, _("Hint"))
        yield button(self._id("cancel", ()), self.leave)

    def _id(self, verb: str, keys: Keys, index: int = 0) -> str:
        return self.ids.button(verb=verb, menu=index, prefix=prefix_of(keys), **self.ids.fields)


def _asked(prompt: str, menu: Menu) -> str:
    """Return what one of several menus asks, with the places it is for; a lone choice of none speaks for itself."""
    if len(menu) == 1 and menu[0].square is None:
        return menu[0].label
    return bracketed(prompt, extent(menu[0], menu[-1]))


def extent(first: Step, last: Step) -> str:
    """Return what a list from one choice to another is called, such as ``a1 – d6``."""
    if first is last:
        return shorten(first.label, OPTION_LIMIT)
    one, other = (step.square or shorten(step.label, 46) for step in (first, last))
    return one if one == other else f"{one} – {other}"


def _page_options(every: list[list[Menu]], shown: int) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=extent(page[0][0], page[-1][-1]), value=str(index), default=index == shown)
        for index, page in enumerate(every)
    ]
