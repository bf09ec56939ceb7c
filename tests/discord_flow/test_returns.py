"""Who comes back after days is told once, privately and after the answer, what waits for them and what has ended."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.results import InteractionResult
from sqlalchemy import select

from bot.matches.services.returns import CHALLENGES, ReturnView
from bot.storage import tables, visits
from bot.storage.errors import StorageError
from bot.views.returns import _list as list_of
from tests.support.acting import (
    answer,
    challenge,
    challenge_accepted,
    custom_ids,
    labels,
    pings,
    play,
    resign,
    text_of,
)
from tests.support.message_bodies import COMPONENTS, TEXT
from tests.support.sampled import sampled
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import DAY, stored
from tests.support.without_grace import without_grace  # noqa: F401

pytestmark = pytest.mark.own_bot

HEAD = "### Since you were last here"


async def leave(sim: SimulatedDiscord, *, matches: int, days: float) -> list[int]:
    """Have matches wait for Bob, Alice end the third, and Bob not use the bot for some days; return the threads."""
    threads = []
    for number in range(matches):
        threads.append(await challenge_accepted(sim, pace=14 * DAY))
        await play(sim, threads[-1], "a1")
        if number == 2:
            await sim.env.advance_time(60)
            await resign(sim.alice, sim.place(threads[-1]))
    await sim.env.advance_time(days * DAY)
    return threads


def lists(*results: InteractionResult) -> list[str]:
    """Return the lists that come with answers, none of which is one itself or is seen by others."""
    told = [message for result in results for message in result.followups]
    assert all(message.ephemeral for message in told)
    assert all(HEAD not in text_of(answer(result).message) for result in results)
    return [words for message in told if HEAD in (words := text_of(message.message))]


async def helped(sim: SimulatedDiscord) -> list[str]:
    return lists(await sim.bob.slash(sim.channel, "help"))


async def test_who_comes_back_sees_once_what_waits_and_what_has_ended(sim: SimulatedDiscord) -> None:
    await leave(sim, matches=3, days=4)
    await challenge(sim)
    before = pings(sim, sim.bob)
    result = await sim.bob.slash(sim.channel, "help")
    (shown,) = result.followups
    words = text_of(shown.message)
    assert (shown.ephemeral, words.split("\n")[1:3]) == (True, [HEAD, "**Waiting for you**"])
    waiting, ended, challenges = (
        words.split("**Ended**")[0],
        *words.split("**Ended**")[1].split("**Challenges to you**"),
    )
    assert ("match 1" in waiting, "match 2" in waiting, "match 3" in waiting) == (True, True, False)
    assert "match 3 against Alice: " in ended
    assert "resignation" in ended
    assert "[Yonmoque](https://discord.com/channels/" in challenges
    assert custom_ids(shown.message) == ["play:1:1", "play:2:1", "steps:3:999999"]
    assert pings(sim, sim.bob) == before
    built = answer(await sim.bob.click(shown, custom_id="play:1:1"))
    assert labels(built.message)
    assert answer(await sim.bob.click(shown, custom_id="steps:3:999999")).message.attachments
    assert await helped(sim) == []
    await sim.restart()
    assert await helped(sim) == []


@pytest.mark.parametrize("action", sampled(["click", "move"], every=2))
async def test_whatever_they_do_first_is_done_and_answered_before_the_list(sim: SimulatedDiscord, action: str) -> None:
    threads = await leave(sim, matches=2, days=4)
    if action == "move":
        result = await sim.bob.slash(sim.place(threads[0]), "move", move="a5")
        assert (await stored(sim)).ply == 2
    else:
        result = await sim.bob.click(sim.messages(threads[0])[-1], label="Play")
    (words,) = lists(result)
    assert ("match 1" in words, "match 2" in words) == (action == "click", True)


async def test_the_board_of_the_only_match_says_enough_where_it_is(sim: SimulatedDiscord) -> None:
    (thread,) = await leave(sim, matches=1, days=4)
    assert lists(await sim.bob.slash(sim.place(thread), "board")) == []


@pytest.mark.slow
async def test_who_comes_back_to_challenges_alone_is_told_of_the_first_ones(sim: SimulatedDiscord) -> None:
    for _ in range(2):  # at first, and when they come back to nothing
        assert await helped(sim) == []
        await sim.env.advance_time(4 * DAY)
    for _ in range(CHALLENGES + 1):
        await challenge(sim)
    (words,) = await helped(sim)
    assert words.strip().split("\n")[:2] == [HEAD, "**Challenges to you**"]
    assert words.count("[Yonmoque](") == CHALLENGES


async def test_a_list_that_fails_leaves_the_answer_as_it_is(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    (thread,) = await leave(sim, matches=1, days=4)

    async def fails(*_options: Any) -> None:
        raise StorageError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(visits, "ended_meanwhile", fails)
        broken.setattr(visits, "last", fails)
        result = await sim.bob.slash(sim.place(thread), "move", move="a5")
    assert (lists(result), len(result.followups), (await stored(sim)).ply) == ([], 0, 2)
    assert "You played" in text_of(answer(result).message)


async def test_a_hundred_matches_fit_and_the_rest_is_counted(sim: SimulatedDiscord) -> None:
    await leave(sim, matches=1, days=0)
    found, places = await stored(sim), {sim.guild.id, 7}
    every = [replace(found, id=number, guild_id=guild) for number in range(1, 51) for guild in places]
    view = list_of(ReturnView(sim.bob.id, tuple(every), tuple(every[:10]), 100, ()), sim.guild.id)
    words = "\n".join(item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))
    assert len(words) <= TEXT
    assert view.total_children_count <= COMPONENTS
    for part in words.split("**Ended**"):
        left = re.search(r"… and (\d+) more\.", part)
        assert left is not None
        assert part.count("\n- ") + int(left[1]) == 100


async def test_what_people_ask_about_their_data_notes_no_use(sim: SimulatedDiscord) -> None:
    await sim.bob.slash(sim.channel, "privacy", action="export")
    async with sim.bot.context.services.database.read() as tx:
        assert (await tx.execute(select(tables.visits.c.user_id))).all() == []
