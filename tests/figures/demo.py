"""The demo's page

The size of the demo's page (`python -m bot demo`), and how long a script in Chromium takes from the command to the
address of the page. Then a channel with 10,000 messages: the time until the newest one is on the screen, and the time
from a click to its answer on the page, in milliseconds. There the bot itself takes almost no time.

Last a first game of each kind, from the command to its end: on a phone, against level 1, by a script that knows none of
the games. It makes the first move by hand on the board that the page leads to, where a drag is one click, and then
presses by chance in the chat what can be pressed. Seconds count from the command, installing not included, and clicks
from the page on. Two clicks do not move in Redtangle, where the board asks whether a piece turns as it moves.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.async_api import Response, expect

from bot.games.game import Game
from tests.demo.browser_window import DESKTOP, Window, chromium, open_page
from tests.demo.conftest import giving
from tests.demo.first_game import FirstGame
from tests.demo.process import demo_process
from tests.figures import shipped_games, table

GAME = ("a first game", "clicks to the first move", "seconds", "clicks in all", "seconds", "plies", "how it ended")
MESSAGES = 10_000
CLICKS = 60


def measure() -> list[str]:
    """Open the page as a newcomer would, and one with a long past."""
    return asyncio.run(_measure())


async def _measure() -> list[str]:
    with TemporaryDirectory() as directory:
        rows = [*await _page(Path(directory)), *await _long_past(Path(directory))]
    games = [await _first_game(game) for game in shipped_games()]
    return [*table(("what", "how much"), rows), "", *table(GAME, games)]


async def _page(directory: Path) -> list[tuple[str, str]]:
    async with chromium() as browser:
        began = time.perf_counter()
        async with demo_process(directory) as (_, url):
            served = time.perf_counter() - began
            page = await browser.new_page()
            responses: list[Response] = []

            def note(response: Response) -> None:
                responses.append(response)

            page.on("response", note)
            await page.goto(url)
            alice = Window(page, "Alice")
            await alice.ready()
            own = [one for one in responses if one.url.partition("#")[0] == url or "/static/" in one.url]
            weights = [len(await one.body()) for one in own]
    return [
        ("requests for the page itself", str(len(weights))),
        ("bytes of the page itself", f"{sum(weights):,}"),
        ("from the command to the address of the page, s", f"{served:.1f}"),
    ]


async def _first_game(game: Game) -> tuple[str, ...]:
    """Play a game from the front page to its end, in a demo of its own."""
    with TemporaryDirectory() as directory:
        async with chromium() as browser:
            began = time.perf_counter()
            async with demo_process(Path(directory)) as (_, url):
                newcomer = await FirstGame.open(browser, url, began)
                await newcomer.play(game)
                clicks, seconds = newcomer.first_move
                took = (f"{clicks}", f"{seconds:.1f}", f"{newcomer.clicks}", f"{newcomer.seconds:.1f}")
                return game.name, *took, f"{await newcomer.plies()}", (await newcomer.end()).removesuffix(".")


async def _long_past(directory: Path) -> list[tuple[str, str]]:
    async with chromium() as browser, giving(directory) as given:
        given.fill(MESSAGES)
        page = await open_page(browser, "about:blank", DESKTOP)
        began = time.perf_counter()
        await page.goto(f"{given.url}#left=alice")
        alice = Window(page, "Alice")
        await expect(await alice.sees(f"Word {MESSAGES - 1}")).to_be_in_viewport()
        painted = (time.perf_counter() - began) * 1000
        await alice.command("count")
        await alice.sees("0 presses")
        waits = [await _click(alice, number) for number in range(1, CLICKS + 1)]
    return [
        (f"first paint with {MESSAGES:,} messages, ms", f"{painted:.0f}"),
        ("click to answer there, median, ms", f"{median(waits):.0f}"),
        ("click to answer there, 95th percentile, ms", f"{quantiles(waits, n=20)[-1]:.0f}"),
    ]


async def _click(alice: Window, presses: int) -> float:
    """Press *Count* by script, and return the milliseconds until the page shows the answer."""
    waited: float = await alice.timeline.evaluate(
        """(timeline, wanted) => new Promise((resolve) => {
            const began = performance.now();
            const watch = new MutationObserver(() => {
              if (!timeline.textContent.includes(wanted)) return;
              watch.disconnect();
              resolve(performance.now() - began);
            });
            watch.observe(timeline, { childList: true, subtree: true, characterData: true });
            [...timeline.querySelectorAll('[data-control="count"]')].at(-1).click();
        })""",
        f"{presses} presses",
    )
    return waited
