"""A person at the demo page without a browser: speaks to the page's server as the page's scripts do."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self

import aiohttp

from bot.demo.interactions import walk

SOON = 60.0
"""Seconds after which what should have happened has not."""


class PageClient:
    """One open page. ``messages`` are those this person has been told of, by id, the oldest first."""

    def __init__(self, url: str, person: str) -> None:
        self._person = person.lower()
        self._http = aiohttp.ClientSession(base_url=url, headers={"Origin": url.rstrip("/")})
        self.hello: dict[str, Any] = {}
        self.messages: dict[str, dict[str, Any]] = {}
        self.told_of: list[str] = []
        """The names of the channels and threads that were opened or changed since, if this person sees them."""
        self._news = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self.over = asyncio.Event()
        self.welcomed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._socket = await self._http.ws_connect("/live", params={"as": self._person})
        self.hello = await self._socket.receive_json()
        self.channel = self.hello["channels"][0]["id"]
        for message in (await self.history())["messages"]:
            self.messages[message["id"]] = message
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._listening is not None
        self._listening.cancel()
        await self._socket.close()
        await self._http.close()

    async def _listen(self) -> None:
        async for said in self._socket:
            news = said.json()
            if news["type"] == "message":
                self.messages[news["message"]["id"]] = news["message"]
            elif news["type"] == "channel":
                self.told_of.append(news["channel"]["name"])
            elif news["type"] == "gone":
                self.messages.pop(news["message"], None)
            elif news["type"] == "welcome":
                self.hello["welcome"] = news["messages"]
                self.welcomed.set()
            elif news["type"] == "end":
                self.over.set()
            self._news.set()

    async def history(self, **bounds: str) -> dict[str, Any]:
        """Fetch a page of messages."""
        query = {"as": self._person, "channel": self.channel, **bounds}
        async with self._http.get("/messages", params=query) as response:
            response.raise_for_status()
            page: dict[str, Any] = await response.json()
            return page

    async def act(self, what: str, **details: Any) -> dict[str, Any]:
        """Do something and return what the page would be told about it."""
        body = {"as": self._person, "channel": self.channel, **details}
        async with self._http.post(f"/do/{what}", json=body) as response:
            response.raise_for_status()
            answer: dict[str, Any] = await response.json()
            return answer

    async def command(self, name: str, **options: Any) -> dict[str, Any]:
        """Send a slash command."""
        return await self.act("command", path=name.split(), options=options)

    def button(self, label: str) -> dict[str, str]:
        """Return what names the newest button so labelled."""
        return next(
            {"message": message["id"], "control": part["custom_id"]}
            for message in reversed(self.messages.values())
            for part in walk(message["parts"])
            if part.get("label") == label
        )

    async def press(self, label: str) -> dict[str, Any]:
        """Press the newest button so labelled among those seen."""
        return await self.act("control", **self.button(label))

    async def say(self, text: str) -> dict[str, Any]:
        """Write into the channel."""
        return await self.act("say", text=text)

    @property
    def seen(self) -> list[str]:
        """The texts of the messages on the page."""
        return [
            " ".join([message["content"], *(part["content"] for part in walk(message["parts"]) if "content" in part)])
            for message in self.messages.values()
        ]

    async def sees(self, text: str) -> None:
        """Wait for a message that contains ``text``."""
        async with asyncio.timeout(SOON):
            while not any(text in said for said in self.seen):
                self._news.clear()
                await self._news.wait()
