"""On a phone what is asked, what has just happened and the controls are seen together, without scrolling.

Measured in a real browser at 400 by 850 pixels, in the message that a person acts in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from bot.games import GAMES
from tests.demo.browser_window import ANALYSED, Window
from tests.demo.process import UNLIMITED, demo_process

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
    pytest.mark.slow,
]

SIZE, LOW = (400, 850), ((360, 640), (1280, 720))
KEYS = ("gyges", "rectangles", "redo", "redtangle", "yonmoque")
MEASURE = """message => {
    const room = message.closest(".timeline").getBoundingClientRect();
    const top = Math.max(room.top, 0), bottom = Math.min(room.bottom, window.innerHeight);
    const buttons = [...message.querySelectorAll("button, select")].filter(one => one.getBoundingClientRect().height);
    const picture = [...message.querySelectorAll("img")].at(-1).getBoundingClientRect();
    const controls = buttons.map(one => one.getBoundingClientRect()).filter(one => one.top >= picture.bottom - 1);
    const words = [...message.querySelectorAll(".said .text")].map(one => one.getBoundingClientRect())
        .filter(one => one.height && one.top >= picture.bottom - 1);
    return {top, bottom, above: picture.top, picture: picture.bottom,
        controls: [Math.min(...controls.map(one => one.top)), Math.max(...controls.map(one => one.bottom))],
        words: words.length ? [words[0].top, words.at(-1).bottom] : null};
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of a page of the real command, worker processes included, on which each test does what is its own."""
    async with demo_process(tmp_path_factory.mktemp("demo"), command=UNLIMITED) as (_, url):
        yield url


async def measured(window: Window, picture: Path) -> None:
    """Check that the bottom of the board, the words below it and all controls are on the screen, in this order."""
    await window.ready()
    await window.screenshot(picture)
    found = await window.last.evaluate(MEASURE)
    assert found["words"] is not None, picture.name
    first, last = found["controls"]
    assert found["top"] + 40 <= found["picture"] <= found["words"][0] + 1, (picture.name, found)
    assert found["words"][1] <= first + 1, (picture.name, found)
    assert last <= found["bottom"] + 1, (picture.name, found)


@pytest.mark.parametrize("key", KEYS)
async def test_question_and_controls_are_seen_together(browser: Browser, url: str, tmp_path: Path, key: str) -> None:
    alice = await Window.open(browser, url, size=SIZE)
    await alice.command("challenge", game=GAMES[key].name, opponent="Tavoliere", first="I go first")
    await alice.comes_to(GAMES[key].name)
    await alice.sees("@Alice")
    await alice.press("Play")
    await measured(alice, tmp_path / f"{key}-opened.png")
    first = alice.last.locator("button.button:enabled").first
    await alice.tap(first)
    if await alice.last.get_by_role("button", name="Back", exact=True).count():
        await measured(alice, tmp_path / f"{key}-chosen.png")
        await alice.press("Back", alice.last)
    else:
        await alice.press("Play", await alice.sees("Reply: Tavoliere"))
    await alice.press("Hint", alice.last)
    await expect(alice.last).to_contain_text("Best:")
    await measured(alice, tmp_path / f"{key}-hint.png")


@pytest.mark.parametrize("key", KEYS)
async def test_the_whole_picture_of_a_builder_and_its_buttons_fit_a_low_screen(
    browser: Browser, url: str, key: str
) -> None:
    alice = await Window.open(browser, url, size=LOW[0])
    await alice.command("challenge", game=GAMES[key].name, opponent="Tavoliere", first="I go first")
    await alice.comes_to(GAMES[key].name)
    await alice.sees("@Alice")
    await alice.press("Play")
    for width, height in LOW:
        await alice.page.set_viewport_size({"width": width, "height": height})
        await alice.last.scroll_into_view_if_needed()
        found = await alice.last.evaluate(MEASURE)
        assert found["top"] <= found["above"], found
        assert found["controls"][1] <= found["bottom"], found


async def test_the_page_goes_along_to_a_match_whose_board_comes_before_the_answer(browser: Browser, url: str) -> None:
    alice = await Window.open(browser, url, size=SIZE)

    async def answer_late(route: Route) -> None:
        answer = await route.fetch()
        await alice.page.wait_for_timeout(3000)
        await route.fulfill(response=answer)

    await alice.page.route("**/do/command", answer_late)
    await alice.command("challenge", game="Redo", opponent="Tavoliere", first="I go first")
    await alice.comes_to("Redo")


async def test_feedback_on_a_puzzle_is_seen_together_with_what_to_do_next(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    alice = await Window.open(browser, url, size=SIZE)
    await alice.command("puzzle", game="Yonmoque")
    await alice.press("Chat", alice.pane)
    await measured(alice, tmp_path / "puzzle.png")
    tried = 0
    while not await alice.last.get_by_text("isn't it").count() and tried < 12:
        await alice.last.locator("button:enabled").nth(tried).click()
        await alice.ready()
        tried += 1
    await measured(alice, tmp_path / "puzzle-wrong.png")


async def test_where_a_match_turned_is_seen_together_with_the_controls_of_its_review(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    alice = await Window.open(browser, url, size=SIZE)
    await alice.press("See a finished match")
    await alice.press("Review", await alice.sees("Step through"))
    await expect(alice.last).to_contain_text("Where it turned", timeout=ANALYSED)
    await measured(alice, tmp_path / "review.png")


async def test_a_page_of_the_rules_is_read_from_its_beginning(browser: Browser, url: str) -> None:
    alice = await Window.open(browser, url, size=SIZE)
    await alice.command("games", game="Yonmoque")
    first = alice.last.get_by_role("heading").first
    await expect(first).to_contain_text("What it is")
    await expect(first).to_be_in_viewport(ratio=1)
    await alice.press("Next →", alice.last)
    await expect(first).not_to_contain_text("What it is")
    await expect(first).to_be_in_viewport(ratio=1)
