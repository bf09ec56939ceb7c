"""The rules of Gygès: set-ups, turns and the end of the game. Knows no scene."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Final

from bot.games.game import PASS, IllegalMove, Move, Position, Result, SequentialPosition, Step
from bot.games.gyges import choices
from bot.games.gyges.board import ARRANGEMENTS, BITS, FROM_HOME, GOALS, NORTH, RANKS, SOUTH, arrange, occupied
from bot.games.gyges.classic import Classic
from bot.games.gyges.fogliaccio import Fogliaccio
from bot.games.gyges.notation import (
    PASSING,
    SIDES,
    Turn,
    read_arrangement,
    read_board,
    read_packed,
    read_route,
    tidy,
    write_board,
)
from bot.games.gyges.rulesets import Ruleset, Situation
from bot.games.gyges.validation import validated
from renderers.i18n import gettext_lazy as _

RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType({rules.key: rules for rules in (Fogliaccio(), Classic())})
LONGEST: Final = 200
"""After so many plies of the play the game is a draw. ``_TOO_LONG`` says the number, too."""

_REACHED: Final = (
    Result(frozenset({SOUTH}), _("a piece in goal N")),
    Result(frozenset({NORTH}), _("a piece in goal S")),
)
_BOTH: Final = frozenset({SOUTH, NORTH})
_PASSED: Final = Result(_BOTH, _("two passes in a row"))
_REPEATED: Final = Result(_BOTH, _("third repetition"))
_TOO_LONG: Final = Result(_BOTH, _("200 turns after the set-up"))

_SETUPS: Final = tuple(map(Turn, ARRANGEMENTS))
_DEFAULT: Final = Turn("321123")


@dataclass(frozen=True, slots=True)
class SetUp(Position):
    """A seat is to arrange its home rank. ``south`` is South's arrangement, None before it is chosen."""

    ruleset: str
    south: str | None = None

    @property
    def side(self) -> int:
        return SOUTH if self.south is None else NORTH

    @property
    def to_move(self) -> int:
        return self.side

    @property
    def result(self) -> Result | None:
        return None

    @property
    def pieces(self) -> int:
        """The arrangement so far."""
        return arrange(zip(RANKS[0], map(int, self.south or ""), strict=False))

    def legal_moves(self) -> Sequence[Turn]:
        return _SETUPS

    def parse(self, text: str) -> Turn:
        return Turn(read_arrangement(tidy(text)))

    def play(self, move: Move) -> SetUp | GygesPosition:
        values = turn_of(move)
        if self.south is None:
            return SetUp(self.ruleset, values)
        home = FROM_HOME[NORTH][0]
        return GygesPosition(self.ruleset, self.pieces + arrange(zip(RANKS[home], map(int, values), strict=True)))

    def steps(self, prefix: Sequence[str] = ()) -> Sequence[Step]:
        return choices.of_setup(self.side, tuple(prefix))

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        return choices.prompt_of_setup(self.side, tuple(prefix))

    def ready_made(self) -> Turn:
        return _DEFAULT

    def shortcuts(self, random: Random) -> Sequence[Step]:
        """Return the ready-made arrangement, and another one at random."""
        other = random.choice([turn for turn in _SETUPS if turn != _DEFAULT])
        return (
            Step(_DEFAULT, _("Ready-made set-up"), None, _DEFAULT),
            Step(other, _("Random set-up"), None, other),
        )

    def encode(self) -> str:
        """Return ``ruleset set-up`` and South's arrangement or a hyphen, such as ``classic set-up 231123``."""
        return f"{self.ruleset} set-up {self.south or '-'}"


@dataclass(frozen=True, slots=True)
class GygesPosition(SequentialPosition):
    """A position after the set-ups.

    ``pieces`` is the arrangement, goals included; ``side`` the seat whose turn it is, or would be if the game were not
    over. ``passes`` counts the latest passes in a row. ``previous`` is the arrangement before the last ply.
    ``earlier`` lists, sorted, every arrangement since the set-ups with the side to move: any of them can come back.
    Each ply adds one, so its length is the number of plies.
    """

    ruleset: str
    pieces: int
    side: int = SOUTH
    passes: int = 0
    previous: int | None = None
    earlier: tuple[int, ...] = ()
    outcome: Result | None = None

    @property
    def rules(self) -> Ruleset:
        return RULESETS[self.ruleset]

    @property
    def situation(self) -> Situation:
        """The arrangement and the seat the turn begins with."""
        return Situation(self.pieces, self.side, self.previous)

    def legal_moves(self) -> Sequence[Turn]:
        if self.outcome:
            return ()
        return self.rules.all_turns(self.situation) or (PASSING,)

    def play(self, move: Move) -> GygesPosition:
        route = turn_of(move).route
        after = self.pieces if route is None else self.rules.after(self.pieces, route)
        passes = self.passes + 1 if route is None else 0
        earlier = [*self.earlier]
        insort(earlier, reached(self.pieces, self.side))
        history, side = tuple(earlier), 1 - self.side
        outcome = ending(after, side, passes, history)
        return GygesPosition(self.ruleset, after, side, passes, self.pieces, history, outcome)

    def parse(self, text: str) -> Turn:
        if self.outcome:
            raise IllegalMove(_("the game is over: {reason}", reason=self.outcome.reason))
        return validated(self.rules, self.situation, read_route(tidy(text)))

    def steps(self, prefix: Sequence[str] = ()) -> Sequence[Step]:
        if self.outcome:
            return ()
        return choices.of_turn(self.rules, self.situation, tuple(prefix))

    def prompt(self, prefix: Sequence[str] = ()) -> str:
        return choices.prompt_of_turn(self.rules, self.situation, tuple(prefix))

    def completions(self, typed: str, limit: int) -> list[str]:
        if self.outcome:
            return []
        begin = "".join(typed.casefold().replace("–", "-").split())
        whole = self._whole_move(begin)
        turns = (str(turn) for turn in self.rules.turns_beginning(self.situation, begin))
        texts = [*whole, *islice((text for text in turns if text not in whole), limit - len(whole))]
        return texts or [PASS for turn in self.legal_moves() if turn == PASS and PASS.startswith(begin)]

    def encode(self) -> str:
        """Return ``ruleset board side passes previous earlier``.

        Such as ``classic ./321123/....../....../....../....../231123/. S 0 - -``. The last two fields hold
        arrangements in hexadecimal digits, the earlier ones each with the side to move.
        """
        previous = "-" if self.previous is None else f"{self.previous:x}"
        earlier = ",".join(f"{packed >> 1:x}{SIDES[packed & 1]}" for packed in self.earlier)
        board = write_board(self.pieces)
        return f"{self.ruleset} {board} {SIDES[self.side]} {self.passes} {previous} {earlier or '-'}"


def turn_of(move: Move) -> Turn:
    """Return ``move``, which must be a turn of Gygès. Raises ``TypeError``."""
    if not isinstance(move, Turn):
        raise TypeError(f"{move!r} is no turn of Gygès")
    return move


def reached(pieces: int, side: int) -> int:
    """Return an arrangement and the side to move in one integer."""
    return pieces << 1 | side


def ending(pieces: int, side: int, passes: int, earlier: tuple[int, ...]) -> Result | None:
    """Return how the game has ended with ``side`` to move, or None: wins before draws (``RULES.md``, "End")."""
    mover = 1 - side
    if occupied(pieces) & BITS[GOALS[mover]]:
        return _REACHED[mover]
    if passes >= 2:
        return _PASSED
    now = reached(pieces, side)
    if bisect_right(earlier, now) - bisect_left(earlier, now) >= 2:
        return _REPEATED
    return _TOO_LONG if len(earlier) >= LONGEST else None


def decode(text: str) -> SetUp | GygesPosition:
    """Restore what ``encode`` wrote. Raises ``ValueError`` for anything else."""
    fields = text.split(" ")
    if fields[0] not in RULESETS:
        raise ValueError(f"a position of Gygès begins with its ruleset: {' or '.join(RULESETS)}")
    position: SetUp | GygesPosition
    if len(fields) == 3:
        ruleset, south = fields[0], fields[2]
        if south != "-" and south not in ARRANGEMENTS:
            raise ValueError("South's arrangement has two 1s, two 2s and two 3s")
        position = SetUp(ruleset, None if south == "-" else south)
    else:
        position = _decode_play(fields)
    if position.encode() != text:
        raise ValueError("that is not how this position of Gygès is written")
    return position


def _decode_play(fields: Sequence[str]) -> GygesPosition:
    if len(fields) != 6 or fields[2] not in tuple(SIDES) or fields[3] not in tuple("012"):
        raise ValueError("a position of Gygès is written: ruleset board side passes previous earlier")
    ruleset, board, letter, passes, before, history = fields
    pieces, side = read_board(board), SIDES.index(letter)
    if occupied(pieces) & BITS[GOALS[side]]:
        raise ValueError("a piece in a goal had ended the game before")
    previous = None if before == "-" else read_packed(before)
    arrangements = []
    for item in [] if history == "-" else history.split(","):
        if item[-1:] not in tuple(SIDES):
            raise ValueError("an earlier arrangement is followed by the side to move, S or N")
        arrangements.append(reached(read_packed(item[:-1]), SIDES.index(item[-1])))
    earlier = tuple(sorted(arrangements))
    outcome = ending(pieces, side, int(passes), earlier)
    return GygesPosition(ruleset, pieces, side, int(passes), previous, earlier, outcome)
