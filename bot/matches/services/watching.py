"""Matches that anybody watches by a link, without an account, where their server allows it. Does not know HTTP.

A link leads to one match. Its token is random, and says nothing. Who watches is told colours in place of names, unless
every person who plays lets their name be seen.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import game_named
from bot.matches.model.pace import is_live
from bot.matches.model.policies.visibility import Viewer, Way, may_see
from bot.matches.model.refusals import NOT_PLAYING, Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services.match_queries import MatchView
from bot.storage import matches, watching
from bot.storage.records import Match, Person, Seat
from bot.storage.transactions import retried
from bot.storage.watching import WatchFacts
from renderers.i18n import gettext_lazy as _
from renderers.i18n import translated

NOT_WATCHED = _("This match can't be watched.")


class NotWatched(Refusal):
    """The match can't be watched, or not any more, or there is no such link."""

    def __init__(self) -> None:
        super().__init__(NOT_WATCHED)


@dataclass(frozen=True, slots=True)
class Watched:
    """A match that is watched; ``version`` changes with whatever is shown of it."""

    guild_id: int
    match_id: int
    named: bool
    version: str


class Watching:
    """Makes links to watch matches by, and says what they lead to."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    async def may_be_watched(self, match_id: int) -> bool:
        """Return whether a match may have a link."""
        async with self._context.database.read() as tx:
            return match_id in await _watchable(tx, [match_id])

    @retried
    async def link(self, match_id: int) -> tuple[str, bool]:
        """Return the token of a match's link, and whether who watches sees names. Raises ``NotWatched``."""
        async with self._context.database.write() as tx:
            # Locked, so that two who ask at once get the same link.
            match = await matches.get(tx, match_id, lock=True)
            facts = (await _watchable(tx, [match_id])).get(match_id)
            if match is None or facts is None:
                raise NotWatched
            token = facts.token
            if token is None:
                token = secrets.token_urlsafe(16)
                await watching.add(tx, match.guild_id, match_id, token)
        return token, facts.named

    @retried
    async def withdraw(self, match_id: int, person_id: int) -> None:
        """Have the link of a match lead nowhere, for one of its players. Raises ``Refusal``."""
        async with self._context.database.write() as tx:
            match = await matches.get(tx, match_id, lock=True)
            if match is None or match.seat_of(person_id) is None:
                raise Refusal(NOT_PLAYING)
            await watching.remove(tx, match_id)

    async def watched(self, token: str) -> Watched:
        """Return what a link leads to. Raises ``NotWatched``."""
        async with self._context.database.read() as tx:
            match_id = await watching.match_of(tx, token)
            match = None if match_id is None else await matches.get(tx, match_id)
            if match is None:
                raise NotWatched
            facts = (await _watchable(tx, [match.id])).get(match.id)
            if facts is None:
                raise NotWatched
            version = (await _versions(tx, {match.id: facts}))[match.id]
        return Watched(match.guild_id, match.id, facts.named, version)

    async def versions(self, match_ids: Collection[int]) -> dict[int, str]:
        """Return the versions of matches by their numbers, without those that can be watched no more."""
        async with self._context.database.read() as tx:
            watchable = await _watchable(tx, match_ids)
            return await _versions(
                tx, {match_id: facts for match_id, facts in watchable.items() if facts.token is not None}
            )


def as_watched(view: MatchView, *, named: bool) -> MatchView:
    """Return a match as people who watch it are shown it: with no number of a person, and names only if ``named``.

    They are told no ratings, nor when people are away or rest, which the clock of a match of days would tell, too.
    """
    match = view.match
    match = replace(match, seats=tuple(_as_watched(match, seat, named) for seat in match.seats))
    if not is_live(match.pace):
        match = replace(match, pace=None, increment=None, deadline_at=None, rest=None, paused_until=None)
    return replace(view, match=match, changes={}, rematch=None, beaten=None, away={}, attention=None)


def _as_watched(match: Match, seat: Seat, named: bool) -> Seat:
    if seat.person.computer:
        return seat
    name = seat.person.name if named else translated(game_named(match.game).seat_names[seat.seat])
    return replace(seat, person=Person(1 + seat.seat, name))


async def _watchable(tx: AsyncConnection, match_ids: Collection[int]) -> dict[int, WatchFacts]:
    """Return those of some matches that may be watched."""
    return {
        match_id: facts
        for match_id, facts in (await watching.facts(tx, match_ids)).items()
        if may_see(Way.WATCH, Viewer(private=facts.private, open_to_all=facts.allowed, voided=facts.voided))
    }


async def _versions(tx: AsyncConnection, watchable: dict[int, WatchFacts]) -> dict[int, str]:
    """Return the versions of matches. Hashed: what players are told of a match is not for everybody."""
    return {
        match_id: sha256(f"{version} {watchable[match_id].named} {watchable[match_id].token}".encode()).hexdigest()[:16]
        for match_id, version in (await matches.versions(tx, list(watchable))).items()
    }
