"""One step of a match: load and check it, compute without a transaction, store if the match is unchanged."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.game_states import GameStates
from bot.matches.model.game_state import GameState
from bot.matches.model.turn import PlayedTurn, TurnRequest, check_request, check_unchanged
from bot.matches.service_context import ServiceContext
from bot.matches.writing import move_log
from bot.matches.writing.move_log import load_match
from bot.storage import matches
from bot.storage.outbox import Begin, OutboxMessage
from bot.storage.records import Match, MoveKind, RequestId, Seat
from bot.telemetry import metrics

log = structlog.get_logger(__name__)


class TurnTransaction:
    """Loads the matches that services move on, and stores their turns."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def asked(self, request: TurnRequest) -> tuple[Match, Seat]:
        """Return the match of a request and the asking person's seat. Raises ``Refusal``.

        Time that the bot has lost is credited first, so that the deadline that is read holds at the time of the
        request. A match that the request brings may have an older deadline; ``append_checked`` compares it.
        """
        await self._context.credit_missed()
        match = request.found
        if match is None:
            async with self._context.database.read() as tx:
                match = await load_match(tx, request.guild_id, request.match_id)
        return match, check_request(match, request)

    async def find(self, match_id: int) -> Match | None:
        """Return a match, whichever server it is in, or None."""
        async with self._context.database.read() as tx:
            return await matches.get(tx, match_id)

    async def repeated(
        self, request: TurnRequest, kind: MoveKind, *texts: str, own: bool | None = True
    ) -> Match | None:
        """Return the match if the entry after the ply of a request is what it asks for: it was carried out before.

        A person whose answer was lost asks again. ``own`` says whether the entry is of their seat, of another one
        (False) or of either (None).
        """
        match = await self.find(request.match_id)
        seat = None if match is None or match.voided else match.seat_of(request.person.id)
        if match is None or seat is None or request.ply is None or match.guild_id != request.guild_id:
            return None
        async with self._context.database.read() as tx:
            entry = await matches.entry(tx, match.id, request.ply + 1)
        if entry is None or entry.kind is not kind or entry.text not in texts:
            return None
        return match if own is None or own is (entry.seat == seat.seat) else None

    @property
    def quarantined(self) -> frozenset[int]:
        """The matches that could not be replayed."""
        return self._game_states.quarantined

    async def state(self, match: Match) -> GameState:
        """Return the state of a match. Raises ``Quarantined``."""
        return await self._game_states.of(match)

    @asynccontextmanager
    async def unchanged(
        self, match: Match, interaction_id: RequestId | None
    ) -> AsyncIterator[tuple[AsyncConnection, Match]]:
        """Give a write transaction for an interaction, and the match as that reads it. Raises ``Refusal``.

        The match is still at the ply of ``match``, so results computed for that hold.
        """
        async with self.writing(interaction_id) as tx:
            yield tx, await self._locked(tx, match)

    @asynccontextmanager
    async def writing(self, interaction_id: RequestId | None) -> AsyncIterator[AsyncConnection]:
        """Give a write transaction for an interaction. Raises ``AlreadyProcessed``."""
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            yield tx

    async def append(self, tx: AsyncConnection, current: Match, turn: PlayedTurn) -> None:
        """Store a turn of a match that ``unchanged`` has given."""
        await move_log.append(tx, replace(turn, match=current))

    async def append_checked(
        self, tx: AsyncConnection, turn: PlayedTurn, check: Callable[[AsyncConnection, Match], Awaitable[None]]
    ) -> OutboxMessage | None:
        """Store a move of a match that has not moved on since, or else raise ``Refusal``.

        Return the message for ``committed``, if this process is to begin one. The match is read and checked once more
        only if the move ends it, or its deadline has changed or is past.
        """
        match = turn.match
        if move_log.goes_on(turn) and not (match.time_ends_at is not None and match.time_ends_at <= turn.at):
            stored, message = await move_log.append_unless_changed(tx, turn, self._begin(match))
            if stored:
                return message
        current = await self._locked(tx, match)
        await check(tx, current)
        return await move_log.append(tx, replace(turn, match=current), self._begin(current))

    async def _locked(self, tx: AsyncConnection, match: Match) -> Match:
        current = await load_match(tx, match.guild_id, match.id, lock=True)
        check_unchanged(match, current)
        return current

    def _begin(self, match: Match) -> Begin | None:
        """Return how this process begins the message of a turn; None if the outlet has no room for its server."""
        return Begin(self._context.database.token) if self._context.outlet.has_room(match.guild_id) else None

    def committed(self, turn: PlayedTurn, message: OutboxMessage | None = None) -> None:
        """Remember and log a stored turn, and have its board posted: by ``message``, if it is begun here."""
        self._game_states.remember(turn.match.id, turn.after)
        for entry in turn.entries:
            log.info(
                "entry", match=turn.match.id, ply=entry.ply, seat=entry.seat, kind=entry.kind.value, text=entry.text
            )
        metrics.MOVES.labels(turn.match.game).inc(len(turn.entries))
        if turn.after.result is not None:
            metrics.MATCHES_OVER.labels(turn.match.game).inc()
            winners, reason = sorted(turn.after.result.winners), turn.after.result.reason
            log.info("over", match=turn.match.id, winners=winners, reason=reason)
        if message is not None:
            self._context.outlet.begin(message)
            self._context.news()
        if turn.match.computers or (turn.match.cup_id is not None and turn.after.result is not None):
            self._context.wake()
        elif message is None:
            # The scheduler sleeps on: reminders and deadlines are hours ahead, and every heartbeat looks for them.
            self._context.deliver()
