"""Texts of games and names of people that would be markup or script elsewhere: in a real browser they are text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from bot.games import GAMES
from bot.games.guides import Page as GuidePage
from bot.web import building
from tests.web.board_window import BoardWindow
from tests.web.running import Running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(240),
]

HOSTILE = (
    '{}<script>window.ran=1</script><img src=x onerror=window.ran=1>" onfocus=window.ran=1 autofocus x="\'`'
    '[go](javascript:window.ran=1) [go](https://a.example/"onclick=window.ran=1)'
)
"""A text for anything, whose name stands before it."""
NAME = "<img src=x onerror=window.ran=1>"
"""As long as names may be."""


@pytest.fixture
def hostile_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Yonmoque say such things wherever a game says anything."""
    game = type(GAMES["yonmoque"])
    position: Any = type(GAMES["yonmoque"].start(players=2))
    steps = position.steps

    def hostile_steps(self: Any, prefix: Sequence[str] = ()) -> Sequence[Any]:
        return [
            replace(step, label=HOSTILE.format("label "), short=HOSTILE.format("short "))
            for step in steps(self, prefix)
        ]

    def hostile_pages(*_: object) -> tuple[GuidePage, ...]:
        return (GuidePage(HOSTILE.format("guide "), HOSTILE.format("chapter "), ()),)

    variants = [replace(variant, name=HOSTILE.format("variant ")) for variant in game.variants]
    monkeypatch.setattr(game, "name", HOSTILE.format("name "))
    monkeypatch.setattr(game, "summary", HOSTILE.format("summary "))
    monkeypatch.setattr(game, "seat_names", (HOSTILE.format("seat "), "White"))
    monkeypatch.setattr(game, "variants", tuple(variants))
    monkeypatch.setattr(game, "move_in_words", lambda *_: HOSTILE.format("does "))
    monkeypatch.setattr(position, "steps", hostile_steps)
    monkeypatch.setattr(position, "prompt", lambda *_: HOSTILE.format("prompt "))
    monkeypatch.setattr(building, "guide_pages", hostile_pages)


async def test_texts_of_a_game_and_names_are_shown_and_never_run(
    run: Running, browser: Browser, hostile_game: None
) -> None:
    run.place.people[1].global_name = NAME
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    bob = await BoardWindow.open(browser, run, 1, match)

    await alice.tap("a1")
    await bob.tap("a5")
    await alice.has_moves(f"1 {HOSTILE.format('seat ')}: a1", "2 White: a5")
    await alice.page.get_by_role("button", name="Rules").click()
    await expect(alice.page.get_by_role("dialog")).to_contain_text(HOSTILE.format("guide "))

    for window in (alice, bob):
        await expect(window.page.locator("h1")).to_contain_text(HOSTILE.format("name "))
        await expect(window.page.get_by_text(NAME).first).to_be_attached()
        await nothing_ran(window.page)
        assert window.complaints() == []


async def nothing_ran(page: Page) -> None:
    """Fail where a text has become an element, or has run."""
    assert await page.evaluate("window.ran") is None
    assert await page.locator("script").count() == 1, "the page's own"
    assert await page.locator("img[src='x'], [onerror], [onfocus], [onclick], a[href^='javascript']").count() == 0
