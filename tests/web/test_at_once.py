"""What was chosen is seen at once, and the reply of a quick opponent overtakes no picture."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Route, expect

from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)]


class HeldPictures:
    """Keeps the pictures of a board from a window until they may come."""

    def __init__(self) -> None:
        self.may_come = asyncio.Event()

    @classmethod
    async def of(cls, window: BoardWindow) -> HeldPictures:
        held = cls()
        await window.page.route("**/picture?*", held._later)
        return held

    async def _later(self, route: Route) -> None:
        await self.may_come.wait()
        await route.continue_()


@pytest.mark.slow
async def test_a_piece_that_was_put_has_an_outline_until_its_picture_comes_though_a_reply_has_overtaken_it(
    run: Running, browser: Browser
) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    pictures = await HeldPictures.of(alice)
    await alice.tap("c3")
    await expect(alice.moves).to_have_count(1)
    outline = alice.board.locator(".outline")
    assert await outline.bounding_box() == await alice.square("c3").bounding_box()
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)

    pictures.may_come.set()

    await expect(outline).to_have_count(0)
    await alice.ready()
    await expect(alice.square("a1")).to_contain_class("piece")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_piece_that_was_moved_lies_there_until_the_picture_shows_it(run: Running, browser: Browser) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match("redo"))
    pictures = await HeldPictures.of(alice)

    await alice.tap("a2", "a3")
    await expect(alice.moves).to_have_count(1)

    piece = alice.board.locator(".moving .cut.dropped")
    await piece.evaluate("one => Promise.all(one.getAnimations().map(each => each.finished))")
    here, there = await piece.bounding_box(), await alice.square("a3").bounding_box()
    assert here is not None
    assert there is not None
    assert all(abs(here[side] - there[side]) < 1 for side in ("x", "y", "width", "height"))
    pictures.may_come.set()
    await expect(piece).to_have_count(0)
    await alice.ready()
    assert alice.complaints() == []
