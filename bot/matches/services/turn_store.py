"""One step of a match: loaded and checked, computed with no transaction open, stored if nothing has changed since."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.game_states import GameStates
from bot.matches.model.game_state import GameState
from bot.matches.model.turn import PlayedTurn, TurnRequest, check_request, check_unchanged
from bot.matches.service_context import ServiceContext
from bot.matches.writing import move_log
from bot.matches.writing.match_loading import load_match
from bot.storage import matches
from bot.storage.records import Match, Seat

log = structlog.get_logger(__name__)


class TurnStore:
    """Where services that move a match on get it from, and put what has become of it."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def asked(self, request: TurnRequest) -> tuple[Match, Seat]:
        """Return the match of a request and the seat of whoever asks. Raises ``Refusal``.

        Its deadline holds for the moment of the request: time that was lost to all before is credited first.
        """
        await self._context.credit_missed()
        async with self._context.database.read() as tx:
            match = await load_match(tx, request.guild_id, request.match_id)
        return match, check_request(match, request)

    async def find(self, match_id: int) -> Match | None:
        """Return any match there is, whoever asks."""
        async with self._context.database.read() as tx:
            return await matches.get(tx, match_id)

    @property
    def quarantined(self) -> frozenset[int]:
        """The matches that could not be replayed."""
        return self._game_states.quarantined

    async def state(self, match: Match) -> GameState:
        """Return where a match stands. Raises ``Quarantined``."""
        return await self._game_states.of(match)

    @asynccontextmanager
    async def unchanged(self, match: Match, interaction_id: int | None) -> AsyncIterator[tuple[AsyncConnection, Match]]:
        """Give a write transaction for an interaction, and the match as it is in it. Raises ``Refusal``.

        The match is at the ply it was found at, so that what was computed for it since holds.
        """
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            current = await load_match(tx, match.guild_id, match.id, lock=True)
            check_unchanged(match, current)
            yield tx, current

    async def append(self, tx: AsyncConnection, current: Match, turn: PlayedTurn) -> None:
        """Store a turn of a match that is unchanged."""
        await move_log.append(tx, replace(turn, match=current))

    def committed(self, turn: PlayedTurn) -> None:
        """Remember and log a turn that is stored, and have its board posted."""
        self._game_states.remember(turn.match.id, turn.after)
        for entry in turn.entries:
            log.info(
                "entry", match=turn.match.id, ply=entry.ply, seat=entry.seat, kind=entry.kind.value, text=entry.text
            )
        if turn.after.result is not None:
            winners, reason = sorted(turn.after.result.winners), turn.after.result.reason
            log.info("over", match=turn.match.id, winners=winners, reason=reason)
        if turn.match.computers:
            self._context.wake()
        else:
            # Reminders and deadlines are hours ahead, and looked for at every heartbeat.
            self._context.deliver()
