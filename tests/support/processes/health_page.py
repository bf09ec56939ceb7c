"""Requests to the page for machines."""

from __future__ import annotations

import aiohttp


async def page(port: int, name: str, host: str = "127.0.0.1") -> tuple[int, str]:
    """Return the status and the text of a page of the bot."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}/{name}") as answer:
        return answer.status, await answer.text()
