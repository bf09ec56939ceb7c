"""A person who uses the keyboard or a screen reader finds their way, keeps the focus, and hears what is new."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Route, expect

from tests.demo.browser_window import PHONE, Window, open_page
from tests.demo.conftest import Given

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WIDE = (1440, 900)


@pytest.mark.slow
async def test_a_screen_reader_finds_its_way(browser: Browser, demo: Given) -> None:
    page = await open_page(browser, f"{demo.url}#left=alice&right=bob", WIDE)
    alice = Window(page, "Alice")
    await alice.ready()
    await alice.command("count")

    await expect(page.get_by_role("main")).to_be_attached()
    for side in ("Alice's side", "Bob's side"):
        region = page.get_by_role("region", name=side)
        await expect(region.get_by_role("navigation", name="Channels")).to_be_visible()
        await expect(region.get_by_role("log", name="Messages")).to_have_attribute("aria-live", "polite")
        await expect(region.get_by_role("textbox").or_(region.get_by_role("combobox")).first).to_have_accessible_name(
            "Message #games, or / for commands"
        )
    await expect(alice.last.get_by_role("article", name="Message from Tavoliere")).to_be_attached()
    await expect(alice.last.get_by_role("button", name="Count")).to_be_visible()


@pytest.mark.slow
async def test_a_menu_stays_open_while_others_write_and_is_used_by_keyboard(browser: Browser, demo: Given) -> None:
    alice, bob = [await Window.open(browser, demo.url, name) for name in ("Alice", "Bob")]
    await alice.command("choose")
    await expect(alice.last.get_by_role("link", name="Elsewhere ↗", exact=True)).to_be_attached()
    await alice.open_menu()

    await bob.say("Take your time.")
    await alice.sees("Take your time.")
    await expect(alice.pane.get_by_role("listbox", name="Which one?")).to_be_focused()
    await alice.page.keyboard.press("t")
    await alice.page.keyboard.press("Enter")

    await alice.sees("You chose two.")


@pytest.mark.slow
async def test_a_pressed_button_keeps_the_focus_though_its_message_changes_and_the_connection_breaks(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    await alice.command("count")
    await alice.sees("0 presses")
    count = alice.last.get_by_role("button", name="Count")
    await count.focus()

    await alice.page.keyboard.press("Enter")

    await alice.sees("1 presses")
    await expect(count).to_be_focused()
    await alice.last.evaluate("message => { message.dataset.old = ''; }")
    await demo.hang_up()
    await expect(alice.timeline.locator("[data-old]")).to_have_count(0)
    await expect(count).to_be_focused()
    # A button that is used up gives the focus to no other.
    demo.bot.disabled = True
    await alice.page.keyboard.press("Enter")
    await alice.sees("2 presses")
    await expect(alice.last).to_be_focused()


@pytest.mark.slow
async def test_a_message_that_loses_its_controls_keeps_the_focus(browser: Browser, demo: Given) -> None:
    alice = await Window.open(browser, demo.url)
    for text in ("It begins.", "It goes on."):
        demo.bot.announce(text)
        await alice.sees(text)
    backend, channel = demo.server.backend, demo.server.guild.channel_ids[0]
    message = max(backend.messages[channel])
    press = {"type": 2, "style": 1, "label": "Count", "custom_id": "count"}
    backend.edit_message(channel, message, {"components": [{"type": 1, "components": [press]}]})
    await alice.last.get_by_role("button", name="Count").focus()

    backend.edit_message(channel, message, {"components": [], "content": "It is over."})

    await alice.sees("It is over.")
    await expect(alice.last).to_be_focused()


@pytest.mark.slow
async def test_the_focus_stays_in_the_channels_or_among_the_messages_wherever_one_goes(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    chat = alice.pane.locator(".channels button").filter(has_text="chat")
    await chat.focus()
    await alice.page.keyboard.press("Enter")
    await expect(alice.pane.locator("h1")).to_have_text("# chat")
    await expect(chat).to_be_focused()

    demo.fill(1)

    await expect(alice.pane.locator(".channels .unread")).to_have_text("#games (unread)")
    await expect(chat).to_be_focused()
    await alice.enter("games")
    await alice.say(f"Over there: <#{demo.server.guild.channel_ids[1]}>")
    await alice.last.get_by_role("button", name="#chat").focus()
    await alice.page.keyboard.press("Enter")
    await expect(alice.pane.locator("h1")).to_have_text("# chat")
    await expect(alice.timeline).to_be_focused()


@pytest.mark.slow
async def test_the_channels_of_a_phone_take_the_focus_and_give_it_back(browser: Browser, demo: Given) -> None:
    alice = await Window.open(browser, demo.url, size=PHONE)
    drawer = alice.pane.locator(".drawer")
    await drawer.focus()
    await alice.page.keyboard.press("Enter")
    await expect(alice.pane.locator(".channels button").filter(has_text="games")).to_be_focused()
    await alice.page.keyboard.press("Escape")
    await expect(drawer).to_be_focused()


@pytest.mark.slow
async def test_only_what_is_new_is_read_aloud(browser: Browser, demo: Given) -> None:
    demo.fill(80)
    alice = await Window.open(browser, demo.url)
    await alice.timeline.evaluate(
        "log => { const live = window.live = new Set(), added = change => change.addedNodes.length > 0;"
        " new MutationObserver(all => all.some(added) && live.add(log.getAttribute('aria-live')))"
        ".observe(log.querySelector('.messages'), { childList: true }); }"
    )
    for name in ("chat", "games"):
        await alice.pane.locator(".channels button").filter(has_text=name).click()
        await expect(alice.pane.locator("h1")).to_have_text(f"# {name}")
        await expect(alice.pane.locator(".timeline:not([aria-busy])")).to_be_attached()
    await alice.sees("Word 79")
    assert await alice.page.evaluate("() => [...window.live]") == ["off"]
    await expect(alice.timeline).to_have_attribute("aria-live", "polite")
    demo.bot.announce("News.")
    await alice.sees("News.")
    assert await alice.page.evaluate("() => [...window.live]") == ["off", "polite"]


@pytest.mark.slow
async def test_a_channel_is_busy_until_its_messages_take_the_place_of_those_before(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    asked_for = asyncio.Event()

    async def later(route: Route) -> None:
        await asked_for.wait()
        await route.continue_()

    await alice.page.route("**/messages?*", later)
    await alice.pane.locator(".channels button").filter(has_text="chat").click()
    await expect(alice.pane.locator("h1")).to_have_text("# chat")
    await alice.sees("Word 2")
    await expect(alice.timeline).to_have_attribute("aria-busy", "true")

    asked_for.set()

    await expect(alice.pane.locator(".timeline:not([aria-busy])")).to_be_attached()
    await expect(alice.messages.filter(has_text="Word")).to_have_count(0)


@pytest.mark.slow
async def test_the_controls_of_the_newest_message_are_eight_tabs_away_however_many_there_are(
    browser: Browser, demo: Given
) -> None:
    demo.fill(60)
    alice = await Window.open(browser, demo.url)
    for _ in range(3):
        await alice.command("count")
    await alice.page.reload()
    await alice.ready()
    press = "document.activeElement.dataset.control"
    tabs = 0
    while await alice.page.evaluate(press) != "count":
        await alice.page.keyboard.press("Tab")
        tabs += 1
        assert tabs <= 8
    await alice.page.reload()
    await alice.ready()
    await alice.page.keyboard.press("Tab")
    await expect(alice.page.get_by_role("button", name="Skip to the newest message")).to_be_focused()
    await alice.page.keyboard.press("Enter")
    await expect(alice.last).to_be_focused()
    await alice.page.keyboard.press("ArrowUp")
    await expect(alice.messages.nth(-2)).to_be_focused()
    await alice.page.keyboard.press("Tab")
    await expect(alice.messages.nth(-2).get_by_role("button", name="Count")).to_be_focused()
