"""A guest's game and today's puzzle in a real browser: the page carries the moves in its own address."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from bot.games import GAMES
from bot.games.puzzles import Puzzle, puzzles
from bot.matches.services.eligibility import Terms
from bot.opponents import choose
from bot.web import boards
from tests.demo.browser_window import SOON
from tests.support.accessible import assert_accessible
from tests.web.board_window import PHONE, BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def opened(browser: Browser, public_run: Running, path: str) -> BoardWindow:
    context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = await context.new_page()
    page.set_default_timeout(SOON)
    window = BoardWindow(page)
    await page.goto(f"{public_run.url}{path}")
    return window


def squares(puzzle: Puzzle) -> tuple[str, str] | None:
    """Return the two squares to tap for the move that solves a puzzle, None where it is no such move."""
    for first in boards.choices("yonmoque", puzzle.start(), ())["steps"]:
        for second in first["next"] or ():
            if first["key"] + second["key"] == puzzle.solution[0] and second["next"] == []:
                return first["square"], second["square"]
    return None


async def test_a_guest_comes_from_the_front_page_plays_and_goes_on_after_a_reload(
    public_run: Running, browser: Browser
) -> None:
    guest = await opened(browser, public_run, "/play")
    await assert_accessible(guest.page)
    await guest.page.get_by_role("link", name="Yonmoque").click()
    await guest.ready()
    await guest.tap("c3")

    await expect(guest.page).to_have_url(re.compile(r"/play/yonmoque\?level=1&moves=c3\+[a-e][1-5]$"))
    await expect(guest.square("c3")).to_have_accessible_name(re.compile("^c3, .*blue disc"))
    await expect(guest.page.locator(".status")).to_contain_text("Last move: Blue places a piece on c3.")
    await expect(guest.page.get_by_text("It's your turn.", exact=True)).to_be_visible()
    await guest.page.reload()
    await guest.ready()
    await expect(guest.square("c3")).to_have_accessible_name(re.compile("^c3, .*blue disc"))
    await guest.assert_accessible()
    await expect(guest.page.get_by_role("button", name="Sign out")).to_have_count(0)
    await guest.page.get_by_role("button", name="New game").click()
    await expect(guest.square("c3")).to_have_accessible_name(re.compile("^c3, (?!.*disc)"))
    assert guest.complaints() == []


def before_a_win() -> tuple[str, list[str]]:
    """Return the moves of a game of Yonmoque that the guest wins by one more, and the squares to tap for that one."""
    for seed in range(200):
        position, moves = GAMES["yonmoque"].start(), list[str]()
        while position.to_move is not None:
            moves.append(str(choose(position, 1, seed + len(moves))))
            position = position.play(position.parse(moves[-1]))
        if position.result is not None and position.result.winners == {0}:
            return "+".join(moves[:-1]), moves[-1].split("-")
    raise AssertionError("the guest wins no game so")


async def test_after_a_game_a_new_one_begins_as_on_the_first_day(public_run: Running, browser: Browser) -> None:
    moves, last = before_a_win()
    guest = await opened(browser, public_run, f"/play/yonmoque?level=1&moves={moves}")
    await guest.ready()
    button = guest.page.get_by_role("button")
    await expect(button.filter(has_text="New game")).to_have_count(1)
    await expect(button.filter(has_text="Sound")).to_have_count(0)

    await guest.tap(*last)
    await expect(guest.page.locator(".status.over")).to_contain_text("Blue wins: four in a row.")
    await guest.press("New game")

    await expect(button.filter(has_text="Play level 2")).to_have_count(1)
    await expect(button.filter(has_text="New game")).to_have_count(0)
    assert guest.complaints() == []


async def test_a_guests_page_tells_of_a_lost_connection_until_it_is_back(public_run: Running, browser: Browser) -> None:
    guest = await opened(browser, public_run, "/play/yonmoque")
    await guest.ready()
    line = guest.page.locator(".line")
    await guest.page.context.set_offline(True)
    await expect(line).to_have_text("No connection. Trying again…")
    await guest.page.context.set_offline(False)
    await expect(line).to_have_text("")
    await guest.tap("c3")
    await expect(guest.page.locator(".status")).to_contain_text("Last move: Blue places a piece on c3.")


async def test_a_guest_solves_todays_puzzle_and_is_led_to_friends(
    public_run: Running, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    easy = next(one for one in puzzles(GAMES["yonmoque"]) if len(one.solution) == 1 and squares(one) is not None)
    monkeypatch.setattr("bot.web.guest_puzzles.of_the_day", lambda _server, _day: easy)
    guest = await opened(browser, public_run, "/puzzle")
    await guest.ready()
    await expect(guest.page.locator("h1")).to_have_text("Puzzle · Yonmoque")
    await expect(guest.page.locator(".status")).to_contain_text("Win in one move.")

    await guest.tap(*(squares(easy) or ()))

    await expect(guest.page.locator(".status.over")).to_contain_text("Solved at the first try")
    await guest.assert_accessible()
    await guest.page.get_by_role("link", name="Play it with friends").click()
    await expect(guest.page.locator("#friends")).to_have_text("Play it with friends")
    assert guest.complaints() == []


@pytest.mark.parametrize("game", ["gyges", "rectangles"])
async def test_the_page_of_a_challenge_fits_a_phone_and_has_no_violation(
    public_run: Running, browser: Browser, game: str
) -> None:
    terms, actor = Terms(game, GAMES[game].variants[0].key, 2, rated=False), public_run.actor(public_run.people[0])
    await public_run.services.challenges.offer(actor, None, terms, code="the-code-of-a-challenge")
    guest = await opened(browser, public_run, "/challenge/the-code-of-a-challenge")
    await expect(guest.page.get_by_role("img")).to_have_js_property("complete", value=True)
    await expect(guest.page.get_by_role("img")).to_have_accessible_name(re.compile(GAMES[game].name))
    await expect(guest.page.get_by_role("link", name="Go to the challenge in Discord")).to_be_in_viewport(ratio=1)
    assert await guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await assert_accessible(guest.page)
    assert guest.complaints() == []
