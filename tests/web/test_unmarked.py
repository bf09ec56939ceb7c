"""Taps on squares that are not marked: they let go of what was chosen, and play nothing."""

from __future__ import annotations

from random import Random

import pytest
from playwright.async_api import Browser, Request, expect

from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
]
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
