"""A computer player's choice of a move: it thinks and errs as its level does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random

from bot.games import game_of
from bot.games.game import Move, Position
from bot.games.search import LIMIT, Level, Method, SearchState, Token
from bot.opponents.alphabeta import WIN
from bot.opponents.candidates import Candidate
from bot.opponents.levels import LEVELS, STUDIES_FROM, level_for
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
    if position.to_move is None:
        raise ValueError("the game is over: there is no move to choose")
    random = Random(f"{seed} {level} {position.encode()}")
    game = game_of(position)
    if game is not None:
        find = game.studied_opening if level >= STUDIES_FROM else game.opening
        opening = find(position, random)
        if opening is not None:
            return Choice(opening)
    state = state_of(position)
    player = _Player(state, level_for(level, state), random)
    token = player.token()
    return Choice(state.move(token), player.winning)


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
        chosen = self._sensible(self._ranked(), tokens)
        if level.notices < 1 and state.retraces(chosen):
            another = self._sensible(self._ranked(blind=False), tokens)
            return chosen if state.retraces(another) else another
        return chosen

    def _sensible(self, candidates: list[Candidate], tokens: list[Token]) -> Token:
        """Return the first candidate that is not seen to lose at once and gives no piece away, else another move."""
        ranked = [candidate.token for candidate in candidates]
        unseen = set(tokens) - set(ranked)
        # In a lost position, do not lose at once: the winner has to find the way.
        order = [*ranked, *(token for token in tokens if token in unseen)]
        safe = (token for token in order if not self._loses_at_once(token))
        first = next(safe, ranked[0])
        if self.level.notices == 1:
            return first
        taken = dict(self.state.captures())
        return next((token for token in chain((first,), safe) if not self._gives_away(token, taken)), first)

    def _ranked(self, *, blind: bool = True) -> list[Candidate]:
        """Return the moves in the order of this level's preference, without its blind spots if it is not ``blind``."""
        state, level = self.state, self.level
        if not level.nodes:
            return self._at_first_sight()
        margin = max(level.margin, state.variety)
        candidates = think(
            state,
            level.budget(state),
            self.random,
            depth=level.depth,
            margin=margin,
            sees=(lambda token: self._sees(token, level.notices)) if blind and level.notices < 1 else None,
            proofs=level.knows_proofs,
        )
        if state.method is Method.ALPHA_BETA and min(level.takes_wins, level.prevents_losses) < 1:
            candidates = self._with_blind_spots(candidates)
        if state.method is not Method.ALPHA_BETA:
            return candidates
        if abs(candidates[0].points) > LIMIT:
            # Moves that win equally soon, in any order.
            soonest = [candidate for candidate in candidates if candidate.points == candidates[0].points > LIMIT]
            self.random.shuffle(soonest)
            return soonest + candidates[len(soonest) :]
        self.winning = None if candidates[0].exact else candidates[0].winning
        least = candidates[0].points - margin
        near = [candidate for candidate in candidates if candidate.points >= least]
        liked = {c.token: (state.retraces(c.token), -c.points - self.random.randint(0, margin)) for c in near}
        return sorted(near, key=lambda c: liked[c.token]) + candidates[len(near) :]

    def _at_first_sight(self) -> list[Candidate]:
        """Return the moves that seem to bring most first, in any order among near-equals, those that lead back last.

        It is asked where no win in one is seen, so moves that win are last of all.
        """
        state, tokens = self.state, self.state.tokens()
        self.random.shuffle(tokens)
        return sorted(
            (Candidate(token, 0) for token in tokens),
            key=lambda c: (
                self._wins(c.token),
                state.retraces(c.token),
                -state.obvious(c.token) - self.random.randint(0, self.level.margin),
            ),
        )

    def _wins(self, token: Token) -> bool:
        alone = frozenset({self.state.seat})
        self.state.make(token)
        winners = self.state.winners()
        self.state.unmake()
        return winners == alone

    def _with_blind_spots(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return the moves as a level sees them that overlooks wins in one of either side: such moves look usual."""
        usual = Candidate(None, max(-LIMIT, min(candidates[len(candidates) // 2].points, LIMIT)))
        seen = (
            replace(usual, token=c.token)
            if c.points == WIN - 1 or (c.points <= 2 - WIN and not self._loses_at_once(c.token))
            else c
            for c in candidates
        )
        return sorted(seen, key=lambda c: -c.points)

    def _loses_at_once(self, token: Token) -> bool:
        """Tell whether this move loses by itself, or lets the next seat win at once and this level sees it."""
        state, seat = self.state, self.state.seat
        state.make(token)
        try:
            winners = state.winners()
            if winners is not None:
                return seat not in winners
            reply = state.win_in_one()
            return reply is not None and self._sees(reply, self.level.prevents_losses)
        finally:
            state.unmake()

    def _gives_away(self, token: Token, taken: Mapping[Token, int]) -> bool:
        """Tell whether a reply takes more than this move does, and no answer to it takes as much as is lost.

        ``taken`` says what the moves of this turn take.
        """
        state = self.state
        state.make(token)
        try:
            for reply, worth in state.captures() if state.winners() is None else ():
                lost = worth - taken.get(token, 0)
                if lost > 0:
                    state.make(reply)
                    kept = state.winners() is None and all(back < lost for _, back in state.captures())
                    state.unmake()
                    if kept:
                        return True
            return False
        finally:
            state.unmake()

    def _sees(self, token: Token, chance: float) -> bool:
        """Tell whether this turn sees a move of either side that players see with this chance."""
        if token not in self._fog:
            self._fog[token] = self.random.random()
        return self._fog[token] < chance
