"""The ladder as a table in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.opponents.ladder.matches import Standing


def lines(standings: Iterable[Standing]) -> Iterator[str]:
    """Yield the lines of the table: a row a pairing, the share of points with its 95% interval, and the promise."""
    yield "| Game | Variant | Player | Against | Games | Score | 95% interval | Promised | Kept |"
    yield "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |"
    yield from map(_row, standings)


def _row(standing: Standing) -> str:
    pairing, (low, high) = standing.pairing, standing.interval
    promised = f"{'at most' if pairing.at_most else 'at least'} {pairing.promised:.0%}"
    cells = (
        pairing.game,
        pairing.variant,
        pairing.first,
        pairing.second,
        standing.games,
        f"{standing.points / standing.games:.1%}",
        f"{low:.1%} to {high:.1%}",
        promised,
        "yes" if standing.kept else "no",
    )
    return f"| {' | '.join(map(str, cells))} |"
