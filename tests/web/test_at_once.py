"""What was chosen is seen at once, and the reply of a quick opponent overtakes no picture."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from playwright.async_api import Browser, Response, Route, expect

from tests.web.board_window import PHONE, BoardWindow
from tests.web.hands import Finger
from tests.web.listening import check_spoken, shifts, spoken
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)]
MOST_CHOICES = 120
"""How many choices are made before a match against the bot is resigned."""


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
async def test_a_piece_that_was_put_has_an_outline_until_the_picture_shows_it(run: Running, browser: Browser) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match("yonmoque"))
    pictures = await HeldPictures.of(alice)

    await alice.tap("c3")
    await expect(alice.moves).to_have_count(1)

    outline = alice.board.locator(".outline")
    assert await outline.bounding_box() == await alice.square("c3").bounding_box()
    pictures.may_come.set()
    await expect(outline).to_have_count(0)
    await alice.ready()
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


@pytest.mark.slow
async def test_a_picture_that_a_reply_has_overtaken_is_drawn_all_the_same(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    pictures = await HeldPictures.of(alice)
    await alice.tap("c3")
    await expect(alice.moves).to_have_count(1)
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)

    pictures.may_come.set()

    await alice.ready()
    await expect(alice.square("a1")).to_contain_class("piece")
    assert alice.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["rectangles", "yonmoque"])
async def test_no_request_fails_in_a_whole_game_against_the_bot(run: Running, browser: Browser, game: str) -> None:
    match = await run.computer_match(game)
    window = await BoardWindow.open(browser, run, 0, match, PHONE)
    failed: list[str] = []

    def hear(response: Response) -> None:
        if response.status >= 400:
            failed.append(f"{response.status} {response.url}")

    window.page.on("response", hear)
    player, over = Finger(window, Random(5)), window.page.locator(".status.over")
    for _ in range(MOST_CHOICES):
        await expect(window.turn.locator(".yours, [data-key=undo]").or_(over).first).to_be_visible()
        if await over.count():
            break
        await player.take()
    else:
        await window.press("Resign")
        await window.press("Yes, resign")
        await expect(over).to_be_visible()
    await window.ready()
    assert failed == []
    assert window.complaints() == []
    check_spoken(await spoken(window.page))
    moved = await shifts(window.page)
    assert moved == [], moved
