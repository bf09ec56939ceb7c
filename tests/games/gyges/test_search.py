"""The compact state of Gygès agrees with the rules: moves, ends and what follows, along games and along trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bot.contract import golden
from bot.games.game import Move
from bot.games.gyges import GYGES
from bot.games.gyges.board import NAMES, PLACES, arrange
from bot.games.gyges.rules import GygesPosition
from bot.games.gyges.search import GygesState
from bot.games.search import LIMIT, Token
from bot.opponents.alphabeta import AlphaBeta
from tests.games.gyges.crowded import scattered
from tests.games.gyges.positions import RULESETS, after, board, game
from tests.support import search_states
from tests.support.search_states import Checked, follow

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)

CHAIN = ".3.2.. 1...1. ..2..3 2.1.31 .3..2. ......"


def state_of(position: GygesPosition) -> GygesState:
    state = search_states.state_of(GYGES, position)
    assert isinstance(state, GygesState)
    return state


def wins(position: GygesPosition) -> set[str]:
    """Return the texts of the moves that win at once."""
    goal = "NS"[position.side]
    return {str(move) for move in position.legal_moves() if move.endswith(f"-{goal}")}


def on_and_on(position: GygesPosition, random: Random) -> Move:
    """Win only if there is nothing else, so that games grow long."""
    others = [move for move in position.legal_moves() if str(move) not in wins(position)]
    return random.choice(others or position.legal_moves())


@pytest.mark.slow
@pytest.mark.parametrize("file", golden.files("gyges"), ids=lambda file: file.stem)
def test_a_state_follows_recorded_games(file: Path) -> None:
    case, _, (south, north, *moves) = golden.game_in(file.read_text(encoding="utf-8"))
    ruleset = case.variant.key
    follow(GYGES, game(ruleset, f"{south} {north}"), lambda position: position.parse(moves[len(position.earlier)]))


class CheckedState(Checked, GygesState):
    """A state of Gygès."""


@pytest.mark.slow
@each_ruleset
def test_a_state_agrees_at_every_node_of_a_search(ruleset: str) -> None:
    state = CheckedState(after(game(ruleset, "123321 213312"), "a1-a2"))
    AlphaBeta(state, nodes=150).candidates()
    assert state.compared > 100
    assert len(state.path) == 1


class ForgetfulState(GygesState):
    """A state in which every move is unlike those of other positions."""

    def likenesses(self, tokens: Sequence[Token]) -> list[Token]:
        return [(token, self.key()) for token in tokens]


class PatientState(GygesState):
    """A state in which searches look at late moves as deeply as at early ones."""

    many_moves = False


@pytest.mark.slow
@pytest.mark.parametrize(("state", "plies"), [(GygesState, 3), (ForgetfulState, 2), (PatientState, 2)])
def test_a_search_looks_further_by_likenesses_and_by_less_of_late_moves(state: type[GygesState], plies: int) -> None:
    search = AlphaBeta(state(after(game("fogliaccio", "231132 213312"), "a1-a3")), nodes=5_000)
    search.candidates()
    assert search.reached == plies


def anywhere(ruleset: str, random: Random) -> GygesPosition:
    """Put the pieces anywhere, often close together."""
    return GygesPosition(ruleset, scattered(random, random.choice((14, 18, 24, 36))), random.randrange(2))


@each_ruleset
def test_a_win_in_one_is_found_if_and_only_if_there_is_one(ruleset: str) -> None:
    random, found = Random(1), 0
    for _ in range(250):
        position = anywhere(ruleset, random)
        state = state_of(position)
        token = state.win_in_one()
        assert (token is not None) == bool(wins(position))
        if token is not None:
            found += 1
            assert str(state.move(token)) in wins(position)
            assert [state.move(move) for move in state.forcing()] == [state.move(token)]
            assert state.evaluate() > LIMIT / 2
        else:
            assert state.forcing() == []
            assert -LIMIT / 2 < state.evaluate() < LIMIT / 2
    assert 50 < found < 200


@each_ruleset
def test_moves_into_the_goal_are_listed_first(ruleset: str) -> None:
    position = board(ruleset, CHAIN)
    state = state_of(position)
    number = len(wins(position))
    assert {str(state.move(token)) for token in state.tokens()[:number]} == wins(position) != set()


@each_ruleset
def test_a_position_looks_as_good_from_the_other_side(ruleset: str) -> None:
    random = Random(2)
    for _ in range(100):
        position = anywhere(ruleset, random)
        turned = arrange(
            (PLACES[NAMES[place].translate(str.maketrans("123456NS", "654321SN"))], value)
            for place, value in ((place, position.situation.holds(place)) for place in range(36))
            if value
        )
        other = GygesPosition(ruleset, turned, 1 - position.side)
        assert state_of(position).evaluate() == state_of(other).evaluate()


@each_ruleset
def test_what_is_barred_tells_positions_apart_and_history_does_not(ruleset: str) -> None:
    there = after(board(ruleset, CHAIN), "b2-a4")
    longer = after(board(ruleset, CHAIN), "b2-a4")
    assert state_of(there).key() == state_of(longer).key()
    fresh = GygesPosition(ruleset, there.pieces, there.side)
    assert state_of(there).key() != state_of(fresh).key()


@each_ruleset
def test_routes_into_the_goal_that_a_state_remembers_are_open_where_it_takes_them(ruleset: str) -> None:
    random = Random(3)
    position = game(ruleset, "123123 321321")
    state = state_of(position)
    for _ in range(30):
        win = state.win_in_one()
        assert (win is not None) == bool(wins(position))
        assert win is None or str(state.move(win)) in wins(position)
        if len(wins(position)) == len(position.legal_moves()):
            break
        move = on_and_on(position, random)
        state.make(state.token(move))
        position = position.play(move)


@each_ruleset
def test_a_piece_that_walks_back_retraces_though_the_other_seat_has_moved_another_one(ruleset: str) -> None:
    position = after(board(ruleset, "###### ###... ##.... .....1 ...... ......"), "f3-f2 f6-e5")
    state = state_of(position)
    assert [move for move in ("f2-f1", "f2-f3") if state.retraces(state.token(position.parse(move)))] == ["f2-f3"]


@each_ruleset
def test_answers_are_all_moves_but_some_that_let_the_other_seat_win_at_once(ruleset: str) -> None:
    random, position, dropped = Random(5), game(ruleset, "123123 321321"), 0
    for _ in range(12):
        state = state_of(position)
        tokens, answers = state.tokens(), state.answers()
        assert answers == [token for token in tokens if token in set(answers)]
        for token in sorted(set(tokens) - set(answers))[::20] if not wins(position) else ():
            dropped += 1
            assert wins(position.play(state.move(token)))
        if len(wins(position)) == len(position.legal_moves()):
            break
        position = position.play(on_and_on(position, random))
    assert dropped
