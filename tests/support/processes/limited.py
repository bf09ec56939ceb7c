"""A Discord on the loopback interface that keeps to its limit of 50 calls a second, and counts what it refuses."""

from __future__ import annotations

import json
import time
from collections import Counter

from aiohttp import web

from tests.support.processes.loopback import Loopback

ALLOWED = 50
"""Calls of a token within a second, but for those that answer interactions."""


class Limited(Loopback):
    """A Discord with a limit. ``refused`` counts the answers 401, 403 and 429."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: Counter[int] = Counter()
        self._seconds: Counter[int] = Counter()

    async def _call(self, request: web.Request) -> web.StreamResponse:
        path = f"/{request.match_info['path']}"
        second = int(time.monotonic())
        if not path.startswith(("/interactions/", "/webhooks/")):
            self._seconds[second] += 1
        answer = await super()._call(request) if self._seconds[second] <= ALLOWED else self._too_fast(second + 1)
        if answer.status in (401, 403, 429):
            self.refused[answer.status] += 1
        return answer

    def _too_fast(self, until: int) -> web.Response:
        seconds = until - time.monotonic()
        content = {"message": "You are being rate limited.", "retry_after": seconds, "global": True}
        headers = {"Retry-After": f"{seconds:.3f}", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        # discord.py takes a 429 without the header of a proxy for a ban.
        headers |= {"Content-Type": "application/json", "Via": "1.1 google"}
        return web.Response(status=429, body=json.dumps(content), headers=headers)
