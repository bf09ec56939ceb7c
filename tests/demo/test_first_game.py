"""A person who has never seen any of the games plays a whole one on a phone, from the README's command to a
result, and shows it to others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.games import GAMES
from tests.demo.first_game import FirstGame
from tests.demo.process import UNLIMITED, demo_process

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
    pytest.mark.slow,
]

OWN = [key for key, game in GAMES.items() if type(game).__module__.startswith("bot.games.")]
"""The games that the demo has where no package brings others."""
CLICKS = {"redtangle": 3}
"""Clicks to the first move, where it takes more than two: a piece that was dragged may turn as well."""


@pytest.mark.parametrize("key", OWN)
async def test_a_newcomer_plays_a_whole_game_reads_why_it_ended_and_shares_it(
    browser: Browser, tmp_path: Path, key: str
) -> None:
    began = time.perf_counter()
    async with demo_process(tmp_path, command=UNLIMITED) as (
        _,
        url,
    ):  # a script presses fast
        newcomer = await FirstGame.open(browser, url, began)
        await newcomer.play(GAMES[key])

        await newcomer.window.screenshot(tmp_path / "end.png")
        last = newcomer.window.last
        await expect(last.get_by_role("heading").filter(has_text=" wins: ")).to_be_in_viewport()
        assert await newcomer.end()
        await expect(last.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await newcomer.window.pictures(last) == [True]

        shared = await newcomer.share()
        await expect(shared).to_contain_text("Alice shares a match of")
        await expect(shared.get_by_role("button", name="Play this game")).to_be_in_viewport()
        assert await newcomer.window.pictures(shared) == [True]
        assert newcomer.window.page.url.startswith(url)
        assert newcomer.first_move[0] <= CLICKS.get(key, 2)
        assert await newcomer.window.complaints() == []
