"""People who move on the board page, at whichever bot answers: without an answer they send a request to the next one.

What a page says of a move is compared with what it shows afterwards, wherever that is looked up.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import uuid4

import aiohttp

from bot.matches.services.page_access import PageAccess
from tests.web.browser import Browser

PATIENCE = 10.0
"""Seconds until a person, or a proxy, gives up an answer."""
AGAIN = 0.5
"""Seconds until the next try."""


class Pages:
    """The windows of all who play on the page at ``url``. ``bots`` returns the addresses of the bots that run."""

    def __init__(self, url: str, bots: Callable[[], list[str]]) -> None:
        self._url = url
        self._bots = bots
        self._turns = count()
        self._windows: dict[int, Browser] = {}
        self._http: aiohttp.ClientSession | None = None
        self.moves = 0
        self.untrue: list[str] = []
        """A line for everything that a page has said and that is not so."""

    def signed_in(self, person: int) -> bool:
        """Return whether a person has a window with a session."""
        return person in self._windows

    async def sign_in(self, person: int, server: int, components: str) -> None:
        """Open the link that a message holds, if it holds one; a link that no bot takes is given up."""
        if (link := re.search(rf"{re.escape(self._url)}(/open/[\w.~-]+)", components)) is None:
            return
        if self._http is None:
            self._http = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=PATIENCE), cookie_jar=aiohttp.DummyCookieJar()
            )
        window = Browser(self._url, _no_access, server, self._http)
        answer = await self._answer(window, "POST", link[1], data=b"")
        if answer.status == 303:
            self._windows[person] = window

    async def move(self, person: int, match: int, ply: int, text: str) -> None:
        """Play a move at a ply, and look at the match again once that is confirmed."""
        window = self._windows[person]
        data = {"request": str(uuid4()), "keys": [text], "ply": ply, "confirmed": True}
        answer = await self._answer(window, "POST", f"/api/match/{match}/move", json=data)
        if answer.status == 401:
            del self._windows[person]
        elif answer.status == 200:
            self.moves += 1
            await self._look(person, match, ply, text)
        elif answer.status != 409:
            self.untrue.append(f"match {match}: the page answers a move with {answer.status}: {await answer.text()}")

    async def close(self) -> None:
        """Close all windows."""
        if self._http is not None:
            await self._http.close()

    async def _look(self, person: int, match: int, ply: int, text: str) -> None:
        answer = await self._answer(self._windows[person], "GET", f"/api/match/{match}?width=600")
        if answer.status == 401:
            del self._windows[person]
        elif answer.status != 200:
            self.untrue.append(f"match {match}: the page answers a look with {answer.status}: {await answer.text()}")
        else:
            moves = [move["text"] for move in (await answer.json())["moves"]]
            if text not in moves[ply:]:
                self.untrue.append(
                    f"match {match}: {text} of ply {ply + 1} was confirmed, the page shows {moves[ply:]}"
                )

    async def _answer(self, window: Browser, method: str, path: str, **options: Any) -> aiohttp.ClientResponse:
        """Send a request to one bot after the other until one answers and can say what came of it."""
        while True:
            if bots := self._bots():
                window.at = bots[next(self._turns) % len(bots)]
                try:
                    answer = await window.request(method, path, **options)
                    if answer.status != 503:
                        return answer
                except (aiohttp.ClientError, TimeoutError, OSError):
                    pass
            await asyncio.sleep(AGAIN)


def _no_access() -> PageAccess:
    raise AssertionError("links come from Discord here")
