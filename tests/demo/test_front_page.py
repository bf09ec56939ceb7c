"""The front page of the demo: its buttons start every game, and its finished match is a game's own sample."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

import bot.games
from bot.demo import front_page, words
from bot.demo.front_page import Scenery
from bot.demo.page_server import FILES
from bot.games import GAMES
from bot.games.game import Game
from tests.support.acting import answer, custom_ids, items, labels, text_of
from tests.support.further_games import add_games
from tests.support.simulated_discord import SimulatedDiscord
from tests.support.stored import stored


async def posted(sim: SimulatedDiscord, speaking: str = "") -> discord.Message:
    """Post the page, and have it speak a language; return its first message."""
    users = [sim.env.backend.users[person.id] for person in (sim.alice, sim.bob, sim.carol)]
    server = cast(Any, SimpleNamespace(guild=sim.guild))
    page = await front_page.post(sim.bot, Scenery(server, sim.channel.id, tuple(users)))
    assert page.messages == tuple(message.id for message in sim.messages()[-2:])
    if speaking:
        await page.speak(speaking)
    return sim.messages()[-2]


@pytest.mark.own_bot
@pytest.mark.slow
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


@pytest.mark.own_bot
async def test_the_finished_match_is_the_sample_of_a_games_folder(sim: SimulatedDiscord) -> None:
    await posted(sim)
    record = answer(await sim.alice.slash(sim.channel, "match", action="export", match=1)).attachments[0]
    text = (await record.read()).decode()
    assert "demo-finished:1" in custom_ids(sim.messages()[-1])
    assert '[Game "Gygès"]' in text
    assert "b6-b5-c3-c2-S" in text


@pytest.mark.parametrize("game", ["gyges", "redtangle"])
async def test_two_people_begin_their_first_match_with_set_ups_ready_made(sim: SimulatedDiscord, game: str) -> None:
    await posted(sim)
    chosen = sim.messages()[-1]
    await sim.alice.select(chosen, [game], custom_id="demo-together")
    await sim.env.settle()
    assert [seat.ready_made for seat in (await stored(sim, 2)).seats] == [True, True]


async def test_without_a_sample_the_page_has_no_button_for_it(
    sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "SAMPLE", "no-such-game.txt")
    page = await posted(sim)
    assert "See a finished match" not in labels(sim.messages()[-1])
    assert "Play Tic-tac-toe" in labels(page)


async def test_the_page_is_said_in_the_language_of_the_first_person(sim: SimulatedDiscord) -> None:
    assert "Gioca a Yonmoque contro il bot" in labels(await posted(sim, "it"))
    assert "In due su uno schermo" in text_of(sim.messages()[-1])


async def test_people_are_told_how_the_bot_comes_into_a_server_of_theirs(sim: SimulatedDiscord) -> None:
    await posted(sim)
    told = answer(await sim.alice.click(sim.messages()[-1], label="Add to your server"))
    assert "python -m bot run" in text_of(told.message)


def test_every_text_of_the_page_is_translated() -> None:
    used = set()
    for name, file in FILES.items():
        if name.endswith(".js"):
            used |= set(re.findall(r'\bt\(\s*(?:[\w.]+ \? )?"((?:[^"\\]|\\.)*)"', file.read_text(encoding="utf-8")))
    assert len(used) > 50
    assert used <= set(map(str, words.WORDS))
    assert words.said_in("de")["Send"] == "Senden"


@pytest.fixture
def for_three(monkeypatch: pytest.MonkeyPatch) -> Game:
    """One more game, which three or four play."""
    own = GAMES["rectangles"]
    few = replace(own.variants[0], players=range(3, 5))
    facts = {"key": "three", "name": "For three", "players": range(3, 5), "seat_names": own.seat_names[:4]}
    kind = type("Three", (type(own),), {**facts, "variants": (few,)})  # Its folder is this one: it has no puzzles.
    game = cast(Game, kind())
    monkeypatch.setitem(bot.games.GAMES._by_key, game.key, game)
    return game


async def test_a_game_for_three_is_started_with_the_bot_in_the_seats_that_are_free(
    for_three: Game, sim: SimulatedDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "FIRST", for_three.key)
    page = await posted(sim)
    together = sim.messages()[-1]
    await sim.alice.click(page, label="Play For three against the bot")
    await sim.env.settle()
    alone = await stored(sim, 2)
    assert alone.seats[0].person.id == sim.alice.id
    assert [seat.person.level for seat in alone.seats[1:]] == [1, 1]
    await sim.alice.select(together, ["three"], custom_id="demo-together")
    await sim.env.settle()
    both = await stored(sim, 3)
    assert [seat.person.level for seat in both.seats].count(1) == 1
    assert {sim.alice.id, sim.bob.id} < {seat.person.id for seat in both.seats}


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty more games, before the bot is built."""
    add_games(monkeypatch, 40)


@pytest.mark.own_bot
@pytest.mark.parametrize("custom_id", ["demo-alone", "demo-together"])
async def test_the_menus_of_the_page_lead_to_every_game(many: None, sim: SimulatedDiscord, custom_id: str) -> None:
    page = await posted(sim)
    message = page if custom_id == "demo-alone" else sim.messages()[-1]
    first = menu_of(message)
    assert first.custom_id == custom_id
    shown = answer(await sim.alice.select(message, [first.options[-1].value], custom_id=custom_id))
    further = menu_of(shown.message)
    assert further.custom_id == custom_id
    assert not {one.value for one in further.options[:-1]} & {one.value for one in first.options}
    await sim.alice.select(shown, [further.options[0].value], custom_id=custom_id)
    await sim.env.settle()
    assert (await stored(sim, 2)).game == further.options[0].value
    assert any(f"### {further.options[0].label}" in text_of(one) for one in everything(sim)[2:])


def menu_of(message: discord.Message) -> discord.ui.Select[discord.ui.LayoutView]:
    """Return the only menu of a message."""
    (menu,) = (item for item in items(message) if isinstance(item, discord.ui.Select))
    return menu
