"""Looks for violations of accessibility on a page, by axe-core."""

from __future__ import annotations

from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page


async def assert_accessible(page: Page) -> None:
    """Fail where the screen as it is now has a violation, frames included."""
    found = await Axe().run(page)
    assert not found.violations_count, found.generate_report()
