"""Laws that hold for every position: the symmetries of the game and what a move can and cannot change."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given

from bot.games.redtangle.generation import board_after, moves_on
from bot.games.redtangle.moves import Jump, Pass, PlayMove, Turn, Walk
from bot.games.redtangle.notation import entered, equipment
from bot.games.redtangle.pieces import PIECES, Piece, piece_on, squares_of
from bot.games.redtangle.rules import RedtanglePosition, ending
from tests.games.redtangle.strategies import SEATS, boards, positions


def transformed(board: bytes, square: Callable[[int], int], piece: Callable[[Piece], Piece]) -> bytes:
    new = bytearray(64)
    for old, code in enumerate(board):
        if code:
            new[square(old)] = piece(PIECES[code - 1]).code
    return bytes(new)


def half_turn(piece: Piece) -> Piece:
    """Turn the board by half and exchange the colours: the owner's sides stay the owner's."""
    return Piece(1 - piece.owner, piece.kind, None if piece.first is None else (piece.first + 2) % 4)


def mirrored(piece: Piece) -> Piece:
    """Exchange left and right: the last own side, clockwise, becomes the first."""
    return Piece(piece.owner, piece.kind, None if piece.first is None else -(piece.first + piece.kind - 1) % 4)


def inverted(piece: Piece) -> Piece:
    """Exchange the colours of all sides and leave the owners: the sides after the own ones become the own ones."""
    return Piece(piece.owner, 4 - piece.kind, None if piece.first is None else (piece.first + piece.kind) % 4)


def outcomes(board: bytes, seat: int) -> list[bytes]:
    return sorted(board_after(board, move) for move in moves_on(board, seat) if not isinstance(move, Pass))


def ways(moves: list[PlayMove], square: Callable[[int], int], direction: Callable[[int], int]) -> list[str]:
    """Return where moves lead, seen through a symmetry, without the rotations."""
    texts = []
    for move in moves:
        match move:
            case Walk(origin, target):
                texts.append(f"{square(origin)}-{square(target)}")
            case Turn(at):
                texts.append(f"{square(at)}@")
            case Jump(stops, off):
                texts.append(f"{[square(stop) for stop in stops]} {off if off is None else direction(off)}")
    return sorted(texts)


@given(boards(), SEATS)
def test_turning_the_board_and_exchanging_the_colours_turns_the_moves(board: bytes, seat: int) -> None:
    other = transformed(board, lambda square: 63 - square, half_turn)
    turned = [transformed(after, lambda square: 63 - square, half_turn) for after in outcomes(board, seat)]
    assert outcomes(other, 1 - seat) == sorted(turned)
    assert ways(moves_on(board, seat), lambda square: 63 - square, lambda side: (side + 2) % 4) == ways(
        moves_on(other, 1 - seat), int, int
    )


@given(boards(), SEATS)
def test_left_and_right_are_alike(board: bytes, seat: int) -> None:
    other = transformed(board, lambda square: square ^ 7, mirrored)
    turned = [transformed(after, lambda square: square ^ 7, mirrored) for after in outcomes(board, seat)]
    assert outcomes(other, seat) == sorted(turned)
    assert ways(moves_on(board, seat), lambda square: square ^ 7, lambda side: -side % 4) == ways(
        moves_on(other, seat), int, int
    )


@given(boards(), SEATS)
def test_exchanging_the_colours_of_all_sides_changes_no_move(board: bytes, seat: int) -> None:
    other = transformed(board, int, inverted)
    assert ways(moves_on(board, seat), int, int) == ways(moves_on(other, seat), int, int)
    assert outcomes(other, seat) == sorted(transformed(after, int, inverted) for after in outcomes(board, seat))


@given(boards(), SEATS)
def test_the_result_does_not_depend_on_the_colours_of_the_players(board: bytes, seat: int) -> None:
    one = ending(board, seat, 0, 1)
    two = ending(transformed(board, lambda square: 63 - square, half_turn), 1 - seat, 0, 1)
    assert {1 - winner for winner in (one.winners if one else ())} == set(two.winners if two else ())


@given(positions())
def test_only_jumps_take_pieces_and_no_move_changes_a_kind(found: RedtanglePosition) -> None:
    for move in found.legal_moves():
        after = found.play(move)
        taken, lost = (
            equipment(found.board, seat) - equipment(after.board, seat) for seat in (1 - found.side, found.side)
        )
        if isinstance(move, Jump):
            assert taken.total() == len(move.captured) == len(set(move.captured)) > 0
            assert lost.total() == (move.off is not None)
            assert after.quiet == 0
        else:
            assert not taken
            assert not lost
            assert after.quiet == found.quiet + 1


@given(positions())
def test_every_move_but_a_pass_changes_what_is_seen(found: RedtanglePosition) -> None:
    for move in found.legal_moves():
        assert isinstance(move, Pass) or found.play(move).board != found.board


@given(positions())
def test_nobody_stands_in_the_opponents_rectangle_while_the_game_goes_on(found: RedtanglePosition) -> None:
    for move in found.legal_moves():
        after = found.play(move)
        if entered(after.board, found.side):
            assert after.result is not None
            assert after.result.winners == {found.side}
        else:
            assert (
                after.result is None
                or after.result.winners != {found.side}
                or not squares_of(after.board, 1 - found.side)
            )


@given(positions())
def test_a_jumping_piece_lies_as_before(found: RedtanglePosition) -> None:
    for move in found.legal_moves():
        if isinstance(move, Jump) and move.off is None:
            assert piece_on(found.play(move).board, move.stops[-1]) == piece_on(found.board, move.stops[0])
