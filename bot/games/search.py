"""The compact position a game can bring for fast search: it makes and unmakes moves in place.

Knows no game and no search. The rules layer decides: a state agrees with it move for move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

from bot.games.position import Move

Token: TypeAlias = Any
"""A move in a state's own compact form: hashable, often an integer, opaque to all but the state that lists it."""

MOST_LEVELS = 10
"""The levels of computer players that a game has at most."""

LIMIT = 4_000
"""The bound of every evaluation, either way. Values beyond it are proven wins and losses."""


class Method(Enum):
    """The search that suits a state best."""

    ALPHA_BETA = auto()
    """Two seats in turn, with an evaluation: for an ``EvaluatedState``."""
    MONTE_CARLO = auto()
    """Any number of seats, without an evaluation: random playouts decide."""
    SOLVER = auto()
    """Two seats in turn, no draws, no repetition, and few enough positions left to search them all."""


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of computer players thinks and errs.

    ``nodes`` is the budget of a search on a small board and ``depth`` the most plies it looks ahead. It takes any move
    within ``margin`` rating points of the best, the better ones more often. Without nodes it plays at first sight, see
    ``SearchState.obvious``, and ``margin`` has the unit of that.

    Three fields are chances to see a move at all: ``notices`` any move while it looks ahead, ``takes_wins`` its own win
    in one, ``prevents_losses`` the opponent's win in one. What it does not see in a turn, it does not see in all of it.

    A level that ``knows_proofs`` uses the known wins of ``SearchState.known_wins``.
    """

    nodes: int
    depth: int = 64
    margin: int = 0
    notices: float = 1.0
    takes_wins: float = 1.0
    prevents_losses: float = 1.0
    knows_proofs: bool = False

    def budget(self, state: SearchState) -> int:
        """Return the nodes this level may look at in a game with the node cost of ``state``."""
        return max(1, round(self.nodes / state.cost))


class SearchState(ABC):
    """A position of one game, changed in place by ``make`` and restored by ``unmake``.

    ``seat`` is the 0-based seat to move. ``method`` is the search from here; it may depend on the position the state is
    built from. ``cost`` is the time of a node, compared with a node of a game on a small board: budgets count nodes and
    are divided by it. ``variety`` makes games begin differently: in an opening, alpha-beta search may take a move that
    is worse than the best by so many rating points. ``levels`` are the levels of this game, the weakest first, as many
    as ``Game.levels`` says: the ladder shows what they must be. Without them it has those of ``bot.opponents.levels``.

    Set-ups, which may have millions of arrangements, need no state: see ``Game.opening``. A state built from a position
    of the play begins with its whole history, so repetitions and limits end the game by the rules.
    """

    seat: int
    method: Method = Method.MONTE_CARLO
    cost: float = 1.0
    variety: int = 0
    levels: Sequence[Level] = ()

    @abstractmethod
    def tokens(self) -> list[Token]:
        """Return every legal move once, in a stable order, the more promising first; none if the game is over.

        The list is new each time: searches shuffle it and take moves out of it.
        A pass has a token of its own. The list may leave out moves that always lose at once, such as a claim to be
        stuck, as long as it has another move.
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

        It takes account of third repetitions, limits of plies and seats that cannot move.
        """

    @abstractmethod
    def key(self) -> Hashable:
        """Return the key of this position in the transposition table.

        Positions with different moves to come have different keys: the key has the arrangement, hands, seat to move and
        barred arrangements. It leaves out counters of repetition and plies, or no position would ever occur twice.
        """

    @abstractmethod
    def move(self, token: Token) -> Move:
        """Return the rules layer's move for a token listed here. It may be slow: a search asks once."""

    @abstractmethod
    def token(self, move: Move) -> Token:
        """Return the token of a legal move of the rules layer; None for one that ``tokens`` leaves out."""

    def win_in_one(self) -> Token | None:
        """Return a move with which the seat to move wins at once and alone, or None. The default tries every move."""
        alone = frozenset({self.seat})
        for token in self.tokens():
            self.make(token)
            won = self.winners() == alone
            self.unmake()
            if won:
                return token
        return None

    def obvious(self, token: Token) -> int:
        """Return how much a move seems to bring at first sight, in any unit: novices play by it. The default is 0."""
        return 0

    def retraces(self, token: Token) -> int:
        """Return how often the seat's pieces have stood where a move brings them back to, so that it looks aimless.

        The default is 0.
        """
        return 0

    def captures(self) -> list[tuple[Token, int]]:
        """Return the moves that take pieces from the other seat, with how many pieces each is worth.

        Levels with blind spots do not overlook what such a reply takes for nothing. The default is no moves: in games
        where no piece is lost.
        """
        return []

    def known_wins(self) -> Sequence[Token] | None:
        """Return all winning moves by a proof too long for a turn, or None if no proof is known, which is the default.

        The list is empty if every move loses. A search asks before it begins, for two seats and games without draws.
        """
        return None


class EvaluatedState(SearchState):
    """A state of a game of two seats in turn that can tell how good a position is: alpha-beta searches it."""

    method = Method.ALPHA_BETA
    wins_first: bool = False
    """Whether searches ask for a win in one before they list the moves: where that takes less time."""
    many_moves: bool = False
    """Whether positions have so many moves that searches look three plies ahead only after the better ones."""

    @abstractmethod
    def evaluate(self) -> int:
        """Return how good the position is for the seat to move, from -``LIMIT`` to ``LIMIT``; 0 is even.

        The unit is that of ratings: a player 400 points ahead wins ten games for each one lost. A search asks only
        while the game goes on.
        """

    def answers(self) -> list[Token]:
        """Return the moves worth a look, as ``tokens`` does, without some that let the other seat win at once.

        The list is empty if all are such moves. The default is every move.
        """
        return self.tokens()

    def likenesses(self, tokens: Sequence[Token]) -> Sequence[Hashable]:
        """Return what each of some moves is apart from this position: searches try early what was good in another.

        No two moves of a position have the same. The default is the tokens themselves.
        """
        return tokens

    def forcing(self) -> list[Token]:
        """Return the moves a search follows up before it trusts an evaluation, the more promising first.

        The seat to move may always decline them. Every chain of them must end. The default is no moves.
        """
        return []
