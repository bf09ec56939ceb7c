"""Taps by a finger, on squares that are marked or not, and drags, as touch events that Chromium gets like a screen."""

from __future__ import annotations

from random import Random

import pytest
from playwright.async_api import Browser, CDPSession, Request, expect

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


UNMARKED = ".squares button:not(.may, .again, .chosen)"


async def test_a_tap_on_an_unmarked_square_lets_go_of_a_piece(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    await alice.tap("c3")
    await expect(alice.moves).to_have_count(1)
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)
    await alice.tap("c3")
    await expect(alice.square("c3")).to_have_class("chosen piece")
    await alice.board.locator(UNMARKED).last.click(force=True)

    await alice.ready()
    await expect(alice.board.locator(".chosen")).to_have_count(0)
    assert (await run.services.queries.match_view(run.place.server.guild.id, match)).match.ply == 2


@pytest.mark.parametrize("game", ["rectangles", "redo"])
async def test_no_tap_on_an_unmarked_square_sends_a_move(run: Running, browser: Browser, game: str) -> None:
    random, match = Random(game), await run.match(game)
    await run.play_on(match, 4)
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    sent: list[Request] = []
    alice.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    taps = 0
    for _ in range(12):
        may = alice.board.locator(".may")
        if not await may.count():
            break
        await may.nth(random.randrange(await may.count())).dispatch_event("click")
        await alice.ready()
        if sent:
            # A first choice that completes a move: nothing is half built.
            break
        unmarked = alice.board.locator(UNMARKED)
        if await unmarked.count():
            await unmarked.nth(random.randrange(await unmarked.count())).click(force=True)
            await alice.ready()
            taps += 1
        assert sent == []
    assert taps or sent
    assert alice.complaints() == []


async def test_a_reply_is_planned_by_touch_on_the_boards_that_would_stand_and_played(
    run: Running, browser: Browser
) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match, PHONE)
    shown = alice.page.locator("p:not(.unseen)")
    await alice.square("c3").tap()
    await alice.has_moves("1 Blue: c3")
    await alice.page.get_by_role("button", name="Plan", exact=True).tap()
    await expect(shown.filter(has_text="which move do you expect?")).to_be_visible()
    await alice.ready()
    await alice.square("d4").tap()
    await expect(shown.filter(has_text="your reply after")).to_be_visible()
    await alice.ready()
    await expect(alice.square("d4")).to_have_accessible_name("d4, blue square, white disc, last move")
    await alice.square("e5").tap()
    await expect(alice.page.get_by_role("listitem").filter(has_text="If d4, then e5")).to_be_visible()
    await alice.assert_accessible()
    bob = await BoardWindow.open(browser, run, 1, match, PHONE)
    await expect(bob.square("e5")).not_to_have_accessible_name("e5, blue square, blue disc")
    await bob.square("d4").tap()
    await bob.has_moves("2 White: d4", "3 Blue: e5")
    assert alice.complaints() == []
    assert bob.complaints() == []
