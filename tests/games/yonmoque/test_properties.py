"""Laws that hold in every position of Yonmoque."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.yonmoque.board import COLOURS, NAMES, NUMBERS, Turn, members
from bot.games.yonmoque.rules import YonmoquePosition, decode
from tests.games.yonmoque.positions import texts

Symmetry = Callable[[int, int], tuple[int, int]]

SYMMETRIES: dict[str, Symmetry] = {
    "left and right": lambda file, rank: (4 - file, rank),
    "up and down": lambda file, rank: (file, 4 - rank),
    "half a turn": lambda file, rank: (4 - file, 4 - rank),
    "a quarter turn": lambda file, rank: (4 - rank, file),
    "three quarters of a turn": lambda file, rank: (rank, 4 - file),
    "the long diagonal": lambda file, rank: (rank, file),
    "the other long diagonal": lambda file, rank: (4 - rank, 4 - file),
}

games = st.lists(st.integers(min_value=0, max_value=999), max_size=40)


def play(choices: list[int]) -> list[tuple[YonmoquePosition, Turn | None]]:
    """Return the positions of the game in which every choice picks a legal move, each with the move that follows."""
    position = YonmoquePosition()
    plies: list[tuple[YonmoquePosition, Turn | None]] = []
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        move = moves[choice % len(moves)]
        plies.append((position, move))
        position = position.play(move)
    return [*plies, (position, None)]


def mirrored(text: str, symmetry: Symmetry) -> str:
    def square(name: str) -> str:
        file, rank = symmetry(NUMBERS[name] % 5, NUMBERS[name] // 5)
        return NAMES[rank * 5 + file]

    return "-".join(map(square, text.split("-")))


@given(games)
def test_there_are_twelve_pieces_on_the_board_and_in_hand(choices: list[int]) -> None:
    for position, _ in play(choices):
        blue, white = position.pieces
        assert blue & white == 0
        assert (blue | white).bit_count() + sum(position.hands) == 12
        assert all(0 <= hand <= 6 for hand in position.hands)


@given(games)
def test_a_put_takes_one_piece_from_the_hand_and_a_move_takes_none(choices: list[int]) -> None:
    plies = play(choices)
    for (before, move), (after, _) in pairwise(plies):
        assert move is not None
        spent = 1 if move.origin is None else 0
        assert after.hands[before.side] == before.hands[before.side] - spent
        assert after.hands[1 - before.side] == before.hands[1 - before.side]


@given(games)
def test_a_put_changes_nothing_but_its_square(choices: list[int]) -> None:
    plies = play(choices)
    for (before, move), (after, _) in pairwise(plies):
        if move is not None and move.origin is None:
            assert before.flips(move) == 0
            assert after.pieces[1 - before.side] == before.pieces[1 - before.side]
            assert after.pieces[before.side] == before.pieces[before.side] | 1 << move.target


@given(games)
def test_nobody_loses_pieces_by_their_own_turn_and_the_other_never_gains(choices: list[int]) -> None:
    plies = play(choices)
    for (before, move), (after, _) in pairwise(plies):
        assert move is not None
        flipped = before.flips(move)
        gained = flipped.bit_count() + (move.origin is None)
        assert after.pieces[before.side].bit_count() == before.pieces[before.side].bit_count() + gained
        assert after.pieces[1 - before.side] == before.pieces[1 - before.side] & ~flipped


@given(games)
def test_who_has_not_just_moved_has_no_five(choices: list[int]) -> None:
    for position, _ in play(choices):
        own = {NAMES[square] for square in members(position.pieces[position.side])}
        assert not any({f"{file}{rank}" for file in "abcde"} <= own for rank in range(1, 6))
        assert not any({f"{file}{rank}" for rank in range(1, 6)} <= own for file in "abcde")


@given(games)
def test_no_way_longer_than_a_step_begins_or_ends_off_ones_own_colour(choices: list[int]) -> None:
    for position, _ in play(choices):
        for move in position.legal_moves():
            if move.origin is not None and abs(move.origin % 5 - move.target % 5) > 1:
                assert COLOURS[move.origin] == COLOURS[move.target] == position.side


@settings(deadline=None)
@given(games, st.sampled_from(sorted(SYMMETRIES)))
def test_the_rules_look_the_same_in_every_mirror(choices: list[int], name: str) -> None:
    symmetry = SYMMETRIES[name]
    image = YonmoquePosition()
    for position, move in play(choices):
        assert {mirrored(text, symmetry) for text in texts(position)} == texts(image)
        assert image.result == position.result
        if move is not None:
            image = image.play(image.parse(mirrored(str(move), symmetry)))


@given(games)
def test_every_position_is_restored_from_its_text(choices: list[int]) -> None:
    for position, _ in play(choices)[-3:]:
        assert decode(position.encode()) == position
