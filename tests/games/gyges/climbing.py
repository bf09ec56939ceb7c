"""Climbs for positions of Gygès that take long: ``python -m tests.games.gyges.climbing classic --seconds 600``.

Begins with pieces put anywhere, changes one or two at a time, and keeps what takes longer, until nothing does for a
while; then begins again. Prints the worst found, in the notation of positions, with milliseconds for their lists of
moves. Those worth keeping are in ``fixtures/crowded.txt``.
"""

from __future__ import annotations

import argparse
from random import Random
from time import monotonic, thread_time

from bot.games.gyges.board import SQUARES, arrange, pieces_of
from bot.games.gyges.rules import RULESETS, GygesPosition
from tests.games.gyges.crowded import forget

STALE = 150
"""Changes without a gain after which a climb is over."""


def scattered(random: Random, squares: int = 36) -> int:
    """Return an arrangement of the twelve pieces on any of so many squares."""
    return arrange(zip(random.sample(random.sample(SQUARES, squares), 12), (1, 2, 3) * 4, strict=True))


def changed(pieces: int, random: Random) -> int:
    """Swap two pieces or move one to an empty square, once or a few times."""
    values = dict(pieces_of(pieces))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        place = random.choice(list(values))
        other = random.choice([square for square in SQUARES if square != place])
        value, there = values.pop(place), values.pop(other, None)
        values[other] = value
        if there is not None:
            values[place] = there
    return arrange(values.items())


def cost(ruleset: str, pieces: int) -> float:
    """Return the seconds that listing South's moves takes where nothing is remembered, the better of two times."""
    position = GygesPosition(ruleset, pieces)
    times = []
    for _ in range(2):
        forget()
        begun = thread_time()
        position.legal_moves()
        times.append(thread_time() - begun)
    return min(times)


def climb(ruleset: str, random: Random, end: float) -> tuple[float, int]:
    """Return the worst position of one climb, and its cost."""
    worst = max((cost(ruleset, pieces), pieces) for pieces in (scattered(random) for _ in range(60)))
    stale = 0
    while stale < STALE and monotonic() < end:
        pieces = changed(worst[1], random)
        worst, stale = max((worst, stale + 1), ((cost(ruleset, pieces), pieces), 0))
    return worst


def main() -> None:
    """Climb until the time is up, and print the worst of every climb that beat all before it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.games.gyges.climbing", description="Climb for slow positions."
    )
    parser.add_argument("ruleset", choices=list(RULESETS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random, end, worst = Random(chosen.seed), monotonic() + chosen.seconds, 0.0
    while monotonic() < end:
        seconds, pieces = climb(chosen.ruleset, random, end)
        if seconds > worst:
            worst = seconds
            print(f"{1000 * seconds:.1f} ms  {GygesPosition(chosen.ruleset, pieces).encode()}", flush=True)


if __name__ == "__main__":
    main()
