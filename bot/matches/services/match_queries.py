"""Reads for the pages that people look at: matches, leaderboards, profiles. Changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model.defeat import Defeat, defeat
from bot.matches.model.game_state import CLOSED, GameState
from bot.matches.model.pace import is_live
from bot.matches.model.policies.clocks import Stop, clock_of, has_expired, stops
from bot.matches.model.rating import CERTAIN_GAMES, CERTAIN_SIGMA, POINTS_PER_MU, newcomer
from bot.matches.model.refusals import NoSuchMatch, NotComputed, Quarantined, is_playable
from bot.matches.service_context import ServiceContext
from bot.matches.services.puzzles import COMES_ROUND_AFTER
from bot.matches.writing.move_log import load_match
from bot.storage import (
    absences,
    beaten_levels,
    challenges,
    cups,
    leaderboards,
    match_lists,
    matches,
    mentions,
    people,
    puzzles,
    ratings,
)
from bot.storage.challenges import Challenge, Invitation
from bot.storage.leaderboards import Leaderboard, Part, RatingScale
from bot.storage.matches import Offer
from bot.storage.mentions import Attention
from bot.storage.puzzles import DailyPuzzle
from bot.storage.rating_records import Rating, RatingChange
from bot.storage.records import Entry, Match, MatchState

GRAPH_POINTS = 200
"""The most rating changes that a graph shows."""
LATEST = 10
"""The most results of each game that a profile shows one by one."""
SUGGESTED = 25
"""The most finished matches that are suggested."""
RATING_SCALE = RatingScale(POINTS_PER_MU, CERTAIN_GAMES, CERTAIN_SIGMA)
INVITATIONS = 2
"""The most open challenges that a person is shown after a move."""
ANSWERED_AFTER = timedelta(days=1)
"""A puzzle of the day is not offered for longer than this, also where no later one follows."""
FADING = timedelta(days=120)
"""A person without a rated result for this long is left out of leaderboards until they play again."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match with its state and rating changes, ready to be shown."""

    match: Match
    game_state: GameState
    changes: dict[int, RatingChange]
    rematch: Challenge | None = None
    beaten: int | None = None
    """The computer level that the winner beat for the first time in this match, if any."""
    uncounted: bool = False
    """Whether it is a match of a cup and does not count for it."""
    defeat: Defeat | None = None
    """Why it was lost on the board, where the search knows."""
    away: Mapping[int, datetime] = field(default_factory=dict)
    """Until when players are away, by seat; none in live matches and those that are over."""
    attention: Attention | None = None
    """What the person to move has done lately, where that was asked for."""


@dataclass(frozen=True, slots=True)
class PageExtras:
    """What a person is shown beside the board of a match, read in one snapshot."""

    version: str
    """A text that changes with whatever is shown of the match."""
    played: list[Entry]
    offers: list[Offer]
    """The open offers, oldest first."""
    following: Match | None
    """The other match in which the person is to move and has least time left."""
    away_until: datetime | None
    """Until when the person whose clock runs is away."""


@dataclass(frozen=True, slots=True)
class Onward:
    """What a person may do after a move: the next match or, where none waits, the puzzle of the day and challenges."""

    following: Match | None
    daily: DailyPuzzle | None = None
    invitations: tuple[Invitation, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """The state on a board posted earlier, and the entry that followed it, if there is one."""

    match: Match
    game_state: GameState
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """A person's results: in all, or against one opponent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Profile:
    """The content of ``/profile``: one person in one server. ``ratings`` is by game, the overall one under ``""``."""

    ratings: dict[str, Rating]
    records: dict[str, ResultCounts]
    against: ResultCounts
    streak: int
    """The present run of wins (positive) or losses (negative)."""
    running: int
    histories: dict[str, list[RatingChange]]
    """Rating changes by game, oldest first."""
    latest: list[tuple[str, bool | None]]
    """The last matches of each game and whether they were won, oldest first; None stands for a draw."""
    levels_beaten: dict[str, int]
    """The highest computer level beaten, by game, over all servers."""

    @property
    def total(self) -> ResultCounts:
        """The results in all games together."""
        of = self.records.values()
        return ResultCounts(
            sum(counts.wins for counts in of), sum(counts.draws for counts in of), sum(counts.losses for counts in of)
        )


class MatchQueries:
    """Reads matches, leaderboards and profiles."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def match_view(self, guild_id: int, match_id: int) -> MatchView:
        """Return a match of a server with its state. Raises ``NoSuchMatch`` or ``Quarantined``."""
        match_view = await self._match_view(match_id)
        if match_view is None or match_view.match.guild_id != guild_id:
            raise NoSuchMatch
        return match_view

    async def find_match_view(self, match_id: int, *, with_attention: bool = False) -> MatchView | None:
        """Return a match of any server with its state; None if it does not exist or is quarantined."""
        with suppress(Quarantined):
            return await self._match_view(match_id, with_attention=with_attention)
        return None

    async def _match_view(self, match_id: int, *, with_attention: bool = False) -> MatchView | None:
        async with self._context.database.read() as tx:
            with_absences = await absences.of_match(tx, match_id, self._context.clock())
            if with_absences is None:
                return None
            match, away = with_absences
            over = match.state is MatchState.OVER
            changes = await ratings.changes_of_match(tx, match_id, match.game) if over else {}
            rematch = await challenges.rematch_of(tx, match_id) if over else None
            beaten = await beaten_levels.first_with(tx, match_id) if over and match.computers else None
            uncounted = match.cup_id is not None and await cups.is_uncounted(tx, match_id)
            asked = with_attention and match.to_move is not None and match.mover.person.mentionable
            attention = await mentions.attention(tx, match, match.mover.person.id) if asked else None
        game_state = await self._game_states.of(match)
        lost = await self._defeat(match, game_state)
        unnamed = over or is_live(match.pace)
        shown_away = {} if unnamed else {seat: until for seat, until in away.items() if not match.seats[seat].dropped}
        return MatchView(match, game_state, changes, rematch, beaten, uncounted, lost, shown_away, attention)

    async def _defeat(self, match: Match, game_state: GameState) -> Defeat | None:
        """Return why a match was lost on the board; None for other ends, and while there is no time to find out."""
        if match.state is MatchState.RUNNING or match.voided or not is_playable(match) or game_state.ended is not None:
            return None
        async with self._context.database.read() as tx:
            played = await matches.moves_of(tx, match.id)
        spec = JobSpec(Pool.THINKING, Priority.MOVE, ("defeat", match.id))
        players, variant = len(match.seats), match.variant
        with suppress(NotComputed):
            return await self._context.compute_as(spec, defeat, GAMES[match.game], variant, players, played)
        return None

    async def earlier_turn(self, match_id: int, ply: int) -> EarlierTurn | None:
        """Return the board of ``ply`` and the entry after it; None if the match does not exist or is quarantined."""
        async with self._context.database.read() as tx:
            match, entry = await matches.with_entry(tx, match_id, ply + 1)
        if match is None:
            return None
        with suppress(Quarantined):
            return EarlierTurn(match, await self._game_states.at(match, ply), entry)
        return None

    async def beside(self, guild_id: int, match_id: int, user_id: int) -> PageExtras:
        """Return what a person is shown beside the board of a match of a server. Raises ``NoSuchMatch``."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            timed = match.time_ends_at is not None and match.to_move is not None
            stands = timed and stops(Stop.ABSENCE, clock_of(match))
            return PageExtras(
                (await matches.versions(tx, [match_id]))[match_id],
                await matches.moves_of(tx, match_id),
                [offer for offer in await matches.open_offers(tx, match_id) if not has_expired(offer, now)],
                await match_lists.next_for(tx, guild_id, user_id, match_id),
                (await people.stops(tx, match.mover.person.id, now)).away_until if stands else None,
            )

    async def onward(
        self, guild_id: int, user_id: int, match_id: int, places: Collection[int], *, next_only: bool = False
    ) -> Onward:
        """Return what a person may do after a move in a match; with ``next_only`` that is the next match, if one waits.

        Open challenges are those in some ``places``.
        """
        now = self._context.clock()
        async with self._context.database.read() as tx:
            following = await match_lists.next_for(tx, guild_id, user_id, match_id)
            if following is not None or next_only:
                return Onward(following)
            daily = await puzzles.unsolved_daily(tx, guild_id, user_id, now - COMES_ROUND_AFTER)
            invitations = await challenges.invitations(tx, guild_id, places, user_id, now, INVITATIONS)
        fresh = daily is not None and daily.at > now - ANSWERED_AFTER
        return Onward(None, daily if fresh else None, tuple(invitations))

    async def match_and_entries(self, guild_id: int, match_id: int) -> tuple[Match, list[Entry]]:
        """Return a match of a server and its list of moves. Raises ``NoSuchMatch``."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            return match, await matches.moves_of(tx, match_id)

    async def candidates(
        self, guild_id: int, place_id: int, user_id: int, *, finished: bool, parent_id: int | None = None
    ) -> list[Match]:
        """Return the matches that a command without a number may mean in a place, the likeliest first.

        These are the person's running matches in the place, or all their running matches if none is played there;
        those in which it is their turn come first. In the thread of a match only that match is meant, even if it is
        over. With ``finished``, for commands that take any match, finished matches of the place follow, the person's
        own first, and a person without a running match may mean those of others in the place. A thread without a match
        stands for its channel, ``parent_id``.
        """
        async with self._context.database.read() as tx:
            running = await match_lists.running_of(tx, guild_id, user_id)
            here = [match for match in running if place_id in (match.thread_id, match.channel_id)]
            local = [] if here and not finished else await match_lists.in_place(tx, guild_id, place_id, user_id)
            if parent_id is not None and finished and not here and not local:
                local = await match_lists.in_place(tx, guild_id, parent_id, user_id)
        own = here or running
        in_thread = [match for match in (*here, *local) if match.thread_id == place_id]
        if in_thread or not finished:
            return in_thread[:1] or own
        over = [match for match in local if match.state is MatchState.OVER]
        over.sort(key=lambda match: match.seat_of(user_id) is None)
        return [*(own or (match for match in local if match.state is MatchState.RUNNING)), *over]

    async def review_candidates(self, guild_id: int, place_id: int, user_id: int) -> list[Match]:
        """Return the matches that a review without a number may mean in a place, the likeliest first.

        In the thread of a match this is that match; elsewhere the person's finished matches, newest first, or those
        of the place for a person who has none.
        """
        async with self._context.database.read() as tx:
            here = await match_lists.in_place(tx, guild_id, place_id, user_id)
            own = await match_lists.finished_of(tx, guild_id, user_id, limit=SUGGESTED)
        over = [match for match in here if match.state is MatchState.OVER]
        return [match for match in here if match.thread_id == place_id] or own or over

    async def leaderboard(self, guild_id: int, game: str, part: Part) -> Leaderboard:
        """Rank the ratings in a game (``""`` for the overall one) of people who played it lately, best first."""
        async with self._context.database.read() as tx:
            return await leaderboards.by_rating(tx, guild_id, game, self._context.clock() - FADING, RATING_SCALE, part)

    async def winners(self, guild_id: int, game: str, part: Part) -> Leaderboard:
        """Rank people by their wins this month (UTC) in a game (``""`` for all), most wins first."""
        month = self._context.clock().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        async with self._context.database.read() as tx:
            return await leaderboards.by_wins(tx, guild_id, game or None, month, part)

    async def profile(self, guild_id: int, user_id: int, viewer_id: int) -> Profile:
        """Return a person's profile as ``viewer_id`` sees it."""
        async with self._context.database.read() as tx:
            own_ratings = await ratings.everywhere(tx, guild_id, user_id)
            finished = await match_lists.results_of(tx, guild_id, user_id, uncounted=CLOSED)
            met = {}
            if user_id != viewer_id:
                met = await match_lists.results_of(tx, guild_id, user_id, uncounted=CLOSED, against=viewer_id)
            latest = await match_lists.latest_results(tx, guild_id, user_id, uncounted=CLOSED, most=LATEST)
            streak = await match_lists.streak_of(tx, guild_id, user_id, uncounted=CLOSED)
            running = await match_lists.running_count(tx, guild_id, user_id)
            histories = {game: await ratings.history(tx, guild_id, game, user_id, GRAPH_POINTS) for game in own_ratings}
            beaten = await beaten_levels.highest(tx, user_id)
        records = {key: _result_counts(finished, key) for key in sorted({game for game, _ in finished})}
        own_ratings.setdefault(ratings.OVERALL, newcomer(user_id))
        return Profile(own_ratings, records, _result_counts(met), streak, running, histories, latest, beaten)


def _result_counts(finished: Mapping[tuple[str, bool | None], int], game: str | None = None) -> ResultCounts:
    counts = {
        end: sum(count for (key, won), count in finished.items() if won is end and game in (None, key))
        for end in (True, None, False)
    }
    return ResultCounts(counts[True], counts[None], counts[False])
