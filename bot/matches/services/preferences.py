"""Stores preferences of people and settings of servers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.quiet_hours import quiet_at
from bot.matches.model.refusals import NOT_PLAYING, Refusal
from bot.matches.model.rest import CHANGES_AFTER, Rest
from bot.matches.model.time_zones import UTC_NAME, next_moment, zone_or_utc
from bot.matches.service_context import ServiceContext, call_each
from bot.matches.writing import outbox_messages
from bot.matches.writing.move_log import load_match
from bot.storage import blocks, challenges, digests, guilds, locks, match_lists, matches, people, quiet_turns, watching
from bot.storage.guilds import GuildSettings
from bot.storage.people import Preferences
from bot.storage.records import Match, News
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

_FRESH = 60.0
"""Seconds after which a person's preferences are read again: another process may have changed them."""
_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Spoken:
    """The languages of a person."""

    language: str
    """The tag of the language they chose, or else of their Discord client."""
    commands: str | None
    """The tag of the language in which Discord shows them commands; None if no interaction has told it."""


class PersonalSettings:
    """Stores the preferences and blocks of people, which are the same in every server."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._kept: dict[int, tuple[Preferences, float]] = {}
        """People's preferences, and until when they need not be read again."""
        self._changes = 0
        """Counts changes, so that what was read before one is not kept after it."""

    @retried
    async def prefer(self, user_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change a person's preferences and return the new ones.

        ``change`` gets the stored preferences inside the transaction, so two changes at the same time both count.
        """
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            before = await people.preferences(tx, user_id)
            after = change(before)
            if after != before:
                await people.put_preferences(tx, user_id, after)
            if (after.digest_hour, after.zone) != (before.digest_hour, before.zone):
                await _schedule_digest(tx, user_id, after, self._context.clock())
            if (after.rest, after.rest_from) != (before.rest, before.rest_from):
                about = await challenges.open_about(tx, user_id)
                await outbox_messages.card_changes(tx, about, self._context.clock())
        self.forget(user_id)
        return after

    @retried
    async def prefer_in_match(self, guild_id: int, match_id: int, user_id: int, news: News | None) -> Match:
        """Say where a person is told of their turns in one match, None for as in all; return the match.

        Raises ``Refusal`` unless they play in it.
        """
        async with self._context.database.write() as tx:
            match = await load_match(tx, guild_id, match_id, lock=True)
            seat = match.seat_of(user_id)
            if seat is None:
                raise Refusal(NOT_PLAYING)
            await matches.change_seat(tx, match_id, seat.seat, news=news)
        return match

    @retried
    async def refuse_direct_news(self, user_id: int) -> None:
        """Have a person told of their turns in channels from now on, because they take no direct messages."""
        async with self._context.database.write() as tx:
            await people.refuse_direct_news(tx, user_id)
        self.forget(user_id)

    async def end_quiet_hours(self) -> None:
        """Have people whose quiet hours are over told of the turns that began in them, in one message."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            over = await quiet_turns.over(tx, now)
        ending = (partial(self._end_quiet_hours, user_id) for user_id in over)
        await call_each("quiet hours that could not be ended", ending)

    @retried
    async def _end_quiet_hours(self, row_id: int) -> None:
        async with self._context.database.write() as tx:
            quiet = await quiet_turns.take(tx, row_id)
            if quiet is None:
                return
            preferences = await people.preferences(tx, quiet.user_id)
            began = await match_lists.waiting_since(tx, quiet.user_id, quiet.since)
            waiting = [match for match in began if (match.mover.news or preferences.news) is not News.NONE]
            if waiting:
                await outbox_messages.turns_after_quiet_hours(tx, row_id, waiting, self._context.clock())

    async def recent_preferences(self, user_id: int, locale: str | None = None) -> Preferences:
        """Return a person's preferences, at most a minute old where another process has changed them.

        ``locale`` is the tag of the language of their Discord, where it is seen. It is stored for direct messages,
        which are written when there is no interaction that names it.
        """
        kept, until = self._kept.get(user_id, (None, 0.0))
        if kept is not None and monotonic() < until and locale in (None, kept.locale):
            return kept
        changes = self._changes
        preferences = await self._context.read(people.preferences, user_id)
        if locale is not None and preferences.locale != locale:
            preferences = await self.prefer(user_id, lambda before: replace(before, locale=locale))
        elif changes != self._changes:
            return preferences
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[user_id] = (preferences, monotonic() + _FRESH)
        return preferences

    def last_known(self, user_id: int) -> Preferences | None:
        """Return a person's preferences as far as they are known without the database."""
        return self._kept.get(user_id, (None, 0.0))[0]

    async def spoken_with(self, user_id: int) -> Spoken | None:
        """Return how to speak with a person in a direct message; None for a person who has never used the bot."""
        preferences = await self.recent_preferences(user_id)
        return Spoken(preferences.spoken, preferences.locale) if preferences.spoken else None

    def forget(self, user_id: int) -> None:
        """Read a person's preferences again when they are next needed."""
        self._changes += 1
        self._kept.pop(user_id, None)

    @retried
    async def block(self, user_id: int, blocked_id: int, *, blocked: bool) -> None:
        """Block a person's challenges, or lift the block. Raises ``Refusal``.

        A match of the two goes on. Once it is over, the blocked person is signed out of the board page of its server
        (``bot.matches.writing.results``).
        """
        if user_id == blocked_id:
            raise Refusal(_("You can't block yourself."))
        async with self._context.database.write() as tx:
            await locks.people(tx, [user_id])
            await blocks.put(tx, user_id, blocked_id, blocked=blocked)


def quiet_hours(preferences: Preferences, at: datetime) -> tuple[datetime, datetime] | None:
    """Return when the quiet hours of a person began and end that it is at a time; None while it is not quiet."""
    return quiet_at(preferences.quiet_from, preferences.quiet_until, preferences.zone, at)


def with_rest(before: Preferences, rest: Rest | None, now: datetime) -> Preferences:
    """Return a person's preferences with another weekly rest, or none; it is in force from the next day in its zone.

    It holds for turns that begin from then on. The rest before it ends at once, and if that was in force the next one
    is not before ``CHANGES_AFTER``: so people cannot move it in front of them from day to day.
    """
    key = None if rest is None else rest.key
    if key == before.rest:
        return before
    free_at = max(now, before.rest_from or now)
    if before.rest is not None and free_at == now:
        free_at = now + CHANGES_AFTER
    if rest is not None:
        free_at = next_moment(0, str(rest.zone), free_at - timedelta(microseconds=1))
    return replace(before, rest=key, rest_from=free_at)


async def _schedule_digest(tx: AsyncConnection, user_id: int, preferences: Preferences, now: datetime) -> None:
    """Store when a person gets their next digest by their preferences, if they want any."""
    if preferences.digest_hour is None:
        await digests.remove(tx, user_id)
        return
    digest = await digests.of_person(tx, user_id)
    await digests.put(tx, user_id, next_digest(preferences, now, None if digest is None else digest.told_at))


def next_digest(preferences: Preferences, now: datetime, told_at: datetime | None) -> datetime:
    """Return when a person's digest is due next, on a later day than that of the last."""
    hour, zone = preferences.digest_hour or 0, preferences.zone or UTC_NAME
    last = None if told_at is None else told_at.astimezone(zone_or_utc(zone)).date()
    return next_moment(hour, zone, now, last)


class ServerSettings:
    """Stores the settings of servers."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    @retried
    async def change(self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]) -> GuildSettings:
        """Change a server's settings and return the new ones.

        ``change`` gets the stored settings inside the transaction, so two changes at the same time both count.
        """
        async with self._context.database.write() as tx:
            await locks.guild(tx, guild_id)
            before = await guilds.settings(tx, guild_id)
            after = change(before)
            if after != before:
                await guilds.put_settings(tx, guild_id, after)
            if before.watching and not after.watching:
                await watching.remove_of_server(tx, guild_id)
        return after
