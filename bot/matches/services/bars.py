"""Barring somebody from playing in a server, or everywhere: for those who manage it, and whoever runs the bot."""

from __future__ import annotations

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services.challenge_store import ChallengeStore
from bot.matches.writing import outbox_messages
from bot.storage import challenges, locks, people
from bot.storage.challenges import Challenge
from bot.storage.people import Bar
from bot.storage.records import ChallengeState
from bot.storage.transactions import Conflict, retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)


class Bars:
    """Who may not play where.

    Whoever is barred begins nothing new; the matches they are in go on, so that nobody loses a game by it.
    """

    def __init__(self, context: ServiceContext, challenge_store: ChallengeStore) -> None:
        self._context = context
        self._challenge_store = challenge_store

    @retried
    async def bar(self, guild_id: int, user_id: int, interaction_id: int | None = None) -> None:
        """Bar a person from a server, or ``EVERYWHERE``, have them told, and end what they have proposed there.

        Raises ``Refusal`` for somebody who is barred there already.
        """
        now = self._context.clock()
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            proposed = await self._lock_proposed(tx, guild_id, user_id)
            if any(bar.guild_id == guild_id for bar in await people.bars_of(tx, user_id)):
                raise Refusal(_("They are barred already."))
            bar_id = await people.add_bar(tx, guild_id, user_id, now)
            await outbox_messages.barred(tx, bar_id, guild_id, now)
            for challenge in proposed:
                await self._take_out(tx, challenge, user_id, bar_id)
        log.info("barred", bar=bar_id, server=guild_id or "every")
        self._context.wake()

    @retried
    async def unbar(self, guild_id: int, user_id: int) -> None:
        """Let a person play again where they were barred. Raises ``Refusal`` for somebody who was not."""
        async with self._context.database.write() as tx:
            if not await people.remove_bar(tx, guild_id, user_id):
                raise Refusal(_("They are not barred."))
        log.info("bar lifted", server=guild_id or "every")

    async def of_server(self, guild_id: int) -> list[Bar]:
        """Return who is barred from a server, the newest bar first; not those who are barred ``EVERYWHERE``."""
        async with self._context.database.read() as tx:
            return await people.bars_in(tx, guild_id)

    async def everyone(self) -> list[Bar]:
        """Return every bar there is."""
        async with self._context.database.read() as tx:
            return await people.every_bar(tx)

    async def _lock_proposed(self, tx: AsyncConnection, guild_id: int, user_id: int) -> list[Challenge]:
        """Lock a person, and the open challenges they have to do with; return these. Raises ``Conflict``."""
        ids = await challenges.open_about(tx, user_id, guild_id)
        locked = [await challenges.get(tx, challenge_id, lock=True) for challenge_id in ids]
        await locks.people(tx, [user_id])
        still_open = await challenges.open_about(tx, user_id, guild_id)
        if set(still_open) - set(ids):
            raise Conflict
        return [challenge for challenge in locked if challenge is not None and challenge.id in still_open]

    async def _take_out(self, tx: AsyncConnection, challenge: Challenge, user_id: int, bar_id: int) -> None:
        """End a challenge that is a person's own or meant for them; in somebody else's they lose their seat."""
        if user_id in (challenge.challenger_id, challenge.opponent_id):
            await self._challenge_store.end(tx, challenge, ChallengeState.CANCELLED)
            return
        await challenges.leave(tx, challenge.id, user_id)
        await outbox_messages.card(tx, challenge.id, f"barred:{bar_id}", self._context.clock())
