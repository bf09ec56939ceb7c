"""Reads of cups for the pages that people look at. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from bot.matches.model.cups import CupTable
from bot.matches.model.pace import is_live
from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services.eligibility import invited_by
from bot.storage import cups
from bot.storage.contest_states import CupState
from bot.storage.cups import Cup, Pairing
from renderers.i18n import gettext_lazy as _

LATEST = 3
"""How many results the message of a running cup names."""


@dataclass(frozen=True, slots=True)
class CupView:
    """A cup with its table, None before it has begun, and the people ``invited`` to one that is started again.

    They played in the cup before, and may be invited by the person who starts this one.
    """

    cup: Cup
    table: CupTable | None = None
    invited: tuple[int, ...] = ()
    latest: tuple[Pairing, ...] = ()
    """The pairings of a running cup that were decided last, the last first."""


class CupQueries:
    """Reads cups, their lists, and trophies."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

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
            again = cup.again_of if cup.state is CupState.OPEN else None
            before = None if again is None else await cups.get(tx, again)
            players = () if before is None else before.players
            played = (player.person.id for player in players if player.person.mentionable)
            latest = await cups.latest_results(tx, cup_id, LATEST) if cup.state is CupState.RUNNING else ()
            invited = await invited_by(tx, cup.starter_id, played, cup.created_at)
        return CupView(cup, CupTable(cup.players, pairings, is_live(cup.pace)) if pairings else None, invited, latest)


def no_such_cup() -> Refusal:
    """Return the refusal for a number that no cup of the server has."""
    return Refusal(_("There's no such cup in this server."))
