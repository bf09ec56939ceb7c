"""A person at the demo page without a browser: speaks to the page's server as the page's scripts do."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self
from urllib.parse import urldefrag

import aiohttp

SOON = 10.0
"""Seconds after which what should have happened has not."""


class Desk:
    """One open page. ``state`` is what it was last told; an action refers to that, as on the real page."""

    def __init__(self, url: str, person: str) -> None:
        self._address, self._capability = urldefrag(url)
        self._person = person
        self._sequence = 0
        self.state: dict[str, Any] = {}

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(base_url=self._address, headers={"X-Simcord-Capability": self._capability})
        self.state = await self._call("POST", "/api/pages", {})
        viewer = next(viewer for viewer in self.state["viewers"] if viewer["name"] == self._person)
        self.state = await self._call("POST", "/api/pages", {"viewer_id": viewer["id"]})
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.close()

    async def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        context = {"X-Simcord-Context": self.state["context"]["id"]} if self.state else {}
        async with self._http.request(method, path, json=body, headers=context) as response:
            response.raise_for_status()
            answer: dict[str, Any] = await response.json()
            return answer

    async def look(self) -> None:
        """Fetch what the page shows now, as it does twice a second."""
        self.state = await self._call("GET", "/api/state")

    async def act(self, kind: str, **details: Any) -> dict[str, Any]:
        """Do something and return what the page would be told about it; ``state`` stays what was seen before."""
        self._sequence += 1
        result = await self._call(
            "POST",
            "/api/action",
            {
                "protocol_version": 3,
                "sequence": self._sequence,
                "request_id": f"{self._person} {self._sequence}",
                "generation": self.state["context"]["generation"],
                "bot_generation": self.state["botGeneration"],
                "published_revision": self.state["publishedRevision"],
                "kind": kind,
                **details,
            },
        )
        self._sequence = result["expectedSequence"]
        return result

    async def command(self, name: str) -> dict[str, Any]:
        """Run a slash command without options."""
        catalogue = await self._call("GET", "/api/commands")
        entry = next(entry for entry in catalogue["entries"] if entry["path"] == [name])
        return await self.act(
            "run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options={},
        )

    async def press(self, label: str) -> dict[str, Any]:
        """Press the newest button so labelled among those seen."""
        message, button = next(
            (message, component)
            for message in reversed(self.state["messages"].values())
            for component in _walk(message["components"])
            if component.get("label") == label
        )
        key = f"message:{message['id']}:component:{button['id']}"
        return await self.act("click", target_id=message["id"], control_key=key)

    async def say(self, text: str) -> dict[str, Any]:
        """Write into the channel."""
        return await self.act("send_message", content=text)

    @property
    def seen(self) -> list[str]:
        """What the messages on the page say."""
        return [
            " ".join(
                [message["content"]] * bool(message["content"])
                + [part["content"] for part in _walk(message["components"]) if isinstance(part.get("content"), str)]
            )
            for message in self.state["messages"].values()
        ]

    async def sees(self, text: str) -> None:
        """Look until a message says ``text``. Raises ``TimeoutError``."""
        async with asyncio.timeout(SOON):
            while text not in self.seen:
                await asyncio.sleep(0.05)
                await self.look()


def _walk(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [found for part in components for found in (part, *_walk(part.get("components", [])))]
