"""Whose turn a message says it is, and the first turn of a match that began by one click.

The demo opens the move builder for that, as if the person had pressed *Play* under the first board: so the next click
plays the first move.
"""

from __future__ import annotations

import re
from contextlib import suppress

from simcord.backend.errors import BackendError
from simcord.backend.models import Message

from bot.demo import interactions
from bot.demo.discord_server import DiscordServer
from bot.messages import custom_ids

_PLAY = re.compile(custom_ids.PLAY.pattern)
_ASKS = re.compile("|".join((r"play:\d+:\d+.*", r"challenge:accept:\d+", r"offer:accept:\d+")))
"""The controls with which a person who is named answers: a move, a challenge, an offer."""


def called(message: Message) -> list[int]:
    """Return the ids of the people whose turn a message says it is, to move or to answer."""
    asks = any(_ASKS.fullmatch(control.get("custom_id") or "") for control in interactions.walk(message.components))
    return [] if message.is_ephemeral or not asks else list(message.ping_user_ids)


class FirstTurns:
    """Waits for the first boards of matches on which a person is to move."""

    def __init__(self, server: DiscordServer) -> None:
        self._server = server
        self._waiting: dict[int, int] = {}
        server.backend.changed.append(self._changed)

    def open_for(self, person_id: int, match_id: int) -> None:
        """Open the builder for a person as soon as the board of the match is posted that asks for their move."""
        self._waiting[match_id] = person_id

    def _changed(self, message: Message) -> None:
        if not self._waiting or message.is_ephemeral:
            return
        for control in interactions.walk(message.components):
            found = _PLAY.fullmatch(control.get("custom_id") or "")
            match_id = int(found["match"]) if found else 0
            person_id = self._waiting.get(match_id)
            if person_id is not None and person_id in message.ping_user_ids:
                del self._waiting[match_id]
                with suppress(interactions.NotPossible, BackendError):
                    interactions.control(
                        self._server, person_id, message.channel_id, message.id, control["custom_id"], ()
                    )
                return
