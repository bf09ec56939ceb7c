"""Games that other packages offer through the entry point group ``tavoliere.games``.

An entry point names an instance of ``Game``. A package that cannot be imported or breaks the contract is left out with
a reason; the other games stay available. The look, the play and the speed of a game are not tried here: the tests of
``bot.contract`` do that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from typing import Final

from bot.games.game import KEY_PATTERN, MOST_PLAYERS, RESERVED_KEYS, VARIANT_PATTERN, Game

GROUP: Final = "tavoliere.games"
LONGEST_NAME: Final = 100
"""Discord's limit for a choice of a command: with a longer one it takes none of the commands."""
MOST_VARIANTS: Final = 25
"""As many as a menu of Discord holds."""
VERSION_PATTERN: Final = r"[1-9]\d{0,3}(\.\d{1,4}){0,2}"


@dataclass(frozen=True, slots=True)
class RejectedPackage:
    """An entry point that is left out. ``reason`` completes "The game ... of the package ... is left out: ..."."""

    entry_point: str
    package: str
    reason: str

    def __str__(self) -> str:
        return f"the game {self.entry_point} of the package {self.package} is left out: {self.reason}"


def installed(own: Mapping[str, Game]) -> tuple[dict[str, Game], tuple[RejectedPackage, ...]]:
    """Return the games that installed packages offer, by key, and the entry points that are left out.

    ``own`` holds the games whose keys and names are taken. Of two packages that offer the same, the first by name
    counts.
    """
    found: dict[str, Game] = {}
    rejected: list[RejectedPackage] = []
    for entry_point in sorted(entry_points(group=GROUP), key=lambda one: (_package(one), one.name)):
        game, reason = _loaded(entry_point)
        if game is not None and reason is None:
            reason = _taken(game, {**own, **found})
        if game is None or reason is not None:
            rejected.append(RejectedPackage(entry_point.name, _package(entry_point), reason or "it is no game"))
        else:
            found[game.key] = game
    return found, tuple(rejected)


def _taken(game: Game, others: Mapping[str, Game]) -> str | None:
    """Return why a game cannot stand beside others: menus show names, and commands take both."""
    if game.key in others:
        return f"another game has the key {game.key!r}"
    if game.name.casefold() in {other.name.casefold() for other in others.values()}:
        return f"another game has the name {game.name!r}"
    return None


def _package(entry_point: EntryPoint) -> str:
    """Return a package with its version, such as ``tavoliere-hex 1.2``."""
    return "unknown" if entry_point.dist is None else f"{entry_point.dist.name} {entry_point.dist.version}"


def _loaded(entry_point: EntryPoint) -> tuple[Game | None, str | None]:
    """Return the game an entry point names, or why it is left out. A package may fail in any way, and try to exit."""
    try:
        game = entry_point.load()
        if not isinstance(game, Game):
            return None, f"{entry_point.value} is no instance of bot.games.game.Game"
        return game, next(problems(game), None)
    except (Exception, SystemExit) as error:
        return None, f"{type(error).__name__}: {error}"


def problems(game: Game) -> Iterator[str]:
    """Yield each way in which a game breaks the contract, as far as its facts and first positions show it."""
    if not (isinstance(game.key, str) and re.fullmatch(KEY_PATTERN, game.key)) or game.key in RESERVED_KEYS:
        yield f"the key {game.key!r} is not lower-case letters, digits and hyphens, or is reserved"
    if not re.fullmatch(VERSION_PATTERN, game.rules_version):
        yield f"the version of the rules {game.rules_version!r} is not a number such as 1 or 1.2"
    if not (game.players and 2 <= game.players[0] <= game.players[-1] <= MOST_PLAYERS):
        yield f"it is for {game.players}, and a game is for 2 to {MOST_PLAYERS} players"
        return
    if len(game.seat_names) != game.players[-1]:
        yield f"it has {len(game.seat_names)} seat names for {game.players[-1]} seats"
    variants = ((f"the name of its variant {variant.key!r}", variant.name) for variant in game.variants)
    for what, name in (("its name", game.name), *variants):
        if not 0 < len(name.strip()) <= LONGEST_NAME:
            yield f"{what} has {len(name.strip())} characters, and a name has from 1 to {LONGEST_NAME}"
    if not 1 <= len(game.variants) <= MOST_VARIANTS:
        yield f"it has {len(game.variants)} variants, and a game has from 1 to {MOST_VARIANTS}"
    for variant in game.variants:
        if not re.fullmatch(VARIANT_PATTERN, variant.key):
            yield f"the key of its variant {variant.key!r} is not lower-case letters, digits and hyphens"
            return
        for players in variant.players:
            yield from _problems_at_start(game, variant.key, players)


def _problems_at_start(game: Game, variant: str, players: int) -> Iterator[str]:
    where = f"variant {variant!r} for {players} players"
    start = game.start(players, **game.variant(variant).options)
    if start.result is not None or not start.to_move <= set(range(players)) or not start.to_move:
        yield f"{where}: no seat is to move in the first position"
    elif not list(islice(start.legal_moves(), 1)):
        yield f"{where}: the first position has no legal move"
    elif game.decode(start.encode()) != start:
        yield f"{where}: decode does not restore what encode writes"
