"""The ladder as a table in Markdown, on a page whose rows can be renewed one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bot.games import GAMES
from bot.opponents.ladder.matches import LadderPairing, LadderStanding, pairings

HEAD = (
    "| Game | Variant | Player | Against | Games | Points | Score | 95% interval | Promised | Kept |",
    "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
)
_ROW = re.compile(r"^\| (\S+) \| (\S+) \| ([^|]+) \| ([^|]+) \| (\d+) \| ([\d.]+) \|", re.MULTILINE)
_TABLE = re.compile(rf"{re.escape(HEAD[0])}\n(?:\|.*\n)*")


def lines(standings: Iterable[LadderStanding]) -> Iterator[str]:
    """Yield the lines of the table. Each row has a pairing, its points with their 95% interval, and the promise."""
    yield from HEAD
    yield from map(_row, standings)


def standings_on(page: str) -> dict[LadderPairing, LadderStanding]:
    """Return the standings in the table of a page, by pairing, without pairings that no longer exist."""
    standings: dict[LadderPairing, LadderStanding] = {}
    for game, variant, first, second, games, points in _ROW.findall(page):
        for pairing in pairings(game, variant) if game in GAMES else ():
            if (pairing.first, pairing.second) == (first, second):
                standings[pairing] = LadderStanding(pairing, int(games), float(points))
    return standings


def with_standings(page: str, standings: Iterable[LadderStanding]) -> str:
    """Return ``page`` with these rows in place of those of the same pairings, or with a new table at its end."""
    rows = standings_on(page) | {standing.pairing: standing for standing in standings}
    table = "".join(f"{line}\n" for line in lines(sorted(rows.values(), key=_place)))
    written, count = _TABLE.subn(lambda _: table, page, count=1)
    return written if count else f"{page.rstrip()}\n\n{table}"


def _place(standing: LadderStanding) -> tuple[str, str, int]:
    pairing = standing.pairing
    return pairing.game, pairing.variant, pairings(pairing.game, pairing.variant).index(pairing)


def _row(standing: LadderStanding) -> str:
    pairing, (low, high) = standing.pairing, standing.interval
    promised = (
        f"{pairing.floor:.0%} to {pairing.ceiling:.0%}" if pairing.ceiling < 1 else f"at least {pairing.floor:.0%}"
    )
    cells = (
        pairing.game,
        pairing.variant,
        pairing.first,
        pairing.second,
        standing.games,
        f"{standing.points:g}",
        f"{standing.points / standing.games:.1%}",
        f"{low:.1%} to {high:.1%}",
        promised,
        "yes" if standing.kept else "no",
    )
    return f"| {' | '.join(map(str, cells))} |"
