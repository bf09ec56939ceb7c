"""What a newcomer finds without scrolling, and the board beside the chat: whose it is, and when it goes."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from bot.games import OWN
from bot.games.game import Game
from tests.demo.browser_window import PHONE, Window, open_page
from tests.demo.conftest import Table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

WIDE = ((1280, 720), (1366, 650), (1024, 768), (900, 800), (1440, 900))
NARROW = ((768, 1024), (375, 667), (360, 640), (390, 844))
DESKTOP = (1440, 900)


@pytest.mark.slow
async def test_every_play_is_on_the_first_screen(table: Table) -> None:
    page = await open_page(table.browser, table.url)
    start = await Window(page, "Alice").sees("simulated Discord")
    plays = start.get_by_role("button", name="Play")
    await expect(plays.first).to_be_visible()
    for width, height in (*WIDE, *NARROW):
        await page.set_viewport_size({"width": width, "height": height})
        await page.reload()
        await expect(plays.first).to_be_visible()
        # Not the games of packages, which stand below.
        for at in range(len(OWN)):
            await expect(plays.nth(at), f"{width} x {height}").to_be_in_viewport(ratio=1)
        # Each of the other games with its line and its picture.
        for at in range(1, len(OWN)):
            for part in (start.locator(".section > div").nth(at), start.locator("img.thumbnail").nth(at)):
                await expect(part, f"{width} x {height}").to_be_in_viewport(ratio=1)
        assert (await page.locator("body").inner_text()).count("simulated Discord") == 1


@pytest.mark.slow
async def test_a_board_belongs_to_its_thread_and_can_be_closed(table: Table) -> None:
    page = await open_page(table.browser, table.url, DESKTOP)
    alice, frame = Window(page, "Alice"), page.locator("iframe[title='Board']")
    await (await alice.sees("simulated Discord")).get_by_role("button", name="Play Yonmoque against the bot").click()
    await expect(frame).to_be_visible()
    picture = await (await alice.sees("@Alice (Blue) to move")).locator("img.picture").bounding_box()
    assert picture is not None
    assert picture["height"] < 100, "the large board is the one to touch"

    await page.locator("#home").click()
    await expect(frame).to_have_count(0)
    await alice.enter("Yonmoque")
    await expect(frame).to_be_visible()
    await page.get_by_role("button", name="Close the board").click()

    await expect(frame).to_be_hidden()
    await page.get_by_role("button", name="Board", exact=True).click()
    await expect(frame).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN, ids=lambda game: game.key)
async def test_board_question_and_choices_are_in_sight_on_every_screen(table: Table, game: Game) -> None:
    page = await open_page(table.browser, table.url, DESKTOP)
    start = await Window(page, "Alice").sees("simulated Discord")
    await start.get_by_role("button", name=re.compile(f"^Play {game.name}( against|$)")).click()
    board = page.frame_locator("iframe[title='Board']")
    await expect(board.locator(".may").first).to_be_visible()
    await expect(board.locator(".match:not([aria-busy], .waiting)")).to_be_attached()
    await board.locator(".piece.may").or_(board.locator(".may")).first.click()
    await expect(board.locator(".decide button").first).to_be_visible()
    for width, height in (*WIDE, *NARROW):
        await page.set_viewport_size({"width": width, "height": height})
        for part in (".board", ".decide", ".prompt", ".choices:not(:empty)"):
            if await board.locator(part).count():
                await expect(board.locator(part), f"{part} at {width} x {height}").to_be_in_viewport(ratio=1)


@pytest.mark.slow
async def test_who_goes_home_before_the_thread_is_there_stays_at_home_without_its_board(table: Table) -> None:
    page = await open_page(table.browser, table.url, DESKTOP)
    alice, frame = Window(page, "Alice"), page.locator("iframe[title='Board']")
    await (await alice.sees("simulated Discord")).get_by_role("button", name="Play Yonmoque against the bot").click()
    await page.locator("#home").click()
    await expect(page.locator(".channels .thread")).to_be_visible()
    # The bot posts its board in the thread meanwhile, which must not draw the person there.
    await page.wait_for_timeout(1000)

    await expect(frame).to_have_count(0)
    await expect(page.locator("h1")).to_contain_text("games")


@pytest.mark.slow
async def test_a_puzzle_has_a_board_to_touch_which_goes_with_it(table: Table) -> None:
    page = await open_page(table.browser, table.url, PHONE)
    alice = Window(page, "Alice")
    await alice.command("puzzle", game="Yonmoque")

    board = page.frame_locator("iframe[title='Board']")
    await expect(board.locator(".may").first).to_be_in_viewport()
    await expect(page.locator("iframe")).to_have_attribute("src", "/board/alice/puzzle/1")
    await alice.press("Chat", alice.pane)
    await alice.last.get_by_role("button", name="Dismiss message").click()

    await expect(page.locator("iframe")).to_have_count(0)
    assert await alice.complaints() == []


@pytest.mark.slow
async def test_a_cup_that_begins_leaves_its_players_where_they_are(table: Table) -> None:
    page = await open_page(table.browser, table.url, DESKTOP)
    alice = Window(page, "Alice")
    await alice.command("cup", {"players": "3"}, game="Yonmoque")
    for name in ("Bob", "Carol"):
        window = await table.window(name)
        await window.press("Join", await window.sees("starts a cup"))
    await expect(alice.pane.locator(".thread").nth(2)).to_be_attached()

    await expect(alice.pane.locator("h1")).to_contain_text("games")
