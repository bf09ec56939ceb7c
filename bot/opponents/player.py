"""A computer player's choice of a move: it thinks as far as its level does, and errs as its level does."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bot.games import game_of
from bot.games.game import Move, Position
from bot.games.search import LIMIT, Method, SearchState, Token
from bot.opponents.candidates import Candidate
from bot.opponents.levels import LEVELS, TABLE, Level
from bot.opponents.thinking import state_of, think


def choose(position: Position, level: int = 3, seed: int = 7) -> Move:
    """Return a legal move: the same one for the same position, level and seed, anywhere.

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
        return opening
    state = state_of(position)
    return state.move(_Player(state, TABLE[level], random).token())


@dataclass(slots=True)
class _Player:
    """One turn of a level: ``random`` decides what it overlooks and which of several good moves it takes."""

    state: SearchState
    level: Level
    random: Random
    _seen: dict[Token, bool] = field(default_factory=dict)

    def token(self) -> Token:
        state, level = self.state, self.level
        tokens = state.tokens()
        if len(tokens) == 1:
            return tokens[0]
        win = state.win_in_one()
        if win is not None and (level.takes_wins or self._sees(win)):
            return win
        ranked = self._at_random() if self.random.random() < level.wanders else self._ranked()
        # Even what is lost in the end is not to be lost at once: whoever wins must find out how.
        return next((c.token for c in ranked if not self._loses_at_once(c)), ranked[0].token)

    def _at_random(self) -> list[Candidate]:
        tokens = self.state.tokens()
        self.random.shuffle(tokens)
        return [Candidate(token, 0) for token in tokens]

    def _ranked(self) -> list[Candidate]:
        """Return the moves in the order this level likes them."""
        state, level = self.state, self.level
        sees = self._sees if level.notices < 1 else None
        found = think(state, level.budget(state), self.random, depth=level.depth, margin=level.margin, sees=sees)
        if state.method is not Method.ALPHA_BETA or abs(found[0].points) > LIMIT:
            return found
        least = found[0].points - level.margin
        near = [candidate for candidate in found if candidate.points >= least]
        liked = {c.token: c.points + self.random.randint(0, level.margin) for c in near}
        return sorted(near, key=lambda c: -liked[c.token]) + found[len(near) :]

    def _loses_at_once(self, candidate: Candidate) -> bool:
        """Tell whether this move loses by itself, or lets the next seat win at once and this level sees it."""
        state, seat = self.state, self.state.seat
        state.make(candidate.token)
        winners = state.winners()
        reply = state.win_in_one() if winners is None else None
        state.unmake()
        if winners is not None:
            return seat not in winners
        return reply is not None and (self.level.prevents_losses or self._sees(reply))

    def _sees(self, token: Token) -> bool:
        """Tell whether a move of either side is noticed at all in this turn."""
        if token not in self._seen:
            self._seen[token] = self.random.random() < self.level.notices
        return self._seen[token]
