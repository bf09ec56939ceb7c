"""Every game is played to its end on the demo page in a real browser, put together choice by choice only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.games import GAMES
from tests.demo.test_command import demo_process
from tests.demo.window import DESKTOP, PHONE, Window, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

NAMES = ("Alice", "Bob", "Carol")


@dataclass(frozen=True)
class Script:
    """A short game: its moves, or the labels of shortcuts, and the headline of its result."""

    moves: tuple[str, ...]
    result: str
    players: int = 2


SCRIPTS = {
    "gyges": Script(
        ("Default: 321123", "Default: 321123", "a1-b3", "c6-b6=f2", "b1-b3-b6-N"), "@Alice wins: a piece in goal N."
    ),
    "yonmoque": Script(("a1", "a5", "b1", "b5", "c1", "e5", "e2", "d4", "e2-d1"), "@Alice wins: four in a row."),
    "redo": Script(
        ("c1-c2+", "c8-c7+", *("c2-c3", "c7-c6", "c3-c2", "c6-c7") * 2),
        "A draw: third repetition, 13 to 13.",
    ),
    "redtangle": Script(
        (
            *("0,2N,2N,4,1N,3E,2W,1S", "Default arrangement"),
            *("d2-c3", "c7-c6", "c3-c4", "f7-g6@E", "c4-c5", "e7@N", "c5xc7"),
        ),
        "@Alice wins: a white piece entered Black's red rectangle.",
    ),
    "rectangles": Script(("a1-f6", "b2-c3", "d4-e6", "stuck"), "@Carol wins: Player 1 said stuck.", players=3),
}


@dataclass(frozen=True)
class Table:
    """A page of the real command, and the browser it is looked at with."""

    browser: Browser
    url: str
    pictures: Path

    async def window(self, person: str) -> Window:
        """Open a window: Bob's is a phone's."""
        return await Window.open(self.browser, self.url, person, PHONE if person == "Bob" else DESKTOP)


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    place = tmp_path / "demo"
    place.mkdir()
    async with chromium() as browser, demo_process(place) as (_, url):
        yield Table(browser, url, tmp_path)


async def build(window: Window, move: str) -> None:
    """Put a move together by choosing what its text goes on with, and play it."""
    await window.press("Play")
    chosen = ""
    while chosen != move:
        fitting = [value for value in await window.offered() if move.startswith(chosen + value)]
        assert fitting, f"{move} cannot be put together beyond {chosen!r}"
        await window.take(max(fitting, key=len))
        chosen += max(fitting, key=len)
        await expect(window.last.get_by_role("button", name="Back", exact=True)).to_be_attached()
        assert await window.pictures(window.last) == [True]
    await window.press(f"Play {move}")
    await window.sees(f"You played {move}.")


async def shortcut(window: Window, label: str) -> None:
    """Play an arrangement that is one click away."""
    await window.press("Play")
    await window.press(label)
    await window.last.get_by_role("button", name="Play ").click()
    await window.sees("You played")


@pytest.mark.parametrize("key", GAMES)
async def test_a_whole_game_is_played_by_choosing(table: Table, key: str) -> None:
    script = SCRIPTS[key]
    people = [await table.window(name) for name in NAMES[: script.players]]
    alice, *others = people
    if script.players == 2:
        await alice.command("challenge", game=GAMES[key].name, opponent="Bob", first="I begin")
        await others[0].press("Accept", await others[0].sees("@Alice challenges @Bob."))
    else:
        await alice.command("challenge", {"players": str(script.players)}, game=GAMES[key].name, first="I begin")
        for seat, window in enumerate(others, 1):
            seated = " and ".join(f"@{name}" for name in NAMES[:seat])
            await window.press("Join", await window.sees(f"Seated: {seated}"))

    for ply, move in enumerate(script.moves):
        seat = ply % script.players
        mover = f"@{NAMES[seat]} ({GAMES[key].seat_names[seat]}) to move"
        board = await people[seat].sees(mover)
        await expect(board.get_by_role("button", name="Play", exact=True)).to_be_attached()
        await (shortcut if move[0].isupper() else build)(people[seat], move)

    for window in people:
        result = await window.sees(script.result)
        await expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await window.pictures(result) == [True]
        await window.screenshot(table.pictures / f"{key}-{people.index(window)}.png")
    await alice.press("Replay")
    assert await alice.pictures(alice.last) == [True]
    for window in people:
        assert await window.complaints() == []
