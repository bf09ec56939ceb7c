"""Two people, each in a window of a real browser, play on the demo page as they would in Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.demo.test_command import demo_process
from tests.demo.window import PHONE, Window, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

People = tuple[Window, Window]


@pytest_asyncio.fixture
async def people(tmp_path: Path) -> AsyncIterator[People]:
    """Alice at a desktop and Bob with a phone, on the page of the real command; a last picture of both is kept."""
    place = tmp_path / "demo"
    place.mkdir()
    async with chromium() as browser, demo_process(place) as (_, url):
        alice, bob = await Window.open(browser, url), await Window.open(browser, url, "Bob", PHONE)
        yield alice, bob
        await alice.screenshot(tmp_path / "alice.png")
        await bob.screenshot(tmp_path / "bob.png")


async def start(alice: Window, bob: Window) -> None:
    """Have Alice challenge Bob to Yonmoque, in which she begins, and Bob accept."""
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I begin")
    await bob.press("Accept", await bob.sees("@Alice challenges @Bob"))
    await alice.sees("@Alice (Blue) to move")


async def build(window: Window, *choices: str, move: str) -> None:
    """Play a move with the builder, by the labels of its choices."""
    await window.press("Play")
    for choice in choices:
        await window.choose(choice)
    await window.press(f"Play {move}")
    await window.sees(f"You played {move}.")


async def test_two_people_play_a_whole_game(people: People) -> None:
    alice, bob = people
    await start(alice, bob)

    await build(alice, "Put on a1", move="a1")
    await bob.sees("@Bob (White) to move")
    await build(bob, "Put on a5", move="a5")
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
    await build(alice, "Move e2", "to d1", move="e2-d1")

    for window in people:
        result = await window.sees("four in a row")
        await expect(result).to_contain_text("@Alice wins")
        await expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await window.pictures(result) == [True]
    await bob.command("leaderboard")
    await expect(await bob.sees("Leaderboard")).to_contain_text("@Alice · 1611? · 1 won")
    assert await alice.complaints() == await bob.complaints() == []


async def test_a_menu_stays_open_while_others_write(people: People) -> None:
    alice, bob = people
    await start(alice, bob)
    await alice.press("Play")
    await alice.open_menu()

    await bob.say("Take your time.")
    await alice.sees("Take your time.")

    await alice.choose_in_open_menu("Put on c3")
    await alice.press("Play c3")
    await bob.sees("@Bob (White) to move")


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


async def test_a_bystander_is_told_kindly_that_it_is_not_their_match(people: People) -> None:
    alice, carol = people
    await carol.become("Carol")
    await alice.command("challenge", game="Yonmoque", opponent="Bob", first="I begin")
    await carol.sees("@Alice challenges @Bob")

    await carol.press("Accept")

    await expect(carol.last).to_contain_text("Only you can see this")
    await alice.become("Bob")
    await alice.press("Accept")
    await carol.sees("@Alice (Blue) to move")


async def test_the_page_fits_a_phone_and_shows_what_answers_its_owner(people: People) -> None:
    _, bob = people
    await bob.command("rules", game="Yonmoque")

    answer = await bob.sees("used /rules")

    await expect(answer.get_by_role("button", name="Next")).to_be_in_viewport()
    page, screen = await bob.page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert page <= screen
