"""Who asks, as services see it: one value for every way in. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.matches.model.refusals import Refusal
from bot.storage.records import Person, RequestId
from bot.storage.responses import Response
from renderers.i18n import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Actor:
    """A person who asks for something in a server ``at`` that time, when their request was received.

    ``interaction_id`` makes repeats idempotent. ``channel_id`` is the channel or thread in which, or for which,
    they ask, and ``parent_id`` the channel of a thread. ``response`` is the answer that everybody sees, where what they
    do is posted by it (``bot.storage.homes``).
    """

    guild_id: int
    person: Person
    interaction_id: RequestId
    at: datetime
    channel_id: int | None = None
    parent_id: int | None = None
    can_manage_server: bool = False
    response: Response | None = None

    @property
    def channel(self) -> int:
        """The id of the channel or thread. Raises ``Refusal`` where there is none."""
        if self.channel_id is None:
            raise Refusal(_("Matches are played in channels. Use this in one of them."))
        return self.channel_id
