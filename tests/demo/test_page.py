"""What people who use Discord expect of the page: it follows, it keeps, it can be used by keyboard, and nothing that
anybody types becomes more than text.
"""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.demo.browser_window import DESKTOP, PHONE, Window, open_page
from tests.demo.conftest import Given

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WIDE = (1440, 900)
SMALL = (320, 640)
LARGE = [DESKTOP, (3840, 2160)]


async def both(browser: Browser, url: str) -> tuple[Page, Window, Window]:
    """Open the page with two people on a wide screen."""
    page = await open_page(browser, f"{url}#left=alice&right=bob", WIDE)
    alice, bob = Window(page, "Alice"), Window(page, "Bob")
    await alice.ready()
    await bob.ready()
    return page, alice, bob


async def unclipped(field: Locator) -> bool:
    return bool(await field.evaluate("field => field.scrollWidth <= field.clientWidth + 1"))


@pytest.mark.slow
async def test_two_people_are_side_by_side_each_with_answers_of_their_own(browser: Browser, demo: Given) -> None:
    _, alice, bob = await both(browser, demo.url)

    await alice.command("think")
    await bob.say("Hello")

    await expect(await alice.sees("Thinking about it.")).to_contain_text("Only you can see this")
    await alice.sees("Hello")
    await bob.sees("Hello")
    assert not any("Thinking" in text for text in await bob.texts())
    await alice.press("Dismiss message")
    await expect(alice.message("Thinking about it.")).to_have_count(0)


@pytest.mark.slow
async def test_the_topic_of_a_channel_is_in_the_language_of_the_page(browser: Browser, demo: Given) -> None:
    page = await open_page(browser, f"{demo.url}?lang=de#left=alice")
    alice = Window(page, "Alice")
    await alice.ready()
    await expect(alice.pane.locator(".topic")).to_be_empty()
    await alice.pane.locator(".channels button").filter(has_text="chat").click()
    await expect(alice.pane.locator(".topic")).to_have_text("Für alles andere")
    await expect(alice.timeline).to_contain_text("Für alles andere")


@pytest.mark.slow
async def test_the_page_stays_at_the_newest_message_and_elsewhere_offers_to_jump_to_it_but_shows_answers(
    browser: Browser, demo: Given
) -> None:
    demo.fill(80)
    alice = await Window.open(browser, demo.url)
    jump = alice.pane.locator(".jump")
    demo.bot.announce("A first board.")
    await expect(await alice.sees("A first board.")).to_be_in_viewport()

    await alice.timeline.evaluate("timeline => { timeline.scrollTop -= 1500; }")
    await expect(jump).to_be_visible()
    demo.bot.announce("A second board.")
    second = await alice.sees("A second board.")
    await expect(second).not_to_be_in_viewport()
    await alice.pane.get_by_role("button", name="New messages: 1 ↓").click()
    await expect(second).to_be_in_viewport()
    await expect(jump).to_be_hidden()

    await alice.timeline.evaluate("timeline => { timeline.scrollTop -= 1500; }")
    await expect(jump).to_be_visible()
    await alice.command("long")
    answer = await alice.sees("Line 39")
    await expect(answer.get_by_role("button", name="Count")).to_be_in_viewport()


async def test_a_command_is_typed_and_sent_by_keyboard_alone(browser: Browser, demo: Given) -> None:
    alice = await Window.open(browser, demo.url)
    keyboard, entry = alice.page.keyboard, alice.entry
    await entry.focus()
    await keyboard.type("/rep")
    await keyboard.press("Tab")
    field = alice.composer.locator('textarea[data-option="words"]')
    await expect(field).to_be_focused()
    await expect(alice.composer.locator(".suggestions .label")).to_have_text(["b5-d3", "b5-c4"])
    await keyboard.press("Escape")
    await expect(entry).to_be_focused()
    await keyboard.type("/repeat ")
    await expect(alice.composer.locator(".suggestions .label")).to_have_count(2)
    await keyboard.press("ArrowDown")
    await keyboard.press("Tab")
    await expect(field).to_have_value("b5-c4")
    await keyboard.press("Enter")

    await expect(await alice.sees("b5-c4")).to_contain_text("Alice used /repeat")
    await expect(entry).to_be_focused()


@pytest.mark.slow
async def test_what_is_typed_into_a_command_is_never_clipped_and_what_it_lacks_is_said(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    field = alice.composer.locator('textarea[data-option="words"]')
    for value in ("b5-d3", "W" * 40, " ".join(["a long value"] * 20)):
        await alice.entry.click()
        await alice.page.keyboard.type("/repeat ")
        await field.fill(value)
        assert await unclipped(field)
        assert await field.evaluate("field => field.scrollHeight <= field.clientHeight + 1")
        await alice.page.keyboard.press("Enter")
        await alice.sees(value)
    await alice.entry.click()
    await alice.page.keyboard.type("/repeat ")
    await field.fill("   ")
    await alice.pane.get_by_role("button", name="Send").click()
    await expect(alice.composer.get_by_role("alert")).to_have_text("Please fill in words.")
    await expect(field).to_be_focused()


@pytest.mark.slow
async def test_a_reload_and_the_back_button_keep_who_and_where(browser: Browser, demo: Given) -> None:
    demo.fill(80)
    page, _, bob = await both(browser, demo.url)
    await bob.pane.locator(".channels button").filter(has_text="chat").click()
    await expect(bob.pane.locator("h1")).to_have_text("# chat")

    await page.reload()

    await expect(bob.pane.locator("h1")).to_have_text("# chat")
    alice = Window(page, "Alice")
    await expect(await alice.sees("Word 79")).to_be_in_viewport()
    await page.go_back()
    await expect(bob.pane.locator("h1")).to_have_text("# games")
    await expect(page.locator(".pane:visible")).to_have_count(2)


@pytest.mark.slow
async def test_the_page_catches_up_after_its_connection_was_cut(browser: Browser, demo: Given) -> None:
    alice = await Window.open(browser, demo.url)
    refuse = await alice.page.context.new_cdp_session(alice.page)
    await refuse.send("Network.enable")
    await refuse.send("Network.setBlockedURLs", {"urls": ["*/live*"]})
    await demo.hang_up()
    demo.fill(5)
    await expect(alice.pane.locator(".state")).to_be_visible()
    await refuse.send("Network.setBlockedURLs", {"urls": []})

    await expect(alice.pane.locator(".state")).to_be_hidden()
    await expect(await alice.sees("Word 4")).to_be_in_viewport()
    await expect(alice.messages.filter(has_text="Word 1")).to_have_count(2)


@pytest.mark.slow
async def test_a_phone_shows_one_person_and_switches_to_the_other(browser: Browser, demo: Given) -> None:
    page = await open_page(browser, demo.url, PHONE)
    alice, bob = Window(page, "Alice"), Window(page, "Bob")
    await alice.ready()
    await expect(page.locator(".pane:visible")).to_have_count(1)

    await page.locator(".people").get_by_text("Bob", exact=True).locator("..").click()
    await bob.ready()
    await bob.say("From Bob")
    await page.reload()
    await expect(await bob.sees("From Bob")).to_be_in_viewport()
    await page.get_by_role("button", name="One more person").click()

    await expect(page.locator('.pane[data-person="Dan"]')).to_be_visible()


@pytest.mark.slow
async def test_the_title_of_a_tab_nobody_looks_at_says_that_somebody_is_waited_for(
    browser: Browser, demo: Given
) -> None:
    bob = await Window.open(browser, demo.url, "Bob")
    await expect(bob.page).to_have_title("Bob · Tavoliere in a simulated Discord")
    look = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); "
    await bob.page.evaluate(look + "}", True)
    person = next(user.id for user in demo.server.backend.users.values() if user.name == "bob")

    demo.bot.announce(f"<@{person}> is to move.")

    await expect(bob.page).to_have_title("(1) Bob · Tavoliere in a simulated Discord")
    await bob.page.evaluate(look + "document.dispatchEvent(new Event('visibilitychange')); }", False)
    await expect(bob.page).to_have_title("Bob · Tavoliere in a simulated Discord")


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, PHONE, *(pytest.param(size, marks=pytest.mark.slow) for size in LARGE)])
async def test_nothing_is_wider_than_the_screen(browser: Browser, demo: Given, size: tuple[int, int]) -> None:
    page = await open_page(browser, demo.url, size)
    alice = Window(page, "Alice")
    await alice.ready()
    await alice.command("count")
    await alice.say("x" * 300)
    await alice.sees("x" * 300)

    wide, screen = await page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen
    assert await unclipped(alice.timeline)


@pytest.mark.slow
async def test_marks_that_are_escaped_show_as_they_are_and_long_lines_are_read_to_their_end(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    await alice.say(r"a1\=b2\, \*not slanted\*, and \\ is \" quoted; but C:\dir stays.")
    await expect(alice.last).to_contain_text(r"""a1=b2, *not slanted*, and \ is " quoted; but C:\dir stays.""")
    channel, person = demo.server.guild.channel_ids[0], demo.server.guild.owner_id
    demo.server.backend.create_message(channel, person, "```\n1 . + . +\n" + "+ blue square, " * 12 + "```")
    assert await unclipped((await alice.sees("1 . + . +")).locator("pre"))


ATTACKS = (
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "</script><script>alert(1)</script>",
    "**<b onmouseover=alert(1)>bold</b>**",
    "`<svg onload=alert(1)>`",
    'https://x.example/"onmouseover="alert(1)',
    "<t:99999999999999:R> <@999> <#999> </x:1>",
    "*" * 500 + "_" * 500,
    "[" * 600 + "](" * 300,
)


@pytest.mark.slow
async def test_nothing_typed_becomes_markup_or_script(browser: Browser, demo: Given) -> None:
    alice = await Window.open(browser, demo.url)
    dialogs: list[str] = []
    alice.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    person = demo.server.add_person("mallory", "<img src=x onerror=alert(2)>")
    await expect(alice.messages.first).to_be_attached()
    there = await alice.messages.count()
    for number, attack in enumerate(ATTACKS, 1):
        demo.server.backend.create_message(demo.server.guild.channel_ids[0], person.id, attack)
        await alice.command("repeat", {"words": attack})
        await expect(alice.messages.filter(has_text="used /repeat")).to_have_count(number)
    await expect(alice.messages).to_have_count(there + 2 * len(ATTACKS))
    await expect(alice.messages.filter(has_text="onerror=alert(2)").first).to_be_attached()

    found = await alice.timeline.evaluate(
        "node => [...node.querySelectorAll('*')].filter(one => one.matches('script, svg, img, [href^=\"javascript\"]')"
        " || [...one.attributes].some(attribute => attribute.name.startsWith('on'))).length"
    )
    assert found == 0
    assert dialogs == []
    assert await alice.complaints() == []


@pytest.mark.slow
async def test_ten_thousand_messages_cost_no_more_than_a_page_of_them(browser: Browser, demo: Given) -> None:
    demo.fill(10_000)
    asked: list[str] = []
    page = await browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(f"{demo.url}#left=alice")
    alice = Window(page, "Alice")
    await expect(await alice.sees("Word 9999")).to_be_in_viewport()
    assert len([url for url in asked if "/messages" in url]) == 1

    for _ in range(12):
        oldest = await alice.messages.first.inner_text()
        await alice.timeline.evaluate("timeline => { timeline.scrollTop = 0; }")
        await expect(alice.messages.first).not_to_have_text(oldest)
    await expect(alice.message("Word 9999")).to_have_count(0)
    assert await alice.messages.count() <= 200
    await alice.pane.locator(".jump").click()

    await expect(await alice.sees("Word 9999")).to_be_in_viewport()


@pytest.mark.slow
async def test_a_button_a_menu_and_a_command_about_somebody_show_that_the_bot_is_thinking(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url)
    await alice.command("count")
    await alice.sees("0 presses")
    demo.bot.pondering = True

    async def thinks(answer: str) -> None:
        await expect(alice.pane.locator(".thinking").filter(has_text="is thinking")).to_be_visible()
        demo.bot.thought.set()
        await alice.sees(answer)
        await alice.ready()

    await alice.timeline.get_by_role("button", name="Count", exact=True).last.click()
    await thinks("1 presses")
    await alice.command("choose")
    await alice.open_menu()
    await alice.pane.locator(".listbox .label").get_by_text("Two", exact=True).click()
    await thinks("You chose two.")
    await alice.timeline.get_by_role("button", name="Bob", exact=True).first.click()
    await alice.pane.locator(".listbox .label").get_by_text("Greet", exact=True).click()
    await thinks("Hello Bob")


@pytest.mark.slow
async def test_the_demo_ends_only_when_that_is_meant_and_leaves_no_control_then(browser: Browser, demo: Given) -> None:
    page, alice, _ = await both(browser, demo.url)
    ends = page.get_by_role("button", name="End", exact=True)
    await ends.click()
    await expect(page.get_by_role("alertdialog", name="End the demo?")).to_be_visible()
    await page.get_by_role("button", name="Keep playing", exact=True).click()
    await expect(ends).to_be_focused()
    await page.keyboard.press("Enter")
    for _ in range(4):
        await page.keyboard.press("Tab")
    await page.keyboard.press("Escape")

    await expect(page.get_by_role("alertdialog")).to_have_count(0)
    await expect(ends).to_be_focused()
    assert not demo.page.ended.is_set()
    await ends.click()
    await page.get_by_role("button", name="End the demo", exact=True).click()
    await expect(page.get_by_role("alertdialog", name="The demo is over")).to_be_visible()
    await expect(page.locator("button:enabled, textarea:enabled")).to_have_count(0)
    assert await alice.complaints() == []


@pytest.mark.slow
async def test_a_page_that_was_open_before_the_welcome_shows_it_from_its_beginning(
    browser: Browser, demo: Given
) -> None:
    alice = await Window.open(browser, demo.url, size=PHONE)
    demo.fill(40)
    await alice.sees("Word 39")
    shown = demo.server.backend.messages[demo.server.guild.channel_ids[0]]
    first, *_, last = (message.id for message in list(shown.values())[-36:])

    class Posted:
        messages = (first, last)

        async def speak(self, tag: str) -> None:
            """Say nothing: the messages are there."""

    await demo.page.welcome_all(Posted())
    await expect(alice.messages.filter(has_text="Word 4")).to_be_in_viewport(ratio=0.9)
    await expect(alice.last).not_to_be_in_viewport()
