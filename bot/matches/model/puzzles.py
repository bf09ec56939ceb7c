"""Puzzles as people solve them: which exist, whether a try is right, and how it changes a rating. Pure."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Final
from unicodedata import normalize

from bot.games import GAMES
from bot.games.faults import of_each
from bot.games.game import IllegalMove
from bot.games.puzzles import Puzzle, TaskKind, puzzles
from bot.matches.model.game_state import GameState, first_game_state
from bot.matches.model.rating import POINTS, POINTS_PER_MU, START_MU, newcomer, rate
from bot.matches.model.refusals import Refusal
from bot.matches.model.turn import TYPED_MOVE_LIMIT
from bot.storage.puzzles import PuzzleAttempt, PuzzleRating
from bot.storage.rating_records import Rating
from bot.storage.records import AttemptState
from renderers.i18n import gettext_lazy as _

RIGHT, WRONG, SHOWN = "🟩", "🟥", "⬜"
"""Symbols of a result: a right move, a wrong try, and a solution that was shown."""
_PUZZLE_SIGMA: Final = 2.0
"""The uncertainty of a puzzle's difficulty, on the scale of a rating's sigma."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A try at a ply of a puzzle: the text of the move, whether it is right, and why it is illegal, if it is."""

    text: str
    right: bool
    refused: str = ""


def games_with_puzzles() -> list[str]:
    """Return the keys of the games that have puzzles, in the order of the games."""
    return [key for key, offered in of_each(lambda game: (game.key, puzzles(game)), GAMES.values()) if offered]


def puzzle_of(game: str, key: str) -> Puzzle | None:
    """Return a puzzle by its game and key, or None if an update of the bot has removed it."""
    return _by_key().get((game, key))


def symbols(attempt: PuzzleAttempt) -> str:
    """Return an attempt in symbols: its wrong tries, at most five of them, then each move found."""
    right_moves = (attempt.ply + 1) // 2
    count = len(attempt.wrong)
    wrong = WRONG * min(count, 5) + ("…" if count > 5 else "")
    return wrong + RIGHT * right_moves + (SHOWN if attempt.state is AttemptState.SHOWN else "")


@cache
def _by_key() -> dict[tuple[str, str], Puzzle]:
    return {(puzzle.game.key, puzzle.key): puzzle for of_game in of_each(puzzles, GAMES.values()) for puzzle in of_game}


def make_try(puzzle: Puzzle, ply: int, text: str) -> Tried:
    """Return the try that a typed move makes at a ply of a puzzle.

    Raises ``Refusal`` for an illegal move. If the task is to find a legal move, a move that was legal in the first
    position of the game counts as a wrong try instead.
    """
    text = normalize("NFKC", text)
    if len(text) > TYPED_MOVE_LIMIT:
        raise Refusal(_("That's too long for a move."))
    try:
        move = puzzle.at(ply).parse(text)
    except IllegalMove as reason:
        if puzzle.task.kind is TaskKind.FIND:
            with suppress(IllegalMove):
                guess = first_game_state(puzzle.game, puzzle.variant, 2).position.parse(text)
                return Tried(str(guess), right=False, refused=reason.args[0])
        raise Refusal(_("That's not a legal move, so it doesn't count: {reason}.", reason=reason.args[0])) from reason
    return Tried(str(move), puzzle.solves(ply, move))


def after_try(puzzle: Puzzle, attempt: PuzzleAttempt, tried: Tried) -> PuzzleAttempt:
    """Return an attempt after a try at its ply.

    After a right move the reply in the solution is played at once; the last right move solves the puzzle. The same
    wrong move counts once, however it was typed.
    """
    if not tried.right:
        missed = f"{attempt.ply}:{tried.text}"
        return attempt if missed in attempt.wrong else replace(attempt, wrong=(*attempt.wrong, missed))
    if attempt.ply + 1 < len(puzzle.solution):
        return replace(attempt, ply=attempt.ply + 2)
    return replace(attempt, ply=len(puzzle.solution), state=AttemptState.SOLVED)


def states(puzzle: Puzzle, plies: int | None = None) -> list[tuple[GameState, str]]:
    """Return the state of a puzzle at its beginning and after each ply of its solution, at most ``plies``.

    Each comes with the ply in words; the beginning with an empty text.
    """
    start = puzzle.start()
    reached = [(GameState(0, 2, start), "")]
    for ply, (before, move, after) in enumerate(puzzle.line(plies), start=1):
        state = GameState(ply, 2, after, before, move, before.to_move)
        reached.append((state, puzzle.game.move_in_words(before, move)))
    return reached


def rate_puzzle(before: PuzzleRating | None, user_id: int, puzzle: Puzzle, *, first_try: bool) -> PuzzleRating:
    """Return a person's rating after a puzzle, which counts as an opponent of its difficulty."""
    rating = before or first_record(user_id)
    person = Rating(user_id, rating.mu, rating.sigma)
    opponent = Rating(0, START_MU + (puzzle.difficulty - POINTS) / POINTS_PER_MU, _PUZZLE_SIGMA)
    after, _opponent = rate([person, opponent], [1, 2] if first_try else [2, 1])
    return replace(
        rating,
        mu=after.mu,
        sigma=after.sigma,
        first_try=rating.first_try + first_try,
        failed=rating.failed + (not first_try),
    )


def first_record(user_id: int) -> PuzzleRating:
    start = newcomer(user_id)
    return PuzzleRating(user_id, start.mu, start.sigma)


def as_rating(rating: PuzzleRating) -> Rating:
    """Return a puzzle rating as the rating of a game, to be shown alike."""
    return Rating(rating.user_id, rating.mu, rating.sigma, wins=rating.first_try, losses=rating.failed)
