"""Questions about positions that a reader of a guide should be able to answer, and what the rules say to them.

They stand beside the guide, in ``questions.toml``. A question has words for people (``ask`` and ``answer``) and says
the answer again in terms of the rules. It starts from a ``position`` as ``Position.encode`` writes it, or from the
start of a ``variant``, where ``moves`` are played:

- ``legal`` and ``illegal`` are moves that may and may not be played there;
- ``exactly`` are all the legal moves whose texts begin with ``begin``, or simply all of them;
- ``play`` are moves to play there, after which the position's text begins with ``then``, or the ``outcome`` is "goes
  on", "draw" or the name of the seat that wins.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.games.game import Game, IllegalMove, Position


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a game; the fields beside ``game`` are those of the file."""

    game: Game
    ask: str
    answer: str
    variant: str = ""
    players: int = 2
    position: str = ""
    moves: str = ""
    legal: tuple[str, ...] = ()
    illegal: tuple[str, ...] = ()
    begin: str = ""
    exactly: tuple[str, ...] = ()
    play: str = ""
    then: str = ""
    outcome: str = ""

    def __str__(self) -> str:
        return f"{self.game.key}: {self.ask}"

    def contradictions(self) -> Iterator[str]:
        """Yield the points in which the rules contradict the answer."""
        if self.position:
            start = self.game.decode(self.position)
        else:
            variant = self.game.variant(self.variant or self.game.variants[0].key)
            start = self.game.start(players=self.players, **variant.options)
        position = played(start, self.moves)
        for legal, texts in ((True, self.legal), (False, self.illegal)):
            verdict = "is not legal" if legal else "is legal"
            yield from (f"{text} {verdict}" for text in texts if is_legal(position, text) != legal)
        if self.exactly:
            begun = {str(move) for move in position.legal_moves() if str(move).startswith(self.begin)}
            yield from (f"{text} is said or legal, not both" for text in sorted(begun ^ set(self.exactly)))
        after = played(position, self.play)
        if not after.encode().startswith(self.then):
            yield f"it is {after.encode()}"
        if self.outcome and self.outcome != outcome(self.game, after):
            yield f"the outcome is {outcome(self.game, after)}"


def played(position: Position, texts: str) -> Position:
    """Return the position after moves separated by spaces."""
    for text in texts.split():
        position = position.play(position.parse(text))
    return position


def is_legal(position: Position, text: str) -> bool:
    try:
        position.parse(text)
    except IllegalMove:
        return False
    return True


def outcome(game: Game, position: Position) -> str:
    """Return "goes on", "draw" or the name of the seat that has won."""
    if position.result is None:
        return "goes on"
    winners = position.result.winners
    return "draw" if len(winners) > 1 else game.seat_names[min(winners)]


def questions(game: Game) -> list[Question]:
    """Return the questions beside a game's guide, in their order; none if there is no such file."""
    file = Path(inspect.getfile(type(game))).with_name("questions.toml")
    if not file.is_file():
        return []
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    lists = ("legal", "illegal", "exactly")
    return [Question(game, **entry | {name: tuple(entry.get(name, ())) for name in lists}) for entry in entries]
