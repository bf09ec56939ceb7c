"""Two processes share a database, and only one of them has the package of a game: the other leaves the game alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.storage import registration
from tests.operation.conftest import Start
from tests.operation.test_sharing import QUICK
from tests.support.postgresql import needs_postgresql
from tests.support.processes.loopback import TOKEN, Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import Running, bot, command
from tests.support.toy_package import KEY, has_package, lacks_package

pytestmark = [needs_postgresql, pytest.mark.slow]


def with_game() -> None:
    registration.LEASE = QUICK
    has_package()


def without_game() -> None:
    registration.LEASE = QUICK
    lacks_package()


async def status(folder: Path, server: str) -> dict[str, Any]:
    shown = await bot(folder, "status", "--json", database_url=server)
    found: dict[str, Any] = json.loads(shown.text)
    return found


async def replied(discord: Loopback, earlier: set[int], match: int) -> None:
    """Wait for the board after the first move of a match in a new thread."""
    await discord.until(lambda: set(discord.threads) - earlier)
    (thread,) = set(discord.threads) - earlier
    await discord.control(thread, rf"play:{match}:1")


async def test_a_thinker_without_the_game_leaves_its_turns_and_reviews_to_the_bot_that_has_it(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    running = await (await start(bound=with_game, database_url=server)).ready()
    environment = {"database_url": server, "log_format": "json"}
    thinker = await Running.start(command(tmp_path, "think", bound=without_game, **environment))
    await thinker.logged("thinking")
    for match, (game, thinks) in enumerate(((KEY, running), ("yonmoque", thinker)), 1):
        against = {"game": game, "opponent": discord.backend.bot_user, "level": 1, "first": "opponent"}
        earlier = set(discord.threads)
        await discord.answered(discord.ask(discord.alice, discord.channel, "challenge", **against))
        entry = await thinks.logged("entry")
        assert entry["match"] == match
        await replied(discord, earlier, match)
    found = await status(tmp_path, server)
    assert list(found["thinkers_lack"].values()) == [[KEY]]
    assert found["matches_without_game"] == {}
    assert not thinker.told(lambda line: line["event"] == "computer turn put off")
    shown = await bot(tmp_path, "status", database_url=server)
    assert f"has no {KEY}." in " ".join(shown.text.split())
    assert await thinker.end() == 0


async def test_what_a_bot_without_the_game_finds_waits_until_one_with_it_serves_again(
    discord: Loopback, start: Start, tmp_path: Path, server: str
) -> None:
    first = await (await start(bound=with_game, database_url=server)).ready()
    thread = await begun(discord, game=KEY, pace=86400)
    await played(discord, thread, "a1", "b2")
    assert await first.end() == 0
    second = await (await start(bound=without_game, database_url=server)).ready()
    found = await status(tmp_path, server)
    assert found["matches_without_game"] == {KEY: 1}
    shown = await bot(tmp_path, "status", database_url=server)
    assert f"has no {KEY} (running matches: 1)." in " ".join(shown.text.split())
    # Another game is played meanwhile, and nothing of the one that waits is tried.
    other = await begun(discord)
    await played(discord, other, "a1", "a5")
    assert not second.told(lambda line: line["event"] in ("outbox message failed, will be tried again", "entry failed"))
    third = await start(bound=with_game, database_url=server)
    await third.logged("standing by: another bot is active")
    assert await second.end() == 0
    await third.ready()
    assert (await status(tmp_path, server))["matches_without_game"] == {}
    await played(discord, thread, "a2", "c3", "a3", begin=2)
    checked = await bot(tmp_path, "check", bound=has_package, database_url=server, discord_token=TOKEN)
    assert checked.code == 0, checked.text
