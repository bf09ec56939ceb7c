"""What people decide for themselves: how boards are shown to them, and whose challenges they do not want."""

from __future__ import annotations

from collections.abc import Callable

from bot.matches.model.refusals import Refusal
from bot.matches.service_context import ServiceContext
from bot.storage import locks
from bot.storage.queries import people
from bot.storage.records import Preferences
from bot.storage.retrying import retried


class PersonalSettings:
    """The preferences and blocks of people, the same in every server."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def preferences(self, user_id: int) -> Preferences:
        """Return a person's preferences."""
        async with self._context.database.read() as tx:
            return await people.preferences(tx, user_id)

    @retried
    async def prefer(self, user_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Store what ``change`` makes of a person's preferences, and return it.

        ``change`` is given the preferences as they are then, so that of two changes at the same time none is lost.
        """
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            before = await people.preferences(tx, user_id)
            wanted = change(before)
            if wanted != before:
                await people.put_preferences(tx, user_id, wanted)
        return wanted

    @retried
    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Keep a person's challenges away, or no longer. Raises ``Refusal``."""
        if user_id == blocked_id:
            raise Refusal("You can't block yourself.")
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            await people.set_block(tx, user_id, blocked_id, blocked=blocked)

    async def blocked(self, user_id: int) -> list[int]:
        """Return whom a person has blocked."""
        async with self._context.database.read() as tx:
            return await people.blocked_by(tx, user_id)
