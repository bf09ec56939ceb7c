"""Reads of cups for the pages that people look at. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.cups import CupTable
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.storage import cups, people
from bot.storage.cups import Cup, Trophy
from bot.storage.records import CupState, Withdrawal
from renderers.i18n import gettext_lazy as _

MEDALS = 3
"""How many places have a trophy."""


@dataclass(frozen=True, slots=True)
class CupView:
    """A cup with its table, None before it has begun, and the people ``invited`` to one that is started again.

    They played in the cup before, and have not blocked the person who starts this one.
    """

    cup: Cup
    table: CupTable | None = None
    invited: tuple[int, ...] = ()


class CupQueries:
    """Reads cups, their lists, and trophies."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def listed(self, guild_id: int, *, ended: bool, offset: int, limit: int) -> list[Cup]:
        """Return a part of a server's cups, the newest first: those that go on, or those that have ended."""
        async with self._context.database.read() as tx:
            return await cups.listed(tx, guild_id, ended=ended, offset=offset, limit=limit)

    async def view(self, guild_id: int, cup_id: int) -> CupView:
        """Return a cup of a server. Raises ``Refusal`` if there is none."""
        view = await self.find_view(cup_id)
        if view is None or view.cup.guild_id != guild_id:
            raise no_such_cup()
        return view

    async def find_view(self, cup_id: int) -> CupView | None:
        """Return a cup of any server; None if it does not exist."""
        async with self._context.database.read() as tx:
            cup = await cups.get(tx, cup_id)
            if cup is None:
                return None
            pairings = await cups.pairings_of(tx, cup_id)
            invited = await _invited(tx, cup) if cup.state is CupState.OPEN else ()
        return CupView(cup, CupTable(cup.players, pairings) if pairings else None, invited)

    async def boards(self, cup_id: int) -> dict[int, tuple[int, int]]:
        """Return where the boards of a cup's matches stand: a channel or thread and a message, by match."""
        async with self._context.database.read() as tx:
            return await cups.boards_of(tx, cup_id)

    async def trophies(self, guild_id: int, user_id: int) -> list[Trophy]:
        """Return a person's first three places in a server's cups, the best first."""
        async with self._context.database.read() as tx:
            return await cups.trophies(tx, guild_id, user_id, last_place=MEDALS)


def no_such_cup() -> Refusal:
    """Return the refusal for a number that no cup of the server has."""
    return Refusal(_("There's no such cup in this server."))


async def _invited(tx: AsyncConnection, cup: Cup) -> tuple[int, ...]:
    """Return the people invited to a cup that was started again: the players of the one before, except its starter."""
    before = None if cup.again_of is None else await cups.get(tx, cup.again_of)
    if before is None:
        return ()
    played = [one.person.id for one in before.players if one.withdrawal is not Withdrawal.BARRED]
    apart = {cup.starter_id, *await people.who_blocked(tx, cup.starter_id, played)}
    return tuple(user_id for user_id in played if user_id > 0 and user_id not in apart)
