"""Golden playthroughs: whole games as text files, written once and re-run on every change of the rules.

A file holds, ply by ply, the move, what could have been played, and the position it led to, so that a change of a rule
shows up as a readable difference. Knows no game. From the command line::

    python -m bot.contract.golden write yonmoque five --title "Five in a row loses" --moves "c3 a1 b2 ..."
    python -m bot.contract.golden write yonmoque random --variant standard --players 2 --random 7
    python -m bot.contract.golden rewrite yonmoque        (after an intended change: the same moves again)
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from sysconfig import get_path

from bot.contract.cases import Case, legal, playout
from bot.games import GAMES
from bot.games.game import Game, Position

_FEW = 6
_WIDE = 100


def folder(game: Game) -> Path:
    """Return where the golden files of a game are: beside its rules."""
    return Path(inspect.getfile(type(game))).parent / "golden"


def files(key: str | None = None) -> list[Path]:
    games = GAMES.values() if key is None else [GAMES[key]]
    return [file for game in games for file in sorted(folder(game).glob("*.txt"))]


def write(case: Case, title: str, moves: Iterable[str]) -> str:
    """Return the text of a golden file: the game in ``case`` that ``moves`` make."""
    position = case.start()
    lines = [
        f"game: {case.game.key}",
        f"variant: {case.variant.key}",
        f"players: {case.players}",
        f"title: {title}",
        "",
        f"  0 {'':<12} {_outlook(position)} | {_shortened(position.encode())}",
    ]
    for number, text in enumerate(moves, start=1):
        move = position.parse(text)
        position = position.play(move)
        lines.append(f"{number:>3} {move!s:<12} {_outlook(position)} | {_shortened(position.encode())}")
    outcome, result = "none yet", position.result
    if result is not None:
        seats = " and ".join(str(seat + 1) for seat in sorted(result.winners))
        outcome = f"{'won' if len(result.winners) == 1 else 'drawn'} by {seats}: {result.reason}"
    return "\n".join([*lines, "", f"result: {outcome}"]) + "\n"


def rewrite(text: str) -> str:
    """Return the text of a golden file played again by the rules as they are now."""
    case, title, moves = game_in(text)
    return write(case, title, moves)


def game_in(text: str) -> tuple[Case, str, list[str]]:
    """Return what is played in a golden file, its title and its moves."""
    head, _, body = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    game = GAMES[facts["game"]]
    case = Case(game, game.variant(facts["variant"]), int(facts["players"]))
    return case, facts["title"], re.findall(r"^ *[1-9]\d* (\S+)", body, re.MULTILINE)


def _outlook(position: Position) -> str:
    """Return who is to move and how: every move if they are few, else their number and a hash of their texts."""
    moves, complete = legal(position)
    seat = "-" if position.to_move is None else str(position.to_move + 1)
    texts = sorted(map(str, moves))
    count = f"{len(moves)}{'' if complete else '+'}"
    which = ", ".join(texts) if len(texts) <= _FEW else _digest(" ".join(texts))
    return f"{seat:>2} to move: {count:>5} {which}"


def _shortened(text: str) -> str:
    """Return an encoded position, with a hash in place of what makes the line too long to read."""
    return text if len(text) <= _WIDE else f"{text[:_WIDE]}... {_digest(text)}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bot.contract.golden")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("write", "rewrite"):
        command = commands.add_parser(name)
        command.add_argument("game", choices=GAMES)
    writing = commands.choices["write"]
    writing.add_argument("name")
    writing.add_argument("--moves", default="", help="the moves, with spaces between")
    writing.add_argument("--title", default="A game played at random")
    writing.add_argument("--variant")
    writing.add_argument("--players", type=int)
    writing.add_argument("--random", type=int, metavar="SEED")
    arguments = parser.parse_args()
    place = folder(GAMES[arguments.game])
    if installed := [path for path in map(get_path, ("purelib", "platlib")) if place.is_relative_to(path)]:
        parser.error(
            f"{arguments.game} is a copy in {installed[0]}, where golden games would outlive it and be lost. "
            "Install the folder of its source with `pip install -e`, and write them there."
        )
    if arguments.command == "rewrite":
        for file in files(arguments.game):
            file.write_text(rewrite(file.read_text(encoding="utf-8")), encoding="utf-8")
        return
    game = GAMES[arguments.game]
    variant = game.variant(arguments.variant) if arguments.variant else game.variants[0]
    case = Case(game, variant, arguments.players or variant.players[0])
    moves = arguments.moves.split()
    if arguments.random is not None:
        moves = [str(ply.move) for ply in playout(case, arguments.random) if ply.move is not None]
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{arguments.name}.txt").write_text(write(case, arguments.title, moves), encoding="utf-8")


if __name__ == "__main__":
    main()
