"""A second Redtangle, written from the text of ``RULES.md`` alone, as plainly as possible.

It shares nothing with the rules it checks: a board is a dictionary of pieces by file and rank, a move is its text, and
the two-piece ending is solved by walking from state to state. It is slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product

Square = tuple[int, int]
STRAIGHT = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
RED = {
    "white": {(file, rank) for file in (3, 4, 5, 6) for rank in (1, 2)},
    "black": {(file, rank) for file in (3, 4, 5, 6) for rank in (7, 8)},
}
ORDER = {
    "white": [(3, 1), (4, 1), (5, 1), (6, 1), (3, 2), (4, 2), (5, 2), (6, 2)],
    "black": [(3, 8), (4, 8), (5, 8), (6, 8), (3, 7), (4, 7), (5, 7), (6, 7)],
}


def other(colour: str) -> str:
    return "black" if colour == "white" else "white"


@dataclass(frozen=True)
class Stone:
    """A piece: its owner and the colours of its N, E, S and W sides."""

    owner: str
    sides: tuple[str, str, str, str]

    def side(self, direction: str) -> str:
        return self.sides["NESW".index(direction)]

    @cache  # noqa: B019  (there are 28 pieces)
    def rotations(self) -> set[Stone]:
        n, e, s, w = self.sides
        turned = [(n, e, s, w), (e, s, w, n), (s, w, n, e), (w, n, e, s)]
        return {Stone(self.owner, sides) for sides in turned}

    @cache  # noqa: B019
    def first(self) -> str:
        """The first own side, clockwise: own, after one that is not. Empty for pieces that look the same all round."""
        for at, direction in enumerate("NESW"):
            if self.sides[at] == self.owner != self.sides[at - 1]:
                return direction
        return ""

    def text(self) -> str:
        return f"{self.sides.count(self.owner)}{self.first()}"


def stone(owner: str, text: str) -> Stone:
    """Read ``2E`` and the like."""
    sides = [other(owner)] * 4
    for turn in range(int(text[0])):
        sides[("NESW".index(text[1:]) + turn) % 4] = owner
    return Stone(owner, (sides[0], sides[1], sides[2], sides[3]))


Board = dict[Square, Stone]


def name(square: Square) -> str:
    return "?abcdefgh"[square[0]] + str(square[1])


def square_of(text: str) -> Square:
    return "?abcdefgh".index(text[0]), int(text[1])


def on_board(square: Square) -> bool:
    return 1 <= square[0] <= 8 and 1 <= square[1] <= 8


def moves(board: Board, mover: str) -> Iterator[str]:
    """Yield the text of every move of ``mover``."""
    before = len(board)
    count = 0
    for square, piece in list(board.items()):
        if piece.owner == mover:
            for text in (*steps(board, square), *turns(piece, square), *jumps(board, square)):
                count += 1
                yield text
    assert len(board) == before
    if not count:
        yield "pass"


def steps(board: Board, square: Square) -> Iterator[str]:
    piece = board[square]
    for dx, dy in product((-1, 0, 1), repeat=2):
        target = square[0] + dx, square[1] + dy
        if (dx, dy) == (0, 0) or not on_board(target) or target in board:
            continue
        if target in RED[other(piece.owner)] and dx != 0 and dy != 0:
            continue
        for lying in piece.rotations():
            yield f"{name(square)}-{name(target)}" + ("" if lying == piece else f"@{lying.first()}")


def turns(piece: Stone, square: Square) -> Iterator[str]:
    for lying in piece.rotations():
        if lying != piece:
            yield f"{name(square)}@{lying.first()}"


def jumps(board: Board, square: Square) -> Iterator[str]:
    lifted = {at: piece for at, piece in board.items() if at != square}
    yield from jumps_on(lifted, board[square], square, [], name(square))


def jumps_on(board: Board, jumper: Stone, here: Square, jumped: list[Square], text: str) -> Iterator[str]:
    for direction in STRAIGHT:
        row, landing = row_ahead(board, jumper, here, direction, jumped)
        if not row:
            continue
        if not on_board(landing):
            yield f"{text}x{direction}"
        elif landing not in board:
            yield f"{text}x{name(landing)}"
            if landing not in RED[other(jumper.owner)]:
                yield from jumps_on(board, jumper, landing, jumped + row, f"{text}x{name(landing)}")


def row_ahead(
    board: Board, jumper: Stone, here: Square, direction: str, jumped: list[Square]
) -> tuple[list[Square], Square]:
    """Return the row of pieces that can be jumped from ``here`` and the square right behind it."""
    dx, dy = STRAIGHT[direction]
    row: list[Square] = []
    ahead = here[0] + dx, here[1] + dy
    while ahead in board:
        piece = board[ahead]
        opposite = piece.side(OPPOSITE[direction]) != jumper.side(direction)
        if piece.owner == jumper.owner or ahead in jumped or not opposite:
            return [], ahead
        row.append(ahead)
        ahead = ahead[0] + dx, ahead[1] + dy
    return row, ahead


def after(board: Board, text: str) -> Board:
    """Return the board after a legal move."""
    new = dict(board)
    if text == "pass":
        return new
    body, _, first = text.partition("@")
    if "x" in body:
        return after_jumps(new, body.split("x"))
    squares = [square_of(part) for part in body.split("-")]
    piece = new.pop(squares[0])
    if first:
        piece = next(lying for lying in piece.rotations() if lying.first() == first)
    new[squares[-1]] = piece
    return new


def after_jumps(board: Board, parts: list[str]) -> Board:
    jumper = board.pop(square_of(parts[0]))
    here: Square | None = square_of(parts[0])
    for part in parts[1:]:
        assert here is not None
        if part in STRAIGHT:
            dx, dy = STRAIGHT[part]
            end = here[0] + 9 * dx, here[1] + 9 * dy
        else:
            end = square_of(part)
            dx, dy = (end[0] > here[0]) - (end[0] < here[0]), (end[1] > here[1]) - (end[1] < here[1])
        at = here[0] + dx, here[1] + dy
        while at != end:
            board.pop(at, None)
            at = at[0] + dx, at[1] + dy
        here = end if on_board(end) else None
    if here is not None:
        board[here] = jumper
    return board


def winner_on_board(board: Board) -> str | None:
    """Return the winner on this board: ``white``, ``black``, ``both`` if no piece is left, or None."""
    for colour in ("white", "black"):
        if any(piece.owner == colour for square, piece in board.items() if square in RED[other(colour)]):
            return colour
    left = {piece.owner for piece in board.values()}
    return None if len(left) == 2 else left.pop() if left else "both"


State = tuple[Square, Stone, Square, Stone, str]


def solve(white: str, black: str) -> dict[State, str]:
    """Return who can force a win in every state of one white against one black piece; those missing are stalemates.

    Works back from decided states to those before them, counting how many moves of a loser are left unrefuted.
    """
    decided: dict[State, str] = {}
    left: dict[State, int] = {}
    before: dict[State, list[State]] = {}
    todo: list[State] = []
    for state in states(white, black):
        follow = [(after(board_of(state), text), other(state[4])) for text in moves(board_of(state), state[4])]
        left[state] = len(follow)
        for board, mover in follow:
            ended = winner_on_board(board)
            if ended is None:
                before.setdefault(state_of(board, mover), []).append(state)
            elif ended == state[4] and state not in decided:
                decided[state] = ended
                todo.append(state)
    while todo:
        state = todo.pop()
        for earlier in before.get(state, ()):
            left[earlier] -= 1
            if earlier not in decided and (decided[state] == earlier[4] or left[earlier] == 0):
                decided[earlier] = decided[state]
                todo.append(earlier)
    return decided


def states(white: str, black: str) -> Iterator[State]:
    squares: list[Square] = [(file, rank) for file in range(1, 9) for rank in range(1, 9)]
    for one, two in product(squares, squares):
        if one != two and one not in RED["black"] and two not in RED["white"]:
            for a, b in product(stone("white", white).rotations(), stone("black", black).rotations()):
                yield one, a, two, b, "white"
                yield one, a, two, b, "black"


def board_of(state: State) -> Board:
    return {state[0]: state[1], state[2]: state[3]}


def state_of(board: Board, mover: str) -> State:
    (white,) = [square for square, piece in board.items() if piece.owner == "white"]
    (black,) = [square for square, piece in board.items() if piece.owner == "black"]
    return white, board[white], black, board[black], mover


@dataclass
class Match:
    """A game after the set-ups, with everything that can end it."""

    board: Board
    mover: str = "white"
    is_stalemate: Callable[[State], bool] = lambda state: False
    quiet: int = 0
    history: list[tuple[frozenset[tuple[Square, Stone]], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.remember()

    def remember(self) -> None:
        self.history.append((frozenset(self.board.items()), self.mover))

    def play(self, text: str) -> None:
        count = len(self.board)
        self.board = after(self.board, text)
        self.mover = other(self.mover)
        self.quiet = 0 if len(self.board) < count else self.quiet + 1
        self.remember()

    def winners(self) -> set[str] | None:
        """Return who has won, both for a draw, or None while the game goes on."""
        ended = winner_on_board(self.board)
        if ended:
            return {"white", "black"} if ended == "both" else {ended}
        drawn = (
            (len(self.board) == 2 and self.is_stalemate(state_of(self.board, self.mover)))
            or self.history.count(self.history[-1]) == 3
            or self.quiet == 120
        )
        return {"white", "black"} if drawn else None


def written(board: Board, mover: str) -> str:
    """Return the position as ``Game.decode`` reads it, with nothing before it."""
    ranks = []
    for rank in range(8, 0, -1):
        row = "".join(
            board[file, rank].owner[0] + board[file, rank].text() if (file, rank) in board else "."
            for file in range(1, 9)
        )
        for gap in range(8, 0, -1):
            row = row.replace("." * gap, str(gap))
        ranks.append(row)
    return f"{'/'.join(ranks)} {mover[0]} 0 -"


def read(text: str) -> Board:
    """Return the board of a position as ``written`` writes it."""
    board: Board = {}
    for rank, row in zip(range(8, 0, -1), text.split(" ", maxsplit=1)[0].split("/"), strict=True):
        file = 1
        for owner, piece, gap in re.findall(r"([wb])([04]|[123][NESW])|([1-8])", row):
            if gap:
                file += int(gap)
            else:
                board[file, rank] = stone("white" if owner == "w" else "black", piece)
                file += 1
    return board
