"""Games that other packages offer through the entry point group ``tavoliere.games``.

An entry point names an instance of ``Game``. A package that cannot be imported, or breaks the contract as far as a
trial of a few seconds shows it, is left out with a reason; the other games stay available.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from multiprocessing import parent_process
from threading import Thread
from typing import Any, ClassVar, Final, NoReturn

from bot.games.game import MOST_PLAYERS, Game, Position, Variant, View
from bot.games.trial import problems
from renderers.i18n import gettext_lazy as _
from renderers.scene import Scene

GROUP: Final = "tavoliere.games"
LIMIT: Final = 10.0
"""Seconds a trial may take. A game that is not through by then is left out."""


@dataclass(frozen=True, slots=True)
class RejectedPackage:
    """An entry point that is left out. ``reason`` completes "The game ... of the package ... is left out: ..."."""

    entry_point: str
    package: str
    reason: str

    def __str__(self) -> str:
        return f"the game {self.entry_point} of the package {self.package} is left out: {self.reason}"


def load_games(own: Mapping[str, Game]) -> tuple[dict[str, Game], tuple[RejectedPackage, ...]]:
    """Return the games that installed packages offer, by key, and the entry points that are left out.

    ``own`` holds the games whose keys and names are taken. Of two packages that offer the same, the first by name
    counts.
    """
    games: dict[str, Game] = {}
    rejected: list[RejectedPackage] = []
    for entry_point in sorted(entry_points(group=GROUP), key=lambda point: (_package(point), point.name)):
        game, reason = _load(entry_point)
        if game is not None and reason is None:
            others = {**own, **games}  # menus show names, and commands take both names and keys
            if game.key in others:
                reason = f"another game has the key {game.key!r}"
            elif game.name.casefold() in {other.name.casefold() for other in others.values()}:
                reason = f"another game has the name {game.name!r}"
            else:
                reason = None
        if game is None or reason is not None:
            rejected.append(RejectedPackage(entry_point.name, _package(entry_point), reason or "it is no game"))
        else:
            games[game.key] = game
    return games, tuple(rejected)


def _package(entry_point: EntryPoint) -> str:
    """Return a package with its version, such as ``tavoliere-hex 1.2``."""
    return "unknown" if entry_point.dist is None else f"{entry_point.dist.name} {entry_point.dist.version}"


def _load(entry_point: EntryPoint) -> tuple[Game | None, str | None]:
    """Return the game an entry point names, and why it is left out. A package may fail in any way, and try to exit."""
    try:
        game = entry_point.load()
        if not isinstance(game, Game):
            return None, f"{entry_point.value} is no instance of bot.games.game.Game"
    except (Exception, SystemExit) as error:
        return None, f"{type(error).__name__}: {error}"
    # A worker process gets only games that the process which started it has tried.
    return game, None if parent_process() else _first_problem(game)


def _first_problem(game: Game) -> str | None:
    """Return the first problem of a game, or None; whatever its methods do, not long after ``LIMIT``."""
    problem: list[str | None] = []

    def try_it() -> None:
        try:
            problem.append(next(problems(game), None))
        except (Exception, SystemExit) as error:
            problem.append(f"{type(error).__name__}: {error}")

    thread = Thread(target=try_it, name=f"trial of {game!r}", daemon=True)
    thread.start()
    thread.join(LIMIT)
    if not problem and thread.ident is not None:
        pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident), py_object(SystemExit))  # ends an endless loop
        return f"its trial takes longer than {LIMIT:g} s"
    return problem[0]


class UnavailableGame(Game):
    """The facts of a game of which only the key is known. What needs rules raises ``LookupError``."""

    designer: ClassVar[str] = ""
    players: ClassVar[range] = range(2, MOST_PLAYERS + 1)
    variants: ClassVar[tuple[Variant, ...]] = (Variant("", "", range(2, MOST_PLAYERS + 1)),)
    summary: ClassVar[str] = ""
    seat_names: ClassVar[tuple[str, ...]] = tuple(
        _("Player {number}", number=number) for number in range(1, MOST_PLAYERS + 1)
    )

    def variant(self, key: str) -> Variant:
        return self.variants[0]

    def first(self, players: int, **options: Any) -> Position:
        self._refuse()

    def decode(self, text: str) -> Position:
        self._refuse()

    def draw(self, position: Any, view: View[Any, Any]) -> Scene:
        self._refuse()

    def pieces_in_words(self, position: Any) -> Sequence[str]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise LookupError(f"the game {self.key} is not installed")


def stand_in(key: str) -> Game:
    """Return a stand-in for the game with this key, which is its name, too."""
    kind: type[UnavailableGame] = type("StandIn", (UnavailableGame,), {"key": key, "name": key})
    return kind()
