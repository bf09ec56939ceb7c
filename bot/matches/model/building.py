"""A move under construction: what may be chosen next, what the move would do, and whether to ask before it is played.

Runs in worker processes, so it imports no database. It knows the contract of a game; it must not know any one game, nor
how choices are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from random import Random, SystemRandom

from bot.games import GAMES
from bot.games.game import IllegalMove, Move, Position, Step
from renderers.i18n import gettext_lazy

Choices = tuple[str, ...]
Offered = Callable[[Choices], Sequence[Step]]


class Consent(Enum):
    """What a player has agreed to by what they did."""

    NONE = "none"
    """They look: nothing is played."""
    CHOICE = "choice"
    """They chose a step: a move that is complete is played, unless there is something to read or to choose first."""
    TEXT = "text"
    """They typed a whole move: it is played, unless the game asks."""
    DRAFT = "draft"
    """They typed a whole move to look at: nothing is played."""
    CONFIRMED = "confirmed"
    """They read what the move does."""


@dataclass(frozen=True, slots=True)
class BuilderState:
    """A move under construction: the ``choices`` made so far, and the ``steps`` that may come next.

    ``prompt`` is the question that the steps answer. ``move`` is the move that the choices already make, if any, and
    ``question`` what the game asks before it is played. The builder takes a step by itself where there is only one;
    ``back`` are the choices before the last one the player made, or None at the beginning. ``problem`` says why the
    last choice cannot be played; the other fields then describe the state before that choice.
    """

    choices: Choices
    steps: Sequence[Step]
    prompt: str = ""
    move: Move | None = None
    question: str | None = None
    problem: str | None = None
    shortcuts: Sequence[Step] = ()
    back: Choices | None = None
    unseen: bool = False
    """Whether the player has not read what the move does: a game asks, or the last choice was the only one, or a whole
    move."""
    confirmation: str = ""
    """The label of the button that plays the move."""
    grave: bool = False
    """Whether the move ends the game without a win for its player."""
    example: str = ""
    """A text such as players may type here, for the form."""
    does: str = ""
    """What the move does, in words."""

    @property
    def asks(self) -> bool:
        """Whether the player is asked before the move is played, however they like that."""
        return self.question is not None or self.unseen or self.grave

    def plays(self, consent: Consent) -> bool:
        """Return whether the move is complete, and the player has agreed to it."""
        if self.move is None or self.problem is not None:
            return False
        if consent is Consent.CHOICE:
            return not self.steps and not self.asks
        return consent is Consent.CONFIRMED or (consent is Consent.TEXT and self.question is None)


def builder_state(position: Position, choices: Choices, random: Random) -> BuilderState:
    """Return the state that ``choices`` lead to. It always has a move to play or a step to choose.

    ``choices`` may also be one whole move, as a shortcut or as typed text.
    """
    offered = cache(position.steps)
    reached = _onward(offered, choices)
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
    ending = None if move is None else position.play(move).result
    return BuilderState(
        reached,
        steps,
        position.prompt(reached),
        move,
        None if move is None else position.question(move),
        back=next((reached[:end] for end in reversed(range(len(reached))) if len(offered(reached[:end])) > 1), None),
        unseen=reached != choices or last is None or last.asks,
        confirmation="" if move is None else position.confirmation(move),
        grave=ending is not None and ending.winners != {position.to_move},
        example=position.example(),
    )


def _onward(offered: Offered, choices: Choices) -> Choices:
    """Return ``choices`` with each following choice that is the only one and leads to a move."""
    while (last := _last(offered, choices)) is not None or not choices:
        steps = offered(choices)
        if (last is not None and last.move is not None) or len(steps) != 1:
            break
        (step,) = steps
        if step.guess or (step.move is None and not offered((*choices, step.key))):
            break
        choices = (*choices, step.key)
    return choices


def _last(offered: Offered, choices: Choices) -> Step | None:
    """Return the last of some choices; None before the first, and for a whole move."""
    return next((step for step in offered(choices[:-1]) if step.key == choices[-1]), None) if choices else None


def build(
    game_key: str, position: Position, choices: Choices, *, squares_only: bool = False, secret: str = ""
) -> BuilderState:
    """Return what some choices lead to in a game. What is offered before the first choice is random.

    With ``squares_only`` the first choices are the squares among them. ``secret`` is a text that is no example.
    """
    state = builder_state(position, choices, SystemRandom())
    if squares_only and not state.choices:
        state = replace(state, steps=[step for step in state.steps if step.square is not None])
    if state.example == secret:
        state = replace(state, example="")
    if state.move is None or state.problem is not None:
        return state
    return replace(state, does=GAMES[game_key].move_in_words(position, state.move))
