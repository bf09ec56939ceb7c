"""Two people, each in a window of a real browser, play on the demo page as they would in Discord."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from bot.games import GAMES
from tests.demo.browser_window import Window, open_page
from tests.demo.conftest import Table
from tests.demo.moving import build
from tests.support.processes.processes import Running, command

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

People = tuple[Window, Window]


@pytest_asyncio.fixture(loop_scope="session")
async def table(browser: Browser, tmp_path: Path) -> AsyncIterator[Table]:
    """A page of the command in a process of its own, forked: ``test_command`` starts the real one."""
    place = tmp_path / "demo"
    place.mkdir()
    demo = await Running.start(command(place, "demo", "--no-browser", "--port", "0", tmpdir=place))
    try:
        yield Table(browser, (await demo.first_line()).split()[-1])
    finally:
        await demo.end(signal.SIGKILL)


@pytest_asyncio.fixture(loop_scope="session")
async def people(table: Table, tmp_path: Path) -> AsyncIterator[People]:
    """Alice at a desktop and Bob with a phone, on the page of the demo; a failure leaves a picture of both."""
    alice, bob = await table.window("Alice"), await table.window("Bob")
    yield alice, bob
    await alice.screenshot(tmp_path / "alice.png")
    await bob.screenshot(tmp_path / "bob.png")


async def start(alice: Window, bob: Window) -> None:
    """Have Alice challenge Bob to Yonmoque, in which she begins, and Bob accept."""
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I begin")
    await bob.press("Accept", await bob.sees("@Alice challenges @Bob"))
    await alice.sees("@Alice (Blue) to move")
    await bob.sees("@Alice (Blue) to move")


async def test_a_click_on_the_first_message_starts_a_match_that_both_sides_look_at(table: Table) -> None:
    page = await open_page(table.browser, table.url, (1440, 900))
    alice, bob = Window(page, "Alice"), Window(page, "Bob")
    first = await alice.sees("simulated Discord")
    assert await alice.pictures(first) == [True] * len(GAMES)

    await alice.press("Yonmoque", first)

    for side in (alice, bob):
        await expect(side.pane.locator("h1")).to_contain_text("Yonmoque · Alice – Bob")
        await expect(await side.sees("@Alice (Blue) to move")).to_be_in_viewport()


async def test_a_match_against_the_bot_is_two_clicks_away_and_it_replies(table: Table) -> None:
    alice = await Window.open(table.browser, table.url)

    await alice.open_menu(await alice.sees("simulated Discord"))
    await alice.pane.locator(".listbox .label").get_by_text("Yonmoque", exact=True).click()
    await alice.sees("@Alice (Blue) to move")
    await alice.command("move", move="c3")

    await expect(await alice.sees("Reply: Tavoliere (level 2)")).to_be_in_viewport()


@pytest.mark.slow
async def test_a_rematch_against_the_bot_leads_to_its_board(table: Table) -> None:
    alice = await Window.open(table.browser, table.url)
    await alice.open_menu(await alice.sees("simulated Discord"))
    await alice.pane.locator(".listbox .label").get_by_text("Yonmoque", exact=True).click()
    await alice.sees("@Alice (Blue) to move")
    await alice.command("match resign")
    await alice.press("Yes, resign")
    await alice.press("Rematch", await alice.sees("wins by resignation"))

    await expect(alice.pane.locator("h1")).to_contain_text("Yonmoque · Tavoliere (level 2) – Alice · #3")
    await expect(await alice.sees("@Alice (White) to move")).to_be_in_viewport()


@pytest.mark.slow
async def test_a_finished_match_is_a_click_away(table: Table) -> None:
    alice = await table.window("Alice")

    await alice.press("See a finished match")

    assert await alice.pictures(await alice.sees("@Bob wins")) == [True]


async def test_a_picture_has_its_place_before_it_is_there(table: Table) -> None:
    alice = await table.window("Alice")
    never = asyncio.Event()

    async def keep_waiting(_: Route) -> None:
        await never.wait()

    await alice.press("See a finished match")
    picture = (await alice.sees("@Bob wins")).locator("img.picture")
    assert await alice.pictures(alice.last) == [True]
    there = await picture.bounding_box()
    await alice.page.route("**/cdn/**", keep_waiting)
    await alice.page.reload(wait_until="commit")

    before = await (await alice.sees("@Bob wins")).locator("img.picture").bounding_box()

    assert there is not None
    assert before is not None
    assert (before["width"], before["height"]) == (there["width"], there["height"])
    await alice.page.unroute_all(behavior="ignoreErrors")
    never.set()


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
    await build(alice, "e2-d1")

    for window in people:
        result = await window.sees("four in a row")
        await expect(result).to_contain_text("@Alice wins")
        await expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await window.pictures(result) == [True]
    await bob.command("leaderboard")
    await expect(await bob.sees("Leaderboard")).to_contain_text("@Alice · 1611? · 1 won")
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


@pytest.mark.slow
async def test_a_bystander_is_told_kindly_that_it_is_not_their_match(table: Table) -> None:
    alice, carol = [await table.window(name) for name in ("Alice", "Carol")]
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I begin")

    await carol.press("Accept", await carol.sees("@Alice challenges @Bob"))

    await expect(carol.last).to_contain_text("Only you can see this")
    await carol.command("match resign")
    await expect(carol.last).to_contain_text("Carol used /match resign")


async def test_somebody_is_challenged_by_the_menu_on_their_name_on_a_phone(people: People) -> None:
    alice, bob = people
    await alice.say("Anybody up for a game?")
    await bob.sees("Anybody up for a game?")

    await bob.pane.get_by_role("button", name="Alice", exact=True).last.click()
    await bob.pane.locator(".listbox .label").get_by_text("Challenge", exact=True).click()
    await bob.choose("Redo", await bob.sees("lets you choose all that"))

    await bob.sees("Challenge sent")
    await alice.press("Accept", await alice.sees("@Bob challenges @Alice"))
    await alice.sees("to move")
    assert await alice.complaints() == await bob.complaints() == []


async def test_the_page_fits_a_phone_and_shows_what_answers_its_owner(people: People) -> None:
    _, bob = people
    await bob.command("rules", game="Yonmoque")

    answer = await bob.sees("used /rules")

    await expect(answer.get_by_role("button", name="Next")).to_be_in_viewport()
    page, screen = await bob.page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert page <= screen
