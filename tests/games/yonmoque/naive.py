"""Yonmoque a second time: slowly, straight from the rules as they are written, and sharing nothing with the bot.

Squares are names, the board is a dictionary, every pair of squares is tried, every line is walked, and every position
there ever was is kept.
"""

from __future__ import annotations

FILES, RANKS = "abcde", "12345"
SQUARES = [file + rank for rank in RANKS for file in FILES]

PUBLISHED = {
    "5": "N W B W N",
    "4": "W B W B W",
    "3": "B W N W B",
    "2": "W B W B W",
    "1": "N W B W N",
}
PLAYERS = {0: "B", 1: "W"}


def colour(square: str) -> str:
    return PUBLISHED[square[1]].split()[FILES.index(square[0])]


def walk(start: str, end: str) -> list[str]:
    """Return the squares after ``start`` up to ``end`` on a straight line, or nothing if they are not on one."""
    files, ranks = FILES.index(end[0]) - FILES.index(start[0]), int(end[1]) - int(start[1])
    length = max(abs(files), abs(ranks))
    if length == 0 or abs(files) not in (0, length) or abs(ranks) not in (0, length):
        return []
    return [
        FILES[FILES.index(start[0]) + files * step // length] + str(int(start[1]) + ranks * step // length)
        for step in range(1, length + 1)
    ]


def lines(length: int) -> list[list[str]]:
    """Return all rows of ``length`` squares, each from both ends."""
    return [[start, *walk(start, end)] for start in SQUARES for end in SQUARES if len(walk(start, end)) == length - 1]


FOURS, FIVES = lines(4), lines(5)


class NaiveGame:
    """A game in progress, changed in place. ``over`` is None, or the winners and the reason."""

    def __init__(self) -> None:
        self.board: dict[str, int] = {}
        self.hands = {0: 6, 1: 6}
        self.turn = 0
        self.over: tuple[set[int], str] | None = None
        self.seen = [self.snapshot()]

    def snapshot(self) -> tuple[object, ...]:
        return (sorted(self.board.items()), dict(self.hands), self.turn)

    def legal(self) -> set[str]:
        return set() if self.over else self.puts() | self.moves()

    def puts(self) -> set[str]:
        return {square for square in SQUARES if square not in self.board} if self.hands[self.turn] > 0 else set()

    def moves(self) -> set[str]:
        own = [square for square, owner in self.board.items() if owner == self.turn]
        return {f"{start}-{end}" for start in own for end in SQUARES if self.may_go(start, end)}

    def may_go(self, start: str, end: str) -> bool:
        way = walk(start, end)
        if not way or any(square in self.board for square in way):
            return False
        diagonal = start[0] != end[0] and start[1] != end[1]
        mine = PLAYERS[self.turn]
        return len(way) == 1 or (diagonal and all(colour(square) == mine for square in [start, *way]))

    def play(self, text: str) -> None:
        changed: set[str] = set()
        start, _, end = text.rpartition("-")
        if start:
            del self.board[start]
            self.board[end] = self.turn
            changed = {end, *self.enclosed(end)}
        else:
            self.hands[self.turn] -= 1
        for square in {end} | changed:
            self.board[square] = self.turn
        self.finish(changed)

    def enclosed(self, end: str) -> set[str]:
        found: set[str] = set()
        for other in SQUARES:
            between = walk(end, other)[:-1]
            if self.board.get(other) == self.turn and all(self.board.get(at) == 1 - self.turn for at in between):
                found |= set(between)
        return found

    def finish(self, changed: set[str]) -> None:
        mover, self.turn = self.turn, 1 - self.turn
        self.seen.append(self.snapshot())
        if any(all(self.board.get(square) == mover for square in line) for line in FIVES):
            self.over = ({self.turn}, "five in a row")
        elif any(all(self.board.get(square) == mover for square in line) and changed & set(line) for line in FOURS):
            self.over = ({mover}, "four in a row")
        elif not self.puts() and not self.moves():
            self.over = ({mover}, "no move left")
        elif self.seen.count(self.seen[-1]) == 3:
            self.over = ({0, 1}, "third repetition")
