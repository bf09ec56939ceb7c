"""Set-ups of Gygès.

Strong levels take their set-ups from `bot/games/gyges/set_ups.txt`, which `python -m tests.figures set_ups` writes.
For each arrangement of South's (of two that mirror each other, one) a search looks at the ten answers of North's that
the evaluation likes best. The arrangements with which South keeps most are then tried with North's three best answers:
by a search with the budget of level 9 and by games of level 7 against itself. The search counts as much as some games,
and an answer that leaves South more than 60% by it is left out. A share is South's, with North's best answer. Where
there are fewer than six good answers, others are added that are near the best by the short search, and by the long one
where South's arrangement was tried. South plays one of the three best set-ups, or more if they are as good for all that
a few games can tell.
*Estimates* are what level 9 thinks of South's chances after each of the answers.
"""

from __future__ import annotations

import os
from random import Random

from bot.games.gyges.board import ARRANGEMENTS
from bot.games.gyges.rules import RULESETS, GygesPosition, SetUp
from bot.games.gyges.search import GygesState
from bot.games.gyges.set_ups import FILE, Study, best_of_south, studies, written
from bot.opponents.player import choose
from bot.opponents.thinking import think

_NODES, _MOST_NODES = 7_500, 90_000
"""Nodes on a small board for the first look at a set-up and for the last."""
_ANSWERS, _BEST_ANSWERS, _KEPT_ANSWERS = 10, 3, 6
_TRIED = 6
"""Arrangements of South's that are tried in games."""
_NEAR = 0.06
"""An answer that leaves South so much more than the best one is still good."""
_TRUSTED = 0.6
"""The most that an answer may leave South by the long search."""
_PRIOR = 12
"""The search counts as much as so many games."""
_LEVEL = 7


def measure() -> list[str]:
    """Find good set-ups by search and games, and write the table."""
    games = int(os.environ.get("SET_UP_GAMES", "6"))
    FILE.write_text(written({ruleset: studied(ruleset, games) for ruleset in RULESETS}), encoding="utf-8")
    studies.cache_clear()
    return [
        "| Rules | South | Share | North's answers | Estimates |",
        "| --- | --- | ---: | --- | ---: |",
        *(
            f"| {ruleset} | {south} | {known[south].share}% | {', '.join(known[south].answers)} "
            f"| {', '.join(f'{share:.0%}' for share in estimates(ruleset, south, known[south]))} |"
            for ruleset, known in studies().items()
            for south in best_of_south(known)
        ),
    ]


def estimates(ruleset: str, south: str, study: Study) -> list[float]:
    """Return what level 9 thinks of South's chances, by North's answer."""
    return [south_share(after(ruleset, south, north), _MOST_NODES) for north in study.answers]


def studied(ruleset: str, games: int) -> dict[str, Study]:
    """Return what is found out about each arrangement of South's, the best first, with ``games`` for each answer."""
    looks = {south: first_look(ruleset, south) for south in ARRANGEMENTS if south <= south[::-1]}
    order = sorted(looks, key=lambda south: -min(looks[south].values()))
    tried = {south: in_games(ruleset, south, looks[south], games) for south in order[:_TRIED]}
    best = sorted(tried, key=lambda south: -min(tried[south].values()))
    return {
        south: study_of(tried[south], longer_look(ruleset, south, looks[south]), games * _BEST_ANSWERS)
        for south in best
    } | {south: study_of(looks[south], looks[south], 0) for south in order[_TRIED:]}


def study_of(shares: dict[str, float], looks: dict[str, float], games: int) -> Study:
    """Return a study of South's ``shares`` by North's answer, with some more answers that are good by a search."""
    least, good = min(shares.values()), min(looks.values()) + _NEAR
    answers = sorted((north for north, share in shares.items() if share <= least + _NEAR), key=lambda n: shares[n])
    others = sorted((north for north, share in looks.items() if share <= good), key=lambda north: looks[north])
    return Study(round(100 * least), games, tuple(dict.fromkeys((*answers, *others)))[:_KEPT_ANSWERS])


def first_look(ruleset: str, south: str) -> dict[str, float]:
    """Return South's share by a short search, by North's answer."""
    liked = sorted(ARRANGEMENTS, key=lambda north: GygesState(after(ruleset, south, north)).evaluate())
    return {north: south_share(after(ruleset, south, north), _NODES) for north in liked[:_ANSWERS]}


def longer_look(ruleset: str, south: str, looks: dict[str, float]) -> dict[str, float]:
    """Return South's share by a long search, by those of North's answers that are good by a short one."""
    good = min(looks.values()) + _NEAR
    return {n: south_share(after(ruleset, south, n), _MOST_NODES) for n, share in looks.items() if share <= good}


def in_games(ruleset: str, south: str, shares: dict[str, float], games: int) -> dict[str, float]:
    """Return South's share by a long search and by games, by North's answer.

    Answers that North would not trust by the search are left out if there are others.
    """
    found, trusted = {}, set()
    for north in sorted(shares, key=lambda north: shares[north])[:_BEST_ANSWERS]:
        position = after(ruleset, south, north)
        points = sum(south_points(position, number) for number in range(games))
        estimate = south_share(position, _MOST_NODES)
        found[north] = (estimate * _PRIOR + points) / (_PRIOR + games)
        if estimate <= _TRUSTED:
            trusted.add(north)
    return {north: share for north, share in found.items() if north in trusted or not trusted}


def after(ruleset: str, south: str, north: str) -> GygesPosition:
    half = SetUp(ruleset, south)
    position = half.play(half.parse(north))
    assert isinstance(position, GygesPosition)
    return position


def south_share(position: GygesPosition, nodes: int) -> float:
    state = GygesState(position)
    return think(state, round(nodes / state.cost), Random(0))[0].winning


def south_points(position: GygesPosition, number: int) -> float:
    """Return South's points in a game of two equal players from here; each ``number`` is another game."""
    random = Random(f"{position.encode()} {number}")
    played = position
    while played.result is None:
        played = played.play(choose(played, _LEVEL, random.getrandbits(32)))
    winners = played.result.winners
    return 0.5 if len(winners) > 1 else float(0 in winners)
