"""Hex with the swap rule, on a board of up to seven by seven: a game without an evaluation, with a single good answer.

The long diagonal is named a1, b2 and so on. The seats join the ranks and the files at the edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.game import IllegalMove, Move, Result, SequentialPosition
from bot.games.search import SearchState

SWAP = "swap"
JOINED = "both sides are joined"


def joined(stones: frozenset[complex], seat: int, size: int) -> bool:
    """Return whether a chain of these stones, file + rank * i, joins the two sides of a seat."""
    if len(stones) < size:
        return False
    found = {at for at in stones if _along(at, seat) == 0}
    fresh = list(found)
    while fresh:
        at = fresh.pop()
        near = {at + step for step in (1, -1, 1j, -1j, 1 - 1j, -1 + 1j)} & stones - found
        found |= near
        fresh += near
    return any(_along(at, seat) == size - 1 for at in found)


def _along(at: complex, seat: int) -> float:
    return at.imag if seat == 0 else at.real


@dataclass(frozen=True, slots=True)
class HexPosition(SequentialPosition):
    """The stones of both seats; ``may_swap`` says that the second may take over the first stone."""

    size: int = 7
    stones: tuple[frozenset[complex], frozenset[complex]] = (frozenset(), frozenset())
    side: int = 0
    may_swap: bool = False
    outcome: Result | None = None

    def legal_moves(self) -> list[str]:
        if self.outcome:
            return []
        cells = (complex(file, rank) for rank in range(self.size) for file in range(self.size))
        free = [_text(at) for at in cells if at not in self.stones[0] | self.stones[1]]
        return [*free, SWAP] if self.may_swap else free

    def parse(self, text: str) -> str:
        if text not in self.legal_moves():
            raise IllegalMove(text)
        return text

    def play(self, move: Move) -> HexPosition:
        red, blue = self.stones
        if move == SWAP:
            (first,) = red
            return HexPosition(self.size, (frozenset(), frozenset({complex(first.imag, first.real)})))
        at = _at(str(move))
        stones = (red | {at}, blue) if self.side == 0 else (red, blue | {at})
        won = joined(stones[self.side], self.side, self.size)
        outcome = Result(frozenset({self.side}), JOINED) if won else None
        return HexPosition(self.size, stones, 1 - self.side, not red and not blue, outcome)

    def encode(self) -> str:
        return f"{sorted(map(_text, self.stones[0]))} {sorted(map(_text, self.stones[1]))} {self.side}"


def _text(at: complex) -> str:
    return f"{'abcdefg'[int(at.real)]}{int(at.imag) + 1}"


def _at(text: str) -> complex:
    return complex("abcdefg".index(text[0]), int(text[1]) - 1)


class QuickHexState(SearchState):
    """The same in two bit boards with a column between the ranks: many playouts in little time."""

    cost = 0.13

    def __init__(self, position: HexPosition) -> None:
        self._size, self._width, self.seat = position.size, position.size + 1, position.side
        red, blue = (sum(self._bit(_text(at)) for at in stones) for stones in position.stones)
        self._path: list[tuple[int, int, list[str], bool]] = [(red, blue, position.legal_moves(), False)]
        ranks = [sum(1 << file + rank * self._width for file in range(self._size)) for rank in (0, self._size - 1)]
        files = [sum(1 << file + rank * self._width for rank in range(self._size)) for file in (0, self._size - 1)]
        self._sides = ranks, files

    def _bit(self, cell: str) -> int:
        return 1 << "abcdefg".index(cell[0]) + (int(cell[1]) - 1) * self._width

    def tokens(self) -> list[str]:
        return [] if self._path[-1][3] else list(self._path[-1][2])

    def make(self, token: str) -> None:
        red, blue, free, _won = self._path[-1]
        if token == SWAP:
            first = next(cell for cell in HexPosition(self._size).legal_moves() if cell not in free)
            mirrored = _text(complex(_at(first).imag, _at(first).real))
            left = [cell for cell in HexPosition(self._size).legal_moves() if cell != mirrored]
            self._path.append((0, self._bit(mirrored), left, False))
        else:
            begun = not red and not blue
            left = [cell for cell in free if cell not in (token, SWAP)] + ([SWAP] if begun else [])
            bit = self._bit(token)
            red, blue = (red | bit, blue) if self.seat == 0 else (red, blue | bit)
            self._path.append((red, blue, left, self._joins((red, blue)[self.seat], bit)))
        self.seat = 1 - self.seat

    def unmake(self) -> None:
        self._path.pop()
        self.seat = 1 - self.seat

    def _joins(self, own: int, chain: int) -> bool:
        (begin, end), width, before = self._sides[self.seat], self._width, 0
        if not (own & begin and own & end):
            return False
        while chain != before:
            before = chain
            near = chain << 1 | chain >> 1 | chain << width | chain >> width
            chain |= (near | chain << width - 1 | chain >> width - 1) & own
        return bool(chain & begin and chain & end)

    def winners(self) -> frozenset[int] | None:
        return frozenset({1 - self.seat}) if self._path[-1][3] else None

    def key(self) -> tuple[int, int, int]:
        return *self._path[-1][:2], self.seat

    def move(self, token: str) -> str:
        return token

    def token(self, move: Move) -> str:
        return str(move)
