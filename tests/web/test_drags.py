"""Drags on the board page while something else happens: a friend moves, the server restarts, a move becomes illegal."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest
from playwright.async_api import Browser, Route, expect

from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def lift(window: BoardWindow, square: str, over: str) -> None:
    """Take the piece on a square, or the end of a line where there is none, and hold it over another one."""
    await window.ready()
    await window.to(square)
    await window.page.mouse.down()
    await window.to(over, steps=5)
    await expect(window.board.locator(".lifted, .band")).to_be_visible()


async def play(run: Running, match: int, person: int, move: str) -> None:
    """Play a move for a person, as in Discord."""
    await run.services.turns.play(run.actor(run.people[person]), match, None, move, confirmed=True)


@pytest.mark.slow
async def test_the_own_move_made_elsewhere_in_mid_drag_is_said_and_the_piece_goes_back(
    run: Running, browser: Browser
) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await lift(alice, "a2", "a3")

    await play(run, match, 0, "b2-b3")

    await alice.has_moves("1 White: b2-b3")
    await expect(alice.board.locator(".lifted, .may")).to_have_count(0)
    await alice.page.mouse.up()
    await play(run, match, 1, "a7-a6")
    await alice.has_moves("1 White: b2-b3", "2 Red: a7-a6")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_half_a_move_that_became_illegal_is_said_and_a_whole_one_that_is_still_legal_is_asked_about_again(
    run: Running, browser: Browser
) -> None:
    await run.services.personal_settings.prefer(run.people[0].id, lambda one: replace(one, confirm=True))
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("a2")
    await expect(alice.square("a2")).to_have_accessible_name("a2, white disc, chosen")

    await play(run, match, 0, "a2-a3")
    await play(run, match, 1, "a7-a6")

    await alice.has_moves("1 White: a2-a3", "2 Red: a7-a6")
    await expect(alice.page.get_by_role("alert")).to_have_text("What you had chosen is no longer possible.")
    await expect(alice.square("a3")).to_have_accessible_name("a3, white disc, may be chosen")
    await alice.tap("b2", "b3")
    await expect(alice.page.get_by_role("button", name="Play it")).to_be_visible()

    await play(run, match, 0, "c2-c3")
    await play(run, match, 1, "c7-c6")

    await alice.has_moves("3 White: c2-c3", "4 Red: c7-c6")
    await alice.press("Play it")
    await alice.has_moves("5 White: b2-b3")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_friend_s_offer_in_mid_drag_leaves_the_piece_in_the_hand(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await lift(alice, "a2", "a3")

    await run.services.agreements.offer_draw(run.actor(run.people[1]), match, None)

    await expect(alice.page.locator(".offer", has_text="Your opponent offers a draw.")).to_be_visible()
    await alice.ready()
    await expect(alice.board.locator(".lifted")).to_be_visible()
    await alice.page.mouse.up()
    await alice.has_moves("1 White: a2-a3")
    assert alice.complaints() == []


async def test_a_piece_that_can_go_to_one_square_only_is_dragged_there(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    await run.play_on(match, 6)
    alice = await BoardWindow.open(browser, run, 0, match)

    await lift(alice, "b2", "d5")
    await expect(alice.board.locator(".may")).to_have_attribute("data-square", "c3")
    await alice.to("c3")
    await alice.page.mouse.up()

    await alice.has_moves("7 White: b2-c3")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_piece_dropped_before_it_is_known_where_it_may_go_is_played(run: Running, browser: Browser) -> None:
    match = await run.match("gyges")
    await run.play_on(match, 14, Random(2))
    alice = await BoardWindow.open(browser, run, 0, match)
    dropped = asyncio.Event()

    async def late(route: Route) -> None:
        await dropped.wait()
        await route.continue_()

    await alice.page.route("**/choices?*", late)
    async with alice.page.expect_request("**/choices?*"):
        await lift(alice, "e2", "f2")
    await alice.page.mouse.up()
    dropped.set()

    await alice.has_moves("15 South: e2-f2")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_line_that_ends_nowhere_or_where_it_began_is_taken_back(run: Running, browser: Browser) -> None:
    match = await run.match("rectangles")
    alice = await BoardWindow.open(browser, run, 0, match)

    for end in ("b5", "b2"):  # no rectangle has its opposite corners in one file
        await lift(alice, "b2", "e4")
        await alice.to(end)
        await alice.page.mouse.up()

        await expect(alice.board.locator(".band, .chosen")).to_have_count(0)
        await expect(alice.square("b2")).to_have_accessible_name("b2, may be chosen")
    await expect(alice.moves).to_have_count(0)
    assert alice.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "square"), [("rectangles", "b2"), ("redo", "a2")])
async def test_a_tap_by_an_unsteady_hand_is_a_tap(run: Running, browser: Browser, game: str, square: str) -> None:
    match = await run.match(game)
    alice = await BoardWindow.open(browser, run, 0, match)
    box = await alice.square(square).bounding_box()
    assert box is not None

    await alice.to(square)
    await alice.page.mouse.down()
    await alice.page.mouse.move(box["x"] + box["width"] / 2 + 9, box["y"] + box["height"] / 2, steps=3)
    await alice.page.mouse.up()

    await expect(alice.square(square)).to_contain_class("chosen")
    await expect(alice.page.get_by_role("button", name="Undo")).to_be_visible()
    await expect(alice.moves).to_have_count(0)
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_set_up_is_dragged_together(run: Running, browser: Browser) -> None:
    match = await run.match("gyges")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.press("Change my set-up")
    await expect(alice.moves).to_have_count(0)
    await alice.ready()
    chips, chosen = alice.page.locator(".chip"), alice.page.locator(".match")

    async def drag(target: str) -> None:
        box = await chips.first.bounding_box()
        assert box is not None
        await alice.page.mouse.move(box["x"] + 20, box["y"] + 20)
        await alice.page.mouse.down()
        await alice.to(target, steps=5)
        await expect(alice.page.locator(".carried")).to_be_visible()
        await alice.page.mouse.up()
        await expect(alice.page.locator(".carried")).to_have_count(0)
        await alice.ready()

    await drag("d4")
    await expect(chosen).to_have_attribute("data-chosen", "")
    for square, keys in (("a1", "1"), ("b1", "11"), ("c1", "112")):
        await drag(square)
        await expect(chosen).to_have_attribute("data-chosen", keys)
    await drag("d1")

    await expect(alice.moves.first).to_have_text("1 South: set-up")
    position = (await run.services.queries.match_view(run.place.server.guild.id, match)).game_state.position
    assert "112233" in position.encode(), position.encode()
    assert alice.complaints() == []
