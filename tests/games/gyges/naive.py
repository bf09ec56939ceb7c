"""Gygès once more, as slowly and plainly as the text allows: every route is walked, step by step, on a dictionary.

Written from ``RULES.md`` alone, for the engine to be compared with. It shares nothing with ``bot.games.gyges``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

FILES, RANKS = "abcdef", "123456"
SQUARES = [file + rank for file in FILES for rank in RANKS]
ARRANGEMENTS = sorted({"".join(order) for order in permutations("112233")})

Board = dict[str, int]
"""The value standing on each occupied square or in a goal."""


def neighbours(square: str, goal: str) -> list[str]:
    """The squares one orthogonal step away, and ``goal`` where it touches the square."""
    file, rank = FILES.index(square[0]), RANKS.index(square[1])
    around = [(file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1)]
    near = [FILES[f] + RANKS[r] for f, r in around if 0 <= f < 6 and 0 <= r < 6]
    return near + ([goal] if square[1] == {"N": "6", "S": "1"}[goal] else [])


Used = frozenset[Any]
"""What a route may not use again: squares in one ruleset, pairs of squares in the other."""


def spent_by(square: str, onward: str, ruleset: str) -> Any:
    """The square, or the pair of squares, that a step uses up."""
    return onward if ruleset == "fogliaccio" else frozenset({square, onward})


AROUND = {
    (ruleset, goal, square): [(onward, spent_by(square, onward, ruleset)) for onward in neighbours(square, goal)]
    for ruleset in ("fogliaccio", "classic")
    for goal in "NS"
    for square in SQUARES
}
"""Where a step may lead from each square, and what it uses up."""


def border(board: Board, seat: int) -> str:
    """The rank nearest the seat's home rank that holds a piece."""
    ranks = {square[1] for square in board if square in SQUARES}
    return min(ranks) if seat == 0 else max(ranks)


def legs(board: Board, used: Used, square: str, steps: int, goal: str, ruleset: str) -> Iterator[tuple[str, Used]]:
    """Every way to make exactly ``steps`` steps: its last square, and all that it used up."""
    for onward, spent in AROUND[ruleset, goal, square]:
        if spent in used:
            continue
        if steps == 1:
            yield onward, used | {spent}
        elif onward not in board and onward != goal:
            yield from legs(board, used | {spent}, onward, steps - 1, goal, ruleset)


def zone(board: Board, seat: int, ruleset: str) -> set[str]:
    """The squares to which a relocation may go if they are free."""
    row = int(border(board, 1 - seat))
    inward = -1 if seat == 0 else 1
    ranks = range(1, row + 1) if seat == 0 else range(row, 7)
    if ruleset == "fogliaccio":
        ranks = range(row + inward, row + inward + 1)
    return {file + str(rank) for file in FILES for rank in ranks}


def routes_of(board: Board, start: str, seat: int, ruleset: str) -> Iterator[tuple[int, str, Board]]:
    """Every route of the piece on ``start``: its number of stops, its text, the board after it."""
    goal = "NS"[seat]
    lifted = {square: value for square, value in board.items() if square != start}
    used: Used = frozenset({start}) if ruleset == "fogliaccio" else frozenset()
    allowed = zone(board, seat, ruleset)
    seen, told = set(), set()
    waiting: list[tuple[tuple[str, ...], Used, Board, int, int]] = [
        ((start,), used, lifted, board[start], board[start])
    ]
    while waiting:
        stops, used, rest, moving, steps = waiting.pop()
        for end, spent in legs(rest, used, stops[-1], steps, goal, ruleset):
            text = "-".join((*stops, end))
            if (text, spent) in seen:
                continue
            seen.add((text, spent))
            # What comes of a route is said by its text, whichever way it has gone.
            is_new = text not in told
            told.add(text)
            if end not in rest:
                if is_new:
                    yield len(stops) + 1, text, {**rest, end: moving}
                continue
            hit = rest[end]
            for free in sorted(allowed - rest.keys()) if is_new else ():
                yield len(stops) + 1, f"{text}={free}", {**rest, end: moving, free: hit}
            if ruleset == "fogliaccio":
                waiting.append(((*stops, end), spent, {**rest, end: moving}, hit, hit))
            else:
                waiting.append(((*stops, end), spent, rest, moving, hit))


def moves_of(board: Board, start: str, seat: int, ruleset: str, before: Board | None) -> dict[str, Board]:
    """The legal moves of one piece by their canonical texts, with the boards after them."""
    best: dict[frozenset[tuple[str, int]], tuple[int, str]] = {}
    for stops, text, after in routes_of(board, start, seat, ruleset):
        key = frozenset(after.items())
        best[key] = min(best.get(key, (stops, text)), (stops, text))
    for there_was in (board, before or {}):
        best.pop(frozenset(there_was.items()), None)
    return {text: dict(key) for key, (_, text) in best.items()}


def legal(board: Board, seat: int, ruleset: str, before: Board | None) -> dict[str, Board]:
    """The legal moves by their canonical texts, with the boards after them; only ``pass`` where there is none."""
    ranks = sorted({square[1] for square in board}, reverse=seat == 1)
    for rank in ranks[:1] if ruleset == "fogliaccio" else ranks:
        found: dict[str, Board] = {}
        for start in sorted(square for square in board if square[1] == rank):
            found |= moves_of(board, start, seat, ruleset, before)
        if found:
            return found
    return {"pass": dict(board)}


def arranged(south: str, north: str) -> Board:
    """The board after the two set-ups."""
    return {f + r: int(value) for r, row in (("1", south), ("6", north)) for f, value in zip(FILES, row, strict=True)}


class NaiveGame:
    """A game on a dictionary, with a list of all its positions."""

    def __init__(self, ruleset: str, board: Board, seat: int = 0) -> None:
        self.ruleset, self.board, self.seat = ruleset, board, seat
        self.before: Board | None = None
        self.moves: list[str] = []
        self.positions = [(dict(board), seat)]
        self.legal = legal(board, seat, ruleset, None)
        """The legal moves by their canonical texts, with the boards after them; none when the game is over."""

    def play(self, text: str) -> None:
        """Play a legal move under its canonical text."""
        self.before, self.board = self.board, self.legal[text]
        self.seat = 1 - self.seat
        self.moves.append(text)
        self.positions.append((dict(self.board), self.seat))
        self.legal = {} if self.over else legal(self.board, self.seat, self.ruleset, self.before)

    @property
    def over(self) -> tuple[set[int], str] | None:
        """Who has won, both for a draw, and why; None while the game goes on."""
        for seat, goal in enumerate("NS"):
            if goal in self.board:
                return {seat}, f"a piece in goal {goal}"
        if self.moves[-2:] == ["pass", "pass"]:
            return {0, 1}, "two passes in a row"
        if self.positions.count(self.positions[-1]) == 3:
            return {0, 1}, "third repetition"
        if len(self.moves) == 200:
            return {0, 1}, "200 turns after the set-up"
        return None
