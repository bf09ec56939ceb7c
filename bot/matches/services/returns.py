"""People who come back after days without using the bot: once they are told what waits for them and what has ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.matches.model.game_state import RESIGNS
from bot.matches.service_context import ServiceContext
from bot.storage import challenges, match_lists, visits
from bot.storage.challenges import Invitation
from bot.storage.records import Match
from bot.storage.transactions import retried

AWAY: Final = timedelta(days=3)
"""A person comes back if they have not used the bot for so long."""
ENDED, CHALLENGES = 10, 5
"""The most matches that have ended, and the most challenges, which a person is told of one by one."""
_NOTED_EACH: Final = timedelta(hours=1)
"""How long a use is not noted again."""
_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class ReturnView:
    """What a person finds who comes back, in all servers."""

    user_id: int
    waiting: tuple[Match, ...]
    """The matches in which they are to move, least time left first."""
    ended: tuple[Match, ...]
    """The matches that others, or the clock, have ended meanwhile, the newest first."""
    ended_number: int
    """How many have ended, also if that is more than are in ``ended``."""
    challenges: tuple[Invitation, ...]
    """The open challenges to them alone, the oldest first."""


class Returns:
    """Notes when people use the bot, and says who comes back."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._noted: dict[tuple[int, bool], datetime] = {}
        """When uses of people were noted, for both values of ``tells``: most uses need no look at the database."""

    async def note(self, user_id: int, *, tells: bool = True) -> datetime | None:
        """Note that a person uses the bot; return when they did before, if they come back.

        Of several processes, or several uses at once, one gets that time. A use that tells them nothing, such as one of
        the board page, leaves the return to the next that ``tells``.
        """
        now = self._context.clock()
        noted = self._noted.get((user_id, tells))
        if noted is not None and now - noted < _NOTED_EACH:
            return None
        before = await self._context.read(visits.last, user_id)
        comes_back = before is not None and now - before >= AWAY
        if before is None or (now - before >= _NOTED_EACH and (tells or not comes_back)):
            comes_back = await self._note(user_id, before, now) and comes_back
        if len(self._noted) >= _MOST_KEPT:
            self._noted.clear()
        self._noted[user_id, tells] = now
        return before if comes_back and tells else None

    @retried
    async def _note(self, user_id: int, before: datetime | None, now: datetime) -> bool:
        async with self._context.database.write() as tx:
            return await visits.note(tx, user_id, before, now)

    async def view(self, user_id: int, since: datetime, until: datetime) -> ReturnView:
        """Return what waits for a person now, and what ended between two times."""
        async with self._context.database.read() as tx:
            waiting = await match_lists.waiting_since(tx, user_id, None)
            ended, number = await visits.ended_meanwhile(tx, user_id, since, until, resigned=RESIGNS, most=ENDED)
            sent = await challenges.sent_to(tx, user_id, until, CHALLENGES)
        return ReturnView(user_id, tuple(waiting), tuple(ended), number, tuple(sent))
