"""Matches like those of people: real games of every kind, some running, some played out, resigned or drawn.

Knows the rules and the list of moves, and nothing of servers, people or databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from bot.contract.cases import CASES, Case, playout
from bot.games.game import Result
from bot.matches.model.game_state import AGREEMENT, AGREES, FORFEITS, RESIGNS
from bot.storage.records import EntryKind

REPERTOIRE = 12
"""Different games that are known of every variant and number of players."""
RESIGNED, DRAWN = 0.25, 0.05
"""How many of the finished matches for two end so, before the end on the board."""


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """An entry of a list of moves."""

    seat: int
    kind: EntryKind
    text: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """The state of a match: its entries, the seat to move, and its result if it is over."""

    case: Case
    entries: tuple[PlannedEntry, ...]
    to_move: int | None
    result: Result | None = None

    @property
    def dropped(self) -> list[int]:
        """The seats that have left, in the order they did."""
        return [entry.seat for entry in self.entries if entry.kind is EntryKind.DROP]


@dataclass(frozen=True, slots=True)
class Game:
    """A game from its first ply to its last; ``to_move`` has one more than there are entries."""

    case: Case
    entries: tuple[PlannedEntry, ...]
    to_move: tuple[int | None, ...]
    result: Result

    @property
    def pauses(self) -> list[int]:
        """The plies at which a match can stand: not where a pass is forced, which is played at once."""
        return [ply for ply, entry in enumerate(self.entries) if entry.kind is not EntryKind.FORCED]

    def until(self, ply: int) -> Scenario:
        """Return the match that has come to a ply."""
        return Scenario(self.case, self.entries[:ply], self.to_move[ply])


def running(random: Random) -> Scenario:
    """Return a match that goes on."""
    game = _any(random)
    return game.until(random.choice(game.pauses))


def standing_at(key: str, variant: str, ply: int) -> Scenario:
    """Return a running match of two at a ply, or at the next possible one.

    Raises ``ValueError`` where no game that is known lasts so long.
    """
    case = next(case for case in _cases()[key] if (case.variant.key, case.players) == (variant, 2))
    for seed in range(REPERTOIRE):
        later = [pause for pause in _game(case, seed).pauses if pause >= ply]
        if later:
            return _game(case, seed).until(later[0])
    raise ValueError(f"no game of {key} is known that lasts for {ply} plies")


def over(random: Random) -> Scenario:
    """Return a match that has ended."""
    game, lot = _any(random), random.random()
    if game.case.players > 2 or lot >= RESIGNED + DRAWN:
        return Scenario(game.case, game.entries, None, game.result)
    stopped = game.until(random.choice(game.pauses))
    seat = stopped.to_move
    assert seat is not None
    if lot < DRAWN:
        end, result = PlannedEntry(seat, EntryKind.DRAW, AGREES), Result(frozenset({0, 1}), AGREEMENT)
    else:
        end, result = PlannedEntry(seat, EntryKind.DROP, RESIGNS), Result(frozenset({1 - seat}), FORFEITS[RESIGNS])
    return Scenario(game.case, (*stopped.entries, end), None, result)


def _any(random: Random) -> Game:
    """Return a game: each of the games as often as any other, whatever the number of its variants."""
    of_game = _cases()
    return _game(random.choice(of_game[random.choice(list(of_game))]), random.randrange(REPERTOIRE))


@cache
def _cases() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in CASES:
        found.setdefault(case.game.key, []).append(case)
    return found


@cache
def _game(case: Case, seed: int) -> Game:
    plies = playout(case, seed)
    result = plies[-1].position.result
    assert result is not None, f"{case} did not end"
    return Game(case, tuple(_entries(case, seed)), tuple(ply.position.to_move for ply in plies), result)


def _entries(case: Case, seed: int) -> Iterator[PlannedEntry]:
    for number, ply in enumerate(playout(case, seed)):
        if ply.move is None or ply.before is None or (seat := ply.before.to_move) is None:
            continue
        forced = number > 1 and ply.before.forced_move() is not None
        yield PlannedEntry(seat, EntryKind.FORCED if forced else EntryKind.MOVE, str(ply.move))
