"""Laws that hold in every game of Rectangles of Distinction."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.game import IllegalMove, Position
from tests.games.rectangles.play import RECTANGLES, legal, start

kinds = st.sampled_from([(4, 2), (6, 2), (6, 4), (8, 3), (8, 6)]).flatmap(
    lambda kind: st.tuples(st.just(kind[0]), st.just(kind[1]), st.booleans(), st.integers(0, 2**32))
)
Kind = tuple[int, int, bool, int]
every_game = given(kind=kinds)


def positions(kind: Kind) -> list[Position]:
    """Return the positions of a game without a claim to be stuck, played at random."""
    dots, players, tilted, seed = kind
    random = Random(seed)
    found = [start(players, dots, tilted)]
    while found[-1].result is None:
        moves = [move for move in found[-1].legal_moves() if str(move) != "stuck"]
        found.append(found[-1].play(random.choice(moves)))
    return found


@every_game
def test_corners_and_areas_are_never_used_twice(kind: Kind) -> None:
    outlines = RECTANGLES.scene(positions(kind)[-1]).outlines
    corners = [corner for outline in outlines for corner in outline.corners]
    assert len(corners) == len(set(corners)) == 4 * len(outlines)
    assert len({outline.label for outline in outlines}) == len(outlines)


@every_game
def test_what_can_be_drawn_only_gets_less(kind: Kind) -> None:
    game = positions(kind)
    for before, after in pairwise(game):
        assert after.result is not None or legal(after) < legal(before)


@every_game
def test_who_draws_the_last_rectangle_wins(kind: Kind) -> None:
    *_, before, last = positions(kind)
    assert last.result is not None
    assert last.result.winners == {before.to_move}


@every_game
def test_to_say_stuck_gives_the_game_to_the_seat_before(kind: Kind) -> None:
    players = kind[1]
    for position in positions(kind)[:-1]:
        seat = position.to_move
        assert seat is not None
        ended = position.play(position.parse("stuck"))
        assert ended.result is not None
        assert ended.result.winners == {(seat - 1) % players}


@every_game
def test_there_is_always_one_winner_however_seats_drop_out(kind: Kind) -> None:
    random = Random(kind[3])
    position = positions(kind)[0]
    left = set(range(kind[1]))
    while position.result is None:
        if random.random() < 0.3:
            seat = random.choice(sorted(left))
            left.remove(seat)
            position = position.drop(seat)
        else:
            position = position.play(random.choice(list(position.legal_moves())))
        assert position.to_move in left if position.result is None else position.to_move is None
    assert len(position.result.winners) == 1
    assert position.result.winners <= left


@every_game
def test_a_rectangle_is_read_from_any_three_of_its_corners(kind: Kind) -> None:
    game = positions(kind)
    random = Random(kind[3])
    for before, after in pairwise(game):
        drawn = RECTANGLES.scene(after).outlines[-1]
        three = random.sample(drawn.corners, 3)
        assert before.play(before.parse("-".join(three))) == after
        with pytest.raises(IllegalMove, match=r"."):
            after.parse("-".join(three))
