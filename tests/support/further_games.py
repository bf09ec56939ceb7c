"""More games than a menu of Discord holds."""

from __future__ import annotations

from typing import cast

import discord
import pytest
from tavoliere_tic_tac_toe import TicTacToe

from bot.cogs.command_tree import COGS
from bot.games import GAMES, Game


def add_games(monkeypatch: pytest.MonkeyPatch, number: int) -> list[Game]:
    """Add so many games, ``game-0`` first, before a bot is built."""
    # All bots of a process share the parameters of their commands, and those of other tests list the games.
    for cog in COGS:
        for command in cog().walk_app_commands():
            if isinstance(command, discord.app_commands.Command) and "game" in command._params:
                monkeypatch.setattr(command._params["game"], "autocomplete", None)
    added = []
    for one in range(number):
        facts = {"key": f"game-{one}", "name": f"Game {one:02}", "__module__": TicTacToe.__module__}
        game = cast(Game, type("Further", (TicTacToe,), facts)())
        monkeypatch.setitem(GAMES._by_key, game.key, game)
        added.append(game)
    return added
