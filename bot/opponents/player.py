"""A computer player's choice of a move: it thinks and errs as its level does."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

from bot.games import game_of
from bot.games.game import Move, Position
from bot.games.search import LIMIT, Method, SearchState, Token
from bot.opponents.candidates import Candidate
from bot.opponents.levels import LEVELS, Level, level_for
from bot.opponents.swindle import SwindleSearch
from bot.opponents.thinking import state_of, think


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move, and the chance to win of the seat that moves, from 0 to 1, where the search evaluated it.

    It is None where nothing was evaluated, where playouts or a proof decided, and in a set-up.
    """

    move: Move
    winning: float | None = None


def choose(position: Position, level: int = 3, seed: int = 7) -> Move:
    """Return a legal move: the same one for the same position, level and seed, anywhere. Raises ``ValueError``."""
    return consider(position, level, seed).move


def consider(position: Position, level: int = 3, seed: int = 7) -> Choice:
    """Return the move that ``choose`` returns, with what the search found out about the position.

    Raises ``ValueError`` when the game is over, and for a level there is not.
    """
    if level not in LEVELS:
        raise ValueError(f"there are levels {LEVELS[0]} to {LEVELS[-1]}, not {level}")
    if not position.to_move:
        raise ValueError("the game is over: there is no move to choose")
    random = Random(f"{seed} {level} {position.encode()}")
    game = game_of(position)
    opening = game.opening(position, random) if game else None
    if opening is not None:
        return Choice(opening)
    state = state_of(position)
    player = _Player(state, level_for(level, state), random)
    token = player.token()
    return Choice(state.move(token), player.winning)


_PLAIN: Final = 0.4
"""If so large a share of the opponent's moves wins, at once or in the end, every level sees it."""


@dataclass(slots=True)
class _Player:
    """One turn of a level: ``random`` decides what it overlooks and which of several good moves it takes."""

    state: SearchState
    level: Level
    random: Random
    winning: float | None = None
    """The chance to win by the evaluation, once that is made."""
    _fog: dict[Token, float] = field(default_factory=dict)
    """By move: the chance to see a move from which on a player sees this one in this turn."""

    def token(self) -> Token:
        state, level = self.state, self.level
        tokens = state.tokens()
        if len(tokens) == 1:
            return tokens[0]
        win = state.win_in_one()
        if win is not None and self._sees(win, level.takes_wins):
            return win
        swindle = self._swindle() if level.leaves_chances and len(tokens) <= level.considers else None
        if swindle is not None:
            return swindle
        ranked = self._at_random() if self.random.random() < level.wanders else self._ranked()
        # In a lost position, do not lose at once: the winner has to find the way.
        return next((c.token for c in ranked if not self._loses_at_once(c)), ranked[0].token)

    def _at_random(self) -> list[Candidate]:
        """Return the moves in any order."""
        tokens = self.state.tokens()
        self.random.shuffle(tokens)
        return [Candidate(token, 0) for token in tokens]

    def _swindle(self) -> Token | None:
        """Return a lost move that the opponent may not punish, or None if there is none or the level sees it loses.

        A level nearly always overlooks a loss that costs next to nothing against replies at random, and never one that
        costs ``_PLAIN`` of the points even then.
        """
        found = SwindleSearch(self.state, round(self.level.leaves_chances / self.state.cost)).best()
        if found is None or self.random.random() < ((1 - found[1]) / _PLAIN) ** 2:
            return None
        return found[0]

    def _ranked(self) -> list[Candidate]:
        """Return the moves in the order of this level's preference."""
        state, level = self.state, self.level
        sees = self._notices if level.notices < 1 else None
        margin = max(level.margin, state.variety)
        found = think(
            state,
            level.budget(state),
            self.random,
            depth=level.depth,
            margin=margin,
            sees=sees,
            proofs=level.knows_proofs,
        )
        if state.method is not Method.ALPHA_BETA or abs(found[0].points) > LIMIT:
            return found
        self.winning = None if found[0].exact else found[0].winning
        least = found[0].points - margin
        near = [candidate for candidate in found if candidate.points >= least]
        liked = {c.token: c.points + self.random.randint(0, margin) for c in near}
        return sorted(near, key=lambda c: -liked[c.token]) + found[len(near) :]

    def _loses_at_once(self, candidate: Candidate) -> bool:
        """Tell whether this move loses by itself, or lets the next seat win at once and this level sees it."""
        state, seat = self.state, self.state.seat
        state.make(candidate.token)
        try:
            winners = state.winners()
            if winners is not None:
                return seat not in winners
            reply = state.win_in_one()
            return reply is not None and self._sees(reply, self._chance_to_see_losses())
        finally:
            state.unmake()

    def _chance_to_see_losses(self) -> float:
        """Return the chance that this level sees a win in one of the seat to move: certain if many moves win."""
        chance = self.level.prevents_losses
        if chance < 1:
            chance += _winning_share(self.state) >= _PLAIN
        return chance

    def _notices(self, token: Token) -> bool:
        return self._sees(token, self.level.notices)

    def _sees(self, token: Token, chance: float) -> bool:
        """Tell whether this turn sees a move of either side that players see with this chance."""
        if token not in self._fog:
            self._fog[token] = self.random.random()
        return self._fog[token] < chance


def _winning_share(state: SearchState) -> float:
    """Return the share of the moves that win at once, for the seat to move alone."""
    alone, tokens, wins = frozenset({state.seat}), state.tokens(), 0
    for token in tokens:
        state.make(token)
        wins += state.winners() == alone
        state.unmake()
    return wins / len(tokens)
