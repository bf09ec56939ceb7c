"""A Discord on the loopback interface that keeps to its limits: 50 calls a second, and a count of what it refuses."""

from __future__ import annotations

import json
import time
from collections import Counter

from aiohttp import web

from tests.support.processes.loopback import Loopback

SENT = "X-Sent"
"""The header with the moment at which a call was sent, by the clock of this machine that is never set."""
ALLOWED = 50
"""Calls of a token within a second, but for those that answer interactions."""


class Limited(Loopback):
    """A Discord with limits. ``refused`` counts the answers 401, 403 and 429; ``made`` the limited calls.

    A call counts when it was sent, where it says so: those that come while this process stands still arrive together.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: Counter[int] = Counter()
        self.made = 0
        self.forbidden = ""
        """Calls whose path begins so are answered with 403."""
        self.busy: dict[str, float] = {}
        """The seconds for which calls with these paths are told, once, that no calls of the token are wanted."""
        self._seconds: Counter[int] = Counter()

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = f"/{request.match_info['path']}"
        free = path.startswith(("/interactions/", "/webhooks/"))
        refusal = None if free else self._limited(path, float(request.headers.get(SENT, time.monotonic())))
        answer = await super()._call(request) if refusal is None else refusal
        if answer.status in (401, 403, 429):
            self.refused[answer.status] += 1
        return answer

    def _limited(self, path: str, sent: float) -> web.Response | None:
        self.made += 1
        second = int(sent)
        self._seconds[second] += 1
        seconds = self.busy.pop(path, 0.0)
        if self._seconds[second] > ALLOWED:
            seconds = second + 1 - time.monotonic()
        if seconds > 0:
            content = {"message": "You are being rate limited.", "retry_after": seconds, "global": True}
            headers = {"Retry-After": f"{seconds:.3f}", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            return _answer(429, content, headers)
        if self.forbidden and path.startswith(self.forbidden):
            return _answer(403, {"message": "Missing Access", "code": 50001}, {})
        return None


def _answer(status: int, content: object, headers: dict[str, str]) -> web.Response:
    # discord.py takes a 429 without the header of a proxy for a ban.
    headers = headers | {"Content-Type": "application/json", "Via": "1.1 google"}
    return web.Response(status=status, body=json.dumps(content), headers=headers)
