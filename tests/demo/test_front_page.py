"""The front page of the demo: its buttons start every game, and its finished match is a game's own sample."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.demo import front_page
from bot.demo.scenery import Scenery
from bot.games import GAMES
from tests.support.acting import answer, custom_ids, labels, text_of
from tests.support.simulated_discord import SimulatedDiscord


async def posted(sim: SimulatedDiscord) -> discord.Message:
    """Post the page; return it."""
    users = [sim.env.backend.users[person.id] for person in (sim.alice, sim.bob, sim.carol)]
    server = cast(Any, SimpleNamespace(guild=sim.guild))
    await front_page.post(sim.bot, Scenery(server, sim.channel.id, tuple(users)))
    return sim.messages()[-1]


async def test_the_button_of_every_game_starts_it(sim: SimulatedDiscord) -> None:
    page = await posted(sim)
    for number, game in enumerate(GAMES.values(), 2):
        await sim.alice.click(page, label=game.name)
        await sim.env.settle()
        lines = [line for one in everything(sim) for line in text_of(one).splitlines()]
        assert [line for line in lines if line.startswith(f"### {game.name}") and line.endswith(f" · match {number}")]


def everything(sim: SimulatedDiscord) -> list[discord.Message]:
    """Return all messages there are, of all channels and threads."""
    return [message for place in sim.env.backend.messages for message in sim.messages(place)]


async def test_the_finished_match_is_the_sample_of_a_games_folder(sim: SimulatedDiscord) -> None:
    page = await posted(sim)
    record = answer(await sim.alice.slash(sim.channel, "match export", match=1)).attachments[0]
    text = (await record.read()).decode()
    assert "demo-finished:1" in custom_ids(page)
    assert '[Game "Gygès"]' in text
    assert "d6-d5-e3-f3-S" in text


async def test_without_a_sample_the_page_has_no_button_for_it(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "SAMPLE", "no-such-game.txt")
    page = await posted(sim)
    assert "See a finished match" not in labels(page)
    assert "Tic-tac-toe" in labels(page)
