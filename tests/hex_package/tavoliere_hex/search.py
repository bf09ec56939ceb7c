"""Hex in place, for quick playouts: two bit boards of nine by nine, with an empty frame."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from bot.games.game import Move
from bot.games.search import Method, SearchState
from tavoliere_hex.board import CELLS, MIRRORED, PLACES, SIZE

_WIDTH: Final = SIZE + 2
_BITS: Final = tuple(1 << ((place // SIZE + 1) * _WIDTH + place % SIZE + 1) for place in range(SIZE * SIZE))
_SWAP: Final = SIZE * SIZE
_SIDES: Final = (
    (sum(_BITS[:SIZE]), sum(_BITS[-SIZE:])),
    (sum(_BITS[0::SIZE]), sum(_BITS[SIZE - 1 :: SIZE])),
)


class HexState(SearchState):
    """Tokens are places from 0 to 48, and 49 for the swap."""

    method = Method.MONTE_CARLO
    cost = 0.33

    def __init__(self, cells: str, side: int, may_swap: bool, move: Callable[[str], Move]) -> None:
        self.seat = side
        self._move = move
        self._stones = [sum(_BITS[place] for place, sign in enumerate(cells) if sign == own) for own in "rb"]
        self._free = [place for place, sign in enumerate(cells) if sign == "."]
        self._may_swap = may_swap
        self._played: list[tuple[int, int, int, bool]] = []
        self._won: frozenset[int] | None = None

    def tokens(self) -> list[int]:
        if self._won is not None:
            return []
        free = sorted(self._free)
        return [*free, _SWAP] if self._may_swap else free

    def make(self, token: int) -> None:
        red, blue = self._stones
        if token == _SWAP:
            stone = _BITS.index(red)
            self._played.append((token, stone, -1, True))
            self._stones = [0, _BITS[MIRRORED[stone]]]
            self._free = [place for place in range(SIZE * SIZE) if place != MIRRORED[stone]]
            self._may_swap = False
        else:
            at = self._free.index(token)
            self._played.append((token, 0, at, self._may_swap))
            self._free[at] = self._free[-1]
            self._free.pop()
            self._stones[self.seat] |= _BITS[token]
            self._may_swap = self.seat == 0 and red == blue == 0
            self._won = self._outcome(token)
        self.seat = 1 - self.seat

    def unmake(self) -> None:
        token, stone, at, may_swap = self._played.pop()
        self.seat = 1 - self.seat
        self._won, self._may_swap = None, may_swap
        if token == _SWAP:
            self._stones = [_BITS[stone], 0]
            self._free = [place for place in range(SIZE * SIZE) if place != stone]
            return
        self._stones[self.seat] ^= _BITS[token]
        if at == len(self._free):
            self._free.append(token)
        else:
            self._free.append(self._free[at])
            self._free[at] = token

    def _outcome(self, token: int) -> frozenset[int] | None:
        own, (begin, end) = self._stones[self.seat], _SIDES[self.seat]
        if not (own & begin and own & end):
            return None
        chain, before = _BITS[token], 0
        while chain != before:
            before = chain
            chain |= (
                chain << 1
                | chain >> 1
                | chain << _WIDTH
                | chain >> _WIDTH
                | chain << (_WIDTH - 1)
                | chain >> (_WIDTH - 1)
            ) & own
        return frozenset({self.seat}) if chain & begin and chain & end else None

    def winners(self) -> frozenset[int] | None:
        return self._won

    def key(self) -> Hashable:
        return *self._stones, self.seat, self._may_swap

    def move(self, token: int) -> Move:
        return self._move("swap" if token == _SWAP else CELLS[token])

    def token(self, move: Move) -> int:
        text = str(move)
        return _SWAP if text == "swap" else PLACES[text]
