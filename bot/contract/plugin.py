"""A pytest plugin, found by its entry point: the option ``--game`` limits the suite of the contract to one game.

Every run of pytest beside an installed bot imports this file, so it imports nothing of the bot by itself.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--game", metavar="KEY", help="run the tests of bot.contract for this game alone")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a key that no game has. Raises ``pytest.UsageError``."""
    config.addinivalue_line("markers", "slow: takes long")
    key = config.getoption("--game")
    if key is None:
        return
    from bot.games import GAMES

    if key not in GAMES:
        left_out = "".join(f"\n{rejected}" for rejected in GAMES.rejected)
        raise pytest.UsageError(f"no game has the key {key!r}; there are {', '.join(GAMES)}{left_out}")
