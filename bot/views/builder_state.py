"""A move under construction: how far it has come, what may be chosen next, and how that is written down in controls.

Knows the contract of a game and Discord's limits; it must not know any one game, nor send anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

from bot.games.game import IllegalMove, Move, Position, Step, split_text
from renderers.i18n import gettext_lazy

OPTIONS: Final = 25
"""Discord's limit for the options of a select."""
OPTION_LIMIT: Final = 100
"""Discord's limit for the label of an option."""
MENUS: Final = 6
"""Menus shown at once: enough for every place of a board of ten by ten, and what is no place, without turning pages."""

Keys = tuple[str, ...]
Menu = Sequence[Step]
Offered = Callable[[Keys], Sequence[Step]]


@dataclass(frozen=True, slots=True)
class BuilderState:
    """How far a move under construction has come with the choices ``keys``, and what may be chosen next.

    ``prompt`` is the question that the choices answer. ``move`` is the move it already is, if any, and ``question``
    what the game asks before that is played. ``back`` are the choices that the last real one was made after, or None
    at the beginning: steps with one possible choice are taken by themselves. ``problem`` says why the choice just made
    cannot be played; everything else is then as it was before that choice.
    """

    keys: Keys
    steps: Sequence[Step]
    prompt: str = ""
    move: Move | None = None
    question: str | None = None
    problem: str | None = None
    shortcuts: Sequence[Step] = ()
    back: Keys | None = None
    unseen: bool = False
    """Whether the last choice was the only one there was, or a whole move: nobody has read what it does."""


def builder_state(position: Position, keys: Keys, random: Random) -> BuilderState:
    """Return the state that ``keys`` lead to: there always is a move to play or something to choose.

    ``keys`` may also be one whole move, as a shortcut or the text somebody typed.
    """
    offered = cache(position.steps)
    reached = _onward(offered, keys)
    steps, last = offered(reached), _last(offered, reached)
    if not reached:
        return BuilderState(reached, steps, position.prompt(), shortcuts=position.shortcuts(random))
    move = None if last is None else last.move
    if move is None and not steps:
        try:
            move = position.parse("".join(reached))
        except IllegalMove as reason:
            refused = gettext_lazy("**{move}** can't be played: {reason}.")
            problem = refused.filled(move="".join(reached), reason=reason.args[0])
            return replace(builder_state(position, reached[:-1], random), problem=problem)
    return BuilderState(
        reached,
        steps,
        position.prompt(reached),
        move,
        None if move is None else position.question(move),
        back=next((reached[:end] for end in reversed(range(len(reached))) if len(offered(reached[:end])) > 1), None),
        unseen=reached != keys or last is None,
    )


def _onward(offered: Offered, keys: Keys) -> Keys:
    """Return ``keys`` with every choice added that is the only one and leads on to a move."""
    while (last := _last(offered, keys)) is not None or not keys:
        steps = offered(keys)
        if (last is not None and last.move is not None) or len(steps) != 1:
            break
        (step,) = steps
        if step.move is None and not offered((*keys, step.key)):
            break
        keys = (*keys, step.key)
    return keys


def _last(offered: Offered, keys: Keys) -> Step | None:
    """Return the last of the choices ``keys``; None before the first, and for a whole move that is no choice."""
    return next((step for step in offered(keys[:-1]) if step.key == keys[-1]), None) if keys else None


def pages(steps: Sequence[Step]) -> list[list[Menu]]:
    """Divide choices into menus that fit a select, and menus into pages: in one menu where that is enough.

    Otherwise places of one file stay together as far as they fit, and what is no place stands by itself.
    """
    menus: list[list[Step]] = []
    if len(steps) <= OPTIONS:
        menus = [list(steps)] if steps else []
    else:
        for file, group in _by_file(steps):
            fits = menus and menus[-1][-1].square and file and len(menus[-1]) + len(group) <= OPTIONS
            if fits:
                menus[-1].extend(group)
            else:
                menus += [group[begin : begin + OPTIONS] for begin in range(0, len(group), OPTIONS)]
    return [list(menus[begin : begin + MENUS]) for begin in range(0, len(menus), MENUS)]


def _by_file(steps: Sequence[Step]) -> Iterator[tuple[str, list[Step]]]:
    """Yield choices by the file of their square, those without a square last."""
    files: dict[str, list[Step]] = {}
    for step in steps:
        files.setdefault((step.square or "")[:1], []).append(step)
    yield from sorted(files.items(), key=lambda item: (not item[0], item[0]))


def prefix_of(keys: Keys) -> str:
    """Write choices down: as the text they make where that can be split again, else one by one."""
    text = "".join(keys)
    return text if split_text(text) == keys or not keys else "/" + "/".join(keys)


def keys_of(prefix: str) -> Keys:
    """Read what ``prefix_of`` wrote."""
    return tuple(prefix[1:].split("/")) if prefix.startswith("/") else split_text(prefix)
