"""Each search compared with the exact value of every position of a small game."""

from __future__ import annotations

from random import Random

import pytest
from tavoliere_tic_tac_toe import SQUARES, Put, TicTacToePosition

from bot.games import GAMES
from bot.games.rectangles.rules import RectanglesPosition
from bot.games.rectangles.search import RectanglesState
from bot.games.search import LIMIT, Method
from bot.games.yonmoque.rules import YonmoquePosition
from bot.games.yonmoque.search import YonmoqueState
from bot.opponents.alphabeta import AlphaBeta
from bot.opponents.montecarlo import MonteCarlo
from bot.opponents.solver import Solver
from tests.opponents.noughts import NoughtsState, noughts, value


def positions(count: int) -> list[TicTacToePosition]:
    """Return positions of noughts and crosses that go on, from games at random: with two marks, then three to six."""
    found: list[TicTacToePosition] = []
    for seed in range(count):
        random, position = Random(seed), noughts()
        for _ in range(3 + seed % 4 if seed else 2):
            position = position.play(random.choice(position.legal_moves()))
            if position.to_move is None:
                break
        else:
            found.append(position)
    return found


class HurriedState(NoughtsState):
    """A state in which searches look less deeply at late moves from the third ply on."""

    many_moves = True


@pytest.mark.parametrize("state", [NoughtsState, HurriedState])
@pytest.mark.parametrize("position", positions(40), ids=lambda position: position.cells)
def test_alpha_beta_finds_the_value_of_every_position(position: TicTacToePosition, state: type[NoughtsState]) -> None:
    best = AlphaBeta(state(position), 200_000).candidates()[0]
    assert (best.points > LIMIT) - (best.points < -LIMIT) == value(position)
    assert best.exact == (value(position) != 0)


@pytest.mark.parametrize("state", [NoughtsState, HurriedState])
@pytest.mark.parametrize("position", positions(30), ids=lambda position: position.cells)
def test_what_alpha_beta_calls_exact_is_true_of_every_move(
    position: TicTacToePosition, state: type[NoughtsState]
) -> None:
    for candidate in AlphaBeta(state(position), 200_000).candidates():
        if candidate.exact:
            assert -value(position.play(Put(SQUARES[candidate.token]))) == (1 if candidate.points > 0 else -1)


def test_alpha_beta_takes_the_shortest_way_to_win() -> None:
    # x has b3 at once; c1 would win two plies later.
    position = noughts("x.." + ".x." + "oo.")
    best = AlphaBeta(NoughtsState(position), 10_000).candidates()[0]
    assert best.line == (8,)


class SwingingState(NoughtsState):
    """The corner a1 is worth 20 points to its owner; the last move is worth 100 more."""

    def evaluate(self) -> int:
        corner = self._path[-1].cells[0]
        return -100 + (0 if corner == "." else 20 if corner == "xo"[self.seat] else -20)


@pytest.mark.parametrize("nodes", range(18, 400, 3))
def test_what_an_unfinished_iteration_did_not_get_to_is_no_better_than_what_it_did(nodes: int) -> None:
    corner, *others = AlphaBeta(SwingingState(noughts()), nodes, depth=3, margin=60).candidates()
    assert corner.token == 0
    assert {corner.points - other.points for other in others} <= {20, 40}


@pytest.mark.parametrize("nodes", range(1, 18))
def test_what_the_first_iteration_did_not_get_to_comes_last(nodes: int) -> None:
    found = AlphaBeta(SwingingState(noughts()), nodes, margin=60).candidates()
    assert found[0].token == 0
    assert len(found) == 9
    assert [candidate.points for candidate in found] == sorted((c.points for c in found), reverse=True)


def test_a_margin_gives_more_moves_values_of_their_own() -> None:
    def exact_values(margin: int) -> dict[object, int]:
        found = AlphaBeta(NoughtsState(noughts()), 5_000, depth=1, margin=margin).candidates()
        return {candidate.token: candidate.points for candidate in found}

    wide = exact_values(200)
    assert wide[4] == 50
    assert wide[0] == 0


def test_alpha_beta_overlooks_what_it_does_not_see() -> None:
    # o threatens c2; x, blind to that square in o's reply, does not mind.
    position = noughts("x.." + "oo." + "x..")
    seeing = AlphaBeta(NoughtsState(position), 10_000, depth=2).candidates()
    blind = AlphaBeta(NoughtsState(position), 10_000, depth=2, sees=lambda token: token != 5).candidates()
    assert [c.token for c in seeing if c.points > -LIMIT] == [5]
    assert len([c.token for c in blind if c.points > -LIMIT]) > 1


def test_no_search_looks_at_more_than_its_budget() -> None:
    state = NoughtsState(noughts())
    search = AlphaBeta(state, 500)
    search.candidates()
    assert search.visited <= 501
    tree = MonteCarlo(state, 500, Random(1))
    tree.candidates()
    assert tree.visited <= 500 + 9 + 300
    assert state.tokens() == list(range(9))


@pytest.mark.parametrize("position", positions(20), ids=lambda position: position.cells)
def test_monte_carlo_proves_small_games(position: TicTacToePosition) -> None:
    state = NoughtsState(position, Method.MONTE_CARLO)
    best = MonteCarlo(state, 20_000, Random(1)).candidates()[0]
    assert -value(position.play(Put(SQUARES[best.token]))) == value(position)
    if best.exact:
        assert (best.points > LIMIT) - (best.points < -LIMIT) == value(position)


def test_monte_carlo_knows_that_three_may_play() -> None:
    position = GAMES["rectangles"].start(players=3)
    assert isinstance(position, RectanglesPosition)
    while len(position.possible) > 12:
        position = position.play(position.possible[len(position.possible) // 2])
    state = RectanglesState(position)
    best = MonteCarlo(state, 20_000, Random(1)).candidates()[0]
    if state.win_in_one() is not None:
        assert best.exact
        assert best.points > LIMIT


def wins(position: RectanglesPosition) -> bool:
    """Tell by brute force whether the seat to move wins."""
    return any(not wins(position.play(turn)) for turn in position.possible)


def rectangles(seeds: range, dots: int, most: int, *, tilted: bool) -> list[RectanglesPosition]:
    """Return positions of random games with at most so many rectangles left."""
    found = []
    for seed in seeds:
        random, position = Random(seed), GAMES["rectangles"].start(dots=dots, tilted=tilted)
        assert isinstance(position, RectanglesPosition)
        while len(position.possible) > most:
            position = position.play(random.choice(position.possible))
        if position.possible:
            found.append(position)
    return found


@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize(("dots", "most"), [(4, 60), (6, 24), (8, 20)])
def test_the_solver_agrees_with_brute_force(dots: int, most: int, tilted: bool) -> None:
    outcomes = set()
    for position in rectangles(range(25 if dots > 4 else 5), dots, most, tilted=tilted):
        state = RectanglesState(position)
        winning = Solver(state, 100_000).winning()
        assert winning is not None
        assert bool(winning) == wins(position)
        assert all(not wins(position.play(state.move(token))) for token in winning)
        outcomes.add(bool(winning))
    assert outcomes == {True, False} or dots == 4


def test_the_solver_gives_up_when_its_budget_is_spent() -> None:
    state = RectanglesState(rectangles(range(1), 6, 200, tilted=False)[0])
    key = state.key()
    assert Solver(state, 20).winning() is None
    assert state.key() == key


def test_alpha_beta_sees_every_forced_win_within_three_plies_that_brute_force_sees() -> None:
    found = 0
    for seed in range(30):
        random, position = Random(seed), YonmoquePosition()
        while position.to_move is not None and not found > 8:
            if position.hands == (0, 0) and not _winning(position) and _wins_in_three(position):
                best = AlphaBeta(YonmoqueState(position), 20_000, depth=3).candidates()[0]
                assert best.exact
                assert best.points > LIMIT
                found += 1
            position = position.play(random.choice(position.legal_moves()))
    assert found > 2


def _winning(position: YonmoquePosition) -> bool:
    results = (position.play(move).result for move in position.legal_moves())
    return any(result is not None and result.winners == {position.to_move} for result in results)


def _wins_in_three(position: YonmoquePosition) -> bool:
    return any(
        after.to_move is not None
        and all(reply.to_move is not None and _winning(reply) for reply in map(after.play, after.legal_moves()))
        for after in map(position.play, position.legal_moves())
    )
