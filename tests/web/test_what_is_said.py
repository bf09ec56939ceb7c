"""A match as it is heard: every text of a live region is in words, is said once, and is true."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Route, expect

from tests.web.board_window import BoardWindow
from tests.web.listening import check_spoken, spoken
from tests.web.running import Running
from tests.web.test_beside_the_board import resign

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


@pytest.mark.slow
async def test_moves_offers_and_the_end_are_said_with_names(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.tap("c3")
    await alice.has_moves("1 Blue: c3")
    await run.play_on(match, 2)
    await expect(alice.moves).to_have_count(2)
    await alice.ready()
    await resign(run, match, 1)
    await expect(alice.page.locator(".status.over")).to_be_visible()
    await alice.ready()

    said = await spoken(alice.page)

    check_spoken(said)
    assert "It's your turn." in said[0]
    assert "Last move: Alice" in said[1]
    assert "Last move: Bob" in said[2]
    assert "It's your turn." in said[2]
    assert "Alice wins by resignation." in said[3]
    assert len(said) == 4


@pytest.mark.slow
async def test_a_refusal_that_names_a_person_is_said_with_their_name(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.page.route(
        "**/api/match/*/resign",
        lambda route: route.fulfill(json={"came": "refused", "words": f"To move: <@{run.people[1].id}>."}),
    )
    await alice.press("Resign")
    await alice.press("Yes, resign")

    await expect(alice.page.get_by_role("alert")).to_have_text("To move: Bob.")
    check_spoken(await spoken(alice.page))


@pytest.mark.slow
async def test_how_far_a_review_is_is_said_once_while_it_shows_the_moments_found_so_far(
    run: Running, browser: Browser
) -> None:
    match = await run.match("yonmoque")
    await run.play_on(match, 4)
    await resign(run, match, 0)
    alice = await BoardWindow.open(browser, run, 0, match)
    judged = 0

    async def under_way(route: Route) -> None:
        nonlocal judged
        answer, judged = await route.fetch(), judged + 1
        found = await answer.json()
        if judged <= 3:
            moments = [{"number": 3, "text": "Move 3 turned it."}] if judged > 1 else []
            said = f"Reviewing: {judged} of 5 positions"
            begun = {"done": False, "judged": judged, "positions": 5, "said": said, "moments": moments, "glyphs": {}}
            found["review"] = begun
        await route.fulfill(response=answer, json=found)

    await alice.page.route("**/api/match/*/review*", under_way)
    await alice.press("Review")

    review = alice.page.locator(".review")
    await expect(review).to_contain_text("Move 3 turned it.")
    await expect(review.locator("progress")).to_have_count(1)
    await expect(review).to_contain_text("3 of 5 positions")
    await expect(review.get_by_role("img")).to_have_js_property("complete", value=True)
    await alice.ready()
    said = await spoken(alice.page)
    check_spoken(said)
    assert len([text for text in said if "of 5 positions" in text]) == 1
