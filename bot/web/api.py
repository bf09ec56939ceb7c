"""What all addresses of the page have in common: who asks, what they ask for, and the answer as JSON.

Each way in builds a ``Request`` and carries it out like one from Discord, with the same limits and the same errors.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from aiohttp import web

from bot.matches.model.turn import MOVED_ON
from bot.requests.context import SUGGESTION, BotContext
from bot.requests.outcome import STORAGE_ERRORS, UNKNOWN, Outcome, Status, execute
from bot.requests.request import Request
from bot.web.guards import json_body, json_in, keys_in, number_in, uuid_of
from bot.web.live import OpenPages
from bot.web.visitors import Authenticate, Visitor, request_of
from bot.web.words import UNKNOWN_YET
from renderers.i18n import gettext_lazy, translated

T = TypeVar("T")
Data = dict[str, Any]

STATUS = {
    Status.DONE: 200,
    Status.REPEATED: 200,
    Status.REFUSED: 409,
    Status.RESTARTING: 503,
    Status.UNAVAILABLE: 503,
    Status.UNKNOWN: 503,
    Status.FAILED: 500,
}
_ON_THE_PAGE = [
    (MOVED_ON, gettext_lazy("The match has moved on.")),
    (UNKNOWN, UNKNOWN_YET),
]
"""What is said in Discord, and on the page, which shows the newest board by itself and finds out what came of it."""


class Api:
    """Carries out requests of visitors: those that ``authenticate`` knows. One object serves all addresses."""

    def __init__(
        self, context: Callable[[], BotContext], news: Callable[[], OpenPages], authenticate: Authenticate
    ) -> None:
        self.context = context
        self.news = news
        self._authenticate = authenticate

    async def visitor(self, http: web.Request) -> Visitor:
        """Return who sends a request. Raises ``HTTPUnauthorized``."""
        visitor = await self._authenticate(http)
        if visitor is None:
            raise web.HTTPUnauthorized
        return visitor

    async def posted(self, http: web.Request) -> tuple[Visitor, Data]:
        """Return who sends a request by POST, and its content. Raises HTTP errors."""
        return await self.visitor(http), await json_body(http)

    async def execute(
        self, visitor: Visitor, data: Data, control: str, work: Callable[[Request], Awaitable[Data]]
    ) -> web.StreamResponse:
        """Carry out what a visitor asks for by POST, with the UUID that the page gave it."""
        request = request_of(self.context(), visitor, control, uuid_of(data))
        outcome = await execute(request, work)
        if outcome.status is Status.DONE:
            with suppress(*STORAGE_ERRORS):
                await request.services.returns.note(visitor.person.id, tells=False)
        return json_answer(outcome)

    async def read(self, http: web.Request, control: str, work: Callable[[Request], Awaitable[T]]) -> Outcome[T]:
        """Look up what a visitor asks for by GET, under a limit of its own."""
        request = request_of(self.context(), await self.visitor(http), control)
        return await execute(request, work, points=SUGGESTION)


def letters_asked(query: Mapping[str, str]) -> bool | None:
    """Return whether a board is asked for in letters, or None where the person's preference is to decide."""
    return {"1": True, "0": False}.get(query.get("letters", ""))


def ply_asked(data: Data) -> int:
    """Return the ply that the page shows. Raises an HTTP error where it is missing."""
    ply = number_in(data.get("ply"), 999_999)
    if ply is None:
        raise web.HTTPBadRequest
    return ply


def choices_asked(text: str) -> tuple[str, ...]:
    """Return the choices that an address names. Raises an HTTP error for anything else."""
    return keys_in(json_in(text))


def json_answer(outcome: Outcome[Any]) -> web.Response:
    """Return an outcome as JSON: its value with how it came, or the sentence that says why there is none."""
    data = {"came": outcome.status.value, **(outcome.value if isinstance(outcome.value, dict) else {})}
    if outcome.words is not None:
        words = translated(outcome.words)
        data["words"] = next((translated(here) for there, here in _ON_THE_PAGE if words == translated(there)), words)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    response = web.Response(text=text, status=STATUS[outcome.status], content_type="application/json")
    if len(text) > 1000:
        response.enable_compression()
    return response
