"""Carries a request out and turns every error into an outcome: a value, or a sentence for the person who asks.

Does not know how a request came in, nor how its outcome is shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as ConnectionTimeout

from bot.compute.job import on_behalf_of
from bot.matches.model.refusals import AlreadyProcessed, Refusal
from bot.messages.wording import refused
from bot.requests.context import REQUEST
from bot.requests.request import Request
from bot.storage.errors import CommitUnknown, StorageError
from bot.telemetry import metrics
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, speak

log = structlog.get_logger(__name__)

T = TypeVar("T")

UNAVAILABLE = gettext_lazy(
    "I can't save anything right now, so nothing was changed. Please try again in a few minutes."
)
UNKNOWN = gettext_lazy(
    "My connection broke while I was saving that, so I can't tell whether it went through. Have a look before you try "
    "again: `/board` shows how a match stands."
)
SLOW = gettext_lazy("I can't keep up right now, so nothing was played or changed. Please try again in a few minutes.")


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
    with metrics.ANSWER_SECONDS.time(), context.in_flight.busy(), on_behalf_of(person):
        async with context.concurrency_limit.permitted(person):
            outcome = await _outcome(request, work, points)
    metrics.ANSWERS.labels(outcome.came.value).inc()
    return outcome


async def _outcome(request: Request, work: Callable[[Request], Awaitable[T]], points: float) -> Outcome[T]:
    try:
        request.context.check_rate_limit(request.person.id, points)
        request = await request.begun()
        speak(request.language)
        return Outcome(Came.DONE, await work(request))
    except AlreadyProcessed:
        return Outcome(Came.REPEATED)
    except Refusal as refusal:
        return Outcome(Came.REFUSED, words=refused(refusal))
    except CommitUnknown:
        log.exception("commit not confirmed", request=request.id)
        return Outcome(Came.UNAVAILABLE, words=UNKNOWN)
    except (DBAPIError, ConnectionTimeout, StorageError) as error:
        # The pool times out before a transaction begins, so nothing is done then.
        log.exception("storage unavailable", request=request.id)
        return Outcome(Came.UNAVAILABLE, words=SLOW if isinstance(error, ConnectionTimeout) else UNAVAILABLE)
    except Exception:
        return Outcome(Came.FAILED, words=apology(request.id, request.control))


def apology(request_id: int, control: str | None) -> str:
    """Log the exception being handled and return a sentence with a reference to the entry in the log."""
    reference = secrets.token_hex(4)
    log.exception("request failed", reference=reference, request=request_id, control=control)
    return _(
        "Something went wrong on my side. Check `/board` before you try again; if it keeps happening, "
        "give this reference to the people who run this bot: `{reference}`.",
        reference=reference,
    )
