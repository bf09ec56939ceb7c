"""A person's window on the demo page, in a real browser: what they type, press and see.

Knows the page's markup, so that tests need not; it knows nothing of the bot. ``CHROMIUM`` names the browsers it drives.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
DESKTOP = (1280, 900)
PHONE = (390, 844)
SOON = 10_000
"""Milliseconds after which what should have happened has not."""


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


class Window:
    """One window on the page, in which one person at a time is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.timeline = page.locator("#channel-message-list")
        self.composer = page.locator("#channel-composer")

    @classmethod
    async def open(cls, browser: Browser, url: str, person: str = "Alice", size: tuple[int, int] = DESKTOP) -> Self:
        """Open a window and be ``person`` in it."""
        width, height = size
        context = await browser.new_context(
            # The page forbids what Playwright waits with.
            bypass_csp=True,
            viewport={"width": width, "height": height},
            device_scale_factor=2 if size == PHONE else 1,
        )
        window = cls(await context.new_page())
        window.page.set_default_timeout(SOON)
        await window.page.goto(url)
        await window.ready()
        await window.become(person)
        return window

    async def ready(self) -> None:
        """Wait until the page has drawn everything and nothing is under way."""
        await self.page.wait_for_function(
            "() => window.simcordPreview?.ready && !window.simcordPreview.pendingAction"
            " && window.simcordPreview.awaitingRevision === null"
        )

    async def become(self, person: str) -> None:
        """Choose who to be, in *Viewing as*."""
        chooser = self.page.get_by_label("Viewing as")
        if await chooser.locator("option:checked").inner_text() != person:
            await chooser.select_option(label=person)
            await self.page.wait_for_function(
                "(person) => document.querySelector('#viewer-picker option:checked')?.textContent === person",
                arg=person,
            )
            await self.ready()

    @property
    def messages(self) -> Locator:
        """The messages of the channel this person may see, oldest first."""
        return self.timeline.locator(".channel-message")

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
        await expect(message).to_be_attached(timeout=SOON)
        return message

    async def texts(self) -> list[str]:
        """Return what all messages say."""
        return await self.messages.all_inner_texts()

    async def command(self, name: str, typed: Mapping[str, str] | None = None, /, **options: str) -> None:
        """Run a slash command through the composer: type it, fill its options in as a person does, send it.

        The value of an option is chosen from the suggestions by its name, where there are any; ``typed`` has those
        that are typed only.
        """
        await self.ready()
        entry = self.composer.locator("#channel-composer-input")
        await entry.click()
        await entry.fill("")
        await self.page.keyboard.type(f"/{name}")
        await self.composer.locator(".command-entry").filter(has_text=f"/{name}").first.click()
        for option, value in (typed or {}).items():
            await (await self._field(option)).fill(value)
        for option, value in options.items():
            field = await self._field(option)
            await field.fill(value)
            if await field.get_attribute("role") == "combobox":
                await self.composer.locator(".command-suggestion-label").get_by_text(value, exact=True).first.click()
        await self.composer.locator("#send-message").click()
        await expect(self.composer.locator(".command-chip")).to_have_count(0, timeout=SOON)
        await self.ready()

    async def _field(self, option: str) -> Locator:
        """Return the field of an option of the command being written, adding it where it is not required."""
        field = self.composer.locator(f'.command-option-input[data-option="{option}"]')
        if not await field.count():
            await self.composer.locator(".command-ghost").click()
            await self.composer.locator(f'.command-suggestion[data-value="{option}"]').click()
        await field.click()
        return field

    async def press(self, label: str, within: Locator | None = None) -> None:
        """Press the newest button so labelled, or the one ``within`` a message."""
        await self.ready()
        await (within or self.timeline).get_by_role("button", name=label, exact=True).last.click()
        await self.ready()

    async def open_menu(self, within: Locator | None = None) -> None:
        """Open the newest select menu, or the one ``within`` a message."""
        await self.ready()
        await (within or self.timeline).locator(".select-trigger").last.click()

    async def choose_in_open_menu(self, label: str) -> None:
        """Choose from the select menu that is open."""
        option = self.page.locator(".preview-select.is-open .option-label").get_by_text(label, exact=True)
        await option.click()
        await self.ready()

    async def choose(self, label: str, within: Locator | None = None) -> None:
        """Open a select menu and choose from it."""
        await self.open_menu(within)
        await self.choose_in_open_menu(label)

    async def fill_in(self, **fields: str) -> None:
        """Fill in the modal that is open, by the labels of its fields with ``_`` for a space, and submit it."""
        dialog = self.page.locator("#modal-root")
        await expect(dialog).to_be_visible()
        for label, text in fields.items():
            await dialog.get_by_role("textbox", name=label.replace("_", " ")).fill(text)
        await dialog.get_by_role("button", name="Submit").click()
        await expect(dialog).to_be_hidden()
        await self.ready()

    async def say(self, text: str) -> None:
        """Write into the channel."""
        await self.ready()
        await self.composer.locator("#channel-composer-input").fill(text)
        await self.page.keyboard.press("Enter")
        await self.ready()

    async def pictures(self, message: Locator) -> list[bool]:
        """Return for each picture of a message whether it is shown and has words that say what it shows."""
        await self.ready()
        shown: list[bool] = await message.locator("img.gallery-image").evaluate_all(
            "images => images.map(image => image.naturalWidth > 0 && image.alt.length > 20)"
        )
        return shown

    async def complaints(self) -> list[str]:
        """Return what the page found wrong, and what this person did that it did not see done."""
        report = await self.page.evaluate("() => window.simcordPreview")
        undone = [item for item in report["activity"] if item["rejected"] or item["settlement"] != "settled"]
        return [str(item) for item in (*report["diagnostics"], *undone)]

    async def screenshot(self, path: Path) -> None:
        """Take a picture of the window once everything is drawn."""
        await self.ready()
        await self.page.screenshot(path=path)
