"""The page on a network that fails: it notices, says so in one line, connects again, and loses no move."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from bot.compute import rate_limit
from bot.web import live
from tests.support.cutting_relay import CuttingRelay
from tests.support.ports import free_port
from tests.web.board_window import BoardWindow
from tests.web.running import Running, running

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]
LOST = "No connection. Trying again…"


@pytest_asyncio.fixture(loop_scope="session")
async def relayed(
    tmp_path: Path, empty_database: Path, drawn_once: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[CuttingRelay, Running]]:
    """A running bot whose page is behind a relay, as behind a proxy."""
    monkeypatch.setattr(rate_limit, "BUDGET", 1e9)
    port = free_port()
    relay = CuttingRelay("127.0.0.1", port)
    server = await asyncio.start_server(relay.relay, "localhost", 0)
    url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
    async with running(Path(shutil.copy(empty_database, tmp_path)), web_port=port, web_url=url) as run:
        yield relay, run
        relay.flowing.set()
        relay.go_away()
    server.close()


async def test_the_page_knows_within_fifteen_seconds_that_nothing_comes() -> None:
    wire = (resources.files("bot.web") / "static" / "wire.js").read_text(encoding="utf-8")
    silent = re.search(r"SILENT = ([0-9_]+);", wire)
    assert silent is not None
    assert 2 * live.BEAT < int(silent[1]) / 1000 < 14


async def test_a_line_that_is_dead_and_yet_open_is_noticed(
    relayed: tuple[CuttingRelay, Running], browser: Browser
) -> None:
    relay, run = relayed
    match = await run.match("yonmoque")
    bob = await BoardWindow.open(browser, run, 1, match)
    relay.flowing.clear()
    await run.play_on(match, 1)
    await expect(bob.page.locator(".line")).to_have_text(LOST)
    await expect(bob.moves).to_have_count(0)

    relay.flowing.set()

    await expect(bob.moves).to_have_count(1)
    await expect(bob.page.locator(".line")).to_have_text("")


async def test_a_move_sent_without_a_network_for_long_is_neither_lost_nor_doubled(
    run: Running, browser: Browser
) -> None:
    match = await run.match("redo")
    alice = await BoardWindow.open(browser, run, 0, match)
    await alice.page.context.set_offline(True)
    await alice.tap("a2", "a3")
    line = alice.page.locator(".line")
    await expect(line).to_have_text(LOST)
    # Longer than any number of tries that ends.
    await asyncio.sleep(21)
    await expect(line).to_have_text(LOST)
    await expect(alice.square("a2")).to_have_class(re.compile("chosen"))
    await expect(alice.page.locator(".problem")).to_have_text("")

    await alice.page.context.set_offline(False)

    await alice.has_moves("1 White: a2-a3")
    await expect(line).to_have_text("")
    assert (await run.services.queries.match_view(run.place.server.guild.id, match)).match.ply == 1


async def test_while_nobody_can_tell_the_page_says_so_and_finds_out(run: Running, browser: Browser) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    sent: list[str] = []
    look = asyncio.Event()

    async def answer(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "")["request"])
        if len(sent) == 1:
            assert (await route.fetch()).ok
            await route.abort()
        elif not look.is_set():
            await route.fulfill(status=503, json={"came": "unavailable", "words": "Nothing was changed."})
        else:
            await route.continue_()

    await alice.page.route("**/move", answer)
    await alice.tap("a1")
    line = alice.page.locator(".line")
    await expect(line).to_contain_text("I can't tell")

    look.set()

    await alice.has_moves("1 Blue: a1")
    await expect(line).to_have_text("")
    await expect(alice.page.locator(".problem")).to_have_text("")
    assert len(set(sent)) == 1


async def test_while_the_bot_restarts_the_page_goes_on_asking(run: Running, browser: Browser) -> None:
    match, stopping = await run.match("yonmoque"), run.bot.context.in_flight
    alice = await BoardWindow.open(browser, run, 0, match)
    bob = await BoardWindow.open(browser, run, 1, match)
    await stopping.close(0.0)
    await alice.tap("a1")
    line = alice.page.locator(".line")
    await expect(line).to_have_text(LOST)
    await bob.page.reload()
    await expect(bob.page.locator(".problem")).to_contain_text("I'm restarting")

    stopping._closed = False

    await alice.has_moves("1 Blue: a1")
    await expect(line).to_have_text("")
    await bob.ready()
    await bob.has_moves("1 Blue: a1")
    await expect(bob.page.locator(".problem")).to_have_text("")


@pytest.mark.parametrize(
    "event",
    [
        "document.dispatchEvent(new Event('visibilitychange'))",
        "window.dispatchEvent(new Event('online'))",
        "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
    ],
    ids=["visible", "online", "shown again"],
)
async def test_a_page_that_comes_back_looks_anew(run: Running, browser: Browser, event: str) -> None:
    match = await run.match("yonmoque")
    alice = await BoardWindow.open(browser, run, 0, match)
    async with alice.page.expect_response(re.compile(r"/api/match/\d+\?")) as asked:
        await alice.page.evaluate(event)
    assert (await asked.value).ok
    await expect(alice.page.locator(".line")).to_have_text("")
    await run.play_on(match, 1)
    await expect(alice.moves).to_have_count(1)
