"""Every game is played to its end on the demo page in a real browser, put together choice by choice only.

What is played is the golden game ``demo`` of each, so that a game brings its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.contract import golden
from bot.games import GAMES, Result
from bot.matches.model.game_state import because
from renderers.i18n import sentence, translated
from tests.demo.conftest import Table
from tests.demo.moving import build, shortcut
from tests.demo.process import demo_process
from tests.support.toy_package import FOLDER

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
]

NAMES = ("Alice", "Bob", "Carol")


@pytest_asyncio.fixture(loop_scope="session")
async def table(browser: Browser, tmp_path: Path) -> AsyncIterator[Table]:
    """A page of the real command, worker processes included."""
    place = tmp_path / "demo"
    place.mkdir()
    async with demo_process(place, [FOLDER]) as (_, url):
        yield Table(browser, url)


def headline(result: Result, players: int) -> str:
    """Return how a result is said in the channel."""
    if len(result.winners) == players:
        return sentence(translated(because("A draw", result.reason)))
    (winner,) = result.winners
    return f"@{NAMES[winner]} wins: {result.reason}."


@pytest.mark.parametrize("key", GAMES)
async def test_a_whole_game_is_played_by_choosing(table: Table, tmp_path: Path, key: str) -> None:
    case, _, moves = golden.game_in((golden.folder(GAMES[key]) / "demo.txt").read_text(encoding="utf-8"))
    position, players = case.start(), case.players
    people = [await table.window(name) for name in NAMES[:players]]
    alice, *others = people
    if players == 2:
        await alice.command("challenge", game=GAMES[key].name, opponent="Bob", first="I go first")
        await others[0].press("Accept", await others[0].sees("@Alice challenges @Bob."))
    else:
        await alice.command("challenge", {"players": str(players)}, game=GAMES[key].name, first="I go first")
        for seat, window in enumerate(others, 1):
            seated = " and ".join(f"@{name}" for name in NAMES[:seat])
            await window.press("Join", await window.sees(f"Seated: {seated}"))

    for window in people:
        await window.comes_to(GAMES[key].name)
    for move in moves:
        to_move = position.to_move
        assert to_move is not None
        if position.ready_made() is not None:
            # The ready-made set-up is taken already: Alice's turn comes after both.
            if to_move:
                await people[to_move].sees(f"{NAMES[to_move - 1]} set up the pieces here")
            await people[to_move].press("Play" if to_move == 0 else "More")
            await people[to_move].press("Change my set-up")
            # The board before said the same, but stands above the answer in which that was pressed.
            board = people[to_move].last.filter(
                has_text=f"@{NAMES[to_move]} ({GAMES[key].seat_names[to_move]}) to move"
            )
            await expect(board.get_by_role("button", name="Play", exact=True)).to_be_attached()
            offered = next((step.label for step in position.shortcuts(Random(1)) if str(step.move) == move), None)
            await (build(people[to_move], move) if offered is None else shortcut(people[to_move], offered))
            position = position.play(position.parse(move))
            continue
        mover = f"@{NAMES[to_move]} ({GAMES[key].seat_names[to_move]}) to move"
        board = await people[to_move].sees(mover)
        await expect(board.get_by_role("button", name="Play", exact=True)).to_be_attached()
        await build(people[to_move], move)
        position = position.play(position.parse(move))

    assert position.result is not None
    for window in people:
        result = await window.sees(headline(position.result, players))
        await expect(result.get_by_role("button", name="Rematch")).to_be_in_viewport()
        assert await window.pictures(result) == [True]
        await window.screenshot(tmp_path / f"{key}-{people.index(window)}.png")
    await alice.press("Replay")
    assert await alice.pictures(alice.last) == [True]
    for window in people:
        assert await window.complaints() == []
