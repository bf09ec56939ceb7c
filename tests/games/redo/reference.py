"""Redo a second time, slowly and from the text of ``RULES.md`` alone, to compare the engine with.

Squares are names in a dictionary and letters stand on them; nothing here is shared with ``bot.games.redo``. Whether a
conversion can ever come again is decided by trying everything.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

Pieces = dict[str, str]

FILES = "abcdefg"
OTHER = {"w": "r", "r": "w"}
AHEAD = {"w": 1, "r": -1}
LOWEST = {"w": 1, "r": 8}


@cache
def beside(square: str, files: int, ranks: int) -> str:
    """Return the square so many files to the right and ranks up, or an empty name beyond the edge."""
    file, rank = FILES.index(square[0]) + files, int(square[1]) + ranks
    return f"{FILES[file]}{rank}" if 0 <= file < 7 and 1 <= rank <= 8 else ""


def disc_moves(pieces: Pieces, square: str, side: str) -> tuple[list[str], list[str]]:
    """Return the texts of a disc's plain moves and of its promotions."""
    ahead = AHEAD[side]
    targets = [beside(square, files, ahead) for files in (-1, 0, 1)]
    if int(square[1]) == LOWEST[side] and beside(square, 0, ahead) not in pieces:
        targets.append(beside(square, 0, 2 * ahead))
    plain = [f"{square}-{target}" for target in targets if target and target not in pieces]
    onto = [f"{square}-{target}+" for target in targets if pieces.get(target) == side]
    return plain, onto


def tower_moves(pieces: Pieces, square: str, side: str) -> list[str]:
    """Return the texts of a tower's steps and jumps."""
    texts = []
    for files in (-1, 0, 1):
        for ranks in (-1, 0, 1):
            near, far = beside(square, files, ranks), beside(square, 2 * files, 2 * ranks)
            if near and near not in pieces:
                texts.append(f"{square}-{near}")
            elif far and far not in pieces and pieces[near] == OTHER[side]:
                texts.append(f"{square}x{far}")
    return texts


def legal(pieces: Pieces, side: str) -> list[str]:
    """Return the texts of all legal turns of ``side``, which has none of them if there is nothing to do but pass."""
    plain: list[str] = []
    promotions: list[str] = []
    for square, piece in pieces.items():
        if piece == side:
            moves, onto = disc_moves(pieces, square, side)
            plain, promotions = plain + moves, promotions + onto
        elif piece == side.upper():
            plain += tower_moves(pieces, square, side)
    return plain + promotions if plain else [*promotions, "pass"]


def apply(pieces: Pieces, side: str, text: str) -> tuple[Pieces, list[str]]:
    """Return the arrangement after a turn, and the squares converted by it."""
    after = dict(pieces)
    if text == "pass":
        return after, []
    origin, target = text[:2], text[3:5]
    piece = after.pop(origin)
    if text.endswith("+"):
        after[target] = piece.upper()
        return after, []
    after[target] = piece
    near = [(-1, 0), (1, 0), (-1, AHEAD[side]), (0, AHEAD[side]), (1, AHEAD[side])]
    touched = [beside(target, *offset) for offset in near]
    if "x" in text:
        touched.append(FILES[(FILES.index(origin[0]) + FILES.index(target[0])) // 2])
        touched[-1] += str((int(origin[1]) + int(target[1])) // 2)
    changed = sorted({square for square in touched if after.get(square, side).lower() != side})
    for square in changed:
        after[square] = side if after[square].islower() else side.upper()
    return after, changed


def conversion_reachable(pieces: Pieces, side: str, passed: bool = False, most: int = 20_000) -> bool | None:
    """Tell whether some line of play leads to a conversion; None if more than ``most`` positions do not tell."""
    seen = {(frozenset(pieces.items()), side, passed)}
    waiting = [(pieces, side, passed)]
    while waiting:
        arrangement, mover, after_pass = waiting.pop()
        for text in legal(arrangement, mover):
            following, changed = apply(arrangement, mover, text)
            if changed:
                return True
            if text == "pass" and after_pass:
                continue
            key = (frozenset(following.items()), OTHER[mover], text == "pass")
            if key not in seen:
                seen.add(key)
                waiting.append((following, OTHER[mover], text == "pass"))
        if len(seen) > most:
            return None
    return False


class Reference:
    """A game of Redo in the course of play. It never claims that no conversion is possible: it can be asked."""

    def __init__(self) -> None:
        self.pieces = {f"{file}{rank}": "w" if rank < 3 else "r" for file in FILES for rank in (1, 2, 7, 8)}
        self.side = "w"
        self.plies = self.quiet = self.passes = 0
        self.seen = Counter([self._arrangement()])

    def _arrangement(self) -> tuple[frozenset[tuple[str, str]], str]:
        return frozenset(self.pieces.items()), self.side

    def play(self, text: str) -> None:
        disc = self.pieces.get(text[:2]) == self.side
        self.pieces, changed = apply(self.pieces, self.side, text)
        self.plies += 1
        self.passes = self.passes + 1 if text == "pass" else 0
        self.quiet = 0 if disc or changed else self.quiet + 1
        self.side = OTHER[self.side]
        self.seen[self._arrangement()] += 1

    def end(self) -> str | None:
        """Return the first words of the reason for which the game is over, or None."""
        colours = {piece.lower() for piece in self.pieces.values()}
        if self.passes == 2:
            return "both passed"
        if len(colours) == 1:
            return "White has no piece" if colours == {"r"} else "Red has no piece"
        if self.seen[self._arrangement()] == 3:
            return "third repetition"
        if self.quiet == 40:
            return "40 turns"
        return "300 turns" if self.plies == 300 else None

    def winners(self) -> frozenset[int]:
        """Return the seats with the most pieces."""
        counts = Counter(piece.lower() for piece in self.pieces.values())
        most = max(counts.values())
        return frozenset(seat for seat, side in enumerate("wr") if counts[side] == most)

    def board(self) -> str:
        """Return the arrangement as the engine writes it."""
        ranks = []
        for rank in range(8, 0, -1):
            line = "".join(self.pieces.get(f"{file}{rank}", ".") for file in FILES)
            for gap in range(7, 0, -1):
                line = line.replace("." * gap, str(gap))
            ranks.append(line)
        return "/".join(ranks)
