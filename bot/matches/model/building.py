"""A move under construction: what may be chosen next, what the move would do, and whether to ask before it is played.

Runs in worker processes, so it imports no database. It knows the contract of a game; it must not know any one game, nor
how choices are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random, SystemRandom

from bot.games import GAMES
from bot.games.game import IllegalMove, Move, Position, Step
from renderers.i18n import gettext_lazy

Keys = tuple[str, ...]
Offered = Callable[[Keys], Sequence[Step]]


@dataclass(frozen=True, slots=True)
class BuilderState:
    """A move under construction: the choices ``keys`` made so far, and the ``steps`` that may come next.

    ``prompt`` is the question that the steps answer. ``move`` is the move that the choices already make, if any, and
    ``question`` what the game asks before it is played. The builder takes a step by itself where there is only one;
    ``back`` are the choices before the last one the player made, or None at the beginning. ``problem`` says why the
    last choice cannot be played; the other fields then describe the state before that choice.
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
    """Whether the player has not read what the move does: a game asks, or the last choice was the only one, or a whole
    move."""
    confirmation: str = ""
    """The label of the button that plays the move."""
    grave: bool = False
    """Whether the move ends the game, and whoever makes it does not win."""
    example: str = ""
    """A text such as players may type here, for the form."""


def builder_state(position: Position, keys: Keys, random: Random) -> BuilderState:
    """Return the state that ``keys`` lead to. It always has a move to play or a step to choose.

    ``keys`` may also be one whole move, as a shortcut or as typed text.
    """
    offered = cache(position.steps)
    reached = _onward(offered, keys)
    steps, last = offered(reached), _last(offered, reached)
    if not reached:
        shortcuts, example = position.shortcuts(random), position.example()
        return BuilderState(reached, steps, position.prompt(), shortcuts=shortcuts, example=example)
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
        unseen=reached != keys or last is None or last.asks,
        confirmation="" if move is None else position.confirmation(move),
        grave=move is not None and _ends_badly(position, move),
        example=position.example(),
    )


def _onward(offered: Offered, keys: Keys) -> Keys:
    """Return ``keys`` with each following choice that is the only one and leads to a move."""
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
    """Return the last of the choices ``keys``; None before the first, and for a whole move."""
    return next((step for step in offered(keys[:-1]) if step.key == keys[-1]), None) if keys else None


@dataclass(frozen=True, slots=True)
class Building:
    """A state of a move under construction, what its move does in words, and whether to ask before playing it."""

    state: BuilderState
    does: str
    asks: bool


def building(key: str, position: Position, keys: Keys, *, squares_only: bool = False) -> Building:
    """Return what the choices ``keys`` lead to in a game. What is offered before the first choice is random.

    With ``squares_only`` the first choices are the squares among them.
    """
    now = builder_state(position, keys, SystemRandom())
    if squares_only and not now.keys:
        now = replace(now, steps=[step for step in now.steps if step.square is not None])
    playable = now.move is not None and now.problem is None
    does = GAMES[key].move_in_words(position, now.move) if playable else ""
    return Building(now, does, now.question is not None or now.unseen or now.grave)


def _ends_badly(position: Position, move: Move) -> bool:
    """Return whether a move ends the game and the player who makes it does not win."""
    result = position.play(move).result
    return result is not None and result.winners != position.to_move
