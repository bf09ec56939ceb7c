"""A board page in a real browser: what a person taps, drags, types and sees.

Knows the page's markup, so that tests need not; it knows no game.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any, Self

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, ViewportSize, expect

from bot.matches.model.page_links import Purpose
from tests.demo.browser_window import SOON
from tests.support.accessible import assert_accessible
from tests.web.listening import record
from tests.web.running import Running

DESKTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=360, height=740)


class BoardWindow:
    """A window in which one person has a match open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = page.locator(".board")
        self.turn = page.locator(".turn")
        self.moves = page.locator(".moves li")
        self._complaints: list[str] = []
        page.on("pageerror", lambda error: self._complaints.append(str(error)))
        page.on("console", self._hear)

    @classmethod
    async def open(
        cls,
        browser: Browser,
        run: Running,
        person: int,
        number: int,
        size: ViewportSize = DESKTOP,
        purpose: Purpose = Purpose.MATCH,
        **options: Any,
    ) -> Self:
        """Open a link for a person as *Open board* gives it, press *Continue*, and wait until it hears of moves."""
        finger: dict[str, Any] = {"has_touch": True, "is_mobile": True} if size == PHONE else {}
        context = await browser.new_context(viewport=size, **finger, **options)
        await record(context)
        page = await context.new_page()
        page.set_default_timeout(SOON)
        window, heard = cls(page), asyncio.Event()
        page.on("websocket", lambda socket: socket.on("framereceived", lambda _: heard.set()))
        await page.goto(await run.link(person, number, purpose))
        await page.get_by_role("button").click()
        await window.ready()
        async with asyncio.timeout(SOON / 1000):
            await heard.wait()
        return window

    async def ready(self) -> None:
        """Wait until the board is shown, and nothing is under way."""
        await expect(self.page.locator(".match:not([aria-busy], .waiting)")).to_be_attached()
        await expect(self.page.locator(".board[data-shown], .letters:not([hidden])")).not_to_have_count(0)
        await expect(self.page.locator(".board[aria-busy]")).to_have_count(0)

    async def at(self, time: datetime) -> None:
        """Have the page believe that it is another time on the server."""
        module = await self.page.locator('link[href$="/time.js"]').get_attribute("href")
        told = (
            "([module, time]) => import(module).then(({measure}) => measure(time, ...Array(2).fill(performance.now())))"
        )
        await self.page.evaluate(told, [module, 1000 * time.timestamp()])

    def square(self, name: str) -> Locator:
        """The button of a square."""
        return self.board.locator(f'[data-square="{name}"]')

    async def tap(self, *squares: str) -> None:
        """Tap squares one after the other."""
        for name in squares:
            await self.square(name).click()

    async def to(self, square: str, steps: int = 1) -> None:
        """Move the mouse to the middle of a square."""
        box = await self.square(square).bounding_box()
        assert box is not None
        await self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=steps)

    async def press(self, name: str) -> None:
        """Press a button beside the board."""
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def has_moves(self, *texts: str) -> None:
        """Wait until the list of moves has these at its end."""
        shown = self.moves.locator("button")
        for at, text in enumerate(reversed(texts), 1):
            await expect(shown.nth(-at)).to_have_text(text, use_inner_text=False)

    async def assert_accessible(self) -> None:
        """Fail where the screen as it is now has a violation."""
        await self.ready()
        await assert_accessible(self.page)

    def complaints(self) -> list[str]:
        """Return what the page found wrong."""
        return self._complaints

    def _hear(self, said: ConsoleMessage) -> None:
        # A person may be refused what they send; what the page looks up by itself, an address with a query, is there.
        refused = "409 (Conflict)" in said.text and "?" not in said.location.get("url", "")
        if said.type == "error" and not refused:
            self._complaints.append(said.text)
