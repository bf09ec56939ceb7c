"""Carries a request out and turns every error into an outcome: a value, or a sentence for the person who asks.

Does not know how a request comes in, nor how its outcome is shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError

from bot.compute.job import on_behalf_of
from bot.matches.model.refusals import AlreadyProcessed, NotComputed, Refusal, Restarting
from bot.messages.wording import refusal_words
from bot.requests.context import REQUEST, BotContext
from bot.requests.request import Request, command_of
from bot.storage import commits
from bot.storage.commits import Commits
from bot.storage.errors import CommitUnknown, DatabaseBusy, StorageError, leaves_open, reason
from bot.storage.patience import person_waits
from bot.storage.records import RequestId
from bot.telemetry import metrics
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, speak

log = structlog.get_logger(__name__)

T = TypeVar("T")
D = TypeVar("D")

UNAVAILABLE = gettext_lazy(
    "I can't save anything right now, so nothing was changed. Please try again in a few minutes."
)
UNKNOWN = gettext_lazy(
    "My connection broke while I was saving that, so I can't tell whether it went through. Have a look before you try "
    "again: `/board` shows how a match stands."
)
SLOW = gettext_lazy("I can't keep up right now, so nothing was played or changed. Please try again in a few minutes.")
SAVED = gettext_lazy("That is saved, but I can't show you more about it right now. Please look again in a few minutes.")
PARTLY = gettext_lazy(
    "Something broke before I was done, so perhaps only a part of that was saved. Have a look before you try again."
)
STORAGE_ERRORS = (DBAPIError, StorageError)


class Status(StrEnum):
    """How a request ended."""

    DONE = "done"
    REPEATED = "repeated"
    """The same request was carried out before: there is no answer."""
    REFUSED = "refused"
    RESTARTING = "restarting"
    """The bot takes no new requests."""
    UNAVAILABLE = "unavailable"
    """The storage failed, or the computing was not done in time."""
    UNKNOWN = "unknown"
    """The storage failed, and whether the request was carried out is not known yet."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The outcome of a request: the ``value`` that the work returned, or ``words`` that say why there is none."""

    status: Status
    value: T | None = None
    words: str | None = None


async def execute(request: Request, work: Callable[[Request], Awaitable[T]], *, points: float = REQUEST) -> Outcome[T]:
    """Call ``work`` once the person's limit of requests at a time allows it, and return the outcome. Raises nothing.

    ``points`` are taken from the person's budget; where it is spent, the outcome comes at once, without the wait. From
    here on the task speaks the person's language.
    """
    context, person = request.context, request.person.id
    if (refused := refuse_excess(context, person, request.control, points)) is not None:
        return refused
    command = command_of(request.control)
    with metrics.ANSWER_SECONDS.labels(command).time(), context.in_flight.busy(), on_behalf_of(person), person_waits():
        async with context.concurrency_limit.acquire(person):
            outcome = await _run(request, work)
    metrics.ANSWERS.labels(command, outcome.status.value).inc()
    return outcome


def refuse_excess(
    context: BotContext, who: Hashable, control: str | None, points: float = REQUEST
) -> Outcome[Any] | None:
    """Take points from somebody's budget; return an outcome if it is spent or the bot stops, None otherwise."""
    try:
        context.check_rate_limit(who, points)
    except Refusal as refusal:
        status = Status.RESTARTING if isinstance(refusal, Restarting) else Status.REFUSED
        metrics.ANSWERS.labels(command_of(control), status.value).inc()
        return Outcome(status, words=refusal_words(refusal))
    return None


async def read_or(read: Awaitable[T], otherwise: D) -> T | D:
    """Return the result of ``read``, or ``otherwise`` if it fails after a write of this request has committed.

    A confirmation leaves out what it cannot read. Before any commit the errors of ``read`` are raised.
    """
    try:
        return await read
    except (*STORAGE_ERRORS, NotComputed):
        if not commits.any_committed():
            raise
        log.exception("left out of a confirmation")
        return otherwise


async def _run(request: Request, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
    """Return the outcome. No error denies what a write of the request has committed before it."""
    with commits.track() as own:
        try:
            request.context.in_flight.check_open()  # It may have closed during the wait.
            with commits.untracked():
                request = await request.with_preferences()
            speak(request.language)
            try:
                return Outcome(Status.DONE, await work(request))
            except Refusal:
                if own.committed or not await request.services.was_processed(request.id):
                    raise
            return Outcome(Status.REPEATED)
        except AlreadyProcessed:
            return Outcome(Status.REPEATED)
        except Restarting as refusal:
            return Outcome(Status.RESTARTING, words=refusal_words(refusal))
        except Refusal as refusal:
            if own.committed and isinstance(refusal, NotComputed):
                return Outcome(Status.DONE, words=_words_after_commit(own))
            return Outcome(Status.REFUSED, words=refusal_words(refusal))
        except Exception as error:
            return failure(error, request.id, request.control, own)


def failure(error: Exception, request_id: RequestId, control: str | None, own: Commits) -> Outcome[Any]:
    """Log the exception that is being handled and has ended a request; return the outcome."""
    if isinstance(error, CommitUnknown):
        log.exception("commit not confirmed", request=request_id)
        return Outcome(Status.UNKNOWN, words=own.words or UNKNOWN)
    if isinstance(error, STORAGE_ERRORS):
        # While a server is away, one line for each person who asks is enough.
        why: dict[str, Any] = {"exc_info": True}
        if isinstance(error, StorageError) or leaves_open(error):
            why = {"reason": str(error) if isinstance(error, StorageError) else reason(error)}
        log.error("storage unavailable", request=request_id, **why)
        if own.committed:
            return Outcome(Status.UNAVAILABLE, words=_words_after_commit(own))
        return Outcome(Status.UNAVAILABLE, words=SLOW if isinstance(error, DatabaseBusy) else UNAVAILABLE)
    return Outcome(Status.FAILED, words=apology(request_id, control))


def _words_after_commit(own: Commits) -> str:
    return own.words or PARTLY if own.unfinished else SAVED


def apology(request_id: RequestId, control: str | None) -> str:
    """Log the exception being handled and return a sentence with a reference to the entry in the log."""
    reference = secrets.token_hex(4)
    log.exception("request failed", reference=reference, request=request_id, control=control)
    return _(
        "Something went wrong on my side. Have a look before you try again; if it keeps happening, "
        "give this reference to the people who run this bot: `{reference}`.",
        reference=reference,
    )
