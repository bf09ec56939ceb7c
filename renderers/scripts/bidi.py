"""The order in which letters of both directions are seen, by the Unicode Bidirectional Algorithm (UAX #9).

Knows one line at a time, and of the characters that set a direction only FIRST STRONG ISOLATE and its end: what else
sets one is never drawn, and there are no tabs and line breaks. Rules are cited by their names. We implement the
ordering because no permissively licensed library exposes embedding levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import bidirectional, category, mirrored, normalize

ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""Text between these two has its own direction and does not change that of the line."""
_NEUTRAL = frozenset({"WS", "ON", "FSI", "PDI"})
_STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
"""The direction that a class counts as beside neutrals (N0 to N2)."""
_MOST_BRACKETS = 63


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a line, from ``start`` up to ``end``, whose letters all run the same way."""

    start: int
    end: int
    leftwards: bool


def runs_left(text: str) -> bool:
    return not text.isascii() and any(bidirectional(character) in ("R", "AL", "AN") for character in text)


def isolated(text: str) -> str:
    """Return a text that leaves the order of what stands beside it alone."""
    return f"{ISOLATE}{text}{END}" if runs_left(text) else text


def runs(text: str) -> list[Run]:
    """Return the runs of a line from left to right as they are seen, each in the order in which it is read (L2)."""
    levelled: list[tuple[int, Run]] = []
    start = 0
    for level, same in groupby(levels(text)):
        end = start + sum(1 for _ in same)
        levelled.append((level, Run(start, end, bool(level % 2))))
        start = end
    for least in range(max((level for level, _ in levelled), default=0), 0, -1):
        at = 0
        for high, stretch in groupby([level >= least for level, _ in levelled]):
            end = at + sum(1 for _ in stretch)
            if high:
                levelled[at:end] = levelled[at:end][::-1]
            at = end
    return [run for _, run in levelled]


def levels(text: str) -> list[int]:
    """Return the embedding level of every character of a line: even ones run to the right, odd ones to the left."""
    return _levels(text, -1)


def _levels(text: str, outside: int) -> list[int]:
    """Return the levels of what is isolated at a level ``outside``, which is -1 for the line itself."""
    inside: dict[int, int] = {}  # where each outermost isolate begins and ends: with the line if it has no end (BD9)
    begin, depth = 0, 0
    for at, character in enumerate(text):
        if character == ISOLATE:
            begin, depth = (begin if depth else at), depth + 1
        elif character == END and depth:
            depth -= 1
            if not depth:
                inside[begin] = at
    if depth:
        inside[begin] = len(text)
    outer: list[int] = []
    at = 0
    while at < len(text):
        outer.append(at)
        at = inside.get(at, at + 1)
    classes = [bidirectional(text[at]) or "L" for at in outer]
    strong = next((kind for kind in classes if kind in ("L", "R", "AL")), "L")
    base = outside + 1 if (outside + 1) % 2 == (strong != "L") else outside + 2
    levels_within = [base] * len(text)
    for at, level in zip(outer, _resolved("".join(text[at] for at in outer), classes, base), strict=True):
        levels_within[at] = level
    for start, end in inside.items():
        levels_within[start + 1 : end] = _levels(text[start + 1 : end], levels_within[start])
    if outside < 0:
        # L1: what is blank at the end of a line stays at its end.
        end = len(text)
        while end and bidirectional(text[end - 1]) in ("WS", "FSI", "PDI", "BN"):
            end -= 1
            levels_within[end] = base
    return levels_within


def _resolved(text: str, classes: Sequence[str], base: int) -> list[int]:
    """Return the levels of characters that share the embedding level ``base``."""
    kept = [at for at, kind in enumerate(classes) if kind != "BN"]  # X9
    letters, own = [text[at] for at in kept], [classes[at] for at in kept]
    direction = "LR"[base % 2]
    resolved = _weak(own, direction)
    for first, last in _pairs(letters, resolved):  # N0: a pair of brackets has the direction of what it holds
        held = {_STRONG[kind] for kind in resolved[first + 1 : last] if kind in _STRONG}
        if not held:
            continue
        way = direction
        if direction not in held:
            before = next((_STRONG[kind] for kind in reversed(resolved[:first]) if kind in _STRONG), direction)
            way = before if before in held else direction
        for bracket in (first, last):
            end = bracket + 1
            while end < len(own) and own[end] == "NSM":
                end += 1
            resolved[bracket:end] = [way] * (end - bracket)
    at = 0
    while at < len(resolved):  # N1 and N2: neutrals have the direction of both their sides, or else of the line
        end = at
        while end < len(resolved) and resolved[end] in _NEUTRAL:
            end += 1
        if end > at:
            before = _STRONG[resolved[at - 1]] if at else direction
            after = _STRONG[resolved[end]] if end < len(resolved) else direction
            resolved[at:end] = [before if before == after else direction] * (end - at)
        at = end + 1
    levels_here: list[int] = [base] * len(text)
    for at, kind in zip(kept, resolved, strict=True):
        levels_here[at] = base + (kind != "L" if base % 2 == 0 else kind != "R")  # I2, and I1 for letters
        if base % 2 == 0 and kind in ("EN", "AN"):
            levels_here[at] = base + 2  # I1
    for at, kind in enumerate(classes):
        if kind == "BN" and at:
            levels_here[at] = levels_here[at - 1]
    return levels_here


def _weak(classes: Sequence[str], direction: str) -> list[str]:
    """Return the classes with those of numbers and of marks resolved (W1 to W7)."""
    kinds: list[str] = []
    before = direction
    for kind in classes:  # W1
        before = ("ON" if before in ("FSI", "PDI") else before) if kind == "NSM" else kind
        kinds.append(before)
    strong = direction
    for at, kind in enumerate(kinds):  # W2 and W3
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kinds[at] = "AN"
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for at in range(1, len(kinds) - 1):  # W4
        left, right = kinds[at - 1], kinds[at + 1]
        if left == right and ((kinds[at] == "CS" and left in ("EN", "AN")) or (kinds[at] == "ES" and left == "EN")):
            kinds[at] = left
    at = 0
    for kind, same in groupby(list(kinds)):  # W5 and W6
        end = at + sum(1 for _ in same)
        if kind == "ET":
            beside = "EN" in (*kinds[max(0, at - 1) : at], *kinds[end : end + 1])
            kinds[at:end] = ["EN" if beside else "ON"] * (end - at)
        at = end
    strong = direction
    for at, kind in enumerate(kinds):  # W6 and W7
        if kind in ("ES", "CS"):
            kinds[at] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[at] = "L"
    return kinds


def _pairs(letters: Sequence[str], classes: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of brackets that belong together, in the order in which they open (BD16)."""
    opened: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for at, letter in enumerate(letters):
        if classes[at] != "ON" or not mirrored(letter):
            continue
        if category(letter) == "Ps":
            if len(opened) == _MOST_BRACKETS:
                break
            following = chr(ord(_plain(letter)) + 1)
            # A bracket's closing one is one or two characters further on in Unicode.
            opened.append((following if category(following) == "Pe" else chr(ord(following) + 1), at))
        elif category(letter) == "Pe":
            same = next((back for back in range(len(opened) - 1, -1, -1) if opened[back][0] == _plain(letter)), None)
            if same is not None:
                pairs.append((opened[same][1], at))
                del opened[same:]
    return sorted(pairs)


def _plain(letter: str) -> str:
    return normalize("NFC", letter)
