"""What people look at: matches, leaderboards, profiles. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile

from bot.matches.game_states import GameStates
from bot.matches.model.game_state import CLOSED, GameState
from bot.matches.model.rating import leaderboard_order, newcomer
from bot.matches.model.refusals import NoSuchMatch, Quarantined
from bot.matches.service_context import ServiceContext
from bot.matches.writing.match_loading import load_match
from bot.storage import challenges, match_lists, matches, people, ratings
from bot.storage.challenges import Challenge
from bot.storage.match_lists import Outcome
from bot.storage.records import Match, MatchState, PlayedMove, Rating, RatingChange

SUGGESTED = 25
"""Finished matches among which one is meant, at most."""
FADING = timedelta(days=120)
"""Whoever has finished no rated match for this long is left out of leaderboards until they play again."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match with where it stands and what it did to ratings, ready to be shown."""

    match: Match
    game_state: GameState
    changes: dict[int, RatingChange]
    rematch: Challenge | None = None
    beaten: int | None = None
    """The level of computer players that its winner has beaten with it for the first time, if they have."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a board posted earlier shows, and the entry of the list of moves that made it past, if there is one."""

    match: Match
    game_state: GameState
    entry: PlayedMove | None


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """Somebody's results: in all, or against one person."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Profile:
    """What ``/profile`` shows of one person in one server. ``ratings`` is by game, the overall one under ``""``."""

    ratings: dict[str, Rating]
    records: dict[str, ResultCounts]
    against: ResultCounts
    streak: int
    """Wins (positive) or losses (negative) in a row up to now."""
    running: int
    histories: dict[str, list[RatingChange]]
    """What each rated match did to the ratings, by game, oldest first."""
    levels_beaten: dict[str, int]
    """The highest level of computer players beaten, by game, in all servers together."""


class MatchQueries:
    """Answers to questions; changes nothing."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def match_view(self, guild_id: int, match_id: int) -> MatchView:
        """Return a match of a server and where it stands. Raises ``NoSuchMatch`` or ``Quarantined``."""
        match_view = await self._match_view(match_id)
        if match_view is None or match_view.match.guild_id != guild_id:
            raise NoSuchMatch
        return match_view

    async def find_match_view(self, match_id: int) -> MatchView | None:
        """Return any match there is and where it stands, whoever asks; None also for one that is set aside."""
        with suppress(Quarantined):
            return await self._match_view(match_id)
        return None

    async def _match_view(self, match_id: int) -> MatchView | None:
        async with self._context.database.read() as tx:
            match = await matches.get(tx, match_id)
            if match is None:
                return None
            over = match.state is MatchState.OVER
            changes = await ratings.changes_of_match(tx, match_id, match.game) if over else {}
            rematch = await challenges.rematch_of(tx, match_id) if over else None
            beaten = await people.level_first_beaten_with(tx, match_id) if over and match.computers else None
        return MatchView(match, await self._game_states.of(match), changes, rematch, beaten)

    async def past(self, match_id: int, ply: int) -> Past | None:
        """Return what the board of ``ply`` shows and how the match went on from there; None also if it is set aside."""
        async with self._context.database.read() as tx:
            match, entry = await matches.with_entry(tx, match_id, ply + 1)
        if match is None:
            return None
        with suppress(Quarantined):
            return Past(match, await self._game_states.at(match, ply), entry)
        return None

    async def played(self, guild_id: int, match_id: int) -> tuple[Match, list[PlayedMove]]:
        """Return a match of a server and its list of moves. Raises ``Refusal`` where there is none of that number."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            return match, await matches.moves_of(tx, match_id)

    async def running(self, guild_id: int, user_id: int) -> list[Match]:
        """Return a person's running matches, those waiting for them first."""
        async with self._context.database.read() as tx:
            return await match_lists.running_of(tx, guild_id, user_id)

    async def finished(
        self, guild_id: int, user_id: int, opponent_id: int | None, game: str | None, *, offset: int, limit: int
    ) -> list[Match]:
        """Return a part of a person's finished matches, newest first: all, or against somebody, or of one game."""
        async with self._context.database.read() as tx:
            return await match_lists.finished_of(
                tx, guild_id, user_id, opponent_id=opponent_id, game=game, offset=offset, limit=limit
            )

    async def next_for(self, guild_id: int, user_id: int, other_than: int) -> Match | None:
        """Return the match in which a person has least time for a move, apart from one; None where none waits."""
        async with self._context.database.read() as tx:
            return await match_lists.next_for(tx, guild_id, user_id, other_than)

    async def meant(self, guild_id: int, place_id: int, user_id: int, *, finished: bool) -> list[Match]:
        """Return the matches a command without a number may mean here, the likeliest first.

        These are one's running matches in this place, or all of them where none is played here, those where it is
        one's turn first. In the thread of a match no other is meant, though it be over. With ``finished``, for what can
        be done with any match, those of the place that are over follow, one's own first; a person with no match
        running may mean those that others play here, too.
        """
        async with self._context.database.read() as tx:
            running = await match_lists.running_of(tx, guild_id, user_id)
            here = [match for match in running if place_id in (match.thread_id, match.channel_id)]
            local = [] if here and not finished else await match_lists.in_place(tx, guild_id, place_id)
        own = here or running
        in_thread = [match for match in (*here, *local) if match.thread_id == place_id]
        if in_thread or not finished:
            return in_thread[:1] or own
        over = [match for match in local if match.state is MatchState.OVER]
        over.sort(key=lambda match: match.seat_of(user_id) is None)
        return [*(own or (match for match in local if match.state is MatchState.RUNNING)), *over]

    async def in_place(self, guild_id: int, place_id: int) -> list[Match]:
        """Return the newest matches played in a thread or channel, whoever plays them, running ones first."""
        async with self._context.database.read() as tx:
            return await match_lists.in_place(tx, guild_id, place_id)

    async def meant_to_be_reviewed(self, guild_id: int, place_id: int, user_id: int) -> list[Match]:
        """Return the matches a review without a number may mean here, the likeliest first.

        In the thread of a match that one is meant, and anywhere else what the person has finished, newest first.
        """
        async with self._context.database.read() as tx:
            here = await match_lists.in_place(tx, guild_id, place_id)
            own = await match_lists.finished_of(tx, guild_id, user_id, limit=SUGGESTED)
        return [match for match in here if match.thread_id == place_id] or own

    async def leaderboard(self, guild_id: int, game: str) -> list[Rating]:
        """Return everybody rated in a game (``""`` for all together) who has played it lately, best first."""
        async with self._context.database.read() as tx:
            since = self._context.clock() - FADING
            return sorted(await ratings.board(tx, guild_id, game, since), key=leaderboard_order)

    async def winners(self, guild_id: int, game: str) -> list[tuple[int, int]]:
        """Return who has won how many matches this month (UTC) in a game (``""`` for all), most first."""
        month = self._context.clock().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        async with self._context.database.read() as tx:
            return await match_lists.wins_since(tx, guild_id, game or None, month)

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """Return what some people were called when they last played in a server."""
        async with self._context.database.read() as tx:
            return await match_lists.names(tx, guild_id, user_ids)

    async def profile(self, guild_id: int, user_id: int, viewer_id: int) -> Profile:
        """Return somebody's profile as ``viewer_id`` sees it."""
        async with self._context.database.read() as tx:
            known = await ratings.everywhere(tx, guild_id, user_id)
            finished = await match_lists.outcomes_of(tx, guild_id, user_id, viewer_id, uncounted=CLOSED)
            running = await match_lists.running_count(tx, guild_id, user_id)
            histories = {game: await ratings.history(tx, guild_id, game, user_id) for game in known}
            beaten = await people.highest_levels_beaten(tx, user_id)
        games = sorted({outcome.game for outcome in finished})
        records = {key: _record([outcome for outcome in finished if outcome.game == key]) for key in games}
        shared = [outcome for outcome in finished if user_id != viewer_id and outcome.shared]
        known.setdefault(ratings.OVERALL, newcomer(user_id))
        return Profile(known, records, _record(shared), _streak(finished), running, histories, beaten)


def _record(finished: Sequence[Outcome]) -> ResultCounts:
    won = [outcome.won for outcome in finished]
    return ResultCounts(won.count(True), won.count(None), won.count(False))


def _streak(finished: Sequence[Outcome]) -> int:
    if not finished or finished[0].won is None:
        return 0
    length = sum(1 for _ in takewhile(lambda outcome: outcome.won is finished[0].won, finished))
    return length if finished[0].won else -length
