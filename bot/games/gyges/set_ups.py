"""Good set-ups of Gygès, read from ``set_ups.txt`` in this folder.

Each line has a rule set, an arrangement of South's, South's share of points with it in per cent, how many games were
played from it, and North's good answers, the best first. Of two arrangements that mirror each other one is there.
``python -m tests.figures set_ups`` finds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bot.games.gyges.notation import Turn
from bot.games.gyges.rules import SetUp

FILE: Final = Path(__file__).with_name("set_ups.txt")
_NEAR: Final = 7
"""Set-ups of South's within so many per cent of the best are as good, for all that a few games can tell."""
_FEWEST: Final = 3
"""So many of South's set-ups are played in any case: the best ones."""


class Study(NamedTuple):
    """What is known of a set-up of South's: its ``share`` of points in per cent, and North's good ``answers``.

    Only the best set-ups were tried in ``games``; of the others a search alone tells the share.
    """

    share: int
    games: int
    answers: tuple[str, ...]


def read(text: str) -> dict[str, dict[str, Study]]:
    """Return the studies by rule set and South's arrangement. Raises ``ValueError`` for a line that is none."""
    by_ruleset: dict[str, dict[str, Study]] = {}
    for line in text.splitlines():
        ruleset, south, share, games, *answers = line.split()
        by_ruleset.setdefault(ruleset, {})[south] = Study(int(share), int(games), tuple(answers))
    return by_ruleset


def written(studies: Mapping[str, Mapping[str, Study]]) -> str:
    """Return the text that ``read`` reads."""
    return "".join(
        f"{ruleset} {south} {study.share} {study.games} {' '.join(study.answers)}\n"
        for ruleset, by_south in studies.items()
        for south, study in by_south.items()
    )


@cache
def studies() -> Mapping[str, Mapping[str, Study]]:
    return read(FILE.read_text(encoding="utf-8"))


def studied_set_up(position: SetUp, random: Random) -> Turn:
    """Return one of the set-ups that the table has for this position, drawn with ``random``."""
    by_south = studies()[position.ruleset]
    if position.south is None:
        chosen = random.choice(best_of_south(by_south))
        return Turn(random.choice((chosen, chosen[::-1])))
    if position.south in by_south:
        return Turn(random.choice(by_south[position.south].answers))
    return Turn(random.choice(by_south[position.south[::-1]].answers)[::-1])


def best_of_south(by_south: Mapping[str, Study]) -> Sequence[str]:
    """Return the arrangements of South's that are about as good as the best, three at least."""
    tried = sorted(((study.share, south) for south, study in by_south.items() if study.games), reverse=True)
    return [south for place, (share, south) in enumerate(tried) if place < _FEWEST or share >= tried[0][0] - _NEAR]
