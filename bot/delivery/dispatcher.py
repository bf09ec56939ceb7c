"""Takes pending messages out of the outbox, one topic at a time, has them sent and marks them as sent.

A message is marked as begun before Discord is called. If a crash left one begun, it may have been sent: its handler
looks for the post before it posts again. The transaction that marks a message as sent also stores what handlers
remember of it, such as its id in Discord.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context, copy_context
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import on_behalf_of
from bot.delivery.discord_calls import NoResponseError, RejectedError, UnavailableError, UndeliverableError
from bot.delivery.send_slots import SendSlots
from bot.matches.service_context import Idle, wait_at_most
from bot.storage import outbox
from bot.storage.database import Database
from bot.storage.outbox import OutboxMessage
from bot.storage.records import OutboxState, Rules
from bot.storage.transactions import cancel_all, retried
from bot.telemetry import metrics

log = structlog.get_logger(__name__)

SHUTDOWN_TIMEOUT = 10.0
"""Seconds for which a stop waits for messages that are being sent."""
FIRST_WAIT = 2.0
LONGEST_WAIT = 120.0
"""Seconds until the second attempt at a message, and at most between two attempts."""
POLLED_EVERY = 5.0
"""Seconds between looks for messages of other processes, in case the notification about them gets lost."""
RESOLUTION = 0.01
"""Precision of waits in seconds."""


Send = Callable[[], Awaitable["Done | None"]]
"""Sends a message, as ``Handler.send`` does."""


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a message that was sent, or skipped; ``remember`` stores what the handler keeps of it.

    ``remember`` may return a follow-up, which is begun once both are stored.
    """

    remember: Callable[[AsyncConnection], Awaitable[FollowUp | None]] | None = None
    state: OutboxState = OutboxState.SENT


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that this process has stored as begun, alone in its topic, and the function that sends it first."""

    message: OutboxMessage
    send: Send


@dataclass(frozen=True, slots=True)
class Handler:
    """Sends messages of one kind.

    ``send`` returns None if there is nothing left to send; it raises ``UnavailableError``, ``RejectedError``,
    ``UndeliverableError`` or ``NoResponseError``. ``repeatable`` means that sending twice does no harm, so the message
    need not be marked as begun. ``alone`` means that its topics have no other messages and none follows, so the
    dispatcher need not look for more once it is sent.
    """

    send: Callable[[OutboxMessage], Awaitable[Done | None]]
    repeatable: bool = False
    alone: bool = False


class OutboxDispatcher:
    """Serves the outbox until it is closed. It looks for messages when the database signals some.

    ``clock`` gives the time that is stored, ``monotonic`` the seconds that measure waits. Messages about a game
    wait where it is not among ``rules``; None stands for every game. No other process sends at the same time.
    """

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler],
        clock: Callable[[], datetime],
        idle: Callable[[], Idle],
        monotonic: Callable[[], float],
        rules: Rules | None = None,
    ) -> None:
        self._database = database
        self._handlers = handlers
        self._clock = clock
        self._idle = idle
        self._news = asyncio.Event()
        self._monotonic = monotonic
        self._rules = rules
        self._looked = False
        """Whether the last look into the outbox found all that can be due now."""
        self._crowded = False
        """Whether that look found more than there was room for."""
        self._context: Context | None = None
        """The context in which ``run`` serves the outbox; None while it does not."""
        self._slots = SendSlots(monotonic)
        self._sending: set[asyncio.Task[bool]] = set()
        self._passed_over: set[str] = set()
        """The topics that were busy during the last look: it did not see their further messages."""
        self._servers_passed_over: set[int] = set()
        """The servers that had to wait during the last look: it did not see their messages."""
        self._handed_over: set[str] = set()
        """The topics of messages handed over since the last look began."""
        self._unsent: set[int] = set()
        """The messages stored as begun by this process for which there was no room: they were certainly not sent."""
        self._postponed: dict[str, float] = {}
        """When topics with a postponed first message are due again, by ``monotonic``."""
        self._closing = False
        database.signals.on_outbox.append(self.wake)

    def wake(self) -> None:
        """Look into the outbox soon."""
        self._looked = False
        self._news.set()

    def has_room(self, guild_id: int) -> bool:
        """Return whether a message about a server may be begun as soon as it is stored: there is room, and no queue."""
        free = self._slots.has_room(guild_id) and not self._crowded
        return self._context is not None and not self._closing and free

    def begin(self, message: OutboxMessage) -> None:
        """Send a stored and begun message, without looking for it in the outbox."""
        self._hand_over(message, partial(self._handlers[message.kind].send, message))

    def _hand_over(self, message: OutboxMessage, send: Send, leaving: bool = False) -> None:
        """Send a message that this process has stored as begun, unless there is no room by now.

        ``leaving`` says that a message of its server is about to free its place.
        """
        self._handed_over.add(message.topic)
        if message.topic in self._slots or message.topic in self._postponed or self._closing:
            self.wake()  # a look may have had it sent already
        elif not self._slots.has_room(message.guild_id, leaving):
            self._unsent.add(message.id)
            self.wake()
        else:
            self._start(message, send)

    async def run(self) -> None:
        """Serve the outbox for ever; cancel it to stop."""
        self._looked, self._context = False, copy_context()
        try:
            while not self._closing:
                self._news.clear()
                pause = await self._serve_due()
                try:
                    await self._idle()(wait_at_most(pause, self._news), reason="the outbox is empty")
                except TimeoutError:
                    self._looked = False
        finally:
            self._context = None

    async def close(self) -> None:
        """Begin no more messages, and let those being sent finish; give up those that take too long.

        After the next start, their handlers look for their posts.
        """
        self._closing = True
        busy = list(self._sending)
        if busy:
            await asyncio.wait(busy, timeout=SHUTDOWN_TIMEOUT)
        await cancel_all(busy)

    async def _serve_due(self) -> float | None:
        """Begin the messages that are due; return the seconds until the next is due, None for never."""
        latest = self._monotonic() + RESOLUTION
        waiting = {topic: due for topic, due in self._postponed.items() if due > latest}
        freed = self._slots.limits_ended() or len(waiting) < len(self._postponed)
        self._looked = self._looked and not freed
        self._postponed = waiting
        try:
            while not self._looked and not self._closing and (room := self._slots.at_most()):
                for message in await self._due(room):
                    early = message.due_at > self._clock()
                    if early and message.guild_id in self._slots.only_due():
                        self._servers_passed_over.add(message.guild_id)
                    elif not self._closing:
                        self._start(message, early=early)
        except Exception:
            log.exception("outbox unreadable")
            self._looked = False
            return FIRST_WAIT
        pauses = [due - self._monotonic() for due in self._postponed.values()] + self._slots.pauses
        pauses = [max(RESOLUTION, pause) for pause in pauses]
        if self._database.token is not None:
            pauses.append(POLLED_EVERY)
        return min(pauses, default=None)

    def _start(self, message: OutboxMessage, begun: Send | None = None, early: bool = False) -> None:
        # Not in the context of the person who moved: this work is not done on a person's behalf.
        context = None if self._context is None else self._context.copy()
        serving = self._serve(message, begun)
        task = asyncio.create_task(serving, name=f"outbox message {message.key}", context=context)
        self._slots.take(message.topic, message.guild_id, early)
        self._sending.add(task)
        task.add_done_callback(partial(self._on_served, message.topic))

    async def _due(self, room: int) -> list[OutboxMessage]:
        """Return the messages to send next, at most as many as there is ``room`` for."""
        busy, waiting = {*self._slots.topics, *self._postponed}, self._slots.waiting()
        only_due, now = self._slots.only_due(), self._clock()
        self._looked = True
        self._passed_over |= {*self._slots.topics}
        self._servers_passed_over |= waiting | only_due
        self._handed_over.clear()
        async with self._database.read() as tx:
            pending = await outbox.first_of_each_topic(
                tx, busy=busy, waiting=waiting, only_due=only_due, now=now, limit=room, rules=self._rules
            )
        self._crowded = len(pending) == room
        if not (busy or pending):
            self._unsent.clear()
        new = [message for message in pending if message.topic not in self._handed_over]
        # There may be more: look again with the slots that are left.
        self._looked = self._looked and not self._crowded and len(new) == len(pending)
        return new

    def _on_served(self, topic: str, task: asyncio.Task[bool]) -> None:
        self._sending.discard(task)
        guild_id = self._slots.leave(topic)
        more = self._crowded or topic in self._passed_over or guild_id in self._servers_passed_over
        if more or task.cancelled() or task.result():
            self._looked = False
        self._passed_over.discard(topic)
        self._servers_passed_over.discard(guild_id)
        self._news.set()

    async def _serve(self, message: OutboxMessage, begun: Send | None) -> bool:
        """Have a message sent, by ``begun`` if it was handed over; return whether a new message may be due now.

        Every message stored behind one that was handed over wakes the dispatcher by itself.
        """
        began = time.perf_counter()
        bound = log.bind(outbox_message=message.key, **message.payload)
        try:
            outcome = await self._send(message, begun)
        except UnavailableError as error:
            outcome = "postponed"
            if error.after:
                self._slots.limit(message.guild_id, error.after)
            await self._postpone(message, str(error), error.after)
            bound.warning("outbox message postponed", error=str(error), attempts=message.attempts + 1)
        except UndeliverableError as error:
            outcome = "dropped"
            await self._mark(message, OutboxState.DROPPED, done_at=self._clock(), error=str(error)[:500])
            bound.warning("outbox message dropped: Discord refused it everywhere", error=str(error))
        except RejectedError as error:
            outcome = "dropped"
            await self._mark(message, OutboxState.DROPPED, done_at=self._clock(), error=str(error)[:500])
            bound.exception(f"outbox message dropped: Discord rejected it ({error.answer})")
        except Exception as error:
            outcome = "failed"
            await self._postpone(message, repr(error), 0.0)
            bound.exception("outbox message failed, will be tried again", attempts=message.attempts + 1)
        else:
            bound.info(f"outbox message {outcome}")
        metrics.OUTBOX_MESSAGES.labels(message.kind, outcome).inc()
        metrics.OUTBOX_SECONDS.observe(time.perf_counter() - began)
        alone = begun is not None or self._handlers[message.kind].alone
        return outcome not in (OutboxState.SENT, OutboxState.SKIPPED) or not alone

    async def _send(self, message: OutboxMessage, begun: Send | None) -> str:
        """Have a message sent and store its outcome; return that."""
        handler = self._handlers[message.kind]
        if message.id in self._unsent:
            self._unsent.discard(message.id)
            # Its handler need not search Discord for it, as it would for what a crash left begun.
            begun = partial(handler.send, replace(message, attempts=0))
        elif begun is None and not handler.repeatable:
            begun_at = message.begun_at or self._clock()
            await self._store(message, OutboxState.SENDING, attempts=message.attempts + 1, begun_at=begun_at)
        with on_behalf_of(message.topic):
            try:
                done = await (handler.send(message) if begun is None else begun())
            except NoResponseError:
                done = None  # the next answer about it shows what has become of it
        state = OutboxState.SKIPPED if done is None else done.state
        follows = await self._store(message, state, done, done_at=self._clock(), error=None)
        if follows is not None:
            # It takes the place of this message, which is about to be free.
            self._hand_over(follows.message, follows.send, leaving=True)
        return state

    @retried
    async def _store(
        self, message: OutboxMessage, state: OutboxState, done: Done | None = None, /, **values: Any
    ) -> FollowUp | None:
        """Store the state of a message and what its handler remembers; return the follow-up."""
        follows = None
        async with self._database.write() as tx:
            if done is not None and done.remember is not None:
                follows = await done.remember(tx)
            await outbox.mark(tx, message.id, state, **values)
        return follows

    async def _postpone(self, message: OutboxMessage, error: str, after: float) -> None:
        """Have a message tried again after a while, also if the clock is set back meanwhile."""
        wait = max(min(FIRST_WAIT * 2 ** min(message.attempts, 12), LONGEST_WAIT), after)
        self._postponed[message.topic] = self._monotonic() + wait
        due = self._clock() + timedelta(seconds=wait)
        await self._mark(message, OutboxState.SENDING, attempts=message.attempts + 1, due_at=due, error=error[:500])

    async def _mark(self, message: OutboxMessage, state: OutboxState, **values: Any) -> None:
        """Store the outcome. If even that fails, the message stays begun, and is looked at again."""
        try:
            await self._store(message, state, **values)
        except Exception:
            log.exception("outbox unwritable", outbox_message=message.key)
            await self._idle()(asyncio.sleep(FIRST_WAIT), reason="the outbox is unwritable")
