"""A person who has never seen the game plays a whole one on a phone, from the README's command to a result, and shows
it to others."""

from __future__ import annotations

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


async def test_a_newcomer_plays_a_whole_game_reads_why_it_ended_and_shares_it(browser: Browser, tmp_path: Path) -> None:
    # A script presses fast.
    async with demo_process(tmp_path, command=UNLIMITED) as (_, url):
        newcomer = await FirstGame.open(browser, url)
        await newcomer.play(GAMES["yonmoque"])

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
        assert newcomer.first_move <= 2, "clicks"
        assert await newcomer.window.complaints() == []
