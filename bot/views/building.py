"""What a move is put together for, in a match or in a puzzle, and the message in which that is done.

Knows the contract of a game; it must not know any one game, nor what becomes of a move that is complete.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from bot.compute.job import Demand, Pool, Urgency
from bot.games.game import Position
from bot.messages.drawing import PendingMove
from bot.messages.layout import box, layout
from bot.messages.pictures import Picture
from bot.storage.records import Preferences
from bot.views.answers import Reply
from bot.views.bot_context import BotContext
from bot.views.builder_controls import BuilderControls, BuilderIds
from bot.views.builder_state import BuilderState, Keys
from bot.views.considering import Considered, considered


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

    leave: ClassVar[str] = "Cancel"
    """What the button says that leads out of it."""

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
        demand = Demand(Pool.PICTURES, Urgency.MOVE, key)
        return await context.services.context.compute_as(demand, considered, self.game, self.position, self.seat, keys)

    async def reply(self, context: BotContext, found: Considered, wanted: Preferences, page: int = 0) -> Reply:
        """Return the message for what was considered, as somebody likes it."""
        now, words = found.state, f"{self.heading}\n{words_of(found.state)}"
        # "moves c2-c3" says nothing that the text of the move does not.
        if len(found.does.replace(str(now.move), "").split()) > 2:
            words += f"\n-# {found.does[:1].upper()}{found.does[1:]}."
        pending = PendingMove(now.keys, tuple(step.square for step in now.steps if step.square is not None))
        rows = BuilderControls(self.ids, self.leave).rows(now, found.grid, page)
        if wanted.text_boards:
            letters = await self.letters(context, pending)
            return Reply(view=layout(box(words, f"```\n{letters}\n```"), *rows))
        picture = await self.picture(context, pending, wanted)
        return Reply(view=layout(box(words, picture.gallery()), *rows), attachments=(picture,))


def words_of(now: BuilderState) -> str:
    """Return what a state asks for."""
    if now.problem is not None:
        return f"{now.problem} Choose again."
    if now.question is not None:
        return f"Your move: **{now.move}**\n{now.question}"
    if now.move is not None:
        return f"Your move: **{now.move}**{', or go on' if now.steps else ''}"
    if now.keys:
        return f"So far: **{''.join(now.keys)}** … {now.prompt}"
    if now.shortcuts:
        return f"Your turn. Take one of those offered below, or build your own. {now.prompt}"
    return f"Your turn. {now.prompt}"
