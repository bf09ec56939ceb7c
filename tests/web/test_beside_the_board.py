"""What the messages' buttons offer is on the page, too: hints, answers to offers, rematches, reviews, next matches."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from playwright.async_api import Browser, expect

from bot.matches.services.computer_players import ComputerPlayers
from bot.storage import matches
from bot.storage.computer_turns import ComputerTurn
from bot.storage.records import OfferKind
from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def resign(run: Running, match: int, person: int) -> None:
    """Resign for a person, as in Discord."""
    await run.services.forfeits.resign(run.actor(run.people[person]), match, None)


@pytest.mark.slow
async def test_a_hint_takes_the_place_of_a_choice_that_is_made_and_can_be_played(
    run: Running, browser: Browser
) -> None:
    alice = await BoardWindow.open(browser, run, 0, await run.computer_match("rectangles"))
    prompt = alice.turn.locator(".prompt")
    await alice.tap("c1")
    await expect(prompt).to_contain_text("c1")

    await alice.press("Hint")

    await expect(alice.page.locator(".problem.good")).to_contain_text("Best: ")
    await expect(alice.page.get_by_role("button", name="Play it")).to_be_visible()
    assert "Which" not in await alice.turn.inner_text()
    assert "Which" not in (await prompt.text_content() or "")
    await expect(alice.board.locator(".may")).to_have_count(0)
    await alice.press("Undo")
    await expect(alice.page.locator(".problem")).to_have_text("")
    await expect(alice.page.get_by_role("button", name="Play it")).to_have_count(0)
    await expect(prompt).to_be_visible()
    await alice.press("Hint")
    await alice.press("Play it")
    await expect(alice.moves.first).to_be_visible()
    assert alice.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["Accept", "Play on"])
async def test_the_computer_s_offer_to_resign_is_answered(run: Running, browser: Browser, answer: str) -> None:
    match = await run.computer_match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    context = run.services
    async with context.database.write() as tx:
        await matches.add_offer(tx, match, OfferKind.RESIGN, 1, 0, context.clock())
    offer = alice.page.locator(".offer")
    await expect(offer).to_contain_text("sees no chance to win any more, and offers to resign.")

    await alice.press(answer)

    await expect(offer).to_have_count(0)
    await expect(alice.page.locator(".status.over")).to_have_count(1 if answer == "Accept" else 0)
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_rematch_is_offered_accepted_and_opened(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    bob = await BoardWindow.open(browser, run, 1, match)
    await resign(run, match, 0)

    await alice.press("Rematch")
    await expect(alice.page.locator(".problem.good")).to_have_text(
        "Rematch offered. It starts as soon as it's accepted."
    )
    await bob.press("Rematch")

    for one in (bob, alice):  # who asked for it is led there, too
        await expect(one.page.locator("h1")).to_have_text("Yonmoque · match 2")
        assert one.page.url.endswith("/match/2")
    assert alice.complaints() == bob.complaints() == []


@pytest.mark.slow
async def test_a_finished_match_is_shared_from_its_board(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    await run.play_on(match, 4)
    alice = await BoardWindow.open(browser, run, 0, match)
    await expect(alice.page.get_by_role("button", name="Share")).to_have_count(0)
    await resign(run, match, 0)

    yes = alice.page.get_by_role("dialog").get_by_role("button", name="Share")
    await alice.press("Share")
    await expect(alice.page.locator(".problem")).to_be_empty()
    await yes.click()
    await expect(alice.page.locator(".problem.good")).to_contain_text("Shared in #")
    await alice.press("Share")
    await yes.click()

    await expect(alice.page.locator(".problem:not(.good)")).to_have_text("You've shared that already.")
    assert alice.complaints() == []


@pytest.mark.slow
async def test_the_next_match_that_waits_is_one_press_away(run: Running, browser: Browser) -> None:
    first, second = await run.computer_match("gyges"), await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, first)
    following = alice.page.get_by_role("link", name="Next: Redo")

    await alice.press("Hint")
    await expect(alice.page.get_by_role("button", name="Undo")).to_be_visible()
    await expect(following).to_have_count(0)  # a half-built move is not left by a slip
    await alice.press("Undo")
    await following.click()

    await expect(alice.page.locator("h1")).to_have_text(f"Redo · match {second}")
    await alice.ready()
    await expect(alice.page.get_by_text("It's your turn.", exact=True)).to_be_visible()


@pytest.mark.slow
async def test_a_finished_match_is_reviewed_and_stepped_through(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    await run.play_on(match, 4)
    alice = await BoardWindow.open(browser, run, 0, match)
    await expect(alice.page.get_by_role("button", name="Review")).to_have_count(0)
    await resign(run, match, 0)
    await alice.has_moves("5 Blue: resignation")

    await alice.press("Review")

    review = alice.page.locator(".review")
    await expect(review).to_contain_text("Alice (Blue)")
    await expect(review.get_by_role("img")).to_have_js_property("complete", value=True)
    await alice.page.get_by_role("button", name="To the beginning").click()
    await expect(alice.page.locator(".said")).to_contain_text("Start")
    await alice.page.get_by_role("button", name="Next move").click()
    await expect(alice.page.locator(".said")).to_contain_text("Move 1 of 5")
    await expect(alice.page.locator(".said")).to_contain_text("chance to win")
    await alice.press("Best move")
    await expect(alice.page.locator(".said")).to_contain_text("Best: ")
    chart, line = review.locator(".chart"), review.locator(".now")
    picture = await chart.bounding_box()
    assert picture is not None
    places = []
    for share, move in ((0.5, None), (0.01, "Start"), (0.99, "Move 5 of 5")):
        await chart.click(position={"x": picture["width"] * share, "y": picture["height"] / 2})
        await expect(alice.page.locator(".said")).to_contain_text(move or "Move ")
        box = await line.bounding_box()
        assert box is not None
        places.append(box["x"])
    middle, begin, end = places
    assert begin < middle < end
    assert middle == pytest.approx(picture["x"] + picture["width"] / 2, abs=picture["width"] / 8)
    slider = review.get_by_role("slider", name="Blue's chance to win")
    await slider.focus()
    first = int(await slider.get_attribute("aria-valuemin") or 0)
    for key, number in (("Home", first), ("ArrowRight", first + 1), ("ArrowUp", first + 2), ("ArrowLeft", first + 1)):
        await slider.press(key)
        await expect(slider).to_have_attribute("aria-valuenow", str(number))
        place = f"Move {number} of 5" if number else "Start"
        await expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{place} · "))
        await expect(alice.page.locator(".said")).to_contain_text(place)
        await expect(slider).to_be_focused()
    await slider.press("End")
    await expect(slider).to_have_attribute("aria-valuenow", "5")
    told = re.compile(r"^Move 5 of 5 · Blue: resignation\S* · Blue's chance to win: \d+%\.$")
    await expect(slider).to_have_attribute("aria-valuetext", told)
    await alice.assert_accessible()
    assert alice.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gyges", "redtangle"])
async def test_two_players_have_a_column_of_moves_each_and_set_ups_are_no_code(
    run: Running, browser: Browser, game: str
) -> None:
    match = await run.match(game)
    await run.play_on(match, 5)
    alice = await BoardWindow.open(browser, run, 0, match)
    shown = alice.moves.locator("button")
    await expect(shown).to_have_count(5)
    texts = await shown.all_text_contents()
    assert [text.endswith(": set-up") for text in texts] == [True, True, False, False, False]
    boxes = [await shown.nth(at).bounding_box() for at in range(5)]
    columns, rows = ([round(box[side]) for box in boxes if box] for side in ("x", "y"))
    first, second = columns[0], columns[1]
    assert columns == [first, second, first, second, first]
    assert first < second
    assert rows[0] == rows[1] < rows[2] == rows[3] < rows[4]
    await expect(alice.page.locator('.list [aria-current="step"]')).to_have_text(texts[4], use_inner_text=False)
    await shown.nth(2).click()
    await expect(alice.page.locator('.list [aria-current="step"]')).to_have_text(texts[2], use_inner_text=False)
    assert alice.complaints() == []


@pytest.mark.slow
async def test_a_board_in_letters_can_be_played_and_changed_into_a_picture(run: Running, browser: Browser) -> None:
    await run.services.personal_settings.prefer(run.people[0].id, lambda one: replace(one, text_boards=True))
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    await expect(alice.page.locator(".letters")).to_contain_text("a b c d e")
    await expect(alice.board).to_be_hidden()
    await alice.page.locator(".choices").get_by_role("button", name="Place on c3").click()
    await alice.has_moves("1 Blue: c3")

    await alice.press("As a picture")

    await expect(alice.board).to_be_visible()
    await expect(alice.board.locator(".picture").last).to_have_js_property("complete", value=True)
    await expect(alice.square("c3")).to_have_accessible_name("c3, split square, blue disc, last move")
    await alice.press("As text")
    await expect(alice.page.locator(".letters")).to_be_visible()
    assert alice.complaints() == []


async def test_it_is_said_that_the_bot_thinks_once_that_takes_some_time(
    run: Running, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, play = asyncio.Event(), ComputerPlayers.play

    async def play_late(players: ComputerPlayers, due: ComputerTurn) -> None:
        await ended.wait()
        await play(players, due)

    monkeypatch.setattr(ComputerPlayers, "play", play_late)
    match = await run.computer_match("yonmoque")
    await run.play_on(match, 1)
    alice = await BoardWindow.open(browser, run, 0, match)
    thinking = alice.page.locator(".thinking")
    await expect(thinking).to_be_hidden()
    await expect(thinking).to_be_visible()
    await expect(thinking).to_have_text("Tavoliere is thinking: 2 seconds at most, longer if others wait, too.")
    ended.set()
    await expect(thinking).to_be_hidden()
    assert alice.complaints() == []


async def test_a_pause_is_offered_accepted_and_ended(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice, bob = [await BoardWindow.open(browser, run, person, match) for person in (0, 1)]
    good, asked = alice.page.locator(".problem.good"), alice.page.get_by_role("dialog")

    await alice.press("Pause")
    await expect(asked).to_contain_text(f"In a pause the clock of Yonmoque · match {match} stands")
    await alice.assert_accessible()
    await asked.get_by_role("button", name="Cancel").click()
    await expect(asked).to_have_count(0)
    await expect(bob.page.locator(".offer")).to_have_count(0)
    await alice.press("Pause")
    await asked.get_by_role("button", name="7 days").click()
    await expect(good).to_have_text("You have offered a pause.")
    await expect(bob.page.locator(".offer")).to_contain_text("Your opponent offers a pause")
    await bob.press("Accept")
    await expect(alice.page.locator(".status")).to_contain_text("Paused until")
    await alice.press("End the pause")
    await expect(good).to_have_text("The pause is over. The clock goes on.")

    await expect(bob.page.locator(".status")).not_to_contain_text("Paused until")
    await expect(bob.page.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
    assert alice.complaints() == bob.complaints() == []
