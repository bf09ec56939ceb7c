"""Drags by a finger, as touch events that Chromium gets like those of a screen: a piece moves, or the page scrolls."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, CDPSession, expect

from tests.support.waiting import until
from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
]


class Finger:
    """A finger on the screen of a window."""

    def __init__(self, window: BoardWindow, session: CDPSession) -> None:
        self._window = window
        self._session = session
        self._at = (0.0, 0.0)

    @classmethod
    async def of(cls, window: BoardWindow) -> Finger:
        """Return a finger that has not touched yet."""
        return cls(window, await window.page.context.new_cdp_session(window.page))

    async def down(self, square: str) -> None:
        """Touch the middle of a square."""
        self._at = await self._middle(square)
        await self._send("touchStart", [self._at])

    async def over(self, square: str) -> None:
        """Move to the middle of a square."""
        x, y = await self._middle(square)
        await self.by(x - self._at[0], y - self._at[1])

    async def by(self, right: float, below: float, steps: int = 8) -> None:
        """Move by so many pixels."""
        x, y = self._at
        for step in range(1, steps + 1):
            self._at = (x + right * step / steps, y + below * step / steps)
            await self._send("touchMove", [self._at])

    async def up(self) -> None:
        """Let go."""
        await self._send("touchEnd", [])

    async def _middle(self, square: str) -> tuple[float, float]:
        box = await self._window.square(square).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def _send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        await self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


async def test_a_finger_draws_a_rectangle(run: Running, browser: Browser) -> None:
    match = await run.match("rectangles")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    finger = await Finger.of(alice)

    await finger.down("b2")
    await finger.over("e4")
    await expect(alice.board.locator(".band")).to_be_visible()
    await expect(alice.square("e4")).to_contain_class("over")
    await finger.up()

    await alice.has_moves("1 Player 1: b2-e4")
    assert await alice.page.evaluate("window.scrollY") == 0
    assert alice.complaints() == []


async def test_a_finger_moves_a_piece_and_scrolls_the_page_except_with_one(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    finger = await Finger.of(alice)

    # A piece let go elsewhere goes back.
    await finger.down("a2")
    await finger.over("d6")
    await expect(alice.board.locator(".lifted")).to_be_visible()
    await finger.up()
    await expect(alice.board.locator(".lifted")).to_have_count(0)
    await expect(alice.square("a2")).to_have_accessible_name("a2, white disc, may be chosen")

    await finger.down("a2")
    await finger.over("a3")
    await expect(alice.board.locator(".lifted")).to_be_visible()
    await finger.up()
    await alice.has_moves("1 White: a2-a3")
    assert await alice.page.evaluate("window.scrollY") == 0

    await finger.down("d5")
    await finger.by(0, -150)
    await until(lambda: alice.page.evaluate("window.scrollY > 100"), "a page that has scrolled by over 100 pixels")
    await finger.up()
    await expect(alice.board.locator(".lifted, .chosen")).to_have_count(0)
    await expect(alice.moves).to_have_count(1)
    assert alice.complaints() == []
