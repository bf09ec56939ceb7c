"""What a move is put together for, in a match or in a puzzle, and the message in which that is done.

Knows the contract of a game; it must not know any one game, nor what becomes of a move that is complete.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from bot.compute.job import JobSpec, Pool, Priority
from bot.games.game import Position
from bot.messages.drawing import PendingMove
from bot.messages.layout import box, layout
from bot.messages.pictures import Picture
from bot.storage.people import Preferences
from bot.views.answers import Reply
from bot.views.bot_context import BotContext
from bot.views.builder_controls import BuilderControls, BuilderIds
from bot.views.builder_state import BuilderState, Keys
from bot.views.considering import Considered, considered
from renderers.i18n import capitalised, gettext_lazy, sentence, translated
from renderers.i18n import gettext as _


@dataclass(frozen=True, slots=True)
class Building(ABC):
    """A position in which somebody puts a move together, under a heading.

    ``game`` is its key, ``ids`` are what controls are known by, and ``key`` tells the position from all others.
    """

    heading: str
    game: str
    position: Position
    seat: int
    ids: BuilderIds
    key: tuple[Hashable, ...]

    leave: ClassVar[str] = gettext_lazy("Cancel")
    """What the button says that leads out of it."""

    @property
    def hint(self) -> str | None:
        """The custom id of the button that tells the best move, or None where there are no hints."""
        return None

    @property
    def squares_only(self) -> bool:
        """Whether choices that are no square are left out at first: what is looked for is on the board."""
        return False

    @abstractmethod
    async def picture(self, context: BotContext, pending: PendingMove, wanted: Preferences) -> Picture:
        """Draw the board with the move as far as it has come."""

    @abstractmethod
    async def letters(self, context: BotContext, pending: PendingMove) -> str:
        """Return the same in letters, for a code block."""

    async def considered(self, context: BotContext, keys: Keys) -> Considered:
        """Return what some choices lead to."""
        # What is offered at first is drawn by lot each time.
        key = ("choices", *self.key, self.seat, keys) if keys else None
        spec = JobSpec(Pool.PICTURES, Priority.MOVE, key)
        return await context.services.context.compute_as(
            spec, considered, self.game, self.position, self.seat, keys, squares_only=self.squares_only
        )

    async def reply(self, context: BotContext, found: Considered, wanted: Preferences, page: int = 0) -> Reply:
        """Return the message for what was considered, as somebody likes it."""
        now, words = found.state, f"{self.heading}\n{words_of(found.state)}"
        # "moves c2-c3" says nothing that the text of the move does not.
        if len(found.does.replace(str(now.move), "").split()) > 2:
            does = translated(found.does)
            words += f"\n-# {sentence(capitalised(does))}"
        pending = PendingMove(now.keys, tuple(step.square for step in now.steps if step.square is not None))
        rows = BuilderControls(self.ids, self.leave, self.hint).rows(now, found.grid, page)
        if wanted.text_boards:
            letters = await self.letters(context, pending)
            return Reply(view=layout(box(words, f"```\n{letters}\n```"), *rows))
        picture = await self.picture(context, pending, wanted)
        return Reply(view=layout(box(words, picture.gallery()), *rows), attachments=(picture,))


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
        return _("Your turn. Take one of those offered below, or build your own. {prompt}", prompt=now.prompt)
    return _("Your turn. {prompt}", prompt=now.prompt)
