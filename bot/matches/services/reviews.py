"""Reviews of finished matches: asked for once, judged position by position in the background, kept for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from weakref import WeakValueDictionary

import structlog

from bot.compute.job import JobSpec, Pool, Priority, on_behalf_of
from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model import judging
from bot.matches.model.game_state import standing
from bot.matches.model.judging import Question
from bot.matches.model.refusals import LimitReached, Refusal
from bot.matches.model.review import Review, review_of
from bot.matches.service_context import ServiceContext
from bot.matches.services.fair_play import FairPlay
from bot.matches.writing.match_loading import load_match
from bot.storage import matches, reviews, work_queue
from bot.storage.records import Judgement, Match, MatchState, PlayedMove
from bot.storage.reviews import StoredReview
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

log = structlog.get_logger(__name__)

AT_ONCE = 3
"""Reviews one person may have under way."""
_THOUGHT = JobSpec(Pool.THINKING, Priority.BACKGROUND, long=True)
_REPLAYED = JobSpec(Pool.PICTURES, Priority.LOOK)
"""Playing a whole match again is nothing for the workers that turns wait for."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the review of a match is: how many of its positions are judged."""

    match: Match
    judged: int
    positions: int
    done: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A match with its list of moves and its review, as one person may see it.

    ``hidden`` holds the matches they play in which positions of this one stand: nothing is said of these.
    """

    match: Match
    played: list[PlayedMove]
    review: Review
    hidden: tuple[Match, ...]


class Reviews:
    """Has finished matches reviewed. What comes of it is stored as it goes, so that nothing is judged twice."""

    def __init__(self, context: ServiceContext, game_states: GameStates, fair_play: FairPlay) -> None:
        self._context = context
        self._game_states = game_states
        self._fair_play = fair_play
        self._askers: dict[int, int] = {}
        # Another process may finish a review: an event is kept for as long as somebody waits for it.
        self._finished = WeakValueDictionary[int, asyncio.Event]()
        self._watchers: dict[tuple[int, int], int] = {}

    @retried
    async def ask(self, guild_id: int, match_id: int, user_id: int) -> Progress:
        """Have a finished match of a server reviewed, unless it has been, or is being; return how far that is.

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
        # Another process may have finished some of them, or their matches are deleted.
        self._askers = {number: asker for number, asker in self._askers.items() if number in under_way}
        if sum(asker == user_id for asker in self._askers.values()) >= AT_ONCE:
            raise LimitReached(
                _n(
                    "{n} review you've asked for is under way. Ask again when it is finished.",
                    "{n} reviews you've asked for are under way. Ask again when one is finished.",
                    AT_ONCE,
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
        self._context.wake()
        return Progress(match, 0, positions, done=positions == 0)

    async def progress(self, guild_id: int, match_id: int) -> Progress | None:
        """Return how far the review of a match of a server is; None where nobody has asked for one."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            stored = await reviews.get(tx, match_id)
            judged = 0 if stored is None else await reviews.judged(tx, match_id)
        return None if stored is None else Progress(match, judged, stored.positions, stored.done)

    @contextmanager
    def watched(self, match_id: int, user_id: int, message: int) -> Iterator[Callable[[], bool]]:
        """Give what tells whether a message is still the one in which somebody watches a review: the newest is."""
        key = (match_id, user_id)
        self._watchers[key] = message
        try:
            yield lambda: self._watchers.get(key) == message
        finally:
            if self._watchers.get(key) == message:
                del self._watchers[key]

    async def finished(self, match_id: int, within: float) -> None:
        """Wait until the review of a match is finished, for so many seconds at most."""
        event = self._finished.setdefault(match_id, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await event.wait()

    async def reviewed(self, guild_id: int, match_id: int, user_id: int) -> Reviewed | None:
        """Return the review of a match as somebody may see it; None while there is none. Raises ``Refusal``."""
        async with self._context.database.read() as tx:
            match = await load_match(tx, guild_id, match_id)
            stored = await reviews.get(tx, match_id)
            if stored is None or not stored.done:
                return None
            judgements = await reviews.judgements_of(tx, match_id)
            played = await matches.moves_of(tx, match_id)
        result = (await self._game_states.of(match)).result
        barred = await self._barred(match, played, user_id)
        review = review_of(standing(played), len(match.seats), result, judgements, barred)
        return Reviewed(match, played, review, tuple({one.id: one for one in barred.values()}.values()))

    async def take(self, room: int, *, begun: Collection[int] = (), leave_to: str | None = None) -> list[int]:
        """Return matches to be reviewed here, see ``work_queue.take``."""
        return await work_queue.take(self._context.database, reviews, room, begun, leave_to)

    @retried
    async def judge(self, match_id: int) -> None:
        """Judge what is not yet judged of a match. Raises ``Refusal`` where that cannot be done now."""
        async with self._context.database.read() as tx:
            match, stored = await matches.get(tx, match_id), await reviews.get(tx, match_id)
            known = {judgement.number: judgement for judgement in await reviews.judgements_of(tx, match_id)}
            played = await matches.moves_of(tx, match_id)
        if match is None or stored is None:
            return
        await self._game_states.of(match)
        # From the end on, so that it is known of a move what it led to.
        for question in reversed(await self._questions(match, played)):
            if question.number not in known:
                following = known.get(question.number + 1) if len(match.seats) == 2 else None
                known[question.number] = await self._judge(stored, question.knowing(following))
        async with self._context.database.write() as tx:
            await reviews.mark_done(tx, match_id)
        self._askers.pop(match_id, None)
        self._finished.pop(match_id, asyncio.Event()).set()
        log.info("review finished", match=match_id, positions=stored.positions)

    @retried
    async def _judge(self, stored: StoredReview, question: Question) -> Judgement:
        """Judge one position, behind what people wait for, sharing the thinkers with whatever else the asker wants."""
        with on_behalf_of(("review", self._askers.get(stored.match_id))):
            judgement = await self._context.compute_as(_THOUGHT, judging.judgement, question, stored.nodes)
        async with self._context.database.write() as tx:
            await reviews.put_judgement(tx, stored.match_id, judgement)
        return judgement

    async def _questions(self, match: Match, played: list[PlayedMove]) -> list[Question]:
        game = GAMES[match.game]
        players = len(match.seats)
        return await self._context.compute_as(_REPLAYED, judging.questions, game, match.variant, players, played)

    async def _barred(self, match: Match, played: list[PlayedMove], user_id: int) -> dict[int, Match]:
        """Return the numbers of the positions that somebody may be told nothing about."""
        playing = await self._fair_play.playing(user_id, match.game)
        asked = await self._questions(match, played) if playing else []
        positions = {question.number: question.position for question in asked}
        return await self._fair_play.barred(match.game, positions, playing)
