"""Positions of Gygès drawn in letters."""

from __future__ import annotations

from bot.games.game import IllegalMove, Position
from bot.games.gyges import GYGES
from bot.games.gyges.board import NAMES, pieces_of
from bot.games.gyges.rules import GygesPosition, SetUp

RULESETS = ("fogliaccio", "classic")

SOUTH, NORTH = 0, 1


def board(ruleset: str, picture: str, side: str = "S") -> GygesPosition:
    """Return the position of six ranks from the sixth down, as if just set up.

    A digit is a piece, ``.`` an empty square and ``#`` one of the pieces that are not given, the lowest first.
    """
    spare = [value for value in "123" for _ in range(4 - picture.count(value))]
    ranks = "/".join("".join(spare.pop(0) if square == "#" else square for square in rank) for rank in picture.split())
    position = GYGES.decode(f"{ruleset} ./{ranks}/. {side} 0 - -")
    assert isinstance(position, GygesPosition)
    return position


def start(ruleset: str = "fogliaccio") -> SetUp:
    """Return the first position, before the set-ups."""
    position = GYGES.start(ruleset=ruleset)
    assert isinstance(position, SetUp)
    return position


def game(ruleset: str, moves: str) -> GygesPosition:
    """Return the position after ``moves`` from the start, both set-ups among them."""
    return after(GYGES.start(ruleset=ruleset), moves)


def after(position: Position, moves: str) -> GygesPosition:
    """Return the position after ``moves``, with spaces between them."""
    for text in moves.split():
        position = position.play(position.parse(text))
    assert isinstance(position, GygesPosition)
    return position


def texts(position: SetUp | GygesPosition) -> set[str]:
    """Return the texts of the legal moves."""
    return {str(move) for move in position.legal_moves()}


def pieces(position: SetUp | GygesPosition) -> dict[str, int]:
    """Return the value on every place that holds a piece, by its name."""
    return {NAMES[place]: value for place, value in pieces_of(position.pieces)}


def picture(position: SetUp | GygesPosition) -> str:
    """Return the six ranks from the sixth down, as ``board`` reads them."""
    found = pieces(position)
    return " ".join("".join(str(found.get(f"{file}{rank}", ".")) for file in "abcdef") for rank in range(6, 0, -1))


def changed(position: GygesPosition, move: str) -> dict[str, tuple[int, int]]:
    """Return the places a move changes, with the values before and after; 0 for nothing there."""
    before, now = pieces(position), pieces(after(position, move))
    places = sorted(before.keys() | now.keys())
    return {place: (before.get(place, 0), now.get(place, 0)) for place in places if before.get(place) != now.get(place)}


def why_not(position: SetUp | GygesPosition, text: str) -> str:
    """Return why a text is refused, or "" if it is a move."""
    try:
        position.parse(text)
    except IllegalMove as refusal:
        return str(refusal)
    return ""
