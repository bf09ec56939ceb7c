"""A person's side of the demo page, in a real browser: what they type, press and see.

Knows the page's markup, so that tests need not; it knows nothing of the bot. ``CHROMIUM`` names the browsers it drives.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, async_playwright, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
DESKTOP = (1280, 900)
PHONE = (390, 844)
SOON = 60_000
"""Milliseconds after which a wait fails. A busy machine takes a small part of them."""
ANALYSED = 480_000
"""The same for the review of a short match, which computes for some fifteen seconds on a quiet machine."""

expect.set_options(timeout=SOON)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start a headless browser. Skips the test where there is none."""
    async with async_playwright() as playwright:
        found = next(filter(None, map(shutil.which, (*CHROMIUM, playwright.chromium.executable_path))), None)
        if found is None:
            pytest.skip(f"no browser to drive: none of {', '.join(CHROMIUM)} is installed")
        # Test machines are often containers, in which Chromium's own sandbox cannot be set up.
        browser = await playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


async def open_page(browser: Browser, url: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False) -> Page:
    """Open the page in a browser that remembers nothing."""
    width, height = size
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=size == PHONE,
        color_scheme="dark" if dark else "light",
        device_scale_factor=2 if size == PHONE else 1,
    )
    page = await context.new_page()
    page.set_default_timeout(SOON)
    await page.goto(url)
    return page


class Window:
    """What one person has on the page: the whole of it, or one of two sides."""

    def __init__(self, page: Page, person: str) -> None:
        self.page = page
        self.pane = page.locator(f'.pane[data-person="{person}"]:visible')
        self.timeline = self.pane.locator(".timeline")
        self.composer = self.pane.locator(".composer")
        self.entry = self.composer.locator("textarea.entry")
        self._complaints: list[str] = []
        page.on("pageerror", lambda error: self._complaints.append(str(error)))
        page.on("console", self._hear)

    @classmethod
    async def open(cls, browser: Browser, url: str, person: str = "Alice", size: tuple[int, int] = DESKTOP) -> Self:
        """Open a window with ``person`` alone."""
        window = cls(await open_page(browser, f"{url}#left={person.lower()}", size), person)
        await window.ready()
        return window

    async def ready(self) -> None:
        """Wait until the page shows messages and nothing is under way."""
        await expect(self.messages.first).to_be_attached()
        await expect(self.pane.locator("[aria-busy], .thinking")).to_have_count(0)

    def _hear(self, said: ConsoleMessage) -> None:
        # A person may be refused what they send; what the page looks up by itself, an address with a query, is there.
        refused = "409 (Conflict)" in said.text and "?" not in said.location.get("url", "")
        if said.type == "error" and not refused:
            self._complaints.append(said.text)

    @property
    def messages(self) -> Locator:
        """The messages on the page, oldest first."""
        return self.timeline.locator(".message")

    @property
    def last(self) -> Locator:
        """The newest message."""
        return self.messages.last

    def message(self, text: str) -> Locator:
        """The newest message that contains ``text``."""
        return self.messages.filter(has_text=text).last

    async def sees(self, text: str) -> Locator:
        """Wait for a message that contains ``text``; return it."""
        message = self.message(text)
        await self._told(expect(message).to_be_attached(), f"a message with {text!r}")
        return message

    async def _told(self, wait: Awaitable[None], wanted: str) -> None:
        """Wait for what is ``wanted``; where it does not come, say what the newest messages are instead."""
        try:
            await wait
        except (PlaywrightTimeout, AssertionError) as error:
            seen = "\n---\n".join((await self.texts())[-3:])
            raise AssertionError(f"{wanted} did not come; the newest messages are:\n{seen}") from error

    async def texts(self) -> list[str]:
        """Return what all messages say."""
        return await self.messages.all_inner_texts()

    async def enter(self, place: str) -> None:
        """Open the newest channel or thread whose name contains ``place``."""
        drawer = self.pane.locator(".drawer")
        if await drawer.is_visible():
            await drawer.click()
        await self.pane.locator(".channels button").filter(has_text=place).last.click()
        await expect(self.pane.locator("h1")).to_contain_text(place)
        await self.ready()

    async def command(self, name: str, typed: Mapping[str, str] | None = None, /, **options: str) -> None:
        """Send a slash command by keyboard alone: Tab completes the values of options, but not those of ``typed``."""
        await self.entry.click()
        await self.page.keyboard.type(f"/{name} ")
        await expect(self.composer.locator(".chip")).to_have_text(f"/{name}")
        for option, value in {**(typed or {}), **options}.items():
            field = await self._field(option)
            await field.fill(value)
            if option in options:
                await expect(self._suggestion(value)).to_be_visible()
                await field.press("Tab")
        await self.page.keyboard.press("Enter")
        await expect(self.composer.locator(".command")).to_be_hidden()
        await self.ready()

    async def _field(self, option: str) -> Locator:
        """Return the field of an option of the command being written, adding it where it is not required."""
        field = self.composer.locator(f'textarea[data-option="{option}"]')
        if not await field.count():
            await self.composer.locator("textarea.more").fill(option)
            await self.page.keyboard.press("Tab")
        await field.click()
        return field

    def _suggestion(self, value: str) -> Locator:
        return self.composer.locator(".suggestions .label").get_by_text(value, exact=True).first

    async def press(self, label: str, within: Locator | None = None) -> None:
        """Press the newest button so labelled, or the one ``within`` a message."""
        await self.ready()
        control = (within or self.timeline).get_by_role("button", name=label, exact=True).last
        await self._told(control.click(), f"the button {label}")
        await self.ready()

    async def open_menu(self, within: Locator | None = None) -> None:
        """Open the newest select menu, or the one ``within`` a message."""
        await self.ready()
        await (within or self.timeline).locator("button.menu").last.click()

    async def choose(self, label: str, within: Locator | None = None) -> None:
        """Open a select menu and choose from it."""
        await self.open_menu(within)
        await self._changes(self.pane.locator(".listbox .label").get_by_text(label, exact=True))

    async def tap(self, control: Locator) -> None:
        """Press a button that changes the message it is in."""
        await self._changes(control)

    async def comes_to(self, place: str) -> None:
        """Wait until the page has gone along by itself to a channel or thread whose name contains ``place``."""
        await expect(self.pane.locator("h1")).to_contain_text(place)
        await self.ready()

    async def _changes(self, choice: Locator) -> None:
        """Click what changes the message it is in, and wait until it has."""
        await choice.evaluate("choice => choice.closest('.message').dataset.old = ''")
        await choice.click()
        await expect(self.timeline.locator("[data-old]")).to_have_count(0)
        await self.ready()

    async def fill_in(self, **fields: str) -> None:
        """Fill in the form that is open, by the labels of its fields with ``_`` for a space, and submit it."""
        dialog = self.pane.get_by_role("dialog")
        await expect(dialog).to_be_visible()
        for label, text in fields.items():
            await dialog.get_by_role("textbox", name=label.replace("_", " ")).fill(text)
        await dialog.get_by_role("button", name="Submit").click()
        await expect(dialog).to_be_hidden()
        await self.ready()

    async def say(self, text: str) -> None:
        """Write into the channel."""
        await self.entry.fill(text)
        await self.page.keyboard.press("Enter")
        await expect(self.entry).to_have_value("")

    async def pictures(self, message: Locator) -> list[bool]:
        """Return for each picture of a message whether it is shown and has words that say what it shows."""
        await self.ready()
        shown: list[bool] = await message.locator("img").evaluate_all(
            "images => Promise.all(images.map(async image => {"
            " await image.decode(); return image.naturalWidth > 0 && image.alt.length > 20; }))"
        )
        return shown

    async def complaints(self) -> list[str]:
        """Return what the page found wrong, and what this person did that failed."""
        return [*self._complaints, *await self.pane.locator(".failed:visible").all_inner_texts()]

    async def screenshot(self, path: Path) -> None:
        """Take a picture of the window once everything is drawn."""
        await self.ready()
        await self.page.screenshot(path=path)
