"""Attempts at puzzles: begun, tried, solved or shown, and their effect on a person's record.

A person gets each puzzle once. Puzzles of the day return after some time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.games.puzzles import Puzzle, TaskKind, puzzles
from bot.matches.model.puzzles import (
    Tried,
    after_try,
    first_record,
    games_with_puzzles,
    make_try,
    puzzle_of,
    rate_puzzle,
)
from bot.matches.model.rating import points
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.service_context import ServiceContext
from bot.matches.services.daily_puzzles import as_of, is_for_a_day, solved_day
from bot.matches.services.fair_play import FairPlay
from bot.matches.services.page_access import NO_SUCH_PUZZLE
from bot.storage import abuse_counters, locks
from bot.storage import puzzles as stored
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.puzzles import DailyPuzzle, PuzzleAttempt, PuzzleRating
from bot.storage.records import AttemptState, RequestId
from bot.storage.shares import Share
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

_NEAREST: Final = 10
"""A new puzzle is drawn from this many whose difficulty is nearest to the person's rating."""
_FIRST: Final = 3
"""So many first puzzles of a person are wins in one move, where there are any."""
_EASY: Final = 1050
"""The difficulty near which the first puzzles are."""
COUNTED_WITHIN: Final = timedelta(minutes=1)
"""The solver count of a puzzle of the day is updated at most once in this time."""

COMES_ROUND_AFTER: Final = timedelta(days=60)
"""After this time a person may solve a puzzle of the day again: there are not many of them."""
PUZZLE_ENDED: Final = _("You're done with this puzzle. `/puzzle` has another one.")


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """An attempt and its puzzle."""

    attempt: PuzzleAttempt
    puzzle: Puzzle
    late: bool = False
    """Whether it was begun after the answer was posted, so that it does not count."""


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A try, and the attempt after it."""

    view: PuzzleView
    tried: Tried


class Puzzles:
    """Everything that people can do with puzzles.

    While a position of a puzzle is on the board of a match that the solver plays against people, the puzzle is not
    shown, and tries are refused.
    """

    def __init__(self, context: ServiceContext, fair_play: FairPlay) -> None:
        self._context = context
        self._fair_play = fair_play

    async def begin(self, user_id: int, game: str | None = None) -> PuzzleView:
        """Return a person's unfinished puzzle, or else a new one. Raises ``Refusal``.

        ``game`` limits the choice to one game. Puzzles of the day are left out, and those of a game's other variants
        come after those of its first.
        """
        return await self._fair(await self._begin(user_id, game))

    @retried
    async def _begin(self, user_id: int, game: str | None) -> PuzzleView:
        offered = games_with_puzzles()
        if not offered or (game is not None and game not in offered):
            raise Refusal(_("There are no puzzles of that game.") if game else _("There are no puzzles here."))
        every = (puzzle for key in ([game] if game else offered) for puzzle in puzzles(GAMES[key]))
        pool = [puzzle for puzzle in every if not is_for_a_day(puzzle)]
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            attempts = await stored.attempts_of(tx, user_id)
            begun = {(attempt.game, attempt.puzzle): attempt for attempt in attempts}
            for puzzle in pool:
                attempt = begun.get((puzzle.game.key, puzzle.key))
                if attempt is not None and attempt.state is AttemptState.OPEN:
                    return PuzzleView(attempt, puzzle)
            new = [puzzle for puzzle in pool if (puzzle.game.key, puzzle.key) not in begun]
            if not new:
                if game:
                    through = _("You've been through every {game} puzzle there is. There's another one every day.")
                    raise Refusal(through.filled(game=GAMES[game].name))
                raise Refusal(_("You've been through every puzzle there is. There's another one every day."))
            first = len(attempts) < _FIRST
            rating = _EASY if first else points((await stored.rating(tx, user_id) or first_record(user_id)).mu)
            # Other variants come once there is no more of the rules that a first match has.
            usual = [puzzle for puzzle in new if puzzle.in_first_variant] or new
            wins_in_one = [puzzle for puzzle in usual if puzzle.task.kind is TaskKind.WIN and puzzle.task.number == 1]
            fitting = wins_in_one if first and wins_in_one else usual
            nearest = sorted(fitting, key=lambda puzzle: (abs(puzzle.difficulty - rating), puzzle.key))[:_NEAREST]
            return await self._begin_attempt(tx, user_id, self._context.random.choice(nearest))

    async def begin_daily(self, user_id: int, guild_id: int, day: date) -> PuzzleView:
        """Return a person's attempt at a server's puzzle of a day; begin it if it is new. Raises ``Refusal``.

        One that begins after the answer was posted does not count.
        """
        return await self._fair(await self._begin_daily(user_id, guild_id, day))

    @retried
    async def _begin_daily(self, user_id: int, guild_id: int, day: date) -> PuzzleView:
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            daily = await stored.daily(tx, guild_id, day)
            puzzle = None if daily is None else puzzle_of(daily.game, daily.puzzle)
            if daily is None or puzzle is None:
                raise Refusal(_("That puzzle isn't there any more. `/puzzle` has others."))
            earlier = await self._earlier_attempt(tx, user_id, puzzle)
            latest = await stored.latest_daily(tx, guild_id)
            if earlier is not None and earlier.attempt.begun_at > daily.at - COMES_ROUND_AFTER:
                if latest != daily or earlier.attempt.state is not AttemptState.OPEN:
                    return earlier
                # An attempt that is still open, such as one begun in another server, counts for this day.
                return await self._change(tx, earlier, guild_id=daily.guild_id, day=daily.day)
            late = latest is not None and latest.day != day
            if earlier is not None:
                fresh = {
                    "state": AttemptState.OPEN,
                    "ply": 0,
                    "wrong": (),
                    "begun_at": self._context.clock(),
                    "ended_at": None,
                }
                earlier = replace(earlier, late=late)
                return await self._change(tx, earlier, guild_id=daily.guild_id, day=daily.day, **fresh)
            now = self._context.clock()
            if await abuse_counters.times(tx, user_id, AbuseCounter.PUZZLE, puzzle.key, now):
                raise Refusal(
                    _("You began this puzzle before you deleted your data. Wait for the next one, or try `/puzzle`.")
                )
            return replace(await self._begin_attempt(tx, user_id, puzzle, daily), late=late)

    async def begin_shared(self, user_id: int, share: Share) -> PuzzleView:
        """Return a person's attempt at a puzzle that was shared; begin it if it is new. Raises ``Refusal``."""
        return await self._fair(await self._begin_shared(user_id, share))

    @retried
    async def _begin_shared(self, user_id: int, share: Share) -> PuzzleView:
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            puzzle = puzzle_of(share.game, share.puzzle or "")
            if puzzle is None:
                raise Refusal(_("That puzzle isn't there any more. `/puzzle` has others."))
            earlier = await self._earlier_attempt(tx, user_id, puzzle)
            daily = None if share.day is None else await stored.daily(tx, share.guild_id, share.day)
            if earlier is not None:
                return earlier
            if daily is None or (daily.game, daily.puzzle) != (share.game, share.puzzle):
                return await self._begin_attempt(tx, user_id, puzzle)
        return await self._begin_daily(user_id, daily.guild_id, daily.day)

    async def begin_same(self, user_id: int, attempt_id: int) -> PuzzleView:
        """Return a person's attempt at the puzzle of another person's attempt. Raises ``Refusal``."""
        return await self._fair(await self._begin_same(user_id, attempt_id))

    @retried
    async def _begin_same(self, user_id: int, attempt_id: int) -> PuzzleView:
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            attempt = await stored.attempt(tx, attempt_id)
            puzzle = None if attempt is None else puzzle_of(attempt.game, attempt.puzzle)
            if attempt is None or puzzle is None:
                raise Refusal(_("That puzzle isn't there any more. `/puzzle` has others."))
            earlier = await self._earlier_attempt(tx, user_id, puzzle)
            if earlier is not None:
                return earlier
            if attempt.guild_id is None:
                return await self._begin_attempt(tx, user_id, puzzle)
        assert attempt.day is not None
        return await self._begin_daily(user_id, attempt.guild_id, attempt.day)

    async def view(self, user_id: int, attempt_id: int) -> PuzzleView:
        """Return a person's attempt. Raises ``Refusal`` if it is another person's, or gone."""
        async with self._context.database.read() as tx:
            view = await _own(tx, user_id, attempt_id)
        return await self._fair(view)

    async def rating_of(self, user_id: int) -> PuzzleRating | None:
        """Return a person's record as of now; None before their first puzzle."""
        async with self._context.database.read() as tx:
            kept = await stored.rating(tx, user_id)
        return None if kept is None else as_of(kept, self._context.clock())

    @retried
    async def try_move(
        self, user_id: int, attempt_id: int, ply: int, text: str, interaction_id: RequestId
    ) -> TriedMove:
        """Try a move at the ply that the person saw. Raises ``Refusal``, and ``Stale`` for an earlier ply.

        After a right move the reply in the solution is played at once. The last right move solves the puzzle.
        """
        seen = await self.view(user_id, attempt_id)
        _check_open(seen.attempt, ply)
        result = await self._context.compute(make_try, seen.puzzle, ply, text)
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            current = await _own(tx, user_id, attempt_id)
            await self._context.mark_processed(tx, interaction_id)
            _check_open(current.attempt, ply)
            after = after_try(current.puzzle, current.attempt, result)
            if after.state is AttemptState.SOLVED:
                view = await self._solve(tx, current, after)
            elif after == current.attempt:
                view = current
            else:
                if after.wrong and not current.attempt.wrong:
                    await self._rate(tx, current, first_try=False)
                view = await self._change(tx, current, ply=after.ply, wrong=after.wrong)
        return TriedMove(view, result)

    @retried
    async def show(self, user_id: int, attempt_id: int, interaction_id: RequestId) -> PuzzleView:
        """Give a puzzle up so that its solution is shown; this counts as a wrong try. Raises ``Refusal``."""
        await self.view(user_id, attempt_id)
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            current = await _own(tx, user_id, attempt_id)
            if current.attempt.state is not AttemptState.OPEN:
                return current
            await self._context.mark_processed(tx, interaction_id)
            if not current.attempt.wrong:
                await self._rate(tx, current, first_try=False)
            return await self._change(tx, current, state=AttemptState.SHOWN, ended_at=self._context.clock())

    async def _fair(self, view: PuzzleView) -> PuzzleView:
        """Return ``view``. Raises ``Refusal`` if it would help the person in a match between people."""
        game, passed = view.puzzle.game.key, await self._context.compute(view.puzzle.positions)
        await self._fair_play.check(view.attempt.user_id, game, *passed)
        return view

    async def _earlier_attempt(self, tx: AsyncConnection, user_id: int, puzzle: Puzzle) -> PuzzleView | None:
        attempts = await stored.attempts_of(tx, user_id)
        mine = (attempt for attempt in attempts if (attempt.game, attempt.puzzle) == (puzzle.game.key, puzzle.key))
        attempt = next(mine, None)
        return None if attempt is None else PuzzleView(attempt, puzzle)

    async def _begin_attempt(
        self, tx: AsyncConnection, user_id: int, puzzle: Puzzle, daily: DailyPuzzle | None = None
    ) -> PuzzleView:
        at = self._context.clock()
        attempt_id = await stored.add_attempt(tx, user_id, puzzle.game.key, puzzle.key, at, daily)
        attempt = await stored.attempt(tx, attempt_id)
        assert attempt is not None
        return PuzzleView(attempt, puzzle)

    async def _solve(self, tx: AsyncConnection, current: PuzzleView, after: PuzzleAttempt) -> PuzzleView:
        attempt = current.attempt
        if not attempt.wrong:
            await self._rate(tx, current, first_try=True)
        now, day = self._context.clock(), attempt.day
        latest = None if attempt.guild_id is None else await stored.latest_daily(tx, attempt.guild_id)
        if latest is not None and day is not None and latest.day == day:
            # It counts in the person's record and on the post of that day: its answer is not posted yet.
            rating = await stored.rating(tx, attempt.user_id) or first_record(attempt.user_id)
            previous = await stored.latest_daily(tx, latest.guild_id, day)
            await stored.put_rating(tx, solved_day(rating, day, None if previous is None else previous.day))
            await stored.count_soon(tx, latest.guild_id, day, now + COUNTED_WITHIN)
        return await self._change(tx, current, ply=after.ply, state=after.state, ended_at=now)

    async def _rate(self, tx: AsyncConnection, current: PuzzleView, *, first_try: bool) -> None:
        attempt = current.attempt
        if attempt.guild_id is not None and attempt.day is not None:
            answered = await stored.next_daily(tx, attempt.guild_id, attempt.day)
            if answered is not None and attempt.begun_at >= answered.at:
                return
        before = await stored.rating(tx, current.attempt.user_id)
        after = rate_puzzle(before, current.attempt.user_id, current.puzzle, first_try=first_try)
        await stored.put_rating(tx, after)

    async def _change(self, tx: AsyncConnection, current: PuzzleView, **values: Any) -> PuzzleView:
        await stored.change_attempt(tx, current.attempt.id, **values)
        return replace(current, attempt=replace(current.attempt, **values))


async def _own(tx: AsyncConnection, user_id: int, attempt_id: int) -> PuzzleView:
    attempt = await stored.attempt(tx, attempt_id)
    if attempt is None or attempt.user_id != user_id:
        raise Refusal(NO_SUCH_PUZZLE)
    puzzle = puzzle_of(attempt.game, attempt.puzzle)
    if puzzle is None:
        raise Refusal(_("That puzzle isn't there any more. `/puzzle` has others."))
    return PuzzleView(attempt, puzzle)


def _check_open(attempt: PuzzleAttempt, ply: int) -> None:
    if attempt.state is not AttemptState.OPEN:
        raise Stale(PUZZLE_ENDED)
    if attempt.ply != ply:
        raise Stale(_("You have played on since. `/puzzle` shows how far you've come."))
