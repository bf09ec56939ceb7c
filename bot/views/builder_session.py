"""The message in which a move is put together, for a turn of a match or for a puzzle, and its controls.

Choices are buttons where those of a step fit a message, and menus where they do not. Knows the contract of a game; it
must not know any one game, nor what becomes of a complete move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.games.game import Position, Step
from bot.matches.model.building import BuilderState, Keys
from bot.messages.custom_ids import CustomId
from bot.messages.drawing import PendingMove
from bot.messages.layout import LABEL_LIMIT, PLACEHOLDER_LIMIT, box, button, gallery, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import shorten
from bot.requests.request import Request
from bot.views.answers import Reply
from bot.views.builder_preview import (
    OPTION_LIMIT,
    BuilderPreview,
    Cell,
    Grid,
    Menu,
    builder_preview,
    pages,
    prefix_of,
)
from renderers.i18n import bracketed, capitalised, pgettext_lazy, sentence, translated
from renderers.i18n import gettext as _

Row = discord.ui.ActionRow[discord.ui.LayoutView]
Button = discord.ui.Button[discord.ui.LayoutView]


@dataclass(frozen=True, slots=True)
class BuilderIds:
    """The forms of custom ids of a builder's controls, and the fields that say which match or puzzle it is for."""

    button: CustomId
    choice: CustomId
    page: CustomId
    fields: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BuilderControls:
    """The controls of one builder.

    ``leave`` is the label of the button that leads out of it, ``hint`` the custom id of the button for a hint, if any.
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
    """Return the prompt of one of several menus with its squares, or the label of a lone choice without a square."""
    if len(menu) == 1 and menu[0].square is None:
        return menu[0].label
    return bracketed(prompt, extent(menu[0], menu[-1]))


def extent(first: Step, last: Step) -> str:
    """Return the extent of a list from its first to its last choice, such as ``a1 – d6``."""
    if first is last:
        return shorten(first.label, OPTION_LIMIT)
    one, other = (step.square or shorten(step.label, 46) for step in (first, last))
    return one if one == other else f"{one} – {other}"


def _page_options(every: list[list[Menu]], shown: int) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=extent(page[0][0], page[-1][-1]), value=str(index), default=index == shown)
        for index, page in enumerate(every)
    ]


@dataclass(frozen=True, slots=True)
class BuilderSession(ABC):
    """A position in which a person puts a move together, a turn of a match or a puzzle, under a ``heading``.

    ``game`` is the key of the game, ``ids`` are the forms of the controls' custom ids, and ``key`` tells the position
    from all others.
    """

    heading: str
    game: str
    position: Position
    seat: int
    ids: BuilderIds
    key: tuple[Hashable, ...]

    leave: ClassVar[str] = pgettext_lazy("building a move", "Cancel")
    """The label of the button that leads out of the builder."""

    @property
    def hint(self) -> str | None:
        """The custom id of the button for a hint, or None where there are no hints."""
        return None

    @property
    def squares_only(self) -> bool:
        """Whether the first choices are squares only, because what is looked for is on the board."""
        return False

    @abstractmethod
    async def picture(self, request: Request, pending: PendingMove) -> Picture:
        """Draw the board with the move as far as it has come."""

    @abstractmethod
    async def letters(self, request: Request, pending: PendingMove) -> str:
        """Return the same in letters, for a code block."""

    async def preview(self, request: Request, keys: Keys) -> BuilderPreview:
        """Return what some choices lead to."""
        # What is offered before the first choice is random, so it is computed anew each time.
        key = ("choices", *self.key, self.seat, keys) if keys else None
        spec = JobSpec(Pool.PICTURES, Priority.MOVE, key)
        return await request.services.context.compute_as(
            spec, builder_preview, self.game, self.position, self.seat, keys, squares_only=self.squares_only
        )

    async def reply(self, request: Request, found: BuilderPreview, page: int = 0) -> Reply:
        """Return the message for a preview, as the person likes to see it."""
        now, words = found.state, f"{self.heading}\n{words_of(found.state)}"
        # "moves c2-c3" says nothing that the text of the move does not.
        if len(found.does.replace(str(now.move), "").split()) > 2:
            does = translated(found.does)
            words += f"\n-# {sentence(capitalised(does))}"
        pending = PendingMove(now.keys, tuple(step.square for step in now.steps if step.square is not None))
        rows = BuilderControls(self.ids, self.leave, self.hint).rows(now, found.grid, page)
        if request.preferences.text_boards:
            letters = await self.letters(request, pending)
            return Reply(view=layout(box(words, f"```\n{letters}\n```"), *rows))
        picture = await self.picture(request, pending)
        return Reply(view=layout(box(words, gallery(picture)), *rows), attachments=(picture,))


def words_of(now: BuilderState) -> str:
    """Return what a state asks for."""
    if now.problem is not None:
        return _("{problem} Choose again.", problem=now.problem)
    if now.question is not None:
        return _("Your move: **{move}**\n{question}", move=now.move, question=now.question)
    if now.move is not None:
        if now.steps:
            return _("Your move: **{move}**, or go on", move=now.move)
        return _("Your move: **{move}**", move=now.move)
    if now.keys:
        return _("So far: **{move}** … {prompt}", move="".join(now.keys), prompt=now.prompt)
    if now.shortcuts:
        return _("Your turn. Pick one of the moves below, or build your own. {prompt}", prompt=now.prompt)
    return _("Your turn. {prompt}", prompt=now.prompt)
