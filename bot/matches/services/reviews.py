"""Reviews of finished matches: requested once, judged position by position in the background, stored for all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

import structlog

from bot.compute.job import BackgroundRequester, JobSpec, Pool, Priority, on_behalf_of
from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model import judging
from bot.matches.model.game_state import effective_entries
from bot.matches.model.judging import PositionToJudge
from bot.matches.model.refusals import LimitReached, Refusal, check_playable
from bot.matches.model.review import Review, ReviewedMove, review_of
from bot.matches.service_context import ServiceContext
from bot.matches.services.fair_play import FairPlay
from bot.matches.writing.move_log import load_match
from bot.storage import matches, reviews, work_queue
from bot.storage.records import Entry, Judgement, Match, MatchState
from bot.storage.reviews import StoredReview
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

log = structlog.get_logger(__name__)

REVIEWS_OF_ONE = 3
"""How many reviews of one person may be under way."""
_THOUGHT = JobSpec(Pool.THINKING, Priority.BACKGROUND, long=True)
_REPLAYED = JobSpec(Pool.INTERACTIVE, Priority.LOOK, long=True)
"""Replaying a whole match takes too long for the pool of turns."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The progress of a review: how many of its positions are judged."""

    match: Match
    judged: int
    positions: int
    done: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A match with its list of moves and its review, as one person may see it.

    ``hidden`` are the matches they are playing that have positions of this one on their boards. The review leaves
    these positions out.
    """

    match: Match
    played: list[Entry]
    review: Review
    hidden: tuple[Match, ...]


class Reviews:
    """Reviews finished matches. Each judgement is stored at once, so no position is judged twice."""

    def __init__(self, context: ServiceContext, game_states: GameStates, fair_play: FairPlay) -> None:
        self._context = context
        self._game_states = game_states
        self._fair_play = fair_play
        self._askers: dict[int, int] = {}
        # Another process may finish a review: an event lives as long as a caller waits for it.
        self._finished = WeakValueDictionary[int, asyncio.Event]()
        self._watchers: dict[tuple[int, int], int] = {}

    @retried
    async def ask(self, guild_id: int, match_id: int, user_id: int) -> ReviewProgress:
        """Have a finished match reviewed, unless its review exists or is under way; return the progress.

        Raises ``Refusal``.
        """
        progress = await self.progress(guild_id, match_id)
        if progress is not None:
            return progress
        async with self._context.database.read() as tx:
            match, played = await load_match(tx, guild_id, match_id), await matches.moves_of(tx, match_id)
            under_way = set(await reviews.pending(tx))
        if match.state is not MatchState.OVER:
            raise Refusal(_("This match is still being played. I can review it when it's over."))
        check_playable(match)
        # Other processes may have finished some, and matches may be deleted.
        self._askers = {number: asker for number, asker in self._askers.items() if number in under_way}
        if sum(asker == user_id for asker in self._askers.values()) >= REVIEWS_OF_ONE:
            raise LimitReached(
                _n(
                    "{n} review you've asked for is under way. Ask again when it is finished.",
                    "{n} reviews you've asked for are under way. Ask again when one is finished.",
                    REVIEWS_OF_ONE,
                )
            )
        await self._game_states.of(match)
        positions = len(await self._questions(match, played))
        async with self._context.database.write() as tx:
            nodes, at = judging.nodes_for(positions), self._context.clock()
            await reviews.add(tx, match_id, positions=positions, nodes=nodes, at=at)
        if positions:
            self._askers.setdefault(match_id, user_id)
        log.info("review asked for", match=match_id, positions=positions)
        return ReviewProgress(match, 0, positions, done=positions == 0)

    async def progress(self, guild_id: int, match_id: int) -> ReviewProgress | None:
        """Return the progress of a match's review; None if none was requested."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            stored = await reviews.get(tx, match_id)
            judged = 0 if stored is None else await reviews.count_judged(tx, match_id)
        return None if stored is None else ReviewProgress(match, judged, stored.positions, stored.done)

    @contextmanager
    def watch(self, match_id: int, user_id: int, message: int) -> Iterator[Callable[[], bool]]:
        """Yield a function: is ``message`` still the newest in which the person watches the review?"""
        key = (match_id, user_id)
        self._watchers[key] = message
        try:
            yield lambda: self._watchers.get(key) == message
        finally:
            if self._watchers.get(key) == message:
                del self._watchers[key]

    async def wait_until_finished(self, match_id: int, within: float) -> None:
        """Wait until a review is finished, ``within`` seconds at most."""
        event = self._finished.setdefault(match_id, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await event.wait()

    async def review_for(self, guild_id: int, match_id: int, user_id: int, *, so_far: bool = False) -> Reviewed | None:
        """Return the review of a match as a person may see it; None if it is not finished. Raises ``Refusal``.

        With ``so_far`` one that is not finished has the moves that are judged already.
        """
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            stored = await reviews.get(tx, match_id)
            if stored is None or not (stored.done or so_far):
                return None
            judgements = await reviews.judgements_of(tx, match_id)
            played = await matches.moves_of(tx, match_id)
        result = (await self._game_states.of(match)).result
        playing = await self._fair_play.playing(user_id, match.game)
        asked = await self._questions(match, played) if playing else []
        positions = {question.number: question.position for question in asked}
        barred = await self._fair_play.in_running_matches(match.game, positions, playing)
        review = review_of(effective_entries(played), len(match.seats), result, judgements, barred)
        return Reviewed(match, played, review, tuple({match.id: match for match in barred.values()}.values()))

    async def moment(self, match: Match, number: int) -> ReviewedMove | None:
        """Return move ``number`` of a finished match; None if the review does not mention it."""
        async with self._context.database.read() as tx:
            judgements = await reviews.judgements_of(tx, match.id)
            played = await matches.moves_of(tx, match.id)
        result = (await self._game_states.of(match)).result
        return review_of(effective_entries(played), len(match.seats), result, judgements).move(number)

    async def take(self, room: int, *, begun: Collection[int] = (), leave_to: str | None = None) -> list[int]:
        """Return ids of matches for this process to review, see ``work_queue.take``."""
        return await work_queue.take(self._context.database, reviews, room, begun, leave_to, self._context.rules)

    async def give_back(self, match_id: int) -> None:
        """Leave to other processes what this one has claimed, see ``work_queue.give_back``."""
        await work_queue.give_back(self._context.database, reviews, match_id)

    @retried
    async def judge(self, match_id: int) -> None:
        """Judge the remaining positions of a match. Raises ``Refusal`` if that is impossible at the moment."""
        async with self._context.database.read() as tx:
            match, stored = await matches.get(tx, match_id), await reviews.get(tx, match_id)
            judgements = {judgement.number: judgement for judgement in await reviews.judgements_of(tx, match_id)}
            played = await matches.moves_of(tx, match_id)
        if match is None or stored is None:
            return
        with on_behalf_of(BackgroundRequester(self._askers.get(match_id), "review")):
            await self._game_states.of(match)
            # From the end on, so that each move is judged with its outcome known.
            for question in reversed(await self._questions(match, played)):
                if question.number not in judgements:
                    following = judgements.get(question.number + 1) if len(match.seats) == 2 else None
                    judgements[question.number] = await self._judge(stored, question.knowing(following))
        async with self._context.database.write() as tx:
            await reviews.mark_done(tx, match_id)
        self._askers.pop(match_id, None)
        self._finished.pop(match_id, asyncio.Event()).set()
        log.info("review finished", match=match_id, positions=stored.positions)

    @retried
    async def _judge(self, stored: StoredReview, question: PositionToJudge) -> Judgement:
        """Judge and store one position, with lower priority than requests of people who wait."""
        judgement = await self._context.compute_as(_THOUGHT, judging.judgement, question, stored.nodes)
        async with self._context.database.write() as tx:
            await reviews.put_judgement(tx, stored.match_id, judgement)
        return judgement

    async def _questions(self, match: Match, played: list[Entry]) -> list[PositionToJudge]:
        game = GAMES[match.game]
        players = len(match.seats)
        return await self._context.compute_as(
            _REPLAYED, judging.positions_to_judge, game, match.variant, players, played
        )
