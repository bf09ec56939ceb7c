"""The board page

The board page in Chromium, at a desktop's size and twice as many pixels, beside the bot on one machine. First what a
browser gets that has never been here, as it is sent (gzipped where that helps), and the time until the first board is
on the screen, also in a browser that has kept the files. Then moves: from the tap to the frame in which the choice
lights up, from the last tap until the page shows the move as played, and until a second page shows it, in milliseconds.

The same moves are measured once more while others play 200 live matches on the same bot, ten moves a second.

Last the taps of a move over random positions, set-ups left out, beside the clicks of the builder in Discord.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, Page, Request, ViewportSize, expect

from bot.compute import rate_limit
from bot.contract.cases import CASES
from bot.matches.model.building import BuilderState, Choices
from bot.matches.model.pace import MINUTE, Pace
from tests.demo.browser_window import chromium
from tests.figures import shipped_games, table
from tests.figures.clicks import clicks
from tests.views.screens import Tree, trees
from tests.web.board_window import BoardWindow
from tests.web.running import Running, running

DESKTOP = ViewportSize(width=1280, height=900)
VISITS, MOVES = 8, 60
LIVE, EVENING = 200, Pace(30 * MINUTE, MINUTE)
"""How many live matches others play, and the pace of each."""
GAME = "redo"
"""Its moves are two taps, and a match lasts for as many as are measured."""
_SHOWN = """() => {
  window.seen = {};
  const note = () => {
    const now = performance.timeOrigin + performance.now();
    if (document.querySelector('.board[data-shown]')) window.seen.board ??= performance.now();
    const moves = document.querySelectorAll('.moves li').length;
    if (moves) window.seen[moves] ??= now;
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
}"""
_TAP = """square => new Promise(done => {
  const began = performance.now();
  square.click();
  const lit = performance.now();
  requestAnimationFrame(() => done([lit - began, performance.now() - began, performance.timeOrigin + began]));
})"""


def measure() -> list[str]:
    """Open the page, play on it, and count taps."""
    # Two people move faster here than anybody may for long.
    rate_limit.BUDGET = 1e9
    rows = asyncio.run(_measure())
    busy = f"While these were measured, {os.getloadavg()[0]:.1f} processes at a time wanted one of the cores."
    heads = ("Game, variant", "moves", "taps: median", "nine in ten", "most", "clicks in Discord: median")
    return [*table(("what", "how much"), rows), "", busy, "", *table(heads, list(_taps()))]


async def _measure() -> list[tuple[str, str]]:
    with TemporaryDirectory() as directory:
        async with (
            running(Path(directory) / "page.db", picture_workers=1, max_matches=LIVE + 10) as run,
            chromium() as browser,
        ):
            match = await run.match(GAME)
            alice, rows = await _first(browser, run, match)
            rows += await _moves(browser, run, match, alice)
            live = [await run.match(GAME, pace=EVENING) for _number in range(LIVE)]
            playing = asyncio.create_task(_play_all(run, live))
            try:
                match = await run.match(GAME, pace=EVENING)
                alice, _requests = await _visited(browser, run, match)
                rows += [
                    (f"{what}, beside {LIVE} live matches", much)
                    for what, much in await _moves(browser, run, match, alice)
                ]
            finally:
                playing.cancel()
            return rows


async def _play_all(run: Running, matches: list[int]) -> None:
    """Play matches on in turn, ten moves a second, until cancelled."""
    random = Random(2)
    for ply in count(1):
        for match in matches:
            await run.play_on(match, ply, random)
            await asyncio.sleep(0.1)


async def _first(browser: Browser, run: Running, match: int) -> tuple[BoardWindow, list[tuple[str, str]]]:
    """Open the page of a match in browsers that have stored nothing, then in one that has its files."""
    alice, asked = await _visited(browser, run, match)
    first, again = [], []
    for _visit in range(VISITS):
        await alice.page.context.close()
        alice, asked = await _visited(browser, run, match)
        first.append(float(await alice.page.evaluate("window.seen.board")))
    for _visit in range(VISITS):
        await alice.page.reload()
        await alice.ready()
        again.append(float(await alice.page.evaluate("window.seen.board")))
    sizes = [await request.sizes() for request in asked]
    weight = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    return alice, [
        ("requests until the first board", f"{len(asked)}"),
        ("kB until the first board", f"{weight / 1000:.0f}"),
        ("first board on the screen from *Continue* on, median, ms", f"{median(first):.0f}"),
        ("first board on the screen, the page opened again, median, ms", f"{median(again):.0f}"),
    ]


async def _visited(browser: Browser, run: Running, match: int) -> tuple[BoardWindow, list[Request]]:
    """Open a link in a new browser; return the page, and what it asked for until the board was there."""
    page = await (await browser.new_context(viewport=DESKTOP, device_scale_factor=2)).new_page()
    await page.goto(await run.link(0, match))
    ended: list[Request] = []
    await page.add_init_script(f"({_SHOWN})()")

    def note(request: Request) -> None:
        ended.append(request)

    page.on("requestfinished", note)
    alice = BoardWindow(page)
    await page.get_by_role("button").click()
    await alice.ready()
    return alice, [request for request in ended if "/open/" not in request.url]


async def _moves(browser: Browser, run: Running, match: int, alice: BoardWindow) -> list[tuple[str, str]]:
    bob_page = await (await browser.new_context(viewport=DESKTOP)).new_page()
    await bob_page.add_init_script(f"({_SHOWN})()")
    await bob_page.goto(await run.link(1, match))
    bob = BoardWindow(bob_page)
    await bob_page.get_by_role("button").click()
    await bob.ready()
    random, lit, frames, confirmed, remote = Random(1), [], [], [], []
    for number in range(1, MOVES + 1):
        mover, other = (alice, bob) if number % 2 else (bob, alice)
        view = await run.services.queries.match_view(run.place.server.guild.id, match)
        if view.game_state.result is not None:
            break
        move = random.choice(list(islice(view.game_state.position.legal_moves(), 300)))
        start, end = str(move).replace("x", "-").rstrip("+").split("-")[:2]
        await expect(mover.moves).to_have_count(number - 1)
        tapped = await mover.square(start).evaluate(_TAP)
        began = (await mover.square(end).evaluate(_TAP))[2]
        await expect(mover.moves).to_have_count(number)
        await expect(other.moves).to_have_count(number)
        lit.append(tapped[0])
        frames.append(tapped[1])
        confirmed.append(await _when(mover.page, number) - began)
        remote.append(await _when(other.page, number) - began)
    return [
        ("tap to the choice marked, median, ms", f"{median(lit):.1f}"),
        ("tap to the next frame, median, ms", f"{median(frames):.0f}"),
        (f"move to confirmed, median of {len(confirmed)}, ms", f"{median(confirmed):.0f}"),
        ("move to confirmed, slowest, ms", f"{max(confirmed):.0f}"),
        ("move to shown on another page, median, ms", f"{median(remote):.0f}"),
        ("move to shown on another page, 95th percentile, ms", f"{quantiles(remote, n=20)[-1]:.0f}"),
    ]


async def _when(page: Page, number: int) -> float:
    return float(await page.evaluate("number => window.seen[number]", number))


def _taps() -> Iterator[tuple[str, int, str, str, str, str]]:
    for case in CASES:
        if case.players == 2 and case.game in shipped_games():
            playing = [tree for tree in trees(case) if not tree.position.shortcuts(Random(1))]
            counts = [count for tree in playing for count in taps(tree)]
            there = [count for tree in playing for count, _menus in clicks(tree)]
            tens = f"{quantiles(counts, n=10)[-1]:g}"
            name = f"{case.game.key}-{case.variant.key}"
            yield name, len(counts), f"{median(counts):g}", tens, f"{max(counts)}", f"{median(there):g}"


def taps(tree: Tree) -> Iterator[int]:
    """Yield for every move that is reached the fewest taps to play it on the page."""
    reached: dict[Choices, int] = {}
    fewest: dict[object, int] = {}
    for chosen, screen in sorted(tree.screens.items(), key=lambda item: len(item[0])):
        state = screen.builder_state
        spent = 0 if not chosen else reached[chosen[:-1]] + _choosing(tree, chosen)
        reached[state.choices] = min(spent, reached.get(state.choices, spent))
        if screen.move is not None:
            plays = 1 if state.steps or state.unseen else 0
            fewest[screen.move] = min(spent + plays, fewest.get(screen.move, 99))
    yield from fewest.values()


def _choosing(tree: Tree, chosen: Choices) -> int:
    """Return how many taps the last of some choices takes: two where several choices share one of several squares."""
    states: Iterator[BuilderState] = (screen.builder_state for screen in tree.screens.values())
    before = next(state for state in states if state.choices == chosen[:-1])
    square = next((step.square for step in before.steps if step.key == chosen[-1]), None)
    sharing = sum(step.square == square for step in before.steps)
    return 2 if square is not None and 1 < sharing < len(before.steps) else 1
