"""The check figures of ``RULES.md``, counted again."""

from __future__ import annotations

import re
from pathlib import Path

import tavoliere_tic_tac_toe
from tavoliere_tic_tac_toe import TIC_TAC_TOE

from bot.contract.perft import perft

RULES = Path(tavoliere_tic_tac_toe.__file__).with_name("RULES.md")


def test_as_many_positions_are_reached_as_the_rules_say() -> None:
    figures = [int(figure) for figure in re.findall(r"\d+", RULES.read_text(encoding="utf-8").rpartition("| Count")[2])]
    assert len(figures) == 6
    assert [perft(TIC_TAC_TOE.start(), plies) for plies in range(1, 7)] == figures
