"""Swindles: lost moves that replies at random forgive, compared with counting by the rules."""

from __future__ import annotations

from statistics import fmean

import pytest

from bot.contract.cases import CASES, Case, playout
from bot.games import GAMES
from bot.games.cancellation import ComputationCancelled, run_while
from bot.games.game import Move, Position
from bot.opponents.swindle import SwindleSearch
from bot.opponents.thinking import state_of

RECTANGLES = [case for case in CASES if case.game.key == "rectangles" and case.players <= 3]
LISTED = 9
"""With more moves left, counting by the rules takes too long."""


def moves(position: Position) -> list[Move]:
    return [move for move in position.legal_moves() if str(move) != "stuck"]


def prospect(position: Position, seat: int) -> tuple[bool, float]:
    """Return whether others can beat ``seat`` by force, and its share of points against replies at random."""
    if position.result is not None:
        return seat not in position.result.winners, float(seat in position.result.winners)
    coming = [prospect(position.play(move), seat) for move in moves(position)]
    if position.to_move == {seat}:
        return min(coming, key=lambda one: (one[0], -one[1]))
    return any(lost for lost, _ in coming), fmean(score for _, score in coming)


def late(case: Case) -> list[Position]:
    found = [ply.position for seed in range(30) for ply in playout(case, seed)[-6:-1]]
    return [position for position in found if 1 < len(moves(position)) <= LISTED]


@pytest.mark.parametrize("case", RECTANGLES, ids=str)
def test_the_lost_move_found_is_the_one_forgiven_most_often(case: Case) -> None:
    found = []
    for position in late(case):
        (seat,) = position.to_move
        after = {str(move): prospect(position.play(move), seat) for move in moves(position)}
        lost = {text: score for text, (is_lost, score) in after.items() if is_lost}
        state = state_of(position)
        best = SwindleSearch(state, 100_000).best()
        found.append(best)
        if best is None:
            assert not lost
        else:
            assert lost[str(state.move(best[0]))] == pytest.approx(best[1])
            assert best[1] == pytest.approx(max(lost.values()))
        assert {str(state.move(token)) for token in state.tokens()} == set(after)
    assert any(found)


def test_where_too_much_is_to_come_no_swindle_is_found() -> None:
    start = GAMES["rectangles"].start()
    search = SwindleSearch(state_of(start), 500)
    assert search.best() is None
    assert search.visited == 501


def test_the_search_stops_once_it_is_cancelled() -> None:
    state = state_of(GAMES["rectangles"].start())
    before = state.key()
    with pytest.raises(ComputationCancelled):
        run_while(lambda: False, lambda: SwindleSearch(state, 5_000).best())
    assert state.key() == before
