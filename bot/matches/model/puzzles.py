"""Puzzles as people solve them: which there are, what a try is worth, and when that of the day is posted. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from random import Random
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.games import GAMES
from bot.games.game import IllegalMove, Move
from bot.games.puzzles import Kind, Puzzle, puzzles
from bot.matches.model.game_state import GameState, first_game_state
from bot.matches.model.rating import POINTS, POINTS_PER_MU, START_MU, newcomer, rate
from bot.matches.model.refusals import Refusal
from bot.matches.model.turn import TYPED_MOVE_LIMIT
from bot.storage.puzzles import PuzzleRating
from bot.storage.records import Rating
from renderers.i18n import gettext_lazy as _

_PUZZLE_SIGMA: Final = 2.0
"""How sure the difficulty of a puzzle is, on the scale of ratings' own sigma."""
UTC_NAME: Final = "UTC"
_STREAK_LASTS: Final = timedelta(days=2)
"""How far the next day of a streak may be from its last one."""
_FARTHEST_WEST: Final = timedelta(hours=12)
"""By how much the clocks that are last to begin a day are behind UTC."""
_MOST_PLACES: Final = 25
"""As many as a menu takes."""
_PLACES: Final = (
    "Pacific/Honolulu",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "America/Sao_Paulo",
    "UTC",
    "Europe/London",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Berlin",
    "Europe/Athens",
    "Europe/Moscow",
    "Africa/Lagos",
    "Africa/Nairobi",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""From west to east."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A try at a ply of a puzzle: the text of the move, why it is no legal one, if so, and whether it was right."""

    text: str
    right: bool
    refused: str = ""


def games_with_puzzles() -> list[str]:
    """Return the keys of the games that have puzzles, in the order of the games."""
    return [key for key, game in GAMES.items() if puzzles(game)]


def puzzle_of(game: str, key: str) -> Puzzle | None:
    """Return a puzzle by its game and key, or None: an update of the bot may have taken it away."""
    return _by_key().get((game, key))


@cache
def _by_key() -> dict[tuple[str, str], Puzzle]:
    return {(game.key, one.key): one for game in GAMES.values() for one in puzzles(game)}


def is_for_a_day(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle is kept for days. All others are given out on demand, so that no day's is known before."""
    return int(puzzle.key, 16) % 2 == 0


def of_the_day(guild_id: int, day: date) -> Puzzle:
    """Return the puzzle of a day in a server: another game every day, and none again before all had their day.

    Raises ``ValueError`` where no game has a puzzle for a day.
    """
    kept = {key: [one for one in puzzles(GAMES[key]) if is_for_a_day(one)] for key in games_with_puzzles()}
    games = [key for key, every in kept.items() if every]
    if not games:
        raise ValueError("there is no puzzle for any day")
    turn, place = divmod(day.toordinal(), len(games))
    every = sorted(kept[games[place]], key=lambda one: one.key)
    Random(f"{guild_id} {games[place]}").shuffle(every)
    return every[turn % len(every)]


def tried(puzzle: Puzzle, ply: int, text: str) -> Tried:
    """Return what a typed move is worth at a ply of a puzzle.

    Raises ``Refusal`` for a move that is not legal. Where finding a legal one is the task it is a wrong try, in its
    canonical text, if it was legal before anything was played; all else is no move.
    """
    if len(text) > TYPED_MOVE_LIMIT:
        raise Refusal(_("That's too long for a move."))
    try:
        move = puzzle.at(ply).parse(text)
    except IllegalMove as reason:
        guess = _guess(puzzle, text) if puzzle.task.kind is Kind.FIND else None
        if guess is not None:
            return Tried(str(guess), right=False, refused=reason.args[0])
        raise Refusal(_("That's not a legal move, so it doesn't count: {reason}.", reason=reason.args[0])) from reason
    return Tried(str(move), puzzle.solves(ply, move))


def _guess(puzzle: Puzzle, text: str) -> Move | None:
    """Return the move a text names on the board as it was at the beginning, or None for one that names none."""
    try:
        return first_game_state(puzzle.game, puzzle.variant, 2).position.parse(text)
    except IllegalMove:
        return None


def states(puzzle: Puzzle, plies: int | None = None) -> list[tuple[GameState, str]]:
    """Return where a puzzle begins and stands after each ply of its solution, at most so many, with that ply in words.

    Nothing is said of the beginning.
    """
    start = puzzle.start()
    found = [(GameState(0, 2, start), "")]
    for ply, (before, move, after) in enumerate(puzzle.line(plies), start=1):
        state = GameState(ply, 2, after, before, move, min(before.to_move))
        found.append((state, puzzle.game.move_in_words(before, move)))
    return found


def rated(before: PuzzleRating | None, user_id: int, puzzle: Puzzle, *, first_try: bool) -> PuzzleRating:
    """Return somebody's rating after a puzzle, which counts as an opponent of its difficulty."""
    known = before or unrated(user_id)
    person = Rating(user_id, known.mu, known.sigma)
    opponent = Rating(0, START_MU + (puzzle.difficulty - POINTS) / POINTS_PER_MU, _PUZZLE_SIGMA)
    after, _opponent = rate([person, opponent], [1, 2] if first_try else [2, 1])
    return replace(
        known,
        mu=after.mu,
        sigma=after.sigma,
        first_try=known.first_try + first_try,
        failed=known.failed + (not first_try),
    )


def unrated(user_id: int) -> PuzzleRating:
    """Return what is known of somebody before their first puzzle."""
    start = newcomer(user_id)
    return PuzzleRating(user_id, start.mu, start.sigma)


def as_rating(record: PuzzleRating) -> Rating:
    """Return a puzzle rating as those of games are shown."""
    return Rating(record.user_id, record.mu, record.sigma, wins=record.first_try, losses=record.failed)


def solved_day(before: PuzzleRating, day: date, previous: date | None = None) -> PuzzleRating:
    """Return a record after the puzzle of a day was solved, ``previous`` being the day of its server's one before.

    A streak goes on with each day that follows, and where one went by without a puzzle that could have been solved.
    """
    if before.last_day is not None and day <= before.last_day:
        return before
    reaching = max(previous or day - timedelta(days=1), day - _STREAK_LASTS)
    streak = before.streak + 1 if before.last_day is not None and before.last_day >= reaching else 1
    return replace(before, streak=streak, longest_streak=max(streak, before.longest_streak), last_day=day)


def as_of(record: PuzzleRating, now: datetime) -> PuzzleRating:
    """Return a record as it stands at a moment: a streak is over once a puzzle after its last one has had its day.

    Days begin and end at different times in different places: this waits for the last one, late in all others.
    """
    today = (now - _FARTHEST_WEST).date()
    over = record.last_day is None or today - record.last_day > _STREAK_LASTS
    return replace(record, streak=0) if over else record


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name in the database of time zones. Raises ``Refusal`` for one there is not."""
    if name == UTC_NAME:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refusal(_("I don't know the time zone {zone}. Choose one of the suggestions."), zone=name) from error


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the time zones there are, those of places first."""
    names = {name for name in available_timezones() if name.split("/")[0] not in ("posix", "right", "SystemV")}
    return tuple(sorted(names | {UTC_NAME}, key=lambda name: ("/" not in name, name.startswith("Etc/"), name)))


def common_zones(chosen: str) -> list[str]:
    """Return time zones of places all around the world, 25 at most, and the chosen one among them."""
    known = set(zone_names())
    places = [name for name in _PLACES if name in known and name != chosen]
    return [chosen, *places][:_MOST_PLACES]


def moment(day: date, hour: int, zone: str) -> datetime:
    """Return when it is that hour of a day in a zone, in UTC.

    An hour that clocks skip is where they skip it; of an hour they go through twice it is the first.
    """
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone_of(zone)).astimezone(UTC)


def next_moment(hour: int, zone: str, now: datetime, after: date | None = None) -> datetime:
    """Return the next moment after ``now`` at which it is that hour in a zone, on a day after ``after``."""
    day = now.astimezone(zone_of(zone)).date()
    if after is not None and day <= after:
        day = after + timedelta(days=1)
    found = moment(day, hour, zone)
    return found if found > now else moment(day + timedelta(days=1), hour, zone)


def day_due(hour: int, zone: str, now: datetime) -> date:
    """Return the latest day on which it has been that hour in a zone by ``now``."""
    day = now.astimezone(zone_of(zone)).date()
    return day if moment(day, hour, zone) <= now else day - timedelta(days=1)
