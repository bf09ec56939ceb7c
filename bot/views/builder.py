"""The message in which a move is put together, for a match, a plan or a puzzle, its controls, and what they do.

Choices are buttons where those of a step fit a message, and menus where they do not. Knows the contract of a game; it
must not know any one game, nor what becomes of a complete move.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import discord

from bot.compute.job import Priority
from bot.games.game import Step, split_text
from bot.matches.model.building import BuilderState, Choices, Consent
from bot.messages.drawing import PendingMove
from bot.messages.layout import (
    LABEL_LIMIT,
    OPTION_LIMIT,
    PLACEHOLDER_LIMIT,
    Part,
    beside,
    box,
    button,
    gallery,
    layout,
    row,
    select,
)
from bot.messages.pictures import Picture
from bot.messages.wording import shorten, who_moves
from bot.requests.request import Request
from bot.requests.surfaces import Surface
from bot.storage.people import Preferences
from bot.views import builder_ids
from bot.views.answers import Reply, answer_in_place, answer_with_modal
from bot.views.builder_ids import BuilderForms
from bot.views.choice_grid import Grid, choice_grid, pages
from bot.views.controls import Interaction, control, form, menu, page_of
from renderers.i18n import LazyText, bracketed, gettext_lazy, prose, sentence, translated
from renderers.i18n import gettext as _

EXAMPLE_LIMIT = 40
"""Characters of an example of a move, which the button that opens the form for typing carries in its custom id."""

YOUR_MOVE = gettext_lazy("Your move: {moves}")

Row = discord.ui.ActionRow[discord.ui.LayoutView]
Button = discord.ui.Button[discord.ui.LayoutView]


Place = tuple[int, ...]
"""What a builder is for, in numbers: a match or an attempt, and its ply; of a plan its version and place, too."""
Advance = Callable[..., Awaitable[Reply]]
"""Returns the builder after some choices, or carries the move out: called with a request, the numbers of the place, the
choices, a consent and the page of the menus."""


def builds(
    forms: BuilderForms,
    advance: Advance,
    beside: Mapping[str, Callable[[Request, Any], Awaitable[Reply]]],
    post: Callable[[Interaction, Any], Awaitable[None]] | None = None,
) -> None:
    """Register the controls of a kind of builder. ``beside`` has what its further buttons do, by their verbs.

    ``post`` is the one that carries a move out where its board is the answer.
    """

    @control(forms.button)
    async def on_button(interaction: Interaction, ids: Any) -> None:
        verb, *place, index, choices = ids
        if verb == "type":
            await answer_with_modal(interaction, form_to_type(forms.typed(*place), "".join(choices)))
        elif verb == "post" and post is not None:
            await post(interaction, ids)
        elif verb in beside:
            await answer_in_place(interaction, beside[verb], ids)
        else:
            consent = {"play": Consent.CONFIRMED, "pick": Consent.CHOICE}.get(verb, Consent.NONE)
            await answer_in_place(interaction, advance, *place, choices, consent, index if verb == "file" else 0)

    @menu(forms.choice)
    async def on_choice(request: Request, ids: Any, choice: str) -> Reply:
        *place, _menu, choices = ids
        return await advance(request, *place, (*choices, choice), Consent.CHOICE)

    @menu(forms.page)
    async def on_page(request: Request, ids: Any, page: str) -> Reply:
        *place, _menu, choices = ids
        return await advance(request, *place, choices, Consent.NONE, page_of(page))

    @form(forms.typed)
    async def on_typed(request: Request, ids: Any, text: str) -> Reply:
        return await advance(request, *ids, (text,), Consent.TEXT)


@dataclass(frozen=True, slots=True)
class BuilderControls:
    """The controls of one builder, for what its place says.

    ``leave`` is the button that leads out of it, ``beside`` are further ones. ``hinted`` is the move that was the
    hint, to be played in its place. ``plays`` is the verb of the button that carries a move out.
    """

    forms: BuilderForms
    place: Place
    leave: Button
    beside: Sequence[Button] = ()
    hinted: str = ""
    plays: builder_ids.BuilderVerb = "play"

    def rows(self, state: BuilderState, grid: Grid | None, page: int = 0) -> list[Row]:
        """Return the choices of a state, as ``grid`` or in menus, and below them at most five buttons.

        ``page`` is the page of menus, or the file, counted from 1, whose choices the grid has. Whole moves offered in
        one click stand first.
        """
        rows = []
        if state.shortcuts:
            verbs: tuple[builder_ids.PuzzleVerb, ...] = ("take0", "take1")
            styles = (discord.ButtonStyle.success, discord.ButtonStyle.secondary)
            ready = [
                button(self._id(verb, (shortcut.key,)), shortcut.label, style)
                for verb, style, shortcut in zip(verbs, styles, state.shortcuts, strict=False)
            ]
            rows.append(row(*ready))
        rows += self._menus(state, page) if grid is None else self._grid(state.choices, grid)
        below = []
        if state.move is not None:
            label = shorten(state.confirmation, LABEL_LIMIT)
            style = discord.ButtonStyle.danger if state.grave else discord.ButtonStyle.success
            below.append(button(self._id(self.plays, state.choices), label, style))
        if self.hinted:
            below.append(button(self._id("play", (self.hinted,)), _("Play it"), discord.ButtonStyle.success))
        back = state.choices if grid and page else state.back
        if back is not None:
            below.append(button(self._id("back", back), _("Back")))
        example = state.example if len(state.example) <= EXAMPLE_LIMIT else ""
        below.append(button(self._id("type", split_text(example)), _("Type")))
        return [*rows, row(*below, *self.beside, self.leave)]

    def _grid(self, choices: Choices, grid: Grid) -> Iterator[Row]:
        places = count()
        for cells in grid:
            buttons = []
            for cell, place in zip(cells, places, strict=False):
                label = shorten(cell.label, LABEL_LIMIT)
                if cell.file:
                    buttons.append(button(self._id("file", choices, cell.file), label, discord.ButtonStyle.primary))
                elif cell.step is None:
                    buttons.append(button(self._id("idle", (), place), label, disabled=True))
                else:
                    pick, spent = self._id("pick", (*choices, cell.step.key), place), cell.step.spent
                    style = discord.ButtonStyle.secondary if spent else discord.ButtonStyle.primary
                    buttons.append(button(pick, label, style, disabled=spent))
            yield row(*buttons)

    def _menus(self, state: BuilderState, page: int) -> Iterator[Row]:
        every = pages(state.steps)
        page = page if page < len(every) else 0
        several = len(every) > 1 or (bool(every) and len(every[page]) > 1)
        if len(every) > 1:
            extents = [
                discord.SelectOption(label=extent(menus[0][0], menus[-1][-1]), value=str(index), default=index == page)
                for index, menus in enumerate(every)
            ]
            yield row(select(self.forms.page(*self.place, 0, state.choices), _("More choices"), extents))
        for index, steps in enumerate(every[page] if every else ()):
            if several and len(steps) == 1 and steps[0].square is None:
                question = steps[0].label
            else:
                question = bracketed(state.prompt, extent(steps[0], steps[-1])) if several else state.prompt
            options = [discord.SelectOption(label=shorten(step.label, OPTION_LIMIT), value=step.key) for step in steps]
            choice = self.forms.choice(*self.place, index, state.choices)
            yield row(select(choice, shorten(question, PLACEHOLDER_LIMIT), options))

    def _id(self, verb: builder_ids.BuilderVerb, choices: Choices, index: int = 0) -> str:
        return self.forms.button(verb, *self.place, index, choices)


def extent(first: Step, last: Step) -> str:
    """Return the extent of a list from its first to its last choice, such as ``a1 – d6``."""
    if first is last:
        return shorten(first.label, OPTION_LIMIT)
    first_name, last_name = (step.square or shorten(step.label, 46) for step in (first, last))
    return first_name if first_name == last_name else f"{first_name} – {last_name}"


@dataclass(frozen=True, slots=True)
class Builder:
    """A surface on which a person puts a move together, under a ``heading``.

    ``does`` says what the move does; its place for that is ``moves``.
    """

    surface: Surface
    heading: str
    controls: BuilderControls
    does: LazyText = YOUR_MOVE

    async def reply(
        self,
        request: Request,
        state: BuilderState,
        page: int = 0,
        *,
        news: str = "",
        aim: tuple[str, Picture | None] | None = None,
    ) -> Reply:
        """Return the message for a state, as the person likes to see it.

        What has just happened, ``news``, and what is asked stand between the board and the controls, where they are
        seen without scrolling. ``aim`` is how the game is won, with a picture: it stands above the board. ``page`` is
        that of the menus, or the file, counted from 1, whose choices are asked for.
        """
        surface, renderer = self.surface, request.context.renderer
        game, position, seat = surface.game, surface.position, surface.seat
        scene = game.scene(position, seat=seat)
        grid = choice_grid(state.steps, scene, page) if state.steps else ()
        by_file = any(cell.file for cells in grid or () for cell in cells)
        asks = words_of(state)
        if by_file:
            asks = prose([asks, _("Its column first:")])
        does = ""
        if state.does:
            mover = seat if position.to_move is None else position.to_move
            made = sentence(who_moves(game.seat_names[mover], state.does))
            does = translated(self.does.filled(moves=f"**{made}**"))
        words = "\n".join(line for line in (news, does, asks) if line)
        if self.controls.hinted:
            pending = PendingMove((self.controls.hinted,))
        else:
            open_ones = (step.square for step in state.steps if step.square is not None and not step.spent)
            pending = PendingMove(state.choices, tuple(open_ones))
        rows = self.controls.rows(state, grid, 0 if by_file else page)
        head: Part = self.heading
        shown: tuple[Picture, ...] = ()
        if aim is not None:
            told, won = aim
            head = f"{self.heading}\n{told}"
            if won is not None and not request.preferences.text_boards:
                head, shown = beside(head, won), (won,)
        if request.preferences.text_boards:
            look = surface.look(Preferences(), pending)
            letters = await renderer.letters(surface.game_state, look, Priority.MOVE)
            return Reply(view=layout(box(head, f"```\n{letters}\n```", words), *rows))
        look = surface.look(request.preferences, pending)
        picture = await renderer.drawn(surface.game_state, look, surface.key, Priority.MOVE)
        return Reply(view=layout(box(head, gallery(picture), words), *rows), attachments=(picture, *shown))


def words_of(state: BuilderState) -> str:
    if state.problem is not None:
        return _("{problem} Choose again.", problem=state.problem)
    if state.question is not None:
        return translated(state.question)
    if state.move is not None:
        return prose([_("Play it, or go on."), state.prompt]) if state.steps else ""
    if state.shortcuts:
        return _("Take one of the set-ups, or build your own. {prompt}", prompt=state.prompt)
    return translated(state.prompt)


def form_to_type(custom_id: str, example: str) -> discord.ui.Modal:
    """Return the form for a move as text, with an example of one in the position, if there is one."""
    form = discord.ui.Modal(title=_("Type your move"), custom_id=custom_id, timeout=900)
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="move", max_length=200)
    how = _("In the notation of the rules, such as {example}", example=example)
    description = how if example else _("In the notation of the rules")
    form.add_item(discord.ui.Label(text=_("Move"), description=description, component=field))
    return form
