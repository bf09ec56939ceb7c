"""``python -m bot.opponents``: what is done with computer players outside of a match."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.games import GAMES
from bot.opponents.ladder.matches import PLAYERS, Pairing, Round, Standing, pairings, played
from bot.opponents.ladder.report import lines

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)


@app.callback()
def main() -> None:
    """Look after computer players."""


@app.command()
def ladder(
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be given several times.")] = None,
    variant: Annotated[list[str] | None, typer.Option(help="Only this variant; may be given several times.")] = None,
    player: Annotated[list[str] | None, typer.Option(help="Only pairings that begin with this player.")] = None,
    against: Annotated[list[str] | None, typer.Option(help="Only pairings against this player.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games a pairing in default variants.")] = 200,
    others: Annotated[int, typer.Option(min=0, help="Games a pairing in the other variants.")] = 60,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Let levels and baselines play each other, and print what each scored with its 95% interval."""
    for given, known in ((game, GAMES), (player, PLAYERS), (against, PLAYERS)):
        if unknown := [name for name in given or () if name not in known]:
            raise typer.BadParameter(f"there is no {unknown[0]}; there are {', '.join(known)}")
    chosen = [
        (pairing, games if first else others)
        for key in game or GAMES
        for pairing, first in _pairings(key)
        if (not variant or pairing.variant in variant)
        and (not player or pairing.first in player)
        and (not against or pairing.second in against)
    ]
    for line in lines(_standings(chosen, jobs)):
        typer.echo(line)


def _pairings(key: str) -> list[tuple[Pairing, bool]]:
    """Return the pairings of every variant for two, each with whether it is of the default variant."""
    variants = [variant for variant in GAMES[key].variants if 2 in variant.players]
    return [(one, place == 0) for place, variant in enumerate(variants) for one in pairings(key, variant.key)]


def _standings(chosen: list[tuple[Pairing, int]], jobs: int) -> Iterator[Standing]:
    """Yield each pairing's standing as soon as its last game is over, with a progress bar beside."""
    left = {pairing: count for pairing, count in chosen if count}
    counts, points = dict(left), dict.fromkeys(left, 0.0)
    rounds = [Round(pairing, number) for pairing, count in left.items() for number in range(count)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("Games", total=len(rounds))
        for one, score in played(rounds, jobs):
            pairing = one.pairing
            points[pairing] += score
            left[pairing] -= 1
            progress.advance(task)
            if not left[pairing]:
                yield Standing(pairing, counts[pairing], points[pairing])


if __name__ == "__main__":
    app()
