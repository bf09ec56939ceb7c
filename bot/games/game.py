"""The contract every game keeps: a ``Game`` starts and restores positions, draws them and states facts about itself.

Positions and moves are in ``position``. A game imports the whole contract from here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Generic, TypeVar, cast

from bot.games.position import (
    PASS,
    IllegalMove,
    Move,
    Position,
    Result,
    SequentialPosition,
    Step,
    caption,
    split_text,
)
from bot.games.search import SearchState
from renderers.scene import Scene

__all__ = [
    "KEY_PATTERN",
    "MOST_PLAYERS",
    "PASS",
    "RESERVED_KEYS",
    "Baseline",
    "Game",
    "IllegalMove",
    "Move",
    "Position",
    "Result",
    "SequentialPosition",
    "Step",
    "Variant",
    "View",
    "caption",
    "split_text",
]

KEY_PATTERN = r"[a-z][a-z0-9-]{0,19}"
"""What the key of a game looks like: it stands in commands, in the custom ids of controls and in file names."""
RESERVED_KEYS = frozenset({"all"})
"""What stands for all games together in commands."""
MOST_PLAYERS = 10
"""More seats than this no game has: commands ask for their number. Colours of their own there are for six."""

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of options a person can choose.

    ``options`` are the keyword arguments for ``Game.start``, ``players`` the numbers of players it is for.
    """

    key: str
    name: str
    players: range
    options: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class View(Generic[P, M]):
    """How a position is to be seen: what ``Game.scene`` was told, in the types of one game."""

    last: M | None = None
    seat: int = 0
    before: P | None = None
    chosen: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    coordinates: bool = True


@dataclass(frozen=True, slots=True)
class Baseline:
    """A player of one game that computer players are measured against, and that has nothing in common with them.

    ``share`` is what the strongest level is to score against it, from 0 to 1.
    """

    name: str
    choose: Callable[[Position, Random], Move]
    share: float


class Game(ABC):
    """What is known of a game beside its positions. One instance a game, in ``bot.games.GAMES``.

    A game is only ever given positions and moves of its own, and says so in the types of what it overrides.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    designer: ClassVar[str]
    players: ClassVar[range]
    variants: ClassVar[tuple[Variant, ...]]
    summary: ClassVar[str]
    """The rules in one sentence, for the challenge card."""
    seat_names: ClassVar[tuple[str, ...]]
    """What each seat is called in this game, such as ("Blue", "White"); one for every seat of the largest game."""

    rules_version: ClassVar[str] = "1"
    """The version of the rules, such as "1" or "1.2". A change that makes a legal move illegal, or the other way round,
    or changes what a move does, raises the first number: matches begun under another one cannot go on.
    """
    options: ClassVar[frozenset[str]] = frozenset()
    """The names of what ``start`` can be told beside the number of players."""
    finding: ClassVar[str] = ""
    """Where finding a legal move is the point: what a puzzle asks to be found, such as "a word that is left"."""
    positions: ClassVar[tuple[type[Position], ...]] = ()
    """The classes of its positions, by which ``bot.games.game_of`` knows it; only needed with one of those below."""

    careful_share: ClassVar[float] = 0.97
    """What the strongest level is to score against somebody who only takes a win in one and avoids a loss in one."""
    baselines: ClassVar[tuple[Baseline, ...]] = ()
    """Players of this game alone that the strongest level is measured against."""

    def search_state(self, position: Any) -> SearchState | None:
        """Return a compact state for computer players, or None: then they play by the rules layer alone.

        ``position`` is one of ``positions`` that is not over. A state may serve for some of them and not for others.
        """
        return None

    def opening(self, position: Any, random: Random) -> Move | None:
        """Return a good move that needs no search, such as one of many good set-ups drawn with ``random``, or None."""
        return None

    def canonical_form(self, position: Any) -> Hashable:
        """Return one value for all positions that are equivalent: the best move in one tells the best move in all.

        The symmetries of the game turn equivalent positions into each other. Counters and earlier positions make no
        difference and are left out. The default takes every position for equivalent to itself alone.
        """
        return cast(Position, position)

    def without_history(self, position: Any) -> Position:
        """Return ``position`` as if the game had begun with it: no repetition and no limit is near. For puzzles.

        The legal moves are the same. The default is for games in which nothing depends on what has been.
        """
        own: Position = position
        return own

    def start(self, players: int = 2, **options: Any) -> Position:
        """Return the first position. Raises ``ValueError`` for players or options the game does not know."""
        if players not in self.players:
            fewest, most = self.players[0], self.players[-1]
            raise ValueError(f"{self.name} is for {fewest if fewest == most else f'{fewest} to {most}'} players")
        if unknown := options.keys() - self.options:
            raise ValueError(f"{self.name} has no option {', '.join(sorted(unknown))}")
        return self.first(players, **options)

    def scene(
        self,
        position: Position,
        last: Move | None = None,
        seat: int = 0,
        *,
        before: Position | None = None,
        chosen: Sequence[str] = (),
        targets: Iterable[str] = (),
        coordinates: bool = True,
    ) -> Scene:
        """Return what ``position`` looks like from the side of ``seat``.

        ``last`` is the move that led here and ``before`` the position it was played in: with it, what the move did
        (flips, captures, its path) is marked as well. ``chosen`` holds the keys of the steps chosen so far in a move
        under construction and ``targets`` the squares that may come next; a whole move is shown as if it were played.
        """
        view = View(last, seat, before, tuple(chosen), tuple(dict.fromkeys(targets)), coordinates)
        return self.draw(position, view)

    @abstractmethod
    def first(self, players: int, **options: Any) -> Position:
        """Return the first position for players and options the game knows. Raises ``ValueError`` for their values."""

    @abstractmethod
    def decode(self, text: str) -> Position:
        """Restore what ``Position.encode`` wrote. Raises ``ValueError`` for anything else."""

    @abstractmethod
    def draw(self, position: Any, view: View[Any, Any]) -> Scene:
        """Return the scene of one of this game's positions, seen as ``view`` says."""

    @abstractmethod
    def pieces_in_words(self, position: Any) -> Sequence[str]:
        """Return short lines that say where everything stands, for alternative text and text boards."""

    def variant(self, key: str) -> Variant:
        """Return the variant of that key. Raises ``KeyError``."""
        return next(iter(v for v in self.variants if v.key == key), None) or _unknown(self.name, key)

    def move_in_words(self, before: Any, move: Any) -> str:
        """Return what ``move`` does in a few words; the default is its text."""
        return str(move)


def _unknown(game: str, key: str) -> Variant:
    raise KeyError(f"{game} has no variant {key!r}")
