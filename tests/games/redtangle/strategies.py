"""Boards of Redtangle for property tests: any pieces of the equipment, anywhere but in the opponent's rectangle."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.games.redtangle.pieces import BLACK, EQUIPMENT, PIECES, RECTANGLES, WHITE
from bot.games.redtangle.rules import RedtanglePosition, fresh

SEATS = st.sampled_from((WHITE, BLACK))
KINDS = st.permutations(EQUIPMENT).flatmap(lambda kinds: st.integers(1, 8).map(lambda count: kinds[:count]))


@st.composite
def boards(draw: st.DrawFn) -> bytes:
    """Draw a board with at least one piece a side, mostly crowded enough for jumps."""
    area = draw(
        st.sampled_from((range(64), [square for square in range(64) if square % 8 < 5 and 1 < square // 8 < 7]))
    )
    board = bytearray(64)
    for owner in (WHITE, BLACK):
        for kind in draw(KINDS):
            free = [square for square in area if not board[square] and square not in RECTANGLES[1 - owner]]
            lying = [piece for piece in PIECES if (piece.owner, piece.kind) == (owner, kind)]
            board[draw(st.sampled_from(free))] = draw(st.sampled_from(lying)).code
    return bytes(board)


@st.composite
def positions(draw: st.DrawFn) -> RedtanglePosition:
    """Draw a position, now and then one that is over, after up to six plies."""
    position = fresh(draw(boards()), draw(SEATS))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=6)):
        moves = position.legal_moves()
        if moves:
            position = position.play(moves[choice % len(moves)])
    return position
