"""A game that was taken in and fails later is left out of a screen; the other games stay on it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NoReturn, cast

import pytest
from tavoliere_tic_tac_toe import TicTacToe

from bot.demo import front_page
from bot.games import GAMES, OWN, Game
from bot.games.faults import FAULTS
from bot.operation.game_check import left_out
from bot.views.game_menu import game_menu
from tests.support.acting import answer, text_of, told
from tests.support.simulated_discord import SimulatedDiscord


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
