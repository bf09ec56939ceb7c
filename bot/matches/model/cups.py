"""The table of a cup: who meets whom in which round, which results count, and who has which place. Pure.

A cup is a round robin. A ``CupTable`` is an immutable value; each event, such as a result or a withdrawal, makes the
next one. Players are numbers from 0, in the order that was drawn when the cup began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.storage.contest_states import PairingState, Withdrawal
from bot.storage.cups import CupPlayer, Pairing

FEWEST, MOST = 3, 8
"""How many people play in a cup."""
BOARDS: Final = 3
"""How many matches of one cup a player plays at once, at most."""
LATE: Final = 2
"""How many losses on time withdraw a player."""
_TWICE_UP_TO: Final = 4
"""Up to how many players everyone plays everyone twice."""
WON, DRAWN, LOST = 2, 1, 0
"""The points for a result."""
_POINTS: Final = {
    PairingState.FIRST_WON: (WON, LOST),
    PairingState.SECOND_WON: (LOST, WON),
    PairingState.DRAWN: (DRAWN, DRAWN),
    PairingState.FIRST_BY_FORFEIT: (WON, LOST),
    PairingState.SECOND_BY_FORFEIT: (LOST, WON),
}
"""The points of the first and the second player, by the states with a result."""
PLAYED: Final = frozenset({PairingState.FIRST_WON, PairingState.SECOND_WON, PairingState.DRAWN})
"""The states of pairings with a result from the board."""
UNDECIDED: Final = frozenset({PairingState.PLANNED, PairingState.RUNNING})


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the table. ``place`` is None for a player whose results are annulled."""

    player: int
    place: int | None
    points: int
    berger: int
    """Twice the Sonneborn-Berger score: the points against each opponent times the opponent's points."""
    wins: int
    decided: int
    """How many of their pairings have a result."""
    pairings: int
    """How many pairings can still have a result, or have one."""


@dataclass(frozen=True, slots=True)
class CupTable:
    """The players by their numbers and all pairings by theirs.

    In a ``live`` cup, which is for one sitting, a player has one match at a time.
    """

    players: tuple[CupPlayer, ...]
    pairings: tuple[Pairing, ...]
    live: bool = False

    def counts(self, pairing: Pairing) -> bool:
        """Return whether a pairing counts: neither player's results are annulled, and its match is not voided."""
        annulled = self.players[pairing.first].annulled or self.players[pairing.second].annulled
        return not annulled and pairing.state is not PairingState.VOIDED

    def counting_pairings(self, player: int) -> list[Pairing]:
        counting = filter(self.counts, self.pairings)
        return [pairing for pairing in counting if player in (pairing.first, pairing.second)]

    @property
    def over(self) -> bool:
        """Whether no pairing that counts is undecided."""
        return not any(pairing.state in UNDECIDED and self.counts(pairing) for pairing in self.pairings)

    @property
    def deserted(self) -> bool:
        """Whether the results of all players but one, at most, are annulled."""
        return sum(not player.annulled for player in self.players) < 2

    def with_result(self, number: int, state: PairingState, *, late: bool = False) -> CupTable:
        """Return the table after the match of a running pairing; ``late`` says that it was lost on time.

        A second loss on time withdraws the player, unless the opponent's results are annulled: then the match no longer
        counts for the cup. The result of a pairing that is not running changes nothing.
        """
        pairing = self.pairings[number]
        if pairing.state is not PairingState.RUNNING:
            return self
        late = late and self.counts(pairing)
        after = self._with(replace(pairing, state=state, late=late))
        if not late:
            return after
        loser = pairing.second if state is PairingState.FIRST_WON else pairing.first
        return after.withdrawn(loser, Withdrawal.LATE) if after.losses_on_time(loser) >= LATE else after

    def with_voided(self, number: int) -> CupTable:
        """Return the table after the match of a pairing was voided; one that was forfeited stays so."""
        pairing = self.pairings[number]
        if pairing.state not in PLAYED | {PairingState.RUNNING}:
            return self
        return self._with(replace(pairing, state=PairingState.VOIDED, late=False))

    def withdrawn(self, player: int, why: Withdrawal) -> CupTable:
        """Return the table after a player has withdrawn; a second withdrawal changes nothing.

        With less than half of their pairings played, all their results are annulled. Otherwise they forfeit the rest.
        """
        leaving = self.players[player]
        if leaving.withdrawal is not None:
            return self
        theirs = self.counting_pairings(player)
        annulled = 2 * sum(pairing.state in PLAYED for pairing in theirs) < len(theirs)
        players = list(self.players)
        players[player] = replace(leaving, withdrawal=why, annulled=annulled)
        table = replace(self, players=tuple(players))
        if not annulled:
            for pairing in theirs:
                if pairing.state in UNDECIDED:
                    first = pairing.second == player
                    state = PairingState.FIRST_BY_FORFEIT if first else PairingState.SECOND_BY_FORFEIT
                    table = table._with(replace(pairing, state=state))
        return table

    def losses_on_time(self, player: int) -> int:
        """Count the matches that a player has lost on time."""
        lost = {PairingState.FIRST_WON: 1, PairingState.SECOND_WON: 0}
        return sum(
            pairing.late and pairing.state in lost and (pairing.first, pairing.second)[lost[pairing.state]] == player
            for pairing in self.pairings
        )

    def to_begin(self) -> list[Pairing]:
        """Return the pairings whose matches begin now, in the order of rounds: no player has more than three."""
        boards, most = [0] * len(self.players), 1 if self.live else BOARDS
        for pairing in self.pairings:
            if pairing.state is PairingState.RUNNING and self.counts(pairing):
                boards[pairing.first] += 1
                boards[pairing.second] += 1
        beginning = []
        for pairing in self.pairings:
            free = max(boards[pairing.first], boards[pairing.second]) < most
            if free and pairing.state is PairingState.PLANNED and self.counts(pairing):
                boards[pairing.first] += 1
                boards[pairing.second] += 1
                beginning.append(pairing)
        return beginning

    def with_match(self, number: int, match_id: int) -> CupTable:
        """Return the table after the match of a planned pairing has begun."""
        return self._with(replace(self.pairings[number], state=PairingState.RUNNING, match_id=match_id))

    def standings(self) -> list[Standing]:
        """Return all players in the order of the table; those with annulled results come last.

        Ties are broken by the points among the tied, Sonneborn-Berger, and wins; then a place is shared. A player who
        withdrew stands below all who did not.
        """
        points = [self._points(player) for player in range(len(self.players))]
        lines = [self._standing(player, points) for player in range(len(self.players))]
        placed = sorted((line for line in lines if not self.players[line.player].annulled), key=self._rank)
        ranked: list[tuple[tuple[int, ...], Standing]] = []
        for _, group in groupby(placed, key=self._rank):
            tied = list(group)
            among = {line.player for line in tied}
            keys = {line.player: (self._points(line.player, among), line.berger, line.wins) for line in tied}
            ranked += [
                ((*self._rank(line), *(-part for part in keys[line.player])), line)
                for line in sorted(tied, key=lambda line: keys[line.player], reverse=True)
            ]
        standings: list[Standing] = []
        for at, (key, line) in enumerate(ranked):
            shared = at > 0 and ranked[at - 1][0] == key
            standings.append(replace(line, place=standings[-1].place if shared else at + 1))
        return standings + [line for line in lines if self.players[line.player].annulled]

    def winners(self) -> list[int]:
        """Return the players in the first place, without those who withdrew."""
        first = [line.player for line in self.standings() if line.place == 1]
        return [player for player in first if self.players[player].withdrawal is None]

    def _rank(self, line: Standing) -> tuple[int, int]:
        return (self.players[line.player].withdrawal is not None, -line.points)

    def _with(self, pairing: Pairing) -> CupTable:
        pairings = list(self.pairings)
        pairings[pairing.number] = pairing
        return replace(self, pairings=tuple(pairings))

    def _standing(self, player: int, points: Sequence[int]) -> Standing:
        results = list(self._results(player))
        return Standing(
            player,
            None,
            points[player],
            sum(score * points[opponent] for opponent, score in results),
            sum(score == WON for _, score in results),
            len(results),
            len(self.counting_pairings(player)),
        )

    def _results(self, player: int) -> Iterator[tuple[int, int]]:
        """Yield the opponent and the points of each pairing of a player that counts and has a result."""
        for pairing in self.counting_pairings(player):
            if pairing.state in _POINTS:
                first, second = _POINTS[pairing.state]
                yield (pairing.second, first) if pairing.first == player else (pairing.first, second)

    def _points(self, player: int, among: set[int] | None = None) -> int:
        return sum(score for opponent, score in self._results(player) if among is None or opponent in among)


def schedule(players: int, *, live: bool = False) -> list[Pairing]:
    """Return the pairings of a cup of 3 to 8 players, round by round; the player who comes first in one has seat 1.

    Rounds come from the circle method, seats from the Berger tables: each player has seat 1 as often as seat 2, or once
    more or less. Up to four players meet twice, with the seats swapped, unless all is played live.
    """
    circle = players - 1 + players % 2
    once: list[tuple[int, int, int]] = []
    for at in range(circle):
        if players % 2 == 0:
            once.append((at, *((at, circle) if at % 2 == 0 else (circle, at))))
        for step in range(1, (circle + 1) // 2):
            ahead, behind = (at + step) % circle, (at - step) % circle
            once.append((at, *((ahead, behind) if step % 2 else (behind, ahead))))
    legs = once
    if players <= _TWICE_UP_TO and not live:
        legs = once + [(at + circle, second, first) for at, first, second in once]
    return [Pairing(number, at + 1, first, second) for number, (at, first, second) in enumerate(legs)]
