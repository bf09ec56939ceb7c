"""Weak levels look sensible in whole games: they give no piece away for nothing in plain sight, nor walk to and fro."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

import pytest

from bot.contract.cases import CASES, playout
from bot.games import GAMES
from bot.games.game import Move, Position
from bot.games.redtangle.pieces import FIRST_BLACK_CODE
from bot.games.search import EvaluatedState
from bot.opponents import choose
from bot.opponents.alphabeta import AlphaBeta
from bot.opponents.levels import level_for
from bot.opponents.thinking import state_of
from tests.opponents.test_tactics import allows, winning
from tests.support.sampled import sampled

PIECES: Final[Mapping[str, Callable[[Any, int], int]]] = MappingProxyType(
    {
        "redo": lambda p, seat: p.pieces[seat].bit_count() + (p.pieces[seat] & p.towers).bit_count(),
        "redtangle": lambda p, seat: sum((code >= FIRST_BLACK_CODE) == seat for code in p.board if code),
        "yonmoque": lambda p, seat: p.pieces[seat].bit_count() + p.hands[seat],
    }
)
"""By game: the pieces of a seat, where some can be lost; a tower counts as the two it is made of."""
NEARLY: Final = 15
"""A move is nearly as good if it is so many rating points worse, at most."""
LONGEST: Final = 400


def moves_of(game: str, level: int, seed: int, plies: int = LONGEST) -> Iterator[tuple[Position, Move]]:
    """Yield the positions of a game of a level against itself after the set-up, with the moves chosen."""
    random, position = Random(f"{game} {level} {seed}"), GAMES[game].start()
    while position.to_move is not None and plies > 0:
        move = choose(position, level, random.getrandbits(32))
        if GAMES[game].search_state(position) is not None:
            yield position, move
            plies -= 1
        position = position.play(move)


def lead(game: str, position: Position, seat: int) -> int:
    count = PIECES.get(game)
    return count(position, seat) - count(position, 1 - seat) if count else 0


def gives_away(game: str, position: Position, move: Move) -> bool:
    """Tell by the rules alone whether a reply takes something that no answer takes back."""
    seat, after = position.to_move, position.play(move)
    assert seat is not None
    before = lead(game, position, seat)
    for reply in after.legal_moves():
        replied = after.play(reply)
        if (
            replied.result is None
            and lead(game, replied, seat) < before
            and all(lead(game, replied.play(answer), seat) < before for answer in replied.legal_moves())
        ):
            return True
    return False


@pytest.mark.parametrize("game", PIECES)
def test_captures_tell_what_every_move_takes_more_than_it_costs(game: str) -> None:
    taken = 0
    for ply in playout(next(case for case in CASES if case.game.key == game), 3)[:120:3]:
        state, seat = GAMES[game].search_state(ply.position), ply.position.to_move
        if state is None or seat is None:
            continue
        own, other = (PIECES[game](ply.position, at) for at in (seat, 1 - seat))
        worth = dict(state.captures())
        taken += len(worth)
        for token in state.tokens():
            after = ply.position.play(state.move(token))
            cost = max(0, own - PIECES[game](after, seat)) if game == "redtangle" else 0
            assert worth.get(token, 0) == other - PIECES[game](after, 1 - seat) - cost
    assert taken


WEAK: Final = [(game, level) for level in (3, 1, 2, 4) for game in ("yonmoque", "redo", "redtangle")]


@pytest.mark.parametrize(("game", "level"), sampled(WEAK, every=12))
def test_no_piece_is_given_away_for_nothing_while_another_move_gives_none(game: str, level: int) -> None:
    for position, move in moves_of(game, level, seed=1):
        if gives_away(game, position, move) and not winning(position):
            safe = (m for m in position.legal_moves() if not gives_away(game, position, m))
            assert all(allows(position, m) for m in safe), f"{move} in {position.encode()}"


@pytest.mark.parametrize(("game", "level"), sampled([*WEAK, *(("gyges", level) for level in range(1, 5))], every=12))
def test_no_level_walks_back_in_a_whole_game_while_another_move_is_nearly_as_good(game: str, level: int) -> None:
    for position, move in moves_of(game, level, seed=2):
        state = state_of(position)
        assert isinstance(state, EvaluatedState)
        token = state.token(move)
        if not state.retraces(token) or winning(position):
            continue
        how = level_for(level, state)
        looked = AlphaBeta(state, how.budget(state), how.depth, how.margin).candidates()
        worth = {candidate.token: candidate.points for candidate in looked}
        onward = [other for other in worth if not state.retraces(other) and worth[other] >= worth[token] - NEARLY]
        for other in map(state.move, onward):
            assert allows(position, other) or gives_away(game, position, other), f"{move}, {other} {position.encode()}"
