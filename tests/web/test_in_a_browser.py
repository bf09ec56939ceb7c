"""Two people play on the board page in a real browser, as they would in Discord."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Route, expect

from bot.compute import rate_limit
from bot.games.puzzles import Puzzle
from bot.matches.model.page_links import Purpose
from bot.web import boards
from tests.web.board_window import PHONE, BoardWindow
from tests.web.listening import check_spoken, spoken
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def test_a_link_leads_to_the_board_and_moves_reach_the_other_window(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    bob = await BoardWindow.open(browser, run, 1, match, PHONE)
    await expect(alice.page.get_by_text("It's your turn.", exact=True)).to_be_visible()

    await alice.tap("c3")

    await bob.has_moves("1 Blue: c3")
    await expect(bob.page.get_by_text("It's your turn.", exact=True)).to_be_visible()
    await bob.tap("a1")
    await alice.has_moves("1 Blue: c3", "2 White: a1")
    assert alice.complaints() == bob.complaints() == []


@pytest.mark.slow
async def test_a_move_of_two_choices_is_two_taps_and_another_piece_may_be_taken(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("a2")
    await expect(alice.square("a2")).to_have_accessible_name("a2, white disc, chosen")

    await alice.tap("b2", "b3")

    await alice.has_moves("1 White: b2-b3")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_choice_that_says_more_than_its_square_says_it_on_the_square(run: Running, browser: Browser) -> None:
    match = await run.match("rectangles")
    alice = await BoardWindow.open(browser, run, 0, match)
    await expect(alice.board.locator("[data-note]")).to_have_count(0)

    await alice.tap("b2")

    await expect(alice.square("d5")).to_have_attribute("data-note", "6")
    await alice.press("Undo")
    await expect(alice.board.locator("[data-note]")).to_have_count(0)
    assert alice.complaints() == []


def tries(puzzle: Puzzle) -> tuple[str, str, str] | None:
    """Return a square to tap first, one that then makes a wrong move, and one that makes the right one, if there are.

    The page knows all of them: it asks the server for choices only where there are many, and then for a confirmation.
    """
    for first in boards.choices("yonmoque", puzzle.at(0), ())["steps"]:
        seconds = {first["key"] + step["key"]: step["square"] for step in first["next"] or () if step["next"] == []}
        if puzzle.solution[0] in seconds:
            right = seconds.pop(puzzle.solution[0])
            return next(((first["square"], wrong, right) for wrong in seconds.values()), None)
    return None


@pytest.mark.slow
async def test_a_puzzle_is_tried_and_solved_and_each_try_is_said_once(
    run: Running, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run.services.random, "choice", lambda offered: next(filter(tries, offered)))
    view = await run.services.puzzles.begin(run.people[0].id, "yonmoque")
    alice = await BoardWindow.open(browser, run, 0, view.attempt.id, purpose=Purpose.PUZZLE)
    await expect(alice.page.locator("h1")).to_have_text("Puzzle · Yonmoque")
    first, wrong, right = tries(view.puzzle) or ("", "", "")
    asked = 0

    async def later_and_later(route: Route) -> None:
        nonlocal asked
        await asyncio.sleep(asked)
        asked += 1
        await route.continue_()

    # The page asks after the try, and once more when it hears the news of it: choices count when the words are there.
    await alice.page.route("**/api/puzzle/*?width=*", later_and_later)
    await alice.tap(first, wrong)
    await expect(alice.page.locator(".problem")).to_contain_text("Wrong tries: 1")
    await alice.tap(first, right)

    await expect(alice.page.locator(".status.over")).to_contain_text("Solved after 1 wrong try")
    await expect(alice.page.get_by_role("button", name="Next puzzle")).to_be_visible()
    await alice.ready()
    said = await spoken(alice.page)
    check_spoken(said)
    for words in ("Wrong tries: 1", "is right.", "Solved after 1 wrong try"):
        assert len([text for text in said if words in text]) == 1
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_half_built_move_outlives_a_lost_connection_and_a_restart(run: Running, browser: Browser) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("a2")

    await run.restart()

    await expect(alice.square("a2")).to_have_accessible_name("a2, white disc, chosen")
    await alice.tap("a3")
    await alice.has_moves("1 White: a2-a3")


@pytest.mark.slow
async def test_a_page_that_asked_too_much_shows_the_match_when_it_may_ask_again(
    run: Running, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    monkeypatch.setattr(rate_limit, "BUDGET", 0.0)
    await run.play_on(match, 2)
    await expect(alice.page.locator(".problem")).to_contain_text("That was a lot at once.")
    await expect(alice.moves).to_have_count(0)

    monkeypatch.setattr(rate_limit, "BUDGET", 1e9)

    await expect(alice.moves).to_have_count(2)
    await expect(alice.page.locator(".problem")).to_have_text("")
    await expect(alice.board.locator(".may")).not_to_have_count(0)
