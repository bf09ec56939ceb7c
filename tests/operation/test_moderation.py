"""``void``, ``bar``, ``unbar`` and ``barred``: decided on the command line, whether the bot runs or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.matches.audit import audit
from bot.storage.records import MatchState
from tests.matches.conftest import ALICE, BOB, CAROL, Crowd
from tests.operation.conftest import Start
from tests.support.processes.loopback import Loopback
from tests.support.processes.playing import begun, played
from tests.support.processes.processes import bot


@pytest.mark.slow
async def test_a_running_bot_tells_what_was_decided_on_the_command_line(
    discord: Loopback, start: Start, tmp_path: Path
) -> None:
    running = await (await start(heartbeat=1)).ready()
    thread = await begun(discord)
    await played(discord, thread, "c3")
    voided = await bot(tmp_path, "void", 1, log_level="ERROR")
    assert (voided.code, voided.text) == (0, "Match 1 is voided; its players are told within a minute.")
    await discord.control(thread, "voided:1")
    assert "Voided by the people who run this bot" in discord.posted(thread)[-1]
    await discord.until(lambda: "play:1:1" not in discord.controls(thread))
    barred = await bot(tmp_path, "bar", discord.bob.id, "--server", discord.guild.id, log_level="ERROR")
    assert (barred.code, "is barred from server" in barred.text) == (0, True)
    refused = discord.ask(discord.bob, discord.channel, "challenge", game="yonmoque")
    assert "barred" in await discord.answered(refused)
    assert not [one for one in discord.controls(discord.channel) if one.startswith("challenge:accept:2")]
    await discord.until(lambda: "have barred you from playing there" in told_directly(discord))
    assert await running.end() == 0


def told_directly(discord: Loopback) -> str:
    """Return what the bot has told Bob by direct message."""
    place = discord.backend.dm_channels.get(discord.bob.id)
    return "" if place is None else "\n".join(one.content for one in discord.backend.messages[place].values())


async def test_what_cannot_be_decided_is_said_and_changes_nothing(tmp_path: Path, crowd: Crowd) -> None:
    nothing = "Nothing was changed: "
    match_id, later = await crowd.begin(), await crowd.begin(to=CAROL)
    for one, loser in ((match_id, BOB), (later, ALICE)):
        await crowd.move_twice(one)
        await crowd.resign(one, loser)
    quiet = {"log_level": "ERROR"}
    said = [
        (await bot(tmp_path, *arguments, **quiet)).text
        for arguments in (
            ("barred",),
            ("void", 99),
            ("void", match_id),
            ("void", match_id),
            ("bar", BOB.id),
            ("bar", BOB.id),
            ("bar", BOB.id, "--server", 10),
            ("unbar", BOB.id),
            ("unbar", BOB.id),
            ("unbar", CAROL.id),
            ("barred",),
        )
    ]
    assert said[:-1] == [
        "Nobody is barred.",
        f"{nothing}there is no match of that number.",
        f"Match {match_id} is voided; its players are told within a minute. "
        "The ratings of its server are as if it had not been played.",
        f"{nothing}this match was voided already.",
        f"{BOB.id} is barred from every server, and is told within a minute.",
        f"{nothing}they are barred already.",
        f"{BOB.id} is barred from server 10, and is told within a minute.",
        f"{BOB.id} is no longer barred from every server.",
        f"{nothing}they are not barred there, but elsewhere; `barred` shows where.",
        f"{nothing}they are not barred.",
    ]
    assert said[-1].startswith(f"{BOB.id} from server 10, since 20")
    assert (await crowd.match(match_id)).state is MatchState.OVER
    assert await audit(crowd.database) == []
    (tmp_path / "elsewhere").mkdir()
    nowhere = await bot(tmp_path / "elsewhere", "void", 1)
    assert (nowhere.code, nowhere.text) == (1, f"{nothing}there is no database at data/tavoliere.db.")
    unread = await bot(tmp_path / "elsewhere", "barred")
    assert unread.text == "The list cannot be read: there is no database at data/tavoliere.db."
