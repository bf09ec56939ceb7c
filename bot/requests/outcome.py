"""Carries a request out and turns every error into an outcome: a value, or a sentence for the person who asks.

Does not know how a request came in, nor how its outcome is shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError

from bot.compute.job import on_behalf_of
from bot.matches.model.refusals import AlreadyProcessed, NotComputed, Refusal
from bot.messages.wording import refused
from bot.requests.context import REQUEST
from bot.requests.request import Request, command_of
from bot.storage import commits
from bot.storage.commits import Commits
from bot.storage.errors import CommitUnknown, DatabaseBusy, StorageError
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
    "My storage failed before I was done, so perhaps only a part of that was saved. Have a look before you try again."
)
_STORAGE_ERRORS = (DBAPIError, StorageError)


class Came(StrEnum):
    """How a request ended."""

    DONE = "done"
    REPEATED = "repeated"
    """The same request was carried out before: there is no answer."""
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    """The storage failed."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The outcome of a request: the ``value`` that the work returned, or ``words`` that say why there is none."""

    came: Came
    value: T | None = None
    words: str | None = None


async def carry_out(
    request: Request, work: Callable[[Request], Awaitable[T]], *, points: float = REQUEST
) -> Outcome[T]:
    """Call ``work`` once the person's limit of requests at a time allows it, and return the outcome. Raises nothing.

    ``points`` are taken from the person's budget. From here on the task speaks the person's language.
    """
    context, person = request.context, request.person.id
    command = command_of(request.control)
    with metrics.ANSWER_SECONDS.labels(command).time(), context.in_flight.busy(), on_behalf_of(person), person_waits():
        async with context.concurrency_limit.permitted(person):
            outcome = await _outcome(request, work, points)
    metrics.ANSWERS.labels(command, outcome.came.value).inc()
    return outcome


async def if_readable(read: Awaitable[T], otherwise: D) -> T | D:
    """Return the result of ``read``, or ``otherwise`` if it fails after a write of this request has committed.

    A confirmation leaves out what it cannot read. Before any commit the errors of ``read`` are raised.
    """
    try:
        return await read
    except (*_STORAGE_ERRORS, NotComputed):
        if not commits.any_committed():
            raise
        log.exception("left out of a confirmation")
        return otherwise


async def _outcome(request: Request, work: Callable[[Request], Awaitable[T]], points: float) -> Outcome[T]:
    """Return the outcome. No error denies what a write of the request has committed before it."""
    with commits.noted() as own:
        try:
            request.context.check_rate_limit(request.person.id, points)
            with commits.aside():
                request = await request.begun()
            speak(request.language)
            return Outcome(Came.DONE, await work(request))
        except AlreadyProcessed:
            return Outcome(Came.REPEATED)
        except Refusal as refusal:
            if own.committed and isinstance(refusal, NotComputed):
                return Outcome(Came.DONE, words=_saved(own))
            return Outcome(Came.REFUSED, words=refused(refusal))
        except CommitUnknown:
            log.exception("commit not confirmed", request=request.id)
            return Outcome(Came.UNAVAILABLE, words=own.words or UNKNOWN)
        except _STORAGE_ERRORS as error:
            # While a server is away, one line for each person who asks is enough.
            why: dict[str, Any] = {"reason": str(error)} if isinstance(error, StorageError) else {"exc_info": True}
            log.error("storage unavailable", request=request.id, **why)
            if own.committed:
                return Outcome(Came.UNAVAILABLE, words=_saved(own))
            return Outcome(Came.UNAVAILABLE, words=SLOW if isinstance(error, DatabaseBusy) else UNAVAILABLE)
        except Exception:
            return Outcome(Came.FAILED, words=apology(request.id, request.control))


def _saved(own: Commits) -> str:
    return own.words or PARTLY if own.unfinished else SAVED


def apology(request_id: RequestId, control: str | None) -> str:
    """Log the exception being handled and return a sentence with a reference to the entry in the log."""
    reference = secrets.token_hex(4)
    log.exception("request failed", reference=reference, request=request_id, control=control)
    return _(
        "Something went wrong on my side. Check `/board` before you try again; if it keeps happening, "
        "give this reference to the people who run this bot: `{reference}`.",
        reference=reference,
    )
