"""The choices of a player who is about to draw: free dots, never rectangles, because finding one is the game.

Knows which corners and areas are taken, but nothing of players or of how the game ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.games.game import IllegalMove, Step
from bot.games.rectangles.board import STUCK, Board, Dot
from bot.games.rectangles.notation import in_line, rectangle, tidy
from renderers.i18n import gettext_lazy as _

_SAY_STUCK: Final = Step(STUCK.text, _("I'm stuck: there's nothing left to draw"), None, STUCK, _("I'm stuck"))


def steps(board: Board, taken: int, prefix: Sequence[str]) -> list[Step]:
    """Return the dots that may follow ``prefix``, and at first the claim to be stuck.

    Neither labels nor what is offered show whether a rectangle is legal; only ``Step.move`` does, to the program.
    Everybody sees which areas are used, so a step to one of them is ``spent``.
    """
    named = _dots_named(board, taken, [key.removeprefix("-") for key in prefix])
    if named is None:
        return []
    if not named:
        return [*(Step(f"{dot}", f"{dot}", f"{dot}") for dot in board.free(taken)), _SAY_STUCK]
    return [_step(board, taken, [*named, dot]) for dot in _next(board, taken, named)]


def completions(board: Board, taken: int, typed: str, limit: int) -> list[str]:
    """Return at most ``limit`` texts that go on from ``typed`` by a free dot, or ``stuck``, legal or not.

    A whole rectangle of free dots is repeated as it is typed, legal or not.
    """
    begin = tidy(typed)
    *whole, part = begin.split("-")
    texts = []
    named = _dots_named(board, taken, whole)
    if named is not None:
        dots = _next(board, taken, named) if named else board.free(taken)
        texts += ["-".join([*whole, f"{dot}"]) for dot in dots if f"{dot}".startswith(part) and f"{dot}" != part]
    named = _dots_named(board, taken, [*whole, part])
    if named:
        texts += [f"{begin}-{dot}" for dot in _next(board, taken, named)]
        with suppress(IllegalMove):
            if len(named) > 1 and rectangle(named, board):
                texts.insert(0, begin)
    if STUCK.text.startswith(begin):
        texts.append(STUCK.text)
    return texts[:limit]


def _dots_named(board: Board, taken: int, names: Sequence[str]) -> list[Dot] | None:
    """Return the dots of ``names``, or None if they are not different free dots in an order that is offered."""
    named: list[Dot] = []
    for name in names:
        dot = board.names.get(name)
        if dot is None or dot not in (_next(board, taken, named) if named else board.free(taken)):
            return None
        named.append(dot)
    return named


def _next(board: Board, taken: int, named: Sequence[Dot]) -> list[Dot]:
    """Return the free dots that may follow one or more others.

    Two opposite corners, never on one line, define a rectangle whose sides run along the grid. If rectangles may be
    tilted, a third corner may follow any two: one that makes a rectangle with them, were the board empty.
    """
    if len(named) == (3 if board.tilted else 2):
        return []
    free = [dot for dot in board.free(taken) if dot not in named]
    if len(named) == 2:
        thirds = board.thirds.get(frozenset(named), frozenset())
        return [dot for dot in free if dot in thirds]
    return [dot for dot in free if board.tilted or not in_line(named[0], dot)]


def _step(board: Board, taken: int, named: Sequence[Dot]) -> Step:
    dot = f"{named[-1]}"
    try:
        turn = rectangle(named, board)
    except IllegalMove:
        return Step(f"-{dot}", dot, dot)
    if board.tilted and len(named) == 2:
        # The upright rectangle with these corners is complete, but a third corner may follow.
        return Step(f"-{dot}", dot, dot, None if turn.claims & taken else turn, guess=True)
    return Step(
        f"-{dot}",
        _("{dot}: {rectangle}", dot=dot, rectangle=turn.in_short),
        dot,
        None if turn.claims & taken else turn,
        f"{dot}: {turn.area}",
        guess=True,
        spent=bool(taken & board.area_bit(turn.area)),
    )
