"""Games beyond those there are: every command and control knows them, and one that fails later is left out."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NoReturn, cast

import discord
import pytest
from simcord.results import ResponseMessage
from tavoliere_tic_tac_toe import TIC_TAC_TOE, TicTacToe

import bot.games
from bot.demo import front_page
from bot.games import GAMES, OWN, Game
from bot.games.faults import FAULTS
from bot.games.puzzles import puzzles
from bot.operation.game_check import left_out
from bot.views.game_menu import game_menu
from bot.views.reference import PAGE
from tests.support.acting import answer, board_of, boards, build, cards, challenge, labels, play, text_of, told
from tests.support.simulated_discord import SimulatedDiscord


@pytest.fixture
def hex7(monkeypatch: pytest.MonkeyPatch) -> Game:
    """One more game, with a digit in its key."""
    facts = {"key": "hex7", "name": "Hex on seven", "__module__": TicTacToe.__module__}
    game = cast(Game, type("Hex7", (TicTacToe,), facts)())
    monkeypatch.setitem(bot.games.GAMES._by_key, game.key, game)
    return game


async def test_a_list_of_many_games_has_pages_within_discords_limits(hex7: Game, sim: SimulatedDiscord) -> None:
    games = list(GAMES.values())
    pages = [games[first : first + PAGE] for first in range(0, len(games), PAGE)]
    assert len(pages) > 1
    shown = answer(await sim.alice.slash(sim.channel, "games"))
    first = text_of(shown.message)
    for page in pages:
        if page is not pages[0]:
            await sim.alice.click(shown, label="Next →")
        text = text_of(shown.message)
        assert [game for game in games if f"### {game.name}\n" in text] == page
        assert len(shown.attachments) == len(page)
    for _ in pages[1:]:
        await sim.alice.click(shown, label="← Back")
    assert text_of(shown.message) == first


async def turned_to(sim: SimulatedDiscord, game: Game) -> ResponseMessage:
    """Have Alice ask for the games and turn to the page with this one."""
    shown = answer(await sim.alice.slash(sim.channel, "games"))
    while f"### {game.name}\n" not in text_of(shown.message):
        await sim.alice.click(shown, label="Next →")
    return shown


async def test_the_rules_of_a_game_are_on_its_page(sim: SimulatedDiscord) -> None:
    shown = await turned_to(sim, TIC_TAC_TOE)
    assert f"Rules of {TIC_TAC_TOE.name}" in labels(shown.message)


@pytest.mark.own_bot
async def test_every_command_that_asks_for_a_game_offers_all_there_are(hex7: Game, sim: SimulatedDiscord) -> None:
    offering = {}
    for command in sim.bot.tree.walk_commands():
        asked = command.get_parameter("game") if isinstance(command, discord.app_commands.Command) else None
        if asked is not None:
            offering[command.name] = [str(choice.value) for choice in asked.choices]
    with_puzzles = [key for key, game in GAMES.items() if puzzles(game)]
    assert offering.pop("puzzle") == with_puzzles != list(GAMES)
    assert offering.pop("play") == [*GAMES, "ladder:"]
    names = "challenge", "cup", "games", "ladder", "leaderboard", "matches"
    assert offering == {name: list(GAMES) for name in names}
    assert hex7.key in GAMES


async def test_a_game_with_a_digit_in_its_key_has_live_controls(hex7: Game, sim: SimulatedDiscord) -> None:
    shown = await turned_to(sim, hex7)
    rules = answer(await sim.alice.click(shown, label="Rules of Hex on seven"))
    assert "### Hex on seven: What it is" in text_of(rules.message)
    await sim.alice.click(rules, label="Next →")
    assert "### Hex on seven: A turn" in text_of(rules.message)
    card = await challenge(sim, game="hex7")
    assert "### Hex on seven" in text_of(answer(await sim.bob.click(card, label="Rules")).message)


@pytest.mark.own_bot
async def test_a_match_of_the_smallest_game_is_played_rated_replayed_and_exported(sim: SimulatedDiscord) -> None:
    card = await challenge(sim, game=TIC_TAC_TOE.key)
    await sim.bob.click(card, label="Accept")
    builder = answer(await sim.alice.click(board_of(sim, card.id), label="Play"))
    await build(sim.alice, builder, "b2")
    assert "Noughts) to move" in text_of(board_of(sim, card.id))
    await play(sim, card.id, "a2", "a1", "b1", "c3", begin=1)
    assert "wins: three in a row." in text_of(board_of(sim, card.id))
    assert len(boards(sim, card.id)) == 6
    replay = answer(await sim.carol.slash(sim.place(card.id), "match", action="replay"))
    assert (await replay.attachments[0].read()).startswith(b"GIF89a")
    record = answer(await sim.carol.slash(sim.place(card.id), "match", action="export")).attachments[0]
    assert '[Game "Tic-tac-toe"]' in (await record.read()).decode()
    assert record.filename == "tic-tac-toe-1.txt"
    await sim.carol.slash(sim.channel, "preferences", text_boards=True)
    ranks = text_of(answer(await sim.carol.slash(sim.channel, "leaderboard", game=TIC_TAC_TOE.key)).message)
    assert "### Leaderboard: Tic-tac-toe\n" in ranks
    assert ranks.index(f"<@{sim.alice.id}>") < ranks.index(f"<@{sim.bob.id}>")
    assert "Tic-tac-toe: " in text_of(answer(await sim.carol.slash(sim.channel, "profile", person=sim.alice)).message)


async def test_a_board_cannot_be_played_on_by_more_than_it_has_seats(sim: SimulatedDiscord) -> None:
    refused = await sim.alice.slash(sim.channel, "challenge", game=TIC_TAC_TOE.key, players=3)
    assert told(refused) == "Tic-tac-toe (Standard) is for 2 players."
    assert cards(sim) == []


def fails(*_: object, **__: object) -> NoReturn:
    raise ZeroDivisionError("division by zero")


@pytest.fixture(params=["summary", "draw", "name", "variants", "designer"])
def faulty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A game of which one fact or method raises."""
    facts: dict[str, Any] = {"key": "faulty", "name": "Faulty", "__module__": TicTacToe.__module__}
    facts[request.param] = fails if request.param == "draw" else property(fails)
    game = cast(Game, type("Faulty", (TicTacToe,), facts)())
    monkeypatch.setitem(GAMES._by_key, "faulty", game)
    yield game
    FAULTS.pop("faulty", None)


async def test_screens_of_all_games_leave_it_out(
    faulty: Game, sim: SimulatedDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    shown = answer(await sim.alice.slash(sim.channel, "games")).message
    for game in OWN:
        assert f"### {game.name}" in text_of(shown)
    about = answer(await sim.alice.slash(sim.channel, "help"))
    told(await sim.alice.click(about, label="About me"))
    menu = game_menu("some", GAMES.values())
    assert {game.key for game in OWN} <= {option.value for option in menu.options}
    (_start, pictures), _more = await front_page.FrontPage(sim.bot, [], None)._views()
    assert len(pictures) >= len(OWN)
    sentences = [one for one in left_out() if one.startswith("the game faulty is left out where it fails: ")]
    assert sentences == ["the game faulty is left out where it fails: ZeroDivisionError: division by zero"]
    logged = [
        record
        for record in (*caplog.get_records("setup"), *caplog.records)
        if "the game faulty is left out" in record.getMessage()
    ]
    assert [record.levelno for record in logged] == [logging.ERROR]
