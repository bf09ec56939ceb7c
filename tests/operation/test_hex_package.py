"""A real game in a wheel of its own: installed, played, reviewed, uninstalled, and installed again.

Hex is in no folder of the bot. Its package stands in ``tests/hex_package``, which is on no path before it is installed.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from tests.operation.conftest import Start
from tests.operation.test_packages import bot as given_to
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import bot
from tests.support.toy_package import has_package

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parents[1] / "hex_package"
WON = ("d4", "a1", "d3", "a2", "d5", "b2", "d2", "c2", "d6", "e2", "d1", "f6", "d7")
"""A game in which Alice, who begins, joins her sides with the last move."""
GONE = "hex isn't available here at the moment. Its matches wait until the game is back"
HINT = "Best: **"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed."""
    pytest.importorskip("setuptools", minversion="77")
    source, wheels, folder = (tmp_path_factory.mktemp("hex") / name for name in ("source", "wheels", "installed"))
    copytree(SOURCE, source)
    pip("wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, source)
    (wheel,) = wheels.glob("tavoliere_hex-*.whl")
    pip("install", "--no-index", "--no-deps", "--target", folder, wheel)
    return folder


def pip(*arguments: object) -> None:
    """Run pip, which asks no registry."""
    subprocess.run([sys.executable, "-m", "pip", *map(str, arguments)], check=True)


def test_nothing_is_missing_in_it(tmp_path: Path, installed: Path) -> None:
    checked = given_to(tmp_path, "game", "check", "hex", packages=installed)
    assert "Hex: nothing is missing." in checked.stdout
    assert checked.returncode == 0
    without = given_to(tmp_path, "game", "check", "hex")
    assert (without.returncode, "No game has the key 'hex'." in without.stdout) == (1, True)


async def test_its_matches_are_played_reviewed_and_wait_while_it_is_not_installed(
    discord: Loopback, start: Start, tmp_path: Path, installed: Path
) -> None:
    with_hex = partial(has_package, installed)
    running = await (await start(bound=with_hex, heartbeat=1)).ready()
    # Match 1 comes to its end, and is reviewed; before the last move there is one that wins.
    first = await begun(discord, game="hex")
    await played(discord, first, *WON)
    assert "both sides are joined" in discord.posted(first)[-1]
    await discord.answered(discord.press(discord.alice, first, "review:1"))
    await running.logged("review finished")
    assert "### Review of Hex" in await discord.answered(discord.press(discord.bob, first, "review:1"))
    end = len(WON)
    for button in ("steps:1:0", f"step:1:{end}:0:picture:3", f"step:1:{end - 1}:0:picture:1"):
        await discord.control(first, button)
        await discord.answered(discord.press(discord.alice, first, button))
    await discord.control(first, f"best:1:{end - 1}:0:picture")
    discord.press(discord.alice, first, f"best:1:{end - 1}:0:picture")
    await discord.until(lambda: any(HINT in discord.said(first, one) for one in discord.backend.messages[first]))

    # Matches 2 and 3 are under way when the package is removed: everything is refused in a sentence but leaving.
    second, third = [await begun(discord, game="hex") for _ in range(2)]
    await played(discord, second, *WON[:-1])
    await played(discord, third, "d4", "swap")
    assert await running.end() == 0
    running = await (await start(heartbeat=1)).ready()
    for command, given in (
        ("move", {"move": "d7"}),
        ("board", {}),
        ("match", {"action": "resign"}),
        ("match", {"action": "replay"}),
    ):
        assert GONE in await discord.answered(discord.ask(discord.alice, second, command, **given)), command
    exported = await discord.answered(discord.ask(discord.alice, second, "match", action="export"))
    assert "hex" in exported
    assert (await bot(tmp_path, "export", "records", log_level="ERROR")).code == 0
    assert "13. Player 1 d7" in (tmp_path / "records" / "hex-1.txt").read_text(encoding="utf-8")
    voided = await bot(tmp_path, "void", 3, log_level="ERROR")
    assert (voided.code, voided.text) == (0, "Match 3 is voided; its players are told within a minute.")
    await discord.until(lambda: "Voided by the people who run this bot" in "\n".join(discord.posted(third)))
    assert await running.end() == 0

    # Installed again, the match goes on and ends, and all that is stored is as its moves lead to it.
    running = await (await start(bound=with_hex, heartbeat=1)).ready()
    await played(discord, second, WON[-1], begin=len(WON) - 1)
    assert "both sides are joined" in discord.posted(second)[-1]
    checked = await bot(tmp_path, "check", bound=with_hex, discord_token=TOKEN)
    assert checked.code == 0, checked.text
