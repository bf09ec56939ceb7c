"""``python -m bot.opponents``: tools for computer players and puzzles outside of matches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.games import GAMES
from bot.games.game import Position
from bot.games.puzzles import Task, file_of, file_text
from bot.games.puzzles import puzzles as known_puzzles
from bot.opponents.ladder.matches import PLAYERS, LadderPairing, LadderRound, LadderStanding, pairings, play_games
from bot.opponents.ladder.report import lines, standings_on, with_standings
from bot.opponents.levels import LEVELS
from bot.opponents.puzzles.collecting import Collection
from bot.opponents.puzzles.games import LEVELS as MAKING_MISTAKES
from bot.opponents.puzzles.games import game_of_record, played_in_all

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
    page: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="A page whose rows to renew.")] = None,
    more: Annotated[bool, typer.Option("--more", help="Play only the games that the rows of the page lack.")] = False,
) -> None:
    """Let levels and baselines play each other, and print what each scored with its 95% interval.

    With a page, such as docs/figures/ladder.md, each row is written there after each of its games, and the others stay.
    So the command can be stopped at any time, and goes on with --more where it was.
    """
    for given, names in ((game, GAMES), (player, PLAYERS), (against, PLAYERS)):
        _check(given, names)
    _check(variant, _variants(game))
    chosen = [
        (pairing, games if first else others)
        for key in game or GAMES
        for pairing, first in _pairings(key)
        if (not variant or pairing.variant in variant)
        and (not player or pairing.first in player)
        and (not against or pairing.second in against)
    ]
    before = standings_on(page.read_text(encoding="utf-8")) if page and more else {}
    for line in lines(_standings(chosen, before, page, jobs)):
        typer.echo(line)


@app.command()
def puzzles(
    records: Annotated[
        list[Path] | None,
        typer.Argument(
            exists=True, dir_okay=False, help="Text records of matches to look into first, as the bot exports them."
        ),
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be given several times.")] = None,
    variant: Annotated[list[str] | None, typer.Option(help="Only this variant; may be given several times.")] = None,
    games: Annotated[
        int, typer.Option(min=0, help="Games to be played by the bot itself, a variant, at most.")
    ] = 1_000,
    first: Annotated[int, typer.Option(min=0, help="Number of the first of these; each number is another game.")] = 0,
    fresh: Annotated[bool, typer.Option(help="Begin anew instead of adding to the puzzles there are.")] = False,
    task: Annotated[str | None, typer.Option(help="Only this task, such as 'win 3', until there are ten.")] = None,
    level: Annotated[
        list[int] | None,
        typer.Option(
            min=LEVELS[0],
            max=LEVELS[-1],
            help="Levels of the players in these games; they win in more moves from 3 on.",
        ),
    ] = None,
) -> None:
    """Find puzzles, prove them, and write them into the folders of their games, until each variant has enough."""
    _check(game, GAMES)
    _check(variant, _variants(game))
    try:
        sought = None if task is None else Task.read(task)
    except ValueError:
        raise typer.BadParameter("a task is win, hold or find with a number") from None
    texts = list(_readable(records or ()))
    for each_game in (GAMES[key] for key in game or GAMES):
        variants = [kind for kind in each_game.variants if 2 in kind.players]
        kept = [old for old in known_puzzles(each_game) if not fresh or (variant and old.variant not in variant)]
        collections = [
            Collection(each_game, v, [old for old in kept if old.variant == v.key], sought=sought) for v in variants
        ]
        for collection in collections:
            if variant and collection.variant.key not in variant:
                continue
            every = played_in_all(each_game, collection.variant, texts, games, first, level or MAKING_MISTAKES)
            for gave_one in _filled(collection, every, len(texts) + -(-games // 3)):
                if gave_one:
                    text = file_text(puzzle for each in collections for puzzle in each.puzzles)
                    file_of(each_game).write_text(text, encoding="utf-8")


def _check(given: Iterable[str] | None, names: Mapping[str, object] | Sequence[str]) -> None:
    """Raise ``BadParameter`` for an unknown name."""
    if unknown := [name for name in given or () if name not in names]:
        raise typer.BadParameter(f"there is no {unknown[0]}; there are {', '.join(names)}")


def _variants(games: Iterable[str] | None) -> list[str]:
    """Return the keys of the variants of some games, or of all."""
    return [variant.key for key in games or GAMES for variant in GAMES[key].variants]


def _readable(records: Iterable[Path]) -> Iterator[str]:
    """Yield the texts of records of matches between two players, and name the files that are none."""
    for file in records:
        try:
            text = file.read_text(encoding="utf-8")
            game_of_record(text)
        except ValueError as error:
            typer.echo(f"{file} is passed over: {error}", err=True)
        else:
            yield text


def _filled(collection: Collection, every: Iterator[list[Position]], part: int) -> Iterator[bool]:
    """Yield for each game whether it gave a puzzle, beside a progress bar.

    After each ``part`` of ``every`` game the collection becomes more generous.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[games]}"))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        name = f"{collection.game.name}, {collection.variant.name}"
        task = progress.add_task(name, total=collection.target, completed=collection.there, games="")
        number = 0
        for collection.generosity in (1.0, 2.0, 4.0):
            for puzzle in collection.fill(islice(every, part)):
                number += 1
                progress.update(task, completed=collection.there, games=f"in {number} games")
                yield puzzle is not None


def _pairings(key: str) -> list[tuple[LadderPairing, bool]]:
    """Return the pairings of every variant for two players, and whether each is of the default variant."""
    variants = [variant for variant in GAMES[key].variants if 2 in variant.players]
    return [(pairing, place == 0) for place, variant in enumerate(variants) for pairing in pairings(key, variant.key)]


def _standings(
    chosen: list[tuple[LadderPairing, int]],
    before: Mapping[LadderPairing, LadderStanding],
    page: Path | None,
    jobs: int,
) -> Iterator[LadderStanding]:
    """Yield each pairing's standing as soon as its last game is over, beside a progress bar.

    The games of ``before`` count, and are not played again. Every game is put on the ``page`` at once.
    """
    standings = {pairing: before.get(pairing, LadderStanding(pairing, 0, 0.0)) for pairing, _ in chosen}
    sought = {pairing: count for pairing, count in chosen if count > standings[pairing].games}
    rounds = [
        LadderRound(pairing, number)
        for pairing, count in sought.items()
        for number in range(standings[pairing].games, count)
    ]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("Games", total=len(rounds))
        for played, score in play_games(rounds, jobs):
            earlier = standings[played.pairing]
            standing = replace(earlier, games=earlier.games + 1, points=earlier.points + score)
            standings[played.pairing] = standing
            if page:
                page.write_text(with_standings(page.read_text(encoding="utf-8"), [standing]), encoding="utf-8")
            progress.advance(task)
            if standing.games == sought[played.pairing]:
                yield standing


if __name__ == "__main__":
    app()
