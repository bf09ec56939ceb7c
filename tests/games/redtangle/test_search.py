"""The compact state of Redtangle agrees with the rules: moves, ends and what follows, along games and along trees."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings

from bot.contract.perft import agree
from bot.games.game import Move
from bot.games.redtangle import REDTANGLE
from bot.games.redtangle.pieces import PIECES, RECTANGLES
from bot.games.redtangle.rules import QUIET_LIMIT, RedtanglePosition, fresh
from bot.games.redtangle.search import RedtangleState
from bot.games.redtangle.setup import random_arrangement
from bot.games.search import LIMIT
from bot.opponents.alphabeta import AlphaBeta
from tests.games.redtangle.boards import position
from tests.games.redtangle.strategies import positions
from tests.support import search_states
from tests.support.search_states import Checked, follow

Player = Callable[..., Move]


def state_of(found: RedtanglePosition) -> RedtangleState:
    state = search_states.state_of(REDTANGLE, found)
    assert isinstance(state, RedtangleState)
    return state


def wins(found: RedtanglePosition) -> set[Move]:
    """Return the moves that win at once."""
    after = {move: found.play(move).result for move in found.legal_moves()}
    return {move for move, result in after.items() if result and result.winners == {found.side}}


def greedily(found: RedtanglePosition, random: Random) -> Move:
    """Capture where it does not win, so that games come down to one piece each."""
    moves = found.legal_moves()
    captures = [move for move in moves if "x" in str(move)]
    winning = wins(found)
    return random.choice([move for move in captures or moves if move not in winning] or moves)


def to_and_fro(found: RedtanglePosition, random: Random) -> Move:
    """Turn the same piece again and again."""
    turns = [move for move in found.legal_moves() if "@" in str(move) and "-" not in str(move)]
    return random.choice(turns[:2] or found.legal_moves())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "games", "reason"),
    [(greedily, 3, ""), (to_and_fro, 2, "third repetition")],
)
def test_a_state_follows_whole_games_there_and_back(player: Player, games: int, reason: str) -> None:
    reasons = set()
    for seed in range(games):
        random = Random(seed)
        found = REDTANGLE.start()
        found = found.play(random_arrangement(0, random)).play(random_arrangement(1, random))
        assert isinstance(found, RedtanglePosition)
        reasons.add(follow(REDTANGLE, found, partial(player, random=random)).reason)
    assert reason in {"", *reasons}


CROWDED = "c3 w2E, d3 b0, e3 w1N, d4 b3S, d5 w4, e5 b1W, f4 b2N, c5 b4, f5 w0"
ENDING = "c4 w2N, d4 b1E, b6 w0"


class CheckedState(Checked, RedtangleState):
    """A state of Redtangle."""


@pytest.mark.parametrize("pieces", [CROWDED, ENDING])
def test_a_state_agrees_at_every_node_of_a_search(pieces: str) -> None:
    state = CheckedState(position(pieces))
    AlphaBeta(state, nodes=300).candidates()
    assert state.compared > 200
    assert len(state.path) == 1


@settings(deadline=None)
@given(positions())
def test_a_state_agrees_wherever_the_pieces_stand(found: RedtanglePosition) -> None:
    agree(state_of(found), found)


@settings(deadline=None)
@given(positions())
def test_a_win_in_one_is_found_if_and_only_if_there_is_one(found: RedtanglePosition) -> None:
    if found.result is None:
        state = state_of(found)
        token = state.win_in_one()
        assert (token is not None) == bool(wins(found))
        if token is not None:
            assert state.move(token) in wins(found)
            assert [state.move(move) for move in state.forcing()] == [state.move(token)]


@settings(deadline=None)
@given(positions())
def test_a_position_looks_as_good_from_the_other_side(found: RedtanglePosition) -> None:
    if found.result is None:
        other = fresh(bytes(_turned(code) for code in reversed(found.board)), 1 - found.side)
        # Endings are solved in rounds in which White goes first, so there it may be one more or less.
        assert abs(state_of(other).evaluate() - state_of(found).evaluate()) <= (
            len(found.board) - found.board.count(0) == 2
        )


def _turned(code: int) -> int:
    """Return the code of the piece of the other owner, turned by half."""
    if not code:
        return 0
    piece = PIECES[code - 1]
    first = None if piece.first is None else (piece.first + 2) % 4
    return next(p.code for p in PIECES if (p.owner, p.kind, p.first) == (1 - piece.owner, piece.kind, first))


def test_jumps_are_listed_first_those_that_take_most_before_others() -> None:
    state = state_of(position("c3 w4, d3 b0, e3 b1N, c4 b4, c6 b2N, h5 w0"))
    taken = [len(str(state.move(token)).split("x")) for token in state.tokens()]
    jumps = [count for count in taken if count > 1]
    assert jumps
    assert taken[: len(jumps)] == jumps


def test_the_limit_of_quiet_plies_ends_the_game() -> None:
    found = position("a4 w2N, h4 b2N, a5 w0", quiet=QUIET_LIMIT - 1)
    state = state_of(found)
    state.make(state.token(found.parse("a4@E")))
    assert state.winners() == frozenset({0, 1})
    state.unmake()
    assert state.winners() is None


def test_one_piece_each_is_played_to_the_end_by_who_can_win() -> None:
    """Follow the evaluation alone, one ply deep: a side that can force a win wins against any defence."""
    random, won = Random(5), 0
    while won < 40:
        board = bytearray(64)
        for seat in (0, 1):
            piece = random.choice([piece for piece in PIECES if piece.owner == seat])
            board[random.choice([s for s in range(64) if s not in RECTANGLES[1 - seat] and not board[s]])] = piece.code
        found = fresh(bytes(board), random.randrange(2))
        if found.result is not None or state_of(found).evaluate() < LIMIT / 2:
            continue
        winner, plies = found.side, 0
        while found.result is None:
            state = state_of(found)
            assert abs(state.evaluate()) > LIMIT / 2
            found = found.play(_nearest(state) if found.side == winner else random.choice(found.legal_moves()))
            plies += 1
        assert found.result.winners == {winner}
        assert plies < 20
        won += 1


def _nearest(state: RedtangleState) -> Move:
    """Return the move after which the position is worth least to the other side."""
    best = state.win_in_one()
    if best is None:
        worth = {}
        for token in state.tokens():
            state.make(token)
            if state.winners() is None:
                worth[token] = -state.evaluate()
            state.unmake()
        best = max(worth, key=worth.__getitem__)
    return state.move(best)
