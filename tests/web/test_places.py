"""Where things stand on the page, measured: controls that stay, whole boards, whole names, targets for a finger."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from bot.games import GAMES
from bot.matches.model.page_links import Purpose
from tests.web.board_window import DESKTOP, PHONE, BoardWindow
from tests.web.listening import shifts
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]
NARROW = ViewportSize(width=320, height=640)
ON_THEIR_SIDE = [ViewportSize(width=740, height=360), ViewportSize(width=844, height=390)]
_SMALL = """() => [...document.querySelectorAll('button, a[href], summary, [role="button"]')]
  .filter(one => one.checkVisibility())
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 23.99)
  .map(([one, box]) => `${one.dataset.square ?? one.textContent} ${box.width} x ${box.height}`)"""
_BROKEN_WORDS = """() => [...document.querySelectorAll('.people .name')].flatMap(one => {
  const node = one.firstChild, text = node.data;
  return [...text.matchAll(/\\S+/g)].filter(({0: word, index}) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return range.getClientRects().length > 1;
  }).map(found => found[0]);
})"""
_PLACES = """() => [...document.querySelectorAll('.controls button, .people li, .board')].map(one => {
  const {left, top, width, height} = one.getBoundingClientRect();
  return [one.textContent, left + scrollX, top + scrollY, width, height].join(' ');
})"""
_NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A page that has another size asks for another picture once it has been drawn."""
_EMPTY_CARDS = """() => [...document.querySelectorAll('.side > *, .side > * > *')]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().height > 0)
  .filter(one => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)' && !one.innerText.trim())
  .map(one => one.outerHTML.slice(0, 80))"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_controls_stay_where_they_are_through_a_move_and_its_reply(
    run: Running, browser: Browser, size: ViewportSize
) -> None:
    match = await run.computer_match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match, size)
    controls = alice.page.locator(".controls button")
    hint = await alice.page.get_by_role("button", name="Hint").bounding_box()
    labels = await controls.all_inner_texts()
    assert "Take back" not in labels

    for ply, square in enumerate(("c3", "a1", "e5")):
        may = alice.board.locator(".may:not(.piece)")
        free = alice.square(square) if ply == 0 else may.nth(ply)
        await free.click()
        await expect(alice.moves).to_have_count(2 * ply + 2)
        await expect(alice.turn.locator(".yours")).to_be_visible()
        await alice.ready()

    assert await alice.page.get_by_role("button", name="Hint").bounding_box() == hint
    assert await controls.all_inner_texts() == [*labels, "Take back"]
    assert await shifts(alice.page) == []
    assert alice.complaints() == []


@pytest.mark.slow
async def test_what_is_not_possible_now_keeps_its_place_and_does_nothing(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("c3")
    back = alice.page.get_by_role("button", name="Ask to take back")
    await expect(back).to_be_enabled()
    box = await back.bounding_box()
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)

    await expect(back).to_be_disabled()
    assert await back.bounding_box() == box
    await back.click(force=True)
    await alice.ready()
    await expect(alice.page.locator(".offer")).to_have_count(0)


@pytest.mark.slow
async def test_a_long_reason_lies_over_the_page_and_moves_nothing(run: Running, browser: Browser) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match("yonmoque"))
    reason = "A piece can't be put there, and here is why. " * 6
    refused = {"came": "done", "building": {"keys": [], "move": None, "problem": reason}}
    await alice.page.route("**/move", lambda route: route.fulfill(json=refused))
    for width in (360, 390, 768, 900, 1280, 1440):
        await alice.page.set_viewport_size({"width": width, "height": 740})
        await alice.page.evaluate(_NEXT_FRAME)
        await alice.ready()
        before = await alice.page.evaluate(_PLACES)
        for letting_go in (alice.page.get_by_role("button", name="Close"), alice.page.locator("h1")):
            await alice.tap("c3")
            await expect(alice.page.get_by_role("alert")).to_contain_text("here is why")
            shown = await alice.page.locator(".problem").bounding_box()
            assert shown is not None
            assert shown["x"] >= 0
            assert shown["x"] + shown["width"] <= width
            assert await alice.page.evaluate(_PLACES) == before, width
            await letting_go.click()
            await expect(alice.page.locator(".problem")).to_have_text("")
            assert await alice.page.evaluate(_PLACES) == before, width
    assert alice.complaints() == []


@pytest.mark.slow
async def test_the_board_covers_nothing_beside_it_at_any_width(run: Running, browser: Browser) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.match("yonmoque"))
    for width in (320, 360, 390, 500, 768, 801, 820, 857, 900, 1280, 1440):
        await alice.page.set_viewport_size({"width": width, "height": 1180})
        await alice.ready()
        board, beside = await alice.board.bounding_box(), await alice.page.locator(".side").bounding_box()
        assert board is not None
        assert beside is not None
        assert board["x"] + board["width"] <= beside["x"] or board["y"] + board["height"] <= beside["y"], width
        assert await alice.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_no_target_is_too_small_for_a_finger_and_a_phone_on_its_side_shows_the_whole_board(
    run: Running, browser: Browser, game: str
) -> None:
    match = await run.match(game)
    alice = await BoardWindow.open(browser, run, 0, match, ON_THEIR_SIDE[0])
    for size in ON_THEIR_SIDE:
        await alice.page.set_viewport_size(size)
        await alice.ready()
        box, prompt = await alice.board.bounding_box(), await alice.turn.bounding_box()
        assert box is not None
        assert prompt is not None
        assert min(box["x"], box["y"]) >= 0
        assert max(box["y"] + box["height"], prompt["y"] + prompt["height"]) <= size["height"]
        assert box["height"] > 0.9 * size["height"]
        assert prompt["x"] >= box["x"] + box["width"]
        assert await alice.page.evaluate(_SMALL) == []
    await run.play_on(match, 4)
    for size in (NARROW, PHONE, DESKTOP):
        await alice.page.set_viewport_size(size)
        await alice.ready()
        assert await alice.page.evaluate(_SMALL) == []


@pytest.mark.slow
async def test_names_do_not_break_into_letters(run: Running, browser: Browser) -> None:
    run.place.people[0].global_name = "Maximiliane von Hohenlohe"
    run.place.people[1].global_name = "Bartholomaeus"
    alice = await BoardWindow.open(browser, run, 0, await run.match("redtangle"), NARROW)
    assert await alice.page.evaluate(_BROKEN_WORDS) == []
    assert await alice.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_no_card_is_empty(run: Running, browser: Browser, size: ViewportSize) -> None:
    view = await run.services.puzzles.begin(run.people[0].id, "yonmoque")
    alice = await BoardWindow.open(browser, run, 0, view.attempt.id, size, purpose=Purpose.PUZZLE)
    assert await alice.page.evaluate(_EMPTY_CARDS) == []
    task, prompt = await alice.page.locator(".news").bounding_box(), await alice.turn.bounding_box()
    assert task is not None
    assert prompt is not None
    assert task["y"] < prompt["y"]
    await alice.press("Give up")
    await expect(alice.page.locator(".status.over")).to_be_visible()
    assert await alice.page.evaluate(_EMPTY_CARDS) == []
    bob = await BoardWindow.open(browser, run, 1, await run.match("yonmoque"), size)
    assert await bob.page.evaluate(_EMPTY_CARDS) == []
