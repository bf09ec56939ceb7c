"""Two people, each in a window of a real browser, play on the demo page as they would in Discord."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from bot.demo.front_page import CARDS
from bot.games import GAMES
from tests.demo.browser_window import PHONE, Window, open_page
from tests.demo.conftest import Table

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

People = tuple[Window, Window]


@pytest_asyncio.fixture(loop_scope="session")
async def people(table: Table, tmp_path: Path) -> AsyncIterator[People]:
    """Alice at a desktop and Bob with a phone, on the page of the demo; a failure leaves a picture of both."""
    alice, bob = await table.window("Alice"), await table.window("Bob")
    yield alice, bob
    await alice.screenshot(tmp_path / "alice.png")
    await bob.screenshot(tmp_path / "bob.png")


async def build(window: Window, *squares: str) -> None:
    """Put a move together square by square, and play it where that is still to be done."""
    played = window.messages.filter(has_text=re.compile(r"You played|Your move is played"))
    before = await played.count()
    await window.press("Play")
    for square in squares:
        assert all(await window.pictures(window.last))
        await window.tap(window.last.locator("button.button:enabled").filter(has_text=square).first)
    if await played.count() == before:
        await window.tap(window.last.get_by_role("button", name=re.compile("^Play .")).last)


async def start(alice: Window, bob: Window) -> None:
    """Have Alice challenge Bob to Yonmoque, in which she begins, and Bob accept."""
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I go first")
    await bob.press("Accept", await bob.sees("@Alice challenges @Bob"))
    await alice.sees("@Alice (Blue) to move")
    await bob.sees("@Alice (Blue) to move")


async def test_two_friends_play_in_their_direct_messages_by_answers_of_the_bot(people: People) -> None:
    (alice, bob), turns = people, ("@Alice (Blue) to move", "@Bob (White) to move")
    await expect(alice.pane.locator(".members")).to_be_visible()
    await alice.pane.locator(".channels button").filter(has_text="Bob").click()
    await expect(alice.pane.locator(".members")).to_be_hidden()
    await alice.entry.click()
    await alice.page.keyboard.type("/challenge game:yonmoque first:I go first")
    await alice.page.keyboard.press("Enter")
    await bob.enter("Alice")
    await bob.press("Accept", await bob.sees("@Alice is looking for an opponent"))
    for (person, square), turn in zip(((alice, "a1"), (bob, "a5")), turns, strict=True):
        await person.press("Play", await person.sees(turn))
        await person.press(square)
        await person.timeline.get_by_role("button", name=re.compile("^Play .")).last.click()
    for person in people:
        await expect(person.messages.filter(has_text=turns[0]).last).to_contain_text("Last move: Bob places")
        await expect(
            person.messages.filter(has_text="(Blue) to move").get_by_role("button", name="Play")
        ).to_have_count(1)
        assert await person.complaints() == []


@pytest.mark.slow
async def test_two_people_on_one_screen_are_told_whose_turn_it_is(table: Table) -> None:
    page = await open_page(table.browser, table.url, (1440, 900))
    alice = Window(page, "Alice")
    await expect(page.locator(".pane:visible")).to_have_count(1)

    await alice.choose("Yonmoque", await alice.sees("Two people on one screen"))
    await alice.sees("@Alice (Blue) to move")
    await expect(alice.pane.locator(".turn")).to_be_hidden()
    await alice.command("move", move="c3")
    await expect(alice.pane.locator(".turn")).to_contain_text("It's Bob's turn: play as Bob.")
    await alice.pane.get_by_role("button", name="Show Bob beside you").click()

    bob = Window(page, "Bob")
    await expect(bob.pane.locator("h1")).to_contain_text("Yonmoque · Alice – Bob")
    await expect(await bob.sees("@Bob (White) to move")).to_be_in_viewport()
    await bob.press("Play")
    await bob.press("Don't show the aim")
    await bob.press("Cancel")
    await bob.command("match", action="Resign")
    await bob.press("Yes, resign")
    await alice.sees("@Alice wins")
    await expect(bob.pane.locator(".turn")).to_be_hidden()


async def test_on_a_phone_the_first_click_leads_to_the_board_and_the_second_plays_a_move(table: Table) -> None:
    page = await open_page(table.browser, table.url, PHONE)
    alice = Window(page, "Alice")
    first = await alice.sees("simulated Discord")
    assert await alice.pictures(first) == [True] * (1 + min(len(GAMES), 1 + CARDS)), "the first game in small, too"
    start = first.get_by_role("button", name="Play Yonmoque against the bot")
    await expect(start).to_be_in_viewport()

    await start.click()
    board = page.frame_locator("iframe[title='Board']")
    await board.locator('[data-square="c3"]').click()

    await expect(board.locator(".moves li")).to_have_count(2)
    await alice.press("Chat", alice.pane)
    await expect(await alice.sees("Reply: Tavoliere (level 1)")).to_be_in_viewport()
    await expect(alice.pane.get_by_role("button", name="Board", exact=True)).to_be_visible()
    assert await alice.complaints() == []


@pytest.mark.slow
async def test_no_board_stands_beside_the_welcome(table: Table) -> None:
    page = await open_page(table.browser, table.url, (1440, 900))
    alice = Window(page, "Alice")
    await page.goto("about:blank")  # so that no answer to the page before the next one counts
    async with page.expect_response(re.compile(r"/board/.*/in/")) as asked:
        await page.goto(table.url)
    assert await (await asked.value).json() == {"match": None, "over": True}

    await alice.sees("See a finished match")
    await expect(page.locator(".beside-board")).to_be_hidden()


@pytest.mark.slow
async def test_the_browsers_language_is_the_pages_and_the_bots(table: Table) -> None:
    context = await table.browser.new_context(locale="de-DE", viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    await page.goto(table.url)
    alice = Window(page, "Alice")

    await alice.press("Yonmoque gegen den Bot spielen")

    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(alice.entry).to_have_attribute("placeholder", "Nachricht, oder / für Befehle")
    await expect(alice.pane.locator("h1")).to_contain_text("Tavoliere (Stufe 1)")


@pytest.mark.slow
async def test_a_match_that_takes_long_to_begin_is_gone_to_all_the_same(table: Table) -> None:
    page = await open_page(table.browser, table.url)
    later = "const now = Date.now; let asked = 0; Date.now = () => now() + 60_000 * (asked += 1);"
    await page.add_init_script(f"{{ {later} }}")
    await page.reload()
    alice = Window(page, "Alice")

    await alice.press("Play Yonmoque against the bot")

    await expect(alice.pane.locator("h1")).to_contain_text("Yonmoque · Alice – Tavoliere (level 1)")


@pytest.mark.slow
async def test_a_rematch_against_the_bot_leads_to_its_board(table: Table) -> None:
    alice = await Window.open(table.browser, table.url)
    await alice.press("Play Yonmoque against the bot")
    await alice.sees("@Alice (Blue) to move")
    await alice.command("match", action="Resign")
    await alice.press("Yes, resign")
    await alice.press("Rematch", await alice.sees("wins by resignation"))

    await expect(alice.pane.locator("h1")).to_contain_text("Yonmoque · Tavoliere (level 1) – Alice · #3")
    await expect(await alice.sees("@Alice (White) to move")).to_be_in_viewport()


@pytest.mark.slow
async def test_a_finished_match_is_a_click_away_and_its_picture_has_its_place_before_it_is_there(table: Table) -> None:
    alice, never = await table.window("Alice"), asyncio.Event()

    async def keep_waiting(_: Route) -> None:
        await never.wait()

    await alice.press("See a finished match")

    picture = (await alice.sees("@Carol wins")).locator("img.picture")
    assert await alice.pictures(alice.last) == [True]
    there = await picture.bounding_box()
    await alice.page.route("**/cdn/**", keep_waiting)
    await alice.page.reload(wait_until="commit")
    before = await (await alice.sees("@Carol wins")).locator("img.picture").bounding_box()
    assert there is not None
    assert before is not None
    assert (before["width"], before["height"]) == (there["width"], there["height"])
    await alice.page.unroute_all(behavior="ignoreErrors")
    never.set()
    await expect(alice.last.get_by_role("button", name="Review")).to_be_visible()
    await alice.press("Play Gygès", alice.last)
    await alice.sees("@Alice")
    await expect(alice.pane.locator("h1")).to_contain_text("Gygès · Alice – Tavoliere")
    await alice.page.locator("#home").click()
    await expect(await alice.sees("simulated Discord")).to_be_in_viewport()


@pytest.mark.slow
async def test_two_people_play_a_whole_game(people: People) -> None:
    alice, bob = people
    await start(alice, bob)

    await build(alice, "a1")
    await bob.sees("@Bob (White) to move")
    await build(bob, "a5")
    for mover, name, move in (
        (alice, "@Alice (Blue)", "b1"),
        (bob, "@Bob (White)", "b5"),
        (alice, "@Alice (Blue)", "c1"),
        (bob, "@Bob (White)", "e5"),
        (alice, "@Alice (Blue)", "e2"),
        (bob, "@Bob (White)", "d4"),
    ):
        await mover.sees(f"{name} to move")
        await mover.command("move", move=move)
    await alice.sees("@Alice (Blue) to move")
    await build(alice, "e2", "d1")

    for window in people:
        result = await window.sees("four in a row")
        await expect(result.get_by_role("heading").filter(has_text="@Alice wins: ")).to_be_in_viewport()
        await expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await window.pictures(result) == [True]
    await bob.command("leaderboard")
    ranks = (await bob.sees("Leaderboard")).get_by_role("img")
    await expect(ranks).to_have_accessible_name(re.compile("1. Alice 1611?"))
    assert await alice.complaints() == await bob.complaints() == []


@pytest.mark.slow
async def test_a_move_can_be_typed_and_a_wrong_one_is_explained_to_the_mover_only(people: People) -> None:
    alice, bob = people
    await start(alice, bob)

    await alice.command("move", {"move": "a9"})
    await expect(await alice.sees("a9")).to_contain_text("Only you can see this")
    await alice.press("Play")
    await alice.press("Type")
    await alice.fill_in(Move="c3")

    await bob.sees("@Bob (White) to move")
    assert not any("a9" in text for text in await bob.texts())
