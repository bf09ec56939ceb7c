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
from bot.storage import matches, plans
from bot.storage.outbox import Claim, OutboxMessage
from bot.storage.records import EntryKind, Match, Plan, RequestId, Seat
from bot.telemetry import metrics

log = structlog.get_logger(__name__)


class PlansChanged(Exception):
    """A player has changed a plan since the turn was computed: it has to be computed again."""


class TurnTransaction:
    """Loads the matches that services move on, and stores their turns."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def load_for_player(self, request: TurnRequest) -> tuple[Match, Seat]:
        """Return the match of a request and the asking person's seat. Raises ``Refusal``.

        Time that the bot has lost is credited first, so that the deadline that is read holds at the time of the
        request. A match that the request brings may have an older deadline; ``append_checked`` compares it.
        """
        await self._context.credit_missed()
        match = request.found
        if match is None:
            async with self._context.database.read() as tx:
                match = await load_match(tx, request.guild_id, request.match_id)
        seat = check_request(match, request)
        self._context.presence.acted(match.id, request.person.id, request.at)
        return match, seat

    async def already_applied(
        self, request: TurnRequest, kind: EntryKind, *texts: str, own: bool | None = True
    ) -> Match | None:
        """Return the match if the entry after the ply of a request is what it asks for: it was carried out before.

        A person whose answer was lost asks again. ``own`` says whether the entry is of their seat, of another one
        (False) or of either (None).
        """
        match = await self._context.read(matches.get, request.match_id)
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

    async def plans(self, match: Match) -> list[Plan]:
        """Return the plans that a turn has to follow, if anything was ever planned in the match."""
        return await self._context.read(plans.of_match, match.id) if match.plans_version else []

    @asynccontextmanager
    async def locked(
        self, match: Match, interaction_id: RequestId | None
    ) -> AsyncIterator[tuple[AsyncConnection, Match]]:
        """Give a write transaction for an interaction, and the match as that reads it. Raises ``Refusal``.

        The match is still at the ply of ``match``, so results computed for that hold.
        """
        async with self.writing(interaction_id) as tx:
            yield tx, await self._lock(tx, match)

    @asynccontextmanager
    async def writing(self, interaction_id: RequestId | None) -> AsyncIterator[AsyncConnection]:
        """Give a write transaction for an interaction. Raises ``AlreadyProcessed``."""
        async with self._context.database.write() as tx:
            if interaction_id is not None:
                await self._context.mark_processed(tx, interaction_id)
            yield tx

    async def append(self, tx: AsyncConnection, current: Match, turn: PlayedTurn) -> None:
        """Store a turn of a match that ``locked`` has given. Raises ``PlansChanged`` for a move."""
        if turn.move is not None and current.plans_version != turn.match.plans_version:
            raise PlansChanged
        await move_log.append(tx, replace(turn, match=current))

    async def append_checked(
        self, tx: AsyncConnection, turn: PlayedTurn, check: Callable[[AsyncConnection, Match], Awaitable[None]]
    ) -> OutboxMessage | None:
        """Store a move of a match that has not moved on since, or else raise ``Refusal`` or ``PlansChanged``.

        Return the message for ``after_commit``, if this process has claimed one. The match is read and checked once
        more only if the move ends it, or its deadline has changed or is past.
        """
        match = turn.match
        if move_log.goes_on(turn) and not (match.time_ends_at is not None and match.time_ends_at <= turn.at):
            stored, message = await move_log.append_unless_changed(tx, turn, self._claim(match))
            if stored:
                return message
        current = await self._lock(tx, match)
        if current.plans_version != match.plans_version:
            raise PlansChanged
        await check(tx, current)
        return await move_log.append(tx, replace(turn, match=current), self._claim(current))

    async def _lock(self, tx: AsyncConnection, match: Match) -> Match:
        current = await load_match(tx, match.guild_id, match.id, lock=True)
        check_unchanged(match, current)
        return current

    def _claim(self, match: Match) -> Claim | None:
        """Claim the message of a turn for this process; None if it cannot be posted at once."""
        outbox = self._context.outbox
        return Claim(self._context.database.token) if outbox is not None and outbox.has_room(match.guild_id) else None

    def after_commit(self, turn: PlayedTurn, message: OutboxMessage | None = None) -> None:
        """Remember and log a stored turn, and have its board posted: by ``message``, if this process has claimed it."""
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
        if message is not None and self._context.outbox is not None:
            self._context.outbox.begin(message)
