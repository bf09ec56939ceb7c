"""Makes the toy the last of ``GAMES``, as a line in ``bot/games/__init__.py`` would, before the bot is built."""

from __future__ import annotations

import bot.games
from tests.toy_game import TIC_TAC_TOE


def join() -> None:
    """Add the toy to the games there are; doing it again changes nothing."""
    bot.games._BY_KEY[TIC_TAC_TOE.key] = TIC_TAC_TOE
