"""An independent calculation of the table of a cup from plain numbers. It shares no code with the bot's."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from bot.storage.contest_states import PairingState

RESULTS = (PairingState.FIRST_WON, PairingState.DRAWN, PairingState.SECOND_WON)


@dataclass
class Ledger:
    """The events of a cup in plain numbers."""

    players: int
    met: list[tuple[int, int]]
    on_board: dict[int, tuple[Fraction, Fraction]] = field(default_factory=dict)
    awarded: dict[int, int] = field(default_factory=dict)
    """Pairings won without a result from the board, by the winner."""
    struck: set[int] = field(default_factory=set)
    """Voided pairings."""
    late: list[tuple[int, int]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    erased: set[int] = field(default_factory=set)

    def alive(self, player: int) -> list[int]:
        return [
            at
            for at, pair in enumerate(self.met)
            if player in pair and at not in self.struck and not self.erased.intersection(pair)
        ]

    def leave(self, player: int) -> None:
        if player in self.gone:
            return
        mine = self.alive(player)
        half = Fraction(len([at for at in mine if at in self.on_board]), len(mine)) if mine else Fraction(1)
        self.gone.add(player)
        if half < Fraction(1, 2):
            self.erased.add(player)
            return
        for at in mine:
            if at not in self.on_board and at not in self.awarded:
                one, other = self.met[at]
                self.awarded[at] = other if one == player else one

    def result(self, at: int, state: PairingState, late: bool) -> None:
        if at in self.awarded or at in self.struck or self.erased.intersection(self.met[at]):
            return
        won = {RESULTS[0]: Fraction(1), RESULTS[1]: Fraction(1, 2), RESULTS[2]: Fraction(0)}[state]
        self.on_board[at] = (won, 1 - won)
        if late:
            loser = self.met[at][1 if won else 0]
            self.late.append((at, loser))
            if len([at for at, one in self.late if one == loser and at not in self.struck]) == 2:
                self.leave(loser)

    def void(self, at: int) -> None:
        if at not in self.awarded:
            self.struck.add(at)
            self.on_board.pop(at, None)

    def scores(self, player: int, among: set[int]) -> list[tuple[int, Fraction]]:
        found = []
        for at in self.alive(player):
            one, other = self.met[at]
            opponent = other if one == player else one
            if opponent not in among:
                continue
            if at in self.on_board:
                found.append((opponent, self.on_board[at][0 if one == player else 1]))
            elif at in self.awarded:
                found.append((opponent, Fraction(int(self.awarded[at] == player))))
        return found

    def order(self) -> list[set[int]]:
        """Return the players who count, place by place; several in one place share it."""
        every = set(range(self.players)) - self.erased

        def total(player: int, among: set[int] = every) -> Fraction:
            return sum((score for _, score in self.scores(player, among)), Fraction(0))

        totals = {player: total(player) for player in every}

        def berger(player: int) -> Fraction:
            return sum((score * totals[other] for other, score in self.scores(player, every)), Fraction(0))

        def wins(player: int) -> Fraction:
            return Fraction(sum(score == 1 for _, score in self.scores(player, every)))

        groups: list[set[int]] = []
        for group in (every - self.gone, every & self.gone):
            for points in sorted({totals[player] for player in group}, reverse=True):
                tied = {player for player in group if totals[player] == points}
                groups.append(tied)
        split: list[set[int]] = []
        for tied in groups:
            parts = [tied]
            for measure in (lambda player, among=frozenset(tied): total(player, set(among)), berger, wins):
                finer = []
                for part in parts:
                    measured = (
                        {player: measure(player) for player in part}
                        if len(part) > 1
                        else dict.fromkeys(part, Fraction(0))
                    )
                    values = sorted(set(measured.values()), reverse=True)
                    finer += [{player for player in part if measured[player] == value} for value in values]
                parts = finer
            split += parts
        return split
