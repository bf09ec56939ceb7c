"""Ladders: joined and left, and each Monday their players are paired by rating, each for one match.

The scheduler queues the pairing of a week, before the weekly post where the server has one, which shows the pairs.
The matches begin in one transaction, once a week; who plays whom is worked out before it, away from the event loop.
Who is away has no match, and stays in the ladder; who let their time run out is out of it until they join again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.games.faults import of_each
from bot.matches.model.actor import Actor
from bot.matches.model.ladders import Out, busy, out_by, pairs, shared_games, why_no_match
from bot.matches.model.rating import with_newcomers
from bot.matches.model.refusals import Refusal
from bot.matches.model.time_zones import UTC_NAME, day_due, monday_of, next_monday
from bot.matches.model.typed import DAY, WEEK
from bot.matches.service_context import HasLeft, ServiceContext, call_each
from bot.matches.services.daily_puzzles import PAIRED_APART, USUAL_HOUR
from bot.matches.services.eligibility import Eligibility, who_left
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.matches.writing.weekly_posts import pairing, weekly_post
from bot.storage import absences, blocks, ladders, locks, matches, puzzles, ratings
from bot.storage.contest_states import NoMatch
from bot.storage.ladders import Ladder, LadderPlayer
from bot.storage.puzzles import PuzzleChannel
from bot.storage.records import Match, NewMatch, Person
from bot.storage.transactions import retried
from renderers.i18n import current_language
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

PACES = (DAY, 2 * DAY, 3 * DAY, WEEK)
"""The paces among which people in a ladder choose, in seconds for a move."""
USUAL_PACE = 2 * DAY
LATELY = timedelta(weeks=4)
"""How long two people are not paired again, if that can be."""
_PAIRING = JobSpec(Pool.INTERACTIVE, Priority.BACKGROUND, long=True)


Sees = Callable[[int], Awaitable[bool]]
"""Returns whether a person can see the channel of a ladder. It may have to ask Discord."""


async def sees_it(_user_id: int) -> bool:
    """Assume that everybody sees the channel of the ladder."""
    return True


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder with the people in it, those taken out last, and the matches of a week."""

    ladder: Ladder
    players: tuple[LadderPlayer, ...] = ()
    out: tuple[LadderPlayer, ...] = ()
    matches: tuple[Match, ...] = ()


class Ladders:
    """Lets people join and leave the ladder of a server, and pairs them each week."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility) -> None:
        self._context = context
        self._eligibility = eligibility

    async def view(self, guild_id: int, week: datetime | None = None) -> LadderView | None:
        """Return a server's ladder with the matches of a week, the last one for None; None if it was never joined."""
        async with self._context.database.read() as tx:
            ladder = await ladders.get(tx, guild_id)
            if ladder is None:
                return None
            paired = week or ladder.week
            of_week = [] if paired is None else await ladders.matches_of(tx, guild_id, paired)
            everybody = await ladders.everybody(tx, guild_id)
        players = tuple(player for player in everybody if player.out_at is None)
        out = tuple(player for player in everybody if player.out_at is not None)
        return LadderView(ladder, players, out, tuple(of_week))

    @retried
    async def join(self, actor: Actor, game: str | None, pace: int | None, *, moved: bool = False) -> LadderPlayer:
        """Put a person into the ladder, or change what they chose; return it. Raises ``Refusal``.

        Each further ``game`` is one more that they play, None is all. ``moved`` says that the ladder's channel is gone:
        then it goes on in this one.
        """
        guild_id, person, now = actor.guild_id, actor.person, self._context.clock()
        if game is not None and game not in for_two():
            raise Refusal(_("The ladder is for games for two, and {game} isn't one.", game=game))
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            await locks.guild(tx, guild_id)
            await self._eligibility.check_place(tx, actor)
            await self._eligibility.check_not_barred(tx, guild_id, person, person)
            ladder = await ladders.get(tx, guild_id)
            if ladder is None:
                due_at = _next_pairing(await puzzles.channel(tx, guild_id), now)
                await ladders.put(tx, Ladder(guild_id, actor.parent_id or actor.channel, due_at))
            elif moved:
                await ladders.put(tx, replace(ladder, channel_id=actor.parent_id or actor.channel))
            players = await ladders.players(tx, guild_id)
            before = next((player for player in players if player.person.id == person.id), None)
            games = () if game is None else tuple(dict.fromkeys((*(before.games if before else ()), game)))
            chosen = pace or (before.pace if before else USUAL_PACE)
            # Who has let their time run out since the last pairing joins anew.
            stays = before is not None and (ladder is None or person.id not in await _out(tx, ladder))
            player = LadderPlayer(person, games, chosen, before.joined_at if before is not None and stays else now)
            await ladders.join(tx, guild_id, player)
        log.info("joined the ladder", server=guild_id)
        return player

    @retried
    async def move(self, guild_id: int, channel_id: int) -> None:
        """Have the matches of a server's ladder begin in a channel from now on, also of an empty one."""
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            ladder = await ladders.get(tx, guild_id)
            if ladder is None:
                due_at = _next_pairing(await puzzles.channel(tx, guild_id), self._context.clock())
                ladder = Ladder(guild_id, channel_id, due_at)
            await ladders.put(tx, replace(ladder, channel_id=channel_id))

    @retried
    async def leave(self, actor: Actor) -> None:
        """Take a person out of the ladder; matches that are running go on. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            await locks.guild(tx, actor.guild_id)
            if not await ladders.leave(tx, actor.guild_id, actor.person.id):
                raise Refusal(_("You're not in the ladder."))
        log.info("left the ladder", server=actor.guild_id)

    async def queue_due(self) -> None:
        """Queue the pairing of every ladder that is due."""
        async with self._context.database.read() as tx:
            due = await ladders.due(tx, self._context.clock())
        await call_each("ladders that could not be paired", (partial(self._queue, guild_id) for guild_id in due))

    @retried
    async def _queue(self, guild_id: int) -> None:
        now = self._context.clock()
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            ladder = await ladders.get(tx, guild_id)
            if ladder is None or ladder.due_at > now:
                return
            posted, players = await puzzles.channel(tx, guild_id), await ladders.players(tx, guild_id)
            # After weeks of downtime only the last one is played.
            due_at = _next_pairing(posted, now + PAIRED_APART)
            if players and posted is not None:
                monday = monday_of(day_due(posted.hour, posted.zone, now))
                if await weekly_post(tx, posted, monday, due_at, now):
                    return
            await ladders.put(tx, replace(ladder, due_at=due_at))
            if players:
                await pairing(tx, guild_id, now)

    async def pair(self, guild_id: int, week: datetime, has_left: HasLeft, sees: Sees = sees_it) -> None:
        """Begin the matches of a week, unless that was done; take out who has left or let their time run out.

        The matches have the current language. Who does not see the channel of the ladder has none.
        """
        async with self._context.database.read() as tx:
            before = await ladders.get(tx, guild_id)
            if before is None or _was_paired(before, week):
                return
            out = await _out(tx, before)
            players = [player for player in await ladders.players(tx, guild_id) if player.person.id not in out]
        gone = await who_left(guild_id, (player.person for player in players), has_left)
        here = [player for player in players if player.person.id not in gone]
        hidden = {player.person.id for player in here if not await sees(player.person.id)}
        async with self._context.database.read() as tx:
            alone = await self._held_back(tx, guild_id, week, here) | dict.fromkeys(hidden, NoMatch.HIDDEN)
            playing = [player for player in here if player.person.id not in alone]
            ids = [player.person.id for player in playing]
            rated = with_newcomers(await ratings.of(tx, guild_id, ratings.OVERALL, ids), ids)
            apart = await _apart(tx, guild_id, ids)
            met = {frozenset(both) for both in await ladders.met_since(tx, guild_id, week - LATELY)}
        left_out = [player for player in playing if player.left_out_at is not None]
        waited = {player.person.id for player in left_out if player.left_out_at == before.week}
        values = {rating.user_id: rating.mu for rating in rated}
        pairings = await self._context.compute_as(_PAIRING, pairs, playing, values, apart, met, waited, for_two())
        together = [(player, other) for player, other in pairings if other is not None]
        unpaired = [player for player, other in pairings if other is None]
        alone |= {player.person.id: why_no_match(player, playing, apart, for_two()) for player in unpaired}
        begun = await self._begin(guild_id, week, together, alone, gone)
        log.info("ladder paired", server=guild_id, players=len(playing), matches=begun)

    @retried
    async def _begin(
        self,
        guild_id: int,
        week: datetime,
        together: Sequence[tuple[LadderPlayer, LadderPlayer]],
        alone: Mapping[int, NoMatch],
        gone: Collection[int],
    ) -> int:
        """Begin the matches of a week, once, and take out who has to be; return how many matches began.

        Who has left the ladder, found other matches or blocked the other one of their pair meanwhile has none.
        """
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            ladder = await ladders.get(tx, guild_id)
            if ladder is None or _was_paired(ladder, week):
                return 0
            await ladders.forget_out(tx, guild_id)
            for user_id in gone:
                await ladders.leave(tx, guild_id, user_id)
            for user_id, out in (await _out(tx, ladder)).items():
                await ladders.take_out(tx, guild_id, user_id, week, out.why, out.match_id)
                await outbox_messages.out_of_ladder(tx, out, week)
            await ladders.put(tx, replace(ladder, week=week))
            still = {player.person.id for player in await ladders.players(tx, guild_id)}
            await locks.people(tx, still)
            apart = await _apart(tx, guild_id, still)
            language = current_language().code
            unpaired, begun = dict(alone), 0
            for both in together:
                ids = [player.person.id for player in both]
                stopped = [player.person.id for player in both if not await self._may_play(tx, guild_id, player.person)]
                if stopped or frozenset(ids) in apart or not still.issuperset(ids):
                    unpaired |= dict.fromkeys(ids, NoMatch.NOBODY) | dict.fromkeys(stopped, NoMatch.LIMIT)
                    continue
                await self._begin_match(tx, ladder, week, both, language)
                begun += 1
            for user_id in still.intersection(unpaired):
                await ladders.leave_out(tx, guild_id, user_id, week, unpaired[user_id])
        return begun

    async def _held_back(
        self, tx: AsyncConnection, guild_id: int, week: datetime, players: Sequence[LadderPlayer]
    ) -> dict[int, NoMatch]:
        """Return who can have no match in a week at all, and why."""
        ids = [player.person.id for player in players]
        away = await absences.away(tx, ids, week)
        full = busy(_ids(match) for match in await ladders.unfinished(tx, guild_id))
        alone = dict[int, NoMatch]()
        for person in (player.person for player in players):
            if person.id in away:
                alone[person.id] = NoMatch.AWAY
            elif person.id in full:
                alone[person.id] = NoMatch.UNFINISHED
            elif not await self._may_play(tx, guild_id, person):
                alone[person.id] = NoMatch.LIMIT
        return alone

    async def _begin_match(
        self, tx: AsyncConnection, ladder: Ladder, week: datetime, both: Sequence[LadderPlayer], language: str
    ) -> None:
        player, other = both
        game = self._context.random.choice(shared_games(player, other, for_two()))
        seated = [player.person, other.person]
        self._context.random.shuffle(seated)
        paired = NewMatch(
            guild_id=ladder.guild_id,
            channel_id=ladder.channel_id,
            game=game,
            variant=GAMES[game].variants[0].key,
            rated=True,
            pace=max(player.pace, other.pace),
            language=language,
            ladder=True,
        )
        match_id = await start_match(tx, paired, seated, self._context.clock())
        await ladders.add_match(tx, ladder.guild_id, match_id, week)

    async def _may_play(self, tx: AsyncConnection, guild_id: int, person: Person) -> bool:
        """Return whether a person is neither barred nor at the limit of matches."""
        with suppress(Refusal):
            await self._eligibility.check_room(tx, guild_id, person, person)
            return True
        return False


async def _out(tx: AsyncConnection, ladder: Ladder) -> dict[int, Out]:
    """Return who in a ladder ran out of time, or resigned early, since the last pairing and their joining."""
    if ladder.week is None:
        return {}
    over = await ladders.ended_since(tx, ladder.guild_id, ladder.week)
    recent_matches = [*over, *(match for match in await ladders.unfinished(tx, ladder.guild_id) if match.flagged)]
    played = await matches.moves_of_each(tx, [match.id for match in recent_matches])
    players = await ladders.players(tx, ladder.guild_id)
    since = {player.person.id: max(player.joined_at, ladder.week) for player in players}
    outs = [out for match in recent_matches if (out := out_by(match, played.get(match.id, []))) is not None]
    return {out.user_id: out for out in outs if out.user_id in since and out.at > since[out.user_id]}


async def _apart(tx: AsyncConnection, guild_id: int, ids: Collection[int]) -> set[frozenset[int]]:
    """Return which of some people may not be paired: one blocks the other, or they are playing in the ladder."""
    blocked = {frozenset(both) for both in await blocks.among(tx, ids)}
    return blocked | {_ids(match) for match in await ladders.unfinished(tx, guild_id)}


def _ids(match: Match) -> frozenset[int]:
    return frozenset(seat.person.id for seat in match.seats)


def for_two() -> list[str]:
    """Return the keys of the installed games that two can play in the usual variant."""
    games = of_each(lambda game: (game.key, 2 in game.variants[0].players), GAMES.values())
    return [key for key, two in games if two]


def _was_paired(ladder: Ladder, week: datetime) -> bool:
    return ladder.week is not None and ladder.week >= week


def _next_pairing(posted: PuzzleChannel | None, after: datetime) -> datetime:
    """Return the first Monday after a moment, at the hour of the server's puzzle of the day."""
    return next_monday(USUAL_HOUR, UTC_NAME, after) if posted is None else next_monday(posted.hour, posted.zone, after)
