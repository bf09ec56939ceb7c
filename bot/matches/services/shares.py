"""Shares replays, reviews, notes and puzzles: a message in the channel for all, posted once per thing and place.

Notes are those of a person, and a puzzle is shared with their result, so these are posted once per person and place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.puzzles import Puzzle
from bot.matches.model.actor import Actor
from bot.matches.model.game_state import GameState
from bot.matches.model.puzzles import puzzle_of, states, symbols
from bot.matches.model.refusals import LimitReached, Refusal, Voided, check_playable
from bot.matches.model.review import ReviewedMove
from bot.matches.service_context import ServiceContext
from bot.matches.services.eligibility import Eligibility
from bot.matches.services.notes import ONLY_PLAYERS, plies
from bot.matches.services.reviews import Reviews
from bot.matches.writing import outbox_messages
from bot.matches.writing.move_log import load_match
from bot.storage import abuse_counters, locks, matches, notes, puzzles, shares
from bot.storage.abuse_counters import AbuseCounter
from bot.storage.records import AttemptState, Entry, Match, MatchState, Person, ShareKind
from bot.storage.shares import Share
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

log = structlog.get_logger(__name__)

_WITHIN: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SharedView:
    """A share with the content of its message: a match with its moves and the one that turned it, or a puzzle."""

    share: Share
    match: Match | None = None
    played: tuple[Entry, ...] = ()
    moment: ReviewedMove | None = None
    """The move that turned the match."""
    puzzle: Puzzle | None = None
    start: GameState | None = None
    """The state at the beginning of the puzzle."""


class Shares:
    """Stores what people share, and has it posted."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility, reviews: Reviews) -> None:
        self._context = context
        self._eligibility = eligibility
        self._reviews = reviews

    @retried
    async def share(self, kind: ShareKind, actor: Actor, thing: int) -> None:
        """Share the replay, the deciding move or one's notes of a finished match, or a puzzle that one has solved.

        ``thing`` is the id of the match, or of the attempt at the puzzle. Raises ``Refusal``.
        """
        number = await self._turned(actor, thing) if kind is ShareKind.REVIEW else None
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            draft = await self._draft(tx, kind, actor, thing, number)
            share_id = await shares.add(tx, draft)
            if share_id is None:
                raise Refusal(_("You've shared that already."))
            await outbox_messages.share(tx, share_id, actor.guild_id, draft.game, "posted", draft.at)
        log.info("shared", kind=kind.value, channel=actor.channel)

    @retried
    async def preview(self, kind: ShareKind, actor: Actor, thing: int) -> SharedView:
        """Return what ``share`` would have posted. Raises ``Refusal``."""
        number = await self._turned(actor, thing) if kind is ShareKind.REVIEW else None
        async with self._context.database.write() as tx:
            draft = await self._draft(tx, kind, actor, thing, number)
            if await shares.has_shared(tx, actor.person.id, draft.thing):
                raise Refusal(_("You've shared that already."))
        view = await self._view(draft)
        if view is None:
            raise Refusal(_("That wasn't shared in this server, or I no longer have it."))
        return view

    async def find(self, share_id: int) -> SharedView | None:
        """Return what was shared; None if it is not stored, or no longer there."""
        share = await self._context.read(shares.get, share_id)
        return None if share is None else await self._view(share)

    async def _view(self, share: Share) -> SharedView | None:
        async with self._context.database.read() as tx:
            match = None if share.match_id is None else await matches.get(tx, share.match_id)
            played = [] if match is None else await matches.moves_of(tx, match.id)
        puzzle = puzzle_of(share.game, share.puzzle or "")
        if puzzle is not None:
            return SharedView(share, puzzle=puzzle, start=(await self._context.compute(states, puzzle, 0))[0][0])
        if match is None:
            return None
        moment = None if share.number is None else await self._reviews.moment(match, share.number)
        return SharedView(share, match, tuple(played), moment)

    async def get(self, guild_id: int, share_id: int) -> SharedView:
        """Return what was shared in a server. Raises ``Refusal`` if it is not stored, or no longer there."""
        view = await self.find(share_id)
        if view is None or view.share.guild_id != guild_id:
            raise Refusal(_("That wasn't shared in this server, or I no longer have it."))
        return view

    @retried
    async def drop(self, share_id: int) -> None:
        """Forget what could not be posted, so that its person can share it elsewhere."""
        async with self._context.database.write() as tx:
            await shares.remove(tx, share_id)

    async def _turned(self, actor: Actor, match_id: int) -> int:
        """Return the number of the move that turned a match. Raises ``Refusal``, also where no move did."""
        reviewed = await self._reviews.review_for(actor.guild_id, match_id, actor.person.id)
        if reviewed is None:
            raise Refusal(_("The review of this match isn't finished yet. Share it when it is."))
        winners = {seat.seat for seat in reviewed.match.seats if seat.won}

        # Of several moves that lost most, the last; a mistake of a winner decided nothing if there is any other.
        def weight(move: ReviewedMove) -> tuple[bool, float, int]:
            return move.seat not in winners, move.loss, move.number

        turned = max(reviewed.review.moments(), key=weight, default=None)
        if turned is None:
            raise Refusal(_("No move turned this match, so there is no moment to share."))
        return turned.number

    async def _draft(self, tx: AsyncConnection, kind: ShareKind, actor: Actor, thing: int, number: int | None) -> Share:
        """Return a share that is not stored. Raises ``Refusal`` where it is not allowed, or done already."""
        person, now, limit = actor.person, self._context.clock(), self._context.limits.shares
        draft = Share(0, person.id, person.name, kind, actor.guild_id, actor.channel, now)
        draft = await (
            _of_attempt(tx, draft, thing) if kind is ShareKind.PUZZLE else _of_match(tx, draft, thing, person)
        )
        await locks.people(tx, [person.id])
        await self._eligibility.check_not_barred(tx, actor.guild_id, person, person)
        await self._eligibility.check_place(tx, actor)
        kept = await abuse_counters.times(tx, person.id, AbuseCounter.SHARE, "", now)
        if await shares.count_since(tx, person.id, now - _WITHIN) + len(kept) >= limit:
            raise LimitReached(
                _n(
                    "You've shared {n} thing today, which is the limit. You can share more tomorrow.",
                    "You've shared {n} things today, which is the limit. You can share more tomorrow.",
                    limit,
                )
            )
        return replace(draft, number=number)


async def _of_match(tx: AsyncConnection, draft: Share, match_id: int, person: Person) -> Share:
    """Return the share of a match. Raises ``Refusal``."""
    match = await load_match(tx, draft.guild_id, match_id, lock=True)
    if match.voided:
        raise Voided
    if match.state is not MatchState.OVER:
        raise Refusal(_("This match is still being played. It can be shared when it's over."))
    check_playable(match)
    noted = None
    if draft.kind is ShareKind.NOTES:
        noted = await _notes_to_share(tx, match, person)
    elif await shares.is_shared(tx, match_id, draft.kind, draft.channel_id, person.id):
        raise Refusal(_("Somebody has shared that there already."))
    thing = f"{draft.kind.value}:{match_id}:{draft.channel_id}"
    return replace(draft, thing=thing, game=match.game, match_id=match_id, notes=noted)


async def _of_attempt(tx: AsyncConnection, draft: Share, attempt_id: int) -> Share:
    """Return the share of a solved puzzle, with the person's result and without the answer. Raises ``Refusal``."""
    attempt = await puzzles.attempt(tx, attempt_id)
    if attempt is None or attempt.user_id != draft.user_id:
        raise Refusal(_("That puzzle is for somebody else, or it's gone. `/puzzle` has one for you."))
    if attempt.state is not AttemptState.SOLVED:
        raise Refusal(_("You haven't solved this puzzle, so there is nothing to share."))
    thing = f"puzzle:{attempt.puzzle}:{draft.channel_id}"
    in_symbols = symbols(attempt)
    return replace(draft, thing=thing, game=attempt.game, puzzle=attempt.puzzle, day=attempt.day, found=in_symbols)


async def _notes_to_share(tx: AsyncConnection, match: Match, person: Person) -> list[tuple[int, str]]:
    """Return a player's notes on the positions that one steps through. Raises ``Refusal`` if there are none."""
    if not await notes.lock_seat(tx, match.id, person.id):
        raise Refusal(ONLY_PLAYERS)
    every = plies(await matches.moves_of(tx, match.id))
    own = await notes.of_match(tx, match.id, person.id)
    shown = [(ply, own[ply]) for ply in every if ply in own]
    if not shown:
        raise Refusal(_("You have no notes on this match, so there is nothing to share."))
    return shown
