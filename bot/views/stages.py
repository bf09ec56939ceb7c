"""A move under construction: how far it has come, what may be chosen next, and how that is written down in controls.

Knows the contract of a game and Discord's limits; it must not know any one game, nor send anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.games.game import IllegalMove, Move, Position, Step, split_text
from bot.views.wording import shorten

OPTIONS: Final = 25
"""Discord's limit for the options of a select."""
LABEL_LIMIT: Final = 100
"""Discord's limit for the label of an option."""
MENUS: Final = 6
"""Menus shown at once: enough for every place of a board of ten by ten, and what is no place, without turning pages."""

Keys = tuple[str, ...]
Menu = Sequence[Step]


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a move under construction has come with the choices ``keys``, and what may be chosen next.

    ``move`` is the move it already is, if any, and ``question`` what the game asks before that is played. ``problem``
    says why the choice just made cannot be played; everything else is then as it was before that choice.
    """

    keys: Keys
    steps: Sequence[Step]
    move: Move | None = None
    question: str | None = None
    problem: str | None = None
    shortcuts: Sequence[Step] = ()


def stage(position: Position, keys: Keys, random: Random) -> Stage:
    """Return the stage that ``keys`` lead to: there always is a move to play or something to choose.

    ``keys`` may also be one whole move, as a shortcut or the text somebody typed.
    """
    steps = position.steps(keys)
    if not keys:
        return Stage(keys, steps, shortcuts=position.shortcuts(random))
    last = next((step for step in position.steps(keys[:-1]) if step.key == keys[-1]), None)
    move = None if last is None else last.move
    if move is None and not steps:
        try:
            move = position.parse("".join(keys))
        except IllegalMove as reason:
            problem = f"**{''.join(keys)}** cannot be played – {reason}."
            return replace(stage(position, keys[:-1], random), problem=problem)
    return Stage(keys, steps, move, None if move is None else position.question(move))


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


def extent(first: Step, last: Step) -> str:
    """Return what a list from one choice to another is called, such as ``a1 – d6``."""
    if first is last:
        return shorten(first.label, LABEL_LIMIT)
    one, other = (step.square or shorten(step.label, 46) for step in (first, last))
    return one if one == other else f"{one} – {other}"


def prefix_of(keys: Keys) -> str:
    """Write choices down: as the text they make where that can be split again, else one by one."""
    text = "".join(keys)
    return text if split_text(text) == keys or not keys else "/" + "/".join(keys)


def keys_of(prefix: str) -> Keys:
    """Read what ``prefix_of`` wrote."""
    return tuple(prefix[1:].split("/")) if prefix.startswith("/") else split_text(prefix)
