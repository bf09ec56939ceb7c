"""The front page of the demo: its buttons start every game, and its finished match is a game's own sample."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.demo import front_page, words
from bot.demo.page_server import STATIC
from bot.demo.scenery import Scenery
from bot.games import GAMES
from tests.support.acting import answer, custom_ids, labels, text_of
from tests.support.simulated_discord import SimulatedDiscord


async def posted(sim: SimulatedDiscord) -> discord.Message:
    """Post the page; return it."""
    users = [sim.env.backend.users[person.id] for person in (sim.alice, sim.bob, sim.carol)]
    server = cast(Any, SimpleNamespace(guild=sim.guild))
    await front_page.post(sim.bot, Scenery(server, sim.channel.id, tuple(users)), cast(Any, NoTurns()))
    return sim.messages()[-2]


class NoTurns:
    """Opens no builder: the page does that."""

    def open_for(self, person_id: int, match_id: int) -> None:
        """Do nothing."""


async def test_the_button_of_every_game_starts_it(sim: SimulatedDiscord) -> None:
    page = await posted(sim)
    for number, game in enumerate(GAMES.values(), 2):
        first = " against the bot" if game.key == front_page.FIRST else ""
        await sim.alice.click(page, label=f"Play {game.name}{first}")
        await sim.env.settle()
        lines = [line for one in everything(sim) for line in text_of(one).splitlines()]
        assert [line for line in lines if line.startswith(f"### {game.name}") and line.endswith(f" · match {number}")]


def everything(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return all messages there are, of all channels and threads."""
    return [message for place in sim.env.backend.messages for message in sim.messages(place)]


async def test_the_finished_match_is_the_sample_of_a_games_folder(sim: SimulatedDiscord) -> None:
    await posted(sim)
    record = answer(await sim.alice.slash(sim.channel, "match export", match=1)).attachments[0]
    text = (await record.read()).decode()
    assert "demo-finished:1" in custom_ids(sim.messages()[-1])
    assert '[Game "Gygès"]' in text
    assert "d6-d5-e3-f3-S" in text


async def test_without_a_sample_the_page_has_no_button_for_it(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "SAMPLE", "no-such-game.txt")
    page = await posted(sim)
    assert "See a finished match" not in labels(sim.messages()[-1])
    assert "Play Tic-tac-toe" in labels(page)


async def test_the_page_is_said_in_the_language_of_the_first_person(sim: SimulatedDiscord) -> None:
    users = [sim.env.backend.users[person.id] for person in (sim.alice, sim.bob, sim.carol)]
    scenery = Scenery(cast(Any, SimpleNamespace(guild=sim.guild)), sim.channel.id, tuple(users))
    page = await front_page.post(sim.bot, scenery, cast(Any, NoTurns()))
    await page.speak("it")
    first, second = sim.messages()[-2:]
    assert page.messages == (first.id, second.id)
    assert "Gioca a Yonmoque contro il bot" in labels(first)
    assert "In due su uno schermo" in text_of(second)


async def test_people_are_told_how_the_bot_comes_into_a_server_of_theirs(sim: SimulatedDiscord) -> None:
    await posted(sim)
    told = answer(await sim.alice.click(sim.messages()[-1], label="Add to your server"))
    assert "python -m bot run" in text_of(told.message)


def test_every_text_of_the_page_is_translated() -> None:
    used = set()
    for file in STATIC.iterdir():
        if file.name.endswith(".js"):
            used |= set(re.findall(r'\bt\(\s*(?:[\w.]+ \? )?"((?:[^"\\]|\\.)*)"', file.read_text(encoding="utf-8")))
    assert len(used) > 50
    assert used <= set(map(str, words.WORDS))
    assert words.said_in("de")["Send"] == "Senden"
