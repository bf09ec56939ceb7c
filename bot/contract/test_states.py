"""A compact state for computer players agrees with the rules move for move, in every variant that brings one.

Names no game.
"""

from __future__ import annotations

from random import Random

from bot.contract.cases import Case, playout
from bot.contract.perft import agree, perft, perft_of_state
from bot.games.game import Position
from bot.games.search import LIMIT, EvaluatedState, SearchState


def state_of(case: Case, position: Position) -> SearchState | None:
    return case.game.search_state(position) if position.result is None else None


def test_a_state_follows_whole_random_games(searched: Case) -> None:
    for seed in (1, 2):
        state = None
        plies = playout(searched, seed)
        for ply in plies[:120]:
            if state is not None and ply.move is not None:
                if ply.before is not None and ply.before.question(ply.move) is not None:
                    break
                state.make(state.token(ply.move))
            state = state or state_of(searched, ply.position)
            if state is not None:
                agree(state, ply.position)
        assert state is not None


def test_unmaking_restores_everything(searched: Case) -> None:
    for ply in playout(searched, 3)[:40:5]:
        state = state_of(searched, ply.position)
        if state is None:
            continue
        tokens, key, seat = state.tokens(), state.key(), state.seat
        for token in Random(0).sample(tokens, min(len(tokens), 12)):
            state.make(token)
            if state.winners() is None:
                reply = state.tokens()[0]
                state.make(reply)
                state.unmake()
            state.unmake()
            assert (state.tokens(), state.key(), state.seat, state.winners()) == (tokens, key, seat, None)


def test_a_move_made_leads_to_the_state_of_the_position_it_leads_to(searched: Case) -> None:
    for ply in playout(searched, 4)[:60:6]:
        state = state_of(searched, ply.position)
        for token in state.tokens()[:20] if state else ():
            assert state is not None
            after = ply.position.play(state.move(token))
            assert state.token(state.move(token)) == token
            state.make(token)
            assert state.winners() == (after.result.winners if after.result else None)
            fresh = state_of(searched, after)
            if fresh is not None:
                assert (state.key(), state.seat, state.tokens()) == (fresh.key(), fresh.seat, fresh.tokens())
                if isinstance(state, EvaluatedState) and isinstance(fresh, EvaluatedState):
                    assert state.evaluate() == fresh.evaluate()
            state.unmake()


def test_perft_through_the_state_equals_perft_through_the_rules(searched: Case) -> None:
    plies = playout(searched, 5)
    for ply in (plies[2], plies[len(plies) // 2], plies[-2]):
        state = state_of(searched, ply.position)
        if state is not None:
            depth = 3 if len(state.tokens()) < 12 else 2 if len(state.tokens()) < 70 else 1
            assert perft_of_state(state, depth) == perft(ply.position, depth)


def test_a_win_in_one_is_found_exactly_where_there_is_one(searched: Case) -> None:
    seen = set()
    for ply in playout(searched, 6)[-60::4]:
        state = state_of(searched, ply.position)
        if state is None:
            continue
        winning = {token for token in state.tokens() if _wins(state, token)}
        token = state.win_in_one()
        assert token in winning if winning else token is None
        seen.add(bool(winning))
    assert seen


def _wins(state: SearchState, token: object) -> bool:
    alone = frozenset({state.seat})
    state.make(token)
    won = state.winners() == alone
    state.unmake()
    return won


def test_captures_are_legal_moves_each_listed_once_with_what_it_is_worth(searched: Case) -> None:
    for ply in playout(searched, 8)[:80:4]:
        state = state_of(searched, ply.position)
        if state is not None:
            captures = state.captures()
            assert set(dict(captures)) <= set(state.tokens())
            assert len(dict(captures)) == len(captures)
            assert all(worth > 0 for _, worth in captures)


def test_forcing_moves_are_legal_and_evaluations_keep_below_wins(searched: Case) -> None:
    for ply in playout(searched, 7)[:80:4]:
        state = state_of(searched, ply.position)
        if isinstance(state, EvaluatedState):
            assert set(state.forcing()) <= set(state.tokens())
            assert abs(state.evaluate()) <= LIMIT


def test_no_two_moves_of_a_position_are_alike(searched: Case) -> None:
    for ply in playout(searched, 9)[:80:8]:
        state = state_of(searched, ply.position)
        if isinstance(state, EvaluatedState):
            tokens = state.tokens()
            assert len(set(state.likenesses(tokens))) == len(tokens)
