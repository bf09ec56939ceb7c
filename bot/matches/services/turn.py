"""A turn: one match as it was loaded for one request, what is computed from it, and the transaction that stores it.

A step of a match (``step``) loads a ``Turn``, computes without a lock, and stores in one transaction what still holds.
A match that has changed in between begins the step again. So no lock waits for rules, and no turn is wrong.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import TAKES_BACK, GameState, replay
from bot.matches.model.plan import turn_with_replies
from bot.matches.model.refusals import AlreadyProcessed, Refusal
from bot.matches.model.turn import PlayedTurn, check_request, same_turn, single_entry
from bot.matches.service_context import ServiceContext
from bot.matches.writing import move_log, outbox_messages
from bot.matches.writing.move_log import load_match
from bot.storage import matches, plans
from bot.storage.outbox import OutboxMessage
from bot.storage.records import Entry, EntryKind, Match, Plan, RequestId, Seat
from bot.storage.transactions import Conflict, retried
from bot.telemetry import metrics

log = structlog.get_logger(__name__)


class StepsOfMatches(Protocol):
    """A service whose methods are steps of matches."""

    _context: ServiceContext
    _game_states: GameStates


S = TypeVar("S", bound=StepsOfMatches)
T = TypeVar("T")
P = ParamSpec("P")


def step(
    method: Callable[Concatenate[S, Turn, P], Awaitable[T]],
) -> Callable[Concatenate[S, Actor, Match | int, int | None, P], Coroutine[Any, Any, T]]:
    """Make a method of a turn one of an actor, a match and a ply: the match, or its number, and the ply they see.

    No ply stands for the newest. The method runs again, on a turn that is loaded anew, when its transaction gives way
    or finds the match changed (``Conflict``). So it does nothing before its commit that must not happen twice, and it
    is no block of a ``with`` statement, which runs once. It raises ``Refusal`` like ``load``.
    """

    @wraps(method)
    async def run(
        service: S, actor: Actor, match: Match | int, ply: int | None, /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        loaded = match

        @wraps(method)
        async def attempt() -> T:
            nonlocal loaded
            turn = await load(service._context, service._game_states, actor, loaded, ply)
            # Another attempt reads the match, whose number alone stays the same.
            loaded = match if isinstance(match, int) else match.id
            return await method(service, turn, *args, **kwargs)

        return await retried(attempt)()

    return run


async def load(
    context: ServiceContext, game_states: GameStates, actor: Actor, match: Match | int, ply: int | None
) -> Turn:
    """Load the turn of a person in a match of their server. Raises what the bot refuses to all (``check_request``).

    Time that the bot has lost is credited first, so that the deadline that is read holds when they asked. A match that
    the request has read itself may have an older one; what is stored compares it.

    A turn that comes late raises when it is used, unless the person asks for what has been done (``Turn.repeated``).
    """
    await context.credit_missed(match if isinstance(match, int) else match.id)
    if isinstance(match, int):
        async with context.database.read() as tx:
            match = await load_match(tx, actor.guild_id, match)
    try:
        seat = check_request(match, actor.person, ply)
    except Refusal as refusal:
        seat_then = match.seat_of(actor.person.id)
        if seat_then is None or match.voided or ply is None or ply >= match.ply:
            raise
        if await context.was_processed(actor.interaction_id):
            raise AlreadyProcessed from None
        async with context.database.read() as tx:
            entry = await matches.entry(tx, match.id, ply + 1)
        return Turn(context, game_states, match, seat_then, actor.at, actor=actor, ply=ply, late=Late(refusal, entry))
    context.presence.acted(match.id, actor.person.id, actor.at)
    return Turn(context, game_states, match, seat, actor.at, await game_states.of(match), actor=actor, ply=ply)


@dataclass(frozen=True, slots=True)
class Late:
    """Why a turn comes too late, and the entry that followed on the ply its person saw."""

    refusal: Refusal
    entry: Entry | None


class Turn:
    """A turn in a match at one ply. Made for one person's request, a computer player, or what falls due.

    From the beginning it holds the match, the seat and the state of the game: each read once and checked. It holds no
    connection and no lock while ``move``, ``entry`` and ``take_back`` compute, in the pool. ``writing`` holds the write
    transaction and notes the interaction; ``locked`` also holds the lock of the match, and compares it. Leaving them
    commits, remembers the new state, logs it, and hands its board to the dispatcher.
    """

    def __init__(
        self,
        context: ServiceContext,
        game_states: GameStates,
        match: Match,
        seat: Seat,
        at: datetime,
        state: GameState | None = None,
        *,
        actor: Actor | None = None,
        ply: int | None = None,
        late: Late | None = None,
    ) -> None:
        self._context = context
        self._game_states = game_states
        self._match = match
        self._state = state
        self._late = late
        self._stored: tuple[PlayedTurn, OutboxMessage | None] | None = None
        self.seat = seat
        """The seat that acts."""
        self.at = at
        self.actor = actor
        """Who asks; None where no person does."""
        self.ply = ply
        """The ply they see; None for the newest."""

    @property
    def match(self) -> Match:
        """The match as it was loaded. Raises ``Refusal`` if the turn comes late."""
        if self._late is not None:
            raise self._late.refusal
        return self._match

    @property
    def state(self) -> GameState:
        """The state of the game at the ply of the match. Raises ``Refusal`` if the turn comes late."""
        match = self.match
        assert self._state is not None, match.id
        return self._state

    @property
    def interaction_id(self) -> RequestId | None:
        return None if self.actor is None else self.actor.interaction_id

    def repeated(self, kind: EntryKind, *texts: str, own: bool | None = True) -> Match | None:
        """Return the match as it stands if what followed on the ply is what is asked for; None if nothing followed.

        A person whose answer was lost asks again, or two press at once. ``own`` says whether the entry is of the seat
        that asks, of another one (False) or of either (None). Raises ``Refusal`` if something else followed.
        """
        if self._late is None:
            return None
        entry = self._late.entry
        if entry is None or entry.kind is not kind or entry.text not in texts:
            raise self._late.refusal
        if own is not None and own is not (entry.seat == self.seat.seat):
            raise self._late.refusal
        return self._match

    async def plans(self) -> list[Plan]:
        """Return the plans that a move has to follow, if anything was ever planned in the match."""
        return await self._context.read(plans.of_match, self.match.id) if self.match.plans_version else []

    async def move(self, text: str, *, confirmed: bool) -> PlayedTurn:
        """Compute a move of the seat, with what follows by itself and by plans. Raises ``Refusal``, ``Unconfirmed``."""
        stored = await self.plans()
        return await self._context.compute(
            turn_with_replies, self.match, self.state, self.seat.seat, text, self.at, stored, confirmed=confirmed
        )

    async def entry(self, kind: EntryKind, text: str, seat: int | None = None) -> PlayedTurn:
        """Compute an entry that is no move, of the seat that acts unless another one is given."""
        acting = self.seat.seat if seat is None else seat
        return await self._context.compute(single_entry, self.match, self.state, acting, kind, text, self.at)

    async def take_back(self, seat: int) -> PlayedTurn:
        """Compute taking the last move of a seat back, with all entries after it."""
        match = self.match
        entry = Entry(match.ply + 1, seat, EntryKind.TAKEBACK, TAKES_BACK, self.at)
        async with self._context.database.read() as tx:
            played = (await matches.moves_of(tx, match.id))[: match.ply]
        after = await self._context.compute(
            replay, GAMES[match.game], match.variant, len(match.seats), [*played, entry]
        )
        return PlayedTurn(match, self.state, (entry,), after)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Give a write transaction that notes the interaction. Raises ``AlreadyProcessed``."""
        self._stored = None
        async with self._context.database.write() as tx:
            if self.interaction_id is not None:
                await self._context.mark_processed(tx, self.interaction_id)
            if self.actor is not None:
                topic = outbox_messages.topic_of_match(self._match.id)
                await self._context.keep_response(tx, self.actor, topic, self._match.ply)
            yield tx
        if self._stored is not None:
            self._after_commit(*self._stored)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[tuple[AsyncConnection, Match]]:
        """Give a write transaction like ``writing``, and the locked match, at the same ply. Raises ``Conflict``."""
        async with self.writing() as tx:
            yield tx, await self._lock(tx)

    async def store(self, tx: AsyncConnection, current: Match, played: PlayedTurn) -> None:
        """Store what was computed, in a match that ``locked`` has given."""
        self._stored = played, await move_log.append(tx, replace(played, match=current))

    async def store_move(
        self, tx: AsyncConnection, played: PlayedTurn, check: Callable[[AsyncConnection, Match], Awaitable[None]]
    ) -> None:
        """Store a move in the transaction of ``writing``. Raises ``Conflict``, and what ``check`` raises.

        The match is read and checked once more only if the move ends it, or its deadline has changed or is past.
        """
        match = self.match
        if move_log.goes_on(played) and not (match.time_ends_at is not None and match.time_ends_at <= played.at):
            unchanged, message = await move_log.append_unless_changed(tx, played, self._posts_at_once(match))
            if unchanged:
                self._stored = played, message
                return
        current = await self._lock(tx)
        await check(tx, current)
        self._stored = played, await move_log.append(tx, replace(played, match=current), self._posts_at_once(current))

    async def _lock(self, tx: AsyncConnection) -> Match:
        before = self.match
        current = await load_match(tx, before.guild_id, before.id, lock=True)
        if not same_turn(current, before):
            raise Conflict
        return current

    def _posts_at_once(self, match: Match) -> bool:
        """Return whether this process begins the message of a turn as soon as that is stored."""
        outbox = self._context.outbox
        return outbox is not None and outbox.has_room(match.guild_id)

    def _after_commit(self, played: PlayedTurn, message: OutboxMessage | None) -> None:
        """Remember and log a stored turn, and have its board posted: by ``message``, if this process is to begin it."""
        match, result = played.match, played.after.result
        self._game_states.remember(match.id, played.after)
        for entry in played.entries:
            log.info("entry", match=match.id, ply=entry.ply, seat=entry.seat, kind=entry.kind.value, text=entry.text)
        metrics.MOVES.labels(match.game).inc(len(played.entries))
        if result is not None:
            metrics.MATCHES_OVER.labels(match.game).inc()
            log.info("over", match=match.id, winners=sorted(result.winners), reason=result.reason)
        if message is not None and self._context.outbox is not None:
            self._context.outbox.begin(message)
