"""Tries a game as the bot uses it: its facts, and a few random games with pictures, steps, words and texts.

Yields what breaks the contract in sentences. It looks less deeply than the tests of ``bot.contract``, and in seconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, Final, TypeVar

from bot.games.game import (
    KEY_PATTERN,
    MOST_PLAYERS,
    RESERVED_KEYS,
    VARIANT_PATTERN,
    Game,
    Move,
    Position,
    Result,
    Step,
    Variant,
)
from bot.games.guides import guide
from bot.games.puzzles import puzzles
from bot.games.search import MOST_LEVELS, SearchState
from renderers.i18n import translated
from renderers.scene import Scene

LONGEST_NAME: Final = 100
"""Discord's limit for a choice of a command: with a longer one it takes none of the commands."""
LONGEST: Final[Mapping[str, int]] = {"summary": 300, "designer": 100, "seat name": 40, "description": 300}
"""Characters of the texts that stand on cards, boards and lists of games, so that what they stand in fits a message."""
MOST_VARIANTS: Final = 25
"""As many as a menu of Discord holds."""
VERSION_PATTERN: Final = r"[1-9]\d{0,3}(\.\d{1,4}){0,2}"
ENOUGH: Final = 1.0
"""Seconds after which no further position is tried."""
RANDOM_GAMES: Final = 2
PLIES: Final = 200
LISTED: Final = 200
"""As many legal moves are looked at to choose one."""
DEEPEST: Final = 12
"""As many choices are made in a move under construction."""
FACTS: Final[Mapping[str, tuple[type, str]]] = {
    **dict.fromkeys(("key", "name", "designer", "summary", "showpiece", "finding", "rules_version"), (str, "text")),
    **dict.fromkeys(("variants", "seat_names", "positions", "baselines"), (tuple, "a tuple")),
    "players": (range, "a range"),
    "typed_words": (Mapping, "a mapping"),
    "options": (Collection, "a set of names"),
    "careful_share": (float, "a number from 0 to 1"),
    "levels": (int, f"a number from 1 to {MOST_LEVELS}"),
}

T = TypeVar("T")


class _Fault(Exception):
    """A method of the game raises, or returns what the contract does not allow."""


def problems(game: Game) -> Iterator[str]:
    """Yield each way in which a game breaks the contract, without a full stop. Methods may fail in any way."""
    if wrong := list(_wrong_facts(game)):
        yield from wrong
        return
    until = time.monotonic() + ENOUGH
    try:
        if game.showpiece:
            _scene(game, "the showpiece", game.decode(game.showpiece))
        for variant in game.variants:
            for page in guide(game, variant):
                for diagram in page.diagrams:
                    _whole(f"a diagram of the page {page.title!r}", diagram.scene())
        puzzles(game)
    except Exception as error:
        yield str(error) if isinstance(error, _Fault) else f"{type(error).__name__}: {error}"
    for seed in range(RANDOM_GAMES):
        for variant in game.variants:
            for players in variant.players:
                try:
                    _play(game, variant, players, Random(seed), until)
                except _Fault as fault:
                    yield f"variant {variant.key!r} for {players} players: {fault}"
                    return


def _wrong_facts(game: Game) -> Iterator[str]:
    for fact, (kind, expected) in FACTS.items():
        value = getattr(game, fact, None)
        if not isinstance(value, kind):
            yield f"its {fact} is missing" if value is None else f"its {fact} is {value!r}, and has to be {expected}"
            return
    if not (game.players and 2 <= game.players[0] <= game.players[-1] <= MOST_PLAYERS):
        yield f"it is for {game.players}, and a game is for 2 to {MOST_PLAYERS} players"
        return
    words = (*game.typed_words, *game.typed_words.values(), *game.options, *game.seat_names)
    seats = {str(name).strip() for name in game.seat_names} - {""}
    for wrong, sentence in (
        (
            not re.fullmatch(KEY_PATTERN, game.key) or game.key in RESERVED_KEYS,
            f"the key {game.key!r} is not lower-case letters, digits and hyphens, or is reserved",
        ),
        (
            not re.fullmatch(VERSION_PATTERN, game.rules_version),
            f"the version of the rules {game.rules_version!r} is not a number such as 1 or 1.2",
        ),
        (
            len(game.seat_names) != game.players[-1],
            f"it has {len(game.seat_names)} seat names for {game.players[-1]} seats",
        ),
        (not 1 <= game.levels <= MOST_LEVELS, f"it has {game.levels} levels, and a game has 1 to {MOST_LEVELS}"),
        (len(seats) != len(game.seat_names), "two seats have the same name, or one has none"),
        (not translated(game.designer).strip(), "its designer is empty"),
        (not translated(game.summary).strip(), "its summary is empty"),
        (not all(isinstance(each, str) for each in words), "seat_names, typed_words and options are not words"),
        (
            not all(isinstance(each, type) and issubclass(each, Position) for each in game.positions),
            "its positions are not classes of positions",
        ),
    ):
        if wrong:
            yield sentence
    yield from _wrong_variants(game)
    yield from _long_texts(game)


def _wrong_variants(game: Game) -> Iterator[str]:
    if not all(isinstance(variant, Variant) for variant in game.variants):
        yield "a variant of it is no Variant"
        return
    if not 1 <= len(game.variants) <= MOST_VARIANTS:
        yield f"it has {len(game.variants)} variants, and a game has from 1 to {MOST_VARIANTS}"
    variants = ((f"the name of its variant {variant.key!r}", variant.name) for variant in game.variants)
    for what, name in (("its name", game.name), *variants):
        if not 0 < len(name.strip()) <= LONGEST_NAME:
            yield f"{what} has {len(name.strip())} characters, and a name has from 1 to {LONGEST_NAME}"
    for variant in game.variants:
        if not re.fullmatch(VARIANT_PATTERN, variant.key):
            yield f"the key of its variant {variant.key!r} is not lower-case letters, digits and hyphens"
        if not variant.players or not set(variant.players) <= set(game.players):
            yield f"its variant {variant.key!r} is for {variant.players}, and the game for {game.players}"
    for fact in ("key", "name"):
        if len({getattr(variant, fact) for variant in game.variants}) != len(game.variants):
            yield f"two of its variants have the same {fact}"


def _long_texts(game: Game) -> Iterator[str]:
    texts = [("summary", game.summary), ("designer", game.designer)]
    texts += [("seat name", name) for name in game.seat_names]
    texts += [("description", variant.description) for variant in game.variants if isinstance(variant, Variant)]
    for kind, text in texts:
        if (length := len(translated(text))) > LONGEST[kind]:
            yield f"a {kind} of it has {length} characters, and it has room for {LONGEST[kind]}"


def _play(game: Game, variant: Variant, players: int, random: Random, until: float) -> None:
    """Play a game at random and look at each position as the bot does. Raises ``_Fault``."""
    position = _call("start", game.start, players, **variant.options)
    before: Position | None = None
    last: Move | None = None
    for ply in range(PLIES):
        if ply > 1 and time.monotonic() > until:
            return
        moves = _moves(position, last, players)
        _look(game, position, before, last, players, random)
        if not moves:
            return
        move = random.choice(moves)
        if _call("parse", position.parse, str(move)) != move:
            raise _Fault(f"{_after(last)} parse does not read the move {move} as itself")
        before, last, position = position, move, _call("play", position.play, move)


def _after(last: Move | None) -> str:
    return "at the start" if last is None else f"after the move {last}"


def _moves(position: Position, last: Move | None, players: int) -> list[Move]:
    """Return legal moves, at most ``LISTED``; none if the game is over. Raises ``_Fault``."""
    if not isinstance(position, Position):
        raise _Fault(f"{_after(last)} there is {position!r} in place of a position")
    seat = _call("to_move", lambda: position.to_move)
    if seat is not None and (type(seat) is not int or seat not in range(players)):
        raise _Fault(f"{_after(last)} to_move is {seat!r}, and has to be a seat, counted from 0, or None")
    result = _call_for((Result, type(None)), "result", lambda: position.result)
    moves = _call("legal_moves", lambda: list(islice(position.legal_moves(), LISTED)))
    if (seat is None) != (result is not None) or (seat is None) != (not moves):
        raise _Fault(
            f"{_after(last)} to_move is {seat}, the result {result}, and there are {len(moves) or 'no'} legal moves: "
            "a game goes on with a seat to move and legal moves, or else has a result"
        )
    return moves


def _look(
    game: Game, position: Position, before: Position | None, last: Move | None, players: int, random: Random
) -> None:
    """Use everything in a position that the bot uses. Raises ``_Fault``."""
    text = _call_for(str, "encode", position.encode)
    restored = _call("decode", game.decode, text)
    if restored != position or hash(restored) != hash(position):
        raise _Fault(f"{_after(last)} decode does not restore what encode writes")
    for viewer in range(players):
        _scene(game, f"the scene {_after(last)}", position, last, viewer, before=before)
    _words("pieces_in_words", _call("pieces_in_words", game.pieces_in_words, position))
    if before is not None:
        _call_for(str, "move_in_words", game.move_in_words, before, last)
    _call_for(Hashable, "canonical_form", game.canonical_form, position)
    if position.result is not None:
        if not position.result.winners or not position.result.winners <= set(range(players)):
            raise _Fault(f"{_after(last)} the result has the winners {position.result.winners!r}")
        _call_for(str, "result", position.result.summary, game.seat_names[:players])
        return
    _call_for((str, type(None)), "forced_move", lambda: position.forced_move() and str(position.forced_move()))
    _call_for(str, "example", position.example)
    _call_for(Position, "without_history", game.without_history, position)
    _call_for((SearchState, type(None)), "search_state", game.search_state, position)
    _call("opening", game.opening, position, random)
    _call("studied_opening", game.studied_opening, position, random)
    _call("ready_made", position.ready_made)
    _steps("shortcuts", _call("shortcuts", position.shortcuts, random))
    _words("completions", _call("completions", position.completions, "", 25))
    if game.players[-1] > 2 and position.to_move is not None:
        _call_for(Position, "drop", position.drop, position.to_move)
    _build(game, position, before, last, random)


def _build(game: Game, position: Position, before: Position | None, last: Move | None, random: Random) -> None:
    """Build a move choice by choice. Raises ``_Fault``."""
    prefix: tuple[str, ...] = ()
    for _ in range(DEEPEST):
        _call_for(str, "prompt", position.prompt, prefix)
        steps = _steps("steps", _call("steps", position.steps, prefix))
        targets = [step.square for step in steps if step.square is not None]
        what = f"the scene {_after(last)} with {list(prefix)} chosen"
        _scene(game, what, position, last, before=before, chosen=prefix, targets=targets)
        if not steps:
            return
        step = random.choice(steps)
        prefix = (*prefix, step.key)
        if step.move is not None:
            _call_for((str, type(None)), "question", position.question, step.move)
            _call_for(str, "confirmation", position.confirmation, step.move)
            return


def _scene(game: Game, what: str, position: Position, *args: Any, **kwargs: Any) -> None:
    _whole(what, _call("draw", game.scene, position, *args, **kwargs))


def _whole(what: str, scene: object) -> None:
    if not isinstance(scene, Scene):
        raise _Fault(f"{what} is {scene!r} and no Scene")
    for problem in scene.problems():
        raise _Fault(f"{what}: {problem}")


def _steps(name: str, returned: Sequence[Step]) -> list[Step]:
    steps: list[Step] = _call(name, list, returned)
    for step in steps:
        if not isinstance(step, Step) or not step.key or not 0 < len(step.label) <= 80:
            raise _Fault(f"{name} has {step!r}: a step has a key, and a label of 1 to 80 characters")
    return steps


def _words(name: str, words: Sequence[str]) -> None:
    _call_for(str, name, lambda: "\n".join(map(translated, words)))


def _call_for(kind: Any, name: str, function: Callable[..., T], *args: Any) -> T:
    returned = _call(name, function, *args)
    if not isinstance(returned, kind):
        raise _Fault(f"{name} returns {returned!r}, which is not what it should be")
    if isinstance(returned, str):
        _call(name, translated, returned)
    return returned


def _call(name: str, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Return what a method returns. Raises ``_Fault`` whatever it raises, with its name."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        raise _Fault(f"{name} raises {type(error).__name__}: {error}") from error
