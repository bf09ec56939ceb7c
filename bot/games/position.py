"""Positions and moves: what every game's rules are made of, as immutable values, moves as lines of text.

The rules layer knows nothing of Discord, people, clocks or storage. It imports nothing but ``renderers.scene``,
``renderers.i18n`` and the standard library. All text for people is a ``LazyText``: rules know no language.

Seats are 0-based here and in all code that computes; people and ``RULES.md`` count them from 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Protocol

from renderers.i18n import LazyList, LazyText
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n
from renderers.i18n import pgettext_lazy as _p

PASS = "pass"


class IllegalMove(ValueError):
    """A text means no legal move in this position. The message tells the player why, in the game's terms."""


class Move(Protocol):
    """One seat's turn. Hashable and comparable; ``str(move)`` is its only canonical text (``RULES.md``, "Notation")."""

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    ``winners`` holds the seats that won; all seats means a draw. ``reason`` completes the sentence
    "the game is over: ..." in lower case and without a full stop, for example "four in a row". A match stores it in
    English, and the bot finds its translation by these words: only a message without placeholders is found.
    """

    winners: frozenset[int]
    reason: str

    def won(self, seat: int, seats: int) -> bool | None:
        """Return whether ``seat``, one of ``seats``, has won; None in a draw."""
        return None if len(self.winners) == seats else seat in self.winners

    def summary(self, seat_names: Sequence[str]) -> LazyText:
        """Return the result in words, with the names of the seats of this match: ``Red wins: four in a row``."""
        return _("{outcome}: {reason}", outcome=self.outcome(seat_names), reason=self.reason)

    def outcome(self, seat_names: Sequence[str]) -> LazyText:
        """Return the winners in words: ``Red wins``, or ``Draw``."""
        if len(self.winners) == len(seat_names):
            return _p("outcome", "Draw")
        names = LazyList(seat_names[seat] for seat in sorted(self.winners))
        # Translators: the names of seats: "Red wins", "Red and Blue win".
        return _n("{seats} wins", "{seats} win", len(self.winners), seats=names)


@dataclass(frozen=True, slots=True)
class Step:
    """One choice on the way to a move.

    ``key`` is the part of the move's text that the choice adds: the keys of a whole prefix, joined, are a text that
    ``Position.parse`` understands. ``label`` describes the choice in at most 80 characters, ``short`` in some 20 on a
    button, beside four others (by default the square, or else the label). Both are words and squares, never notation.
    ``square`` is the place on the board that the choice means, or None. ``move`` is the legal move that this choice
    completes, or None while more choices are needed. A complete move that may go on has both a ``move`` and further
    steps. ``asks`` says that the player sees the move before it is played, because the choice alone does not show it.

    ``guess`` says that the choices may be tried as a move, and that whether it is legal is for the player to find out:
    without a ``move`` it is not, and ``parse`` says why. Only a game whose point is to find a legal move offers such
    steps (Rectangles of Distinction). Nothing that a player can look into tells them apart. A step is ``spent`` if it
    needs what everybody sees is used up: it is shown, but cannot be taken.
    """

    key: str
    label: str
    square: str | None = None
    move: Move | None = None
    short: str = ""
    asks: bool = False
    guess: bool = False
    spent: bool = False

    @property
    def caption(self) -> str:
        """The text of a button for this choice."""
        return self.short or self.square or self.label


class Position(ABC):
    """A position of a game: an immutable, hashable value. ``play`` returns a new one.

    Two positions are equal if the same can still happen in both, so counters of repetition count.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The 0-based seat that is to act, or None if the game is over."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def legal_moves(self) -> Iterable[Move]:
        """Return every legal move, each exactly once, in a stable order; none if the game is over.

        If they are too many to list (arrangements of many pieces), this is a lazy generator: do not exhaust it.
        """

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Return the legal move that ``text`` means. Case, spaces and kinds of dashes make no difference.

        Raises ``IllegalMove`` with a reason in the game's terms for any other text of any length.
        """

    @abstractmethod
    def play(self, move: Move) -> Position:
        """Return the position after ``move``, a legal move from ``legal_moves`` or ``parse``."""

    @abstractmethod
    def encode(self) -> str:
        """Return one line of text, FEN-like, from which ``Game.decode`` restores an equal position."""

    def drop(self, seat: int) -> Position:
        """Return the position after ``seat`` has left: the others play on, and the last one left wins.

        A game that more than two can play has this also for its matches of two. Raises ``ValueError`` in a game for two
        players alone: its matches end instead.
        """
        raise ValueError("a game for two players ends when one of them leaves")

    def forced_move(self) -> Move | None:
        """Return the pass that is played for the seat to move if it has no other move, or None."""
        moves = list(islice(self.legal_moves(), 2))
        return moves[0] if len(moves) == 1 and str(moves[0]) == PASS else None

    def question(self, move: Move) -> str | None:
        """Return a question to ask before ``move``, if players may not mean its consequences; else None."""
        return None

    def confirmation(self, move: Move) -> str:
        """Return the label of the button that plays ``move`` once it is built."""
        return _("Play it")

    def example(self) -> str:
        """Return the text of a move, for people who type one: by default of the first move that does not end the game.

        A game whose point is to find a legal move returns a text that gives nothing away, legal or not.
        """
        some = list(islice(self.legal_moves(), 50))
        return str(next((move for move in some if self.play(move).result is None), some[0]))

    def steps(self, prefix: Sequence[str] = ()) -> Sequence[Step]:
        """Return the choices that continue ``prefix``, the keys chosen so far; none if there are none.

        The default splits the canonical text of every legal move before ``-``, ``x``, ``=`` and ``@``.
        """
        depth, chosen = len(prefix), tuple(prefix)
        steps: dict[str, Step] = {}
        for move in self.legal_moves():
            keys = split_text(str(move))
            if len(keys) <= depth or keys[:depth] != chosen:
                continue
            key = keys[depth]
            complete = move if len(keys) == depth + 1 else None
            if key not in steps or complete is not None:
                steps[key] = self.step(chosen, key, complete)
        return list(steps.values())

    def step(self, prefix: tuple[str, ...], key: str, move: Move | None) -> Step:
        """Describe one choice for the default ``steps``; a game overrides this to say more than the square."""
        square = key.lstrip("-x=@").rstrip("+")
        return Step(key, square, square, move)

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        """Return the question that ``steps(prefix)`` answer, in a few words."""
        return _("Where to?") if prefix else _("Which piece?")

    def ready_made(self) -> Move | None:
        """Return the arrangement for players who do not want to make one, or None where nothing is set up."""
        return None

    def shortcuts(self, random: Random) -> Sequence[Step]:
        """Return whole moves to offer in one click at the start of a turn, the ready-made arrangement first."""
        return ()

    def completions(self, typed: str, limit: int) -> list[str]:
        """Return at most ``limit`` texts to suggest for a ``typed`` beginning: by default canonical texts of moves.

        The text of a whole legal move is always among its own completions. A game whose point is to find a legal move
        may return texts that give nothing away.
        """
        begin = "".join(typed.casefold().replace("–", "-").split())
        whole = self._whole_move(begin)
        texts = (text for text in map(str, self.legal_moves()) if text not in whole)
        return [*whole, *islice((text for text in texts if text.casefold().startswith(begin)), limit - len(whole))]

    def _whole_move(self, typed: str) -> list[str]:
        """Return the text of the legal move that is ``typed``, if it is one in its canonical form."""
        try:
            move = str(self.parse(typed))
        except IllegalMove:
            return []
        return [move] if move.casefold() == typed else []


class SequentialPosition(Position):
    """A position that stores whose turn it is, and its own outcome.

    ``side`` is the seat whose turn it is, or would be if the game were not over; ``outcome`` is the result, or None.
    """

    __slots__ = ()

    side: int
    outcome: Result | None

    @property
    def to_move(self) -> int | None:
        return None if self.outcome else self.side

    @property
    def result(self) -> Result | None:
        return self.outcome


def caption(result: Result | None, turn: str, seat_names: Sequence[str], last: Move | None) -> LazyText:
    """Return the state of a game in words: ``turn``, such as "Blue to move", or the result, and the last move.

    ``seat_names`` has the names of the seats in this game, and no others.
    """
    state = turn if result is None else result.summary(seat_names)
    # Translators: who is to move, or how the game has ended: "Blue to move", "Red wins: four in a row".
    return _("{state}.", state=state) if last is None else _("{state}. Last move: {last}.", state=state, last=str(last))


def split_text(text: str) -> tuple[str, ...]:
    """Split the text of a move into the keys of its steps: before every ``-``, ``x``, ``=`` and ``@``."""
    keys: list[str] = []
    for character in text:
        if character in "-x=@" or not keys:
            keys.append(character)
        else:
            keys[-1] += character
    return tuple(keys)
