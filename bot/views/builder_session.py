"""The message in which a move is put together, for a turn of a match or for a puzzle, and its controls.

Choices are buttons where those of a step fit a message, and menus where they do not. Knows the contract of a game; it
must not know any one game, nor what becomes of a complete move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import discord

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.games.game import Position, Step
from bot.matches.model.building import BuilderState, Keys
from bot.messages.custom_ids import CustomId
from bot.messages.drawing import PendingMove
from bot.messages.layout import LABEL_LIMIT, PLACEHOLDER_LIMIT, Part, beside, box, button, gallery, layout, row, select
from bot.messages.pictures import Picture
from bot.messages.wording import shorten, who_moves
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
from renderers.i18n import bracketed, pgettext_lazy, prose, sentence, translated
from renderers.i18n import gettext as _

EXAMPLE_LIMIT = 40
"""Characters of an example of a move, which the button that opens the form for typing carries in its custom id."""

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

    ``leave`` is the label of the button that leads out of it. ``hints`` says whether there is a button for a hint, and
    ``hinted`` is the move that was the hint, to be played in its place. ``reopens`` says whether there is a button to
    change the set-up that was taken without asking. With ``aims``, the message shows how the game is won. A button in
    the place of ``leave`` dismisses that for good: a message has no room for both. ``beside`` are further
    buttons.
    """

    ids: BuilderIds
    leave: str
    hints: bool = False
    hinted: str = ""
    reopens: bool = False
    aims: bool = False
    beside: Sequence[Button] = ()

    def rows(self, now: BuilderState, grid: Grid | None, page: int = 0) -> list[Row]:
        """Return the choices of a state, as ``grid`` or in menus, and below them at most five buttons.

        ``page`` is the page of menus, or the file, counted from 1, whose choices the grid has. Whole moves offered in
        one click stand first.
        """
        ready = [row(*self._shortcuts(now))] if now.shortcuts else []
        choices = self._menus(now, page) if grid is None else self._grid(now.keys, grid)
        return [*ready, *choices, row(*self._below(now, back=now.keys if grid and page else now.back))]

    def _shortcuts(self, now: BuilderState) -> Iterator[Button]:
        for index, shortcut in enumerate(now.shortcuts[:2]):
            style = discord.ButtonStyle.secondary if index else discord.ButtonStyle.success
            yield button(self._id(f"take{index}", (shortcut.key,)), shortcut.label, style)

    def _grid(self, keys: Keys, grid: Grid) -> Iterator[Row]:
        place = 0
        for cells in grid:
            yield row(*(self._cell(keys, cell, place + column) for column, cell in enumerate(cells)))
            place += len(cells)

    def _cell(self, keys: Keys, cell: Cell, place: int) -> Button:
        label = shorten(cell.label, LABEL_LIMIT)
        if cell.file:
            return button(self._id("file", keys, cell.file), label, discord.ButtonStyle.primary)
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

    def _below(self, now: BuilderState, back: Keys | None) -> Iterator[Button]:
        if now.move is not None:
            label = shorten(now.confirmation, LABEL_LIMIT)
            style = discord.ButtonStyle.danger if now.grave else discord.ButtonStyle.success
            yield button(self._id("play", now.keys), label, style)
        if self.hinted:
            yield button(self._id("play", (self.hinted,)), _("Play it"), discord.ButtonStyle.success)
        if back is not None:
            yield button(self._id("back", back), _("Back"))
        example = now.example if len(now.example) <= EXAMPLE_LIMIT else ""
        yield button(self.ids.button(verb="type", menu=0, prefix=example, **self.ids.fields), _("Type"))
        if self.hints and not self.hinted:
            yield button(self._id("hint", now.keys), _("Hint"))
        if self.reopens and not now.keys:
            yield button(self._id("setup", ()), _("Change my set-up"))
        yield from self.beside
        if self.aims:
            yield button(self._id("aimless", ()), _("Don't show the aim"))
        else:
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
    def hints(self) -> bool:
        """Whether there are hints."""
        return False

    @property
    def reopens(self) -> bool:
        """Whether the person may change the set-up that was taken for them."""
        return False

    @property
    def secret(self) -> str:
        """The text of the move that is to be found, if any: it is no example."""
        return ""

    @property
    def squares_only(self) -> bool:
        """Whether the first choices are squares only, because what is looked for is on the board."""
        return False

    def beside(self, request: Request) -> Sequence[Button]:
        """Return further buttons for a person."""
        return ()

    @abstractmethod
    async def picture(self, request: Request, pending: PendingMove) -> Picture:
        """Draw the board with the move as far as it has come."""

    @abstractmethod
    async def letters(self, request: Request, pending: PendingMove) -> str:
        """Return the same in letters, for a code block."""

    async def preview(self, request: Request, keys: Keys, page: int = 0) -> BuilderPreview:
        """Return what some choices lead to; ``page`` is the file, counted from 1, whose choices are asked for."""
        # What is offered before the first choice is random, so it is computed anew each time.
        key = ("choices", *self.key, self.seat, keys, page) if keys else None
        spec = JobSpec(Pool.PICTURES, Priority.MOVE, key)
        return await request.services.context.compute_as(
            spec,
            builder_preview,
            self.game,
            self.position,
            self.seat,
            keys,
            page,
            squares_only=self.squares_only,
            secret=self.secret,
        )

    async def reply(
        self,
        request: Request,
        found: BuilderPreview,
        page: int = 0,
        *,
        news: str = "",
        hinted: str = "",
        aim: tuple[str, Picture | None] | None = None,
    ) -> Reply:
        """Return the message for a preview, as the person likes to see it.

        What has just happened, ``news``, and what is asked stand between the board and the controls, where they are
        seen without scrolling. ``hinted`` is a move that was the hint: it is shown on the board, and can be played.
        ``aim`` is how the game is won, with a picture: it stands above the board.
        """
        now = found.state
        words = "\n".join(line for line in (news, self._words(found)) if line)
        if hinted:
            pending = PendingMove((hinted,))
        else:
            pending = PendingMove(now.keys, tuple(step.square for step in now.steps if step.square is not None))
        beside_it = self.beside(request)
        controls = BuilderControls(
            self.ids, self.leave, self.hints, hinted, self.reopens, aims=aim is not None, beside=beside_it
        )
        rows = controls.rows(now, found.grid, page)
        head: Part = self.heading
        shown: tuple[Picture, ...] = ()
        if aim is not None:
            told, won = aim
            head = f"{self.heading}\n{told}"
            if won is not None and not request.preferences.text_boards:
                head, shown = beside(head, won), (won,)
        if request.preferences.text_boards:
            letters = await self.letters(request, pending)
            return Reply(view=layout(box(head, f"```\n{letters}\n```", words), *rows))
        picture = await self.picture(request, pending)
        return Reply(view=layout(box(head, gallery(picture), words), *rows), attachments=(picture, *shown))

    def _words(self, found: BuilderPreview) -> str:
        """Return what a preview asks for, under the move if there is one."""
        now = found.state
        asked = words_of(now)
        if found.grid and any(cell.file for row in found.grid for cell in row):
            asked = prose([asked, _("Its column first:")])
        if not found.does:
            return asked
        seat = GAMES[self.game].seat_names[self.seat]
        moves = sentence(who_moves(seat, found.does))
        return "\n".join(line for line in (_("Your move: {moves}", moves=f"**{moves}**"), asked) if line)


def words_of(now: BuilderState) -> str:
    """Return what a state asks for."""
    if now.problem is not None:
        return _("{problem} Choose again.", problem=now.problem)
    if now.question is not None:
        return translated(now.question)
    if now.move is not None:
        return prose([_("Play it, or go on."), now.prompt]) if now.steps else ""
    if now.shortcuts:
        return _("Take one of the set-ups, or build your own. {prompt}", prompt=now.prompt)
    return translated(now.prompt)


def typed_move(example: str) -> discord.ui.Label[Any]:
    """Return the field for a move in a form, with an example of one in the position, if there is one."""
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="move", max_length=200)
    how = _("In the notation of the rules, such as {example}", example=example)
    return discord.ui.Label(
        text=_("Move"), description=how if example else _("In the notation of the rules"), component=field
    )
