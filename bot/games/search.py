"""What a game can bring so that computer players search it fast: a compact position to make and unmake moves in.

It knows no game and no way of searching. The rules layer stays the judge: a state agrees with it move for move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import Enum, auto
from typing import Any, TypeAlias

from bot.games.position import Move

Token: TypeAlias = Any
"""A move in a state's own compact form: hashable, often an integer, opaque to all but the state that listed it."""

LIMIT = 4_000
"""No evaluation goes beyond this, either way: more is kept for wins and losses that are proven."""


class Method(Enum):
    """How a state is best searched."""

    ALPHA_BETA = auto()
    """Two seats in turn, and ``evaluate`` tells good positions from bad ones."""
    MONTE_CARLO = auto()
    """Any number of seats, and nothing but the rules: games are played to their end at random."""
    SOLVER = auto()
    """Two seats in turn, no draws, nothing repeats, and few enough positions are left to look at them all."""


class SearchState(ABC):
    """A position of one game, changed in place by ``make`` and restored by ``unmake``.

    ``seat`` is the 0-based seat to move. ``method`` says how to search from here; a state may choose by the position it
    is built from. ``cost`` is what a node costs, compared with a node of a game on a small board: budgets, which count
    nodes, are divided by it. ``variety``, for a state built from a position of the opening, is by how many rating
    points a move may be worse than the best and still be taken in alpha-beta search, so that games begin differently.

    Set-ups, which may have millions of arrangements, need no state: see ``Game.opening``. A state built from a
    position of the play begins with its whole history, so that repetitions and limits end the game as the rules say.
    """

    seat: int
    method: Method = Method.ALPHA_BETA
    cost: float = 1.0
    variety: int = 0

    @abstractmethod
    def tokens(self) -> list[Token]:
        """Return every legal move once, in a stable order, the more promising first; none when the game is over.

        A pass is a move like any other, with a token of its own. Moves that only ever lose at once without a need,
        such as a claim to be stuck, may be left out, as long as another is listed.
        """

    @abstractmethod
    def make(self, token: Token) -> None:
        """Play a move that ``tokens`` lists here."""

    @abstractmethod
    def unmake(self) -> None:
        """Take back the last move made."""

    @abstractmethod
    def winners(self) -> frozenset[int] | None:
        """Return the seats that have won, all of them for a draw, or None while the game goes on.

        Third repetitions, limits of plies and seats that cannot move are part of it.
        """

    @abstractmethod
    def key(self) -> Hashable:
        """Return what the transposition table knows this position by.

        It tells apart whatever differs in the moves to come: arrangement, hands, seat to move, arrangements that are
        barred. Counters of repetition and of plies are left out, or nothing would ever be met twice.
        """

    @abstractmethod
    def move(self, token: Token) -> Move:
        """Return the rules layer's move for a token listed here. May be slow: it is asked once a search."""

    @abstractmethod
    def token(self, move: Move) -> Token:
        """Return the token of a legal move of the rules layer; None for one that ``tokens`` leaves out."""

    def win_in_one(self) -> Token | None:
        """Return a move that wins at once for the seat to move alone, or None. The default tries every move."""
        alone = frozenset({self.seat})
        for token in self.tokens():
            self.make(token)
            won = self.winners() == alone
            self.unmake()
            if won:
                return token
        return None

    def known_wins(self) -> Sequence[Token] | None:
        """Return all the moves known to win, by a proof too long for a turn; none where every move loses.

        Asked before a search, of the position it begins from; only for two seats and games without draws. The default
        is None: nothing is known.
        """
        return None

    def evaluate(self) -> int:
        """Return how good the position is for the seat to move, from -``LIMIT`` to ``LIMIT``; 0 is even.

        The unit is that of ratings: a player 400 points ahead wins ten games for each one lost. Asked only while the
        game goes on, and only where ``method`` is ``ALPHA_BETA``.
        """
        raise NotImplementedError

    def imbalance(self) -> int | None:
        """Return how far the seat that has just moved is from the small lead a beginner is content with, or None.

        For games that count something at their end. The default is None: there is no such thing as a lead.
        """
        return None

    def forcing(self) -> list[Token]:
        """Return the moves to follow up before an evaluation is believed, the more promising first.

        The seat to move may always decline them. Each chain of them must come to an end. The default is none.
        """
        return []
