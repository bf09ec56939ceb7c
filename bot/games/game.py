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
from bot.games.search import MOST_LEVELS, SearchState
from renderers.scene import Scene

__all__ = [
    "KEY_PATTERN",
    "MOST_PLAYERS",
    "PASS",
    "RESERVED_KEYS",
    "VARIANT_PATTERN",
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
"""The pattern of a game's key, which is part of commands, custom ids and file names."""
VARIANT_PATTERN = r"[a-z0-9][a-z0-9-]{0,19}"
"""The pattern of a variant's key, which is part of commands and custom ids."""
RESERVED_KEYS = frozenset({"all"})
"""Words for all games together in commands: no key of a game."""
MOST_PLAYERS = 10
"""The most seats of a game, because commands ask for their number. Six have colours of their own."""

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of options for players to choose.

    ``options`` are keyword arguments for ``Game.start``, ``players`` the numbers of players that can play it.
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
    """The arguments of ``Game.scene`` in the types of one game."""

    last: M | None = None
    """The move that led to the position, to be marked; None for the first position."""
    seat: int = 0
    """The seat whose side of the board is at the bottom."""
    before: P | None = None
    """The position before ``last``, if it is known: with it the scene shows what the move did."""
    chosen: tuple[str, ...] = ()
    """The keys of the steps chosen so far in a move under construction."""
    targets: tuple[str, ...] = ()
    """The squares that may be chosen next."""
    coordinates: bool = True
    """Whether letters and numbers stand at the edges of the board."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A player of one game to measure computer players against; it shares nothing with them.

    ``share`` is the score the strongest level promises against it, from 0 to 1.
    """

    name: str
    choose: Callable[[Position, Random], Move]
    share: float


class Game(ABC):
    """A game: its facts, and the functions that start, restore and draw its positions.

    ``bot.games.GAMES`` has one instance of each. A game gets positions and moves of its own only, so its overrides name
    their types.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    designer: ClassVar[str]
    players: ClassVar[range]
    variants: ClassVar[tuple[Variant, ...]]
    summary: ClassVar[str]
    """The rules in one sentence of at most 300 characters, for cards and menus."""
    showpiece: ClassVar[str] = ""
    """A position in the middle of a match, as ``encode`` writes it, for small pictures of the game. Without one they
    show the fullest board of the guide.
    """
    seat_names: ClassVar[tuple[str, ...]]
    """The names of the seats, such as ("Blue", "White"), as many as the largest number of players, of at most 40
    characters each."""

    rules_version: ClassVar[str] = "1"
    """The version of the rules, such as "1" or "1.2". A change that makes a legal move illegal, or the other way round,
    or changes what a move does, raises the first number: matches begun under another one cannot go on.
    """

    @property
    def rules_major(self) -> int:
        """The first number of ``rules_version``."""
        return int(self.rules_version.split(".")[0])

    typed_words: ClassVar[Mapping[str, str]] = {}
    """Moves that are a word, such as "pass", and what people type for it, in their language, with commas between."""
    options: ClassVar[frozenset[str]] = frozenset()
    """The names of the options of ``start``."""
    finding: ClassVar[str] = ""
    """The thing to find in puzzles of a game whose point is to find a legal move, such as "a word that is left"."""
    positions: ClassVar[tuple[type[Position], ...]] = ()
    """The classes of its positions, for ``bot.games.game_of``; only needed with one of the functions below."""

    levels: ClassVar[int] = MOST_LEVELS
    """The number of levels of computer players. A game in which a strong player is not far enough above a beginner for
    ten steps has fewer, and brings them (``SearchState.levels``)."""
    careful_share: ClassVar[float] = 0.97
    """The promised score of the strongest level against a player who takes wins in one and avoids losses in one."""
    baselines: ClassVar[tuple[Baseline, ...]] = ()
    """Players of this game alone to measure the strongest level against."""

    def search_state(self, position: Any) -> SearchState | None:
        """Return a compact state for computer players, or None: then they use the rules layer alone.

        ``position`` is one of ``positions`` that is not over. A game may return a state for some of them only.
        """
        return None

    def opening(self, position: Any, random: Random) -> Move | None:
        """Return a good move that needs no search, such as a set-up drawn with ``random``, or None."""
        return None

    def studied_opening(self, position: Any, random: Random) -> Move | None:
        """Return one of the best moves known where ``opening`` returns one: for strong players and hints."""
        return self.opening(position, random)

    def canonical_form(self, position: Any) -> Hashable:
        """Return one value for all positions that are equivalent: the best move in one tells the best move in all.

        The symmetries of the game turn equivalent positions into each other. Counters and earlier positions make no
        difference and are left out. The default takes every position for equivalent to itself alone.
        """
        return cast(Position, position)

    def without_history(self, position: Any) -> Position:
        """Return ``position`` as if the game had begun with it: no repetition and no limit is near. For puzzles.

        The legal moves stay the same. The default is for games whose positions have no history.
        """
        own: Position = position
        return own

    def start(self, players: int = 2, **options: Any) -> Position:
        """Return the first position. Raises ``ValueError`` for unknown numbers of players or options."""
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
        """Return the scene of ``position`` from the side of ``seat``.

        ``last`` is the move that led here and ``before`` the position before it: with it, the scene marks the effects
        of the move (flips, captures, its path), too. ``chosen`` holds the keys of the steps chosen so far in a move
        under construction and ``targets`` the squares that may come next. A whole move appears as if it were played.
        """
        view = View(last, seat, before, tuple(chosen), tuple(dict.fromkeys(targets)), coordinates)
        return self.draw(position, view)

    @abstractmethod
    def first(self, players: int, **options: Any) -> Position:
        """Return the first position for known players and options. Raises ``ValueError`` for wrong values."""

    @abstractmethod
    def decode(self, text: str) -> Position:
        """Restore what ``Position.encode`` wrote. Raises ``ValueError`` for anything else."""

    @abstractmethod
    def draw(self, position: Any, view: View[Any, Any]) -> Scene:
        """Return the scene of one of this game's positions, as ``view`` asks."""

    @abstractmethod
    def pieces_in_words(self, position: Any) -> Sequence[str]:
        """Return short lines with the places of all pieces, for alternative text and text boards."""

    def variant(self, key: str) -> Variant:
        """Return the variant with this key. Raises ``KeyError``."""
        for variant in self.variants:
            if variant.key == key:
                return variant
        raise KeyError(f"{self.name} has no variant {key!r}")

    def move_in_words(self, before: Any, move: Any) -> str:
        """Return a few words for the effect of ``move``; the default is its text."""
        return str(move)
