"""Access to the board page: links that Discord hands out, and the sessions that they open.

A link is for one person, one page, ten minutes and one use. A session is one browser of a person in one server; it
shows their matches there. Knows neither HTTP nor Discord.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

import structlog

from bot.matches.model.page_links import PageLink, Purpose, is_genuine, parse_unverified, sign
from bot.matches.model.refusals import NoSuchMatch, Refusal
from bot.matches.service_context import ServiceContext
from bot.matches.services.eligibility import Eligibility
from bot.storage import guilds, matches, page_access, puzzles
from bot.storage.page_access import PageKey, PageSession
from bot.storage.records import Person
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)

LINK_VALID = timedelta(minutes=10)
SESSION_VALID = timedelta(days=30)
KEY_SIGNS = timedelta(days=1)
"""For how long a key signs new links; it is kept for as long as one of them may be used."""
CHECKED_EVERY = timedelta(days=1)
"""How often it is checked that the person of a session is still in the server."""
LONGEST_NAME = 32
"""Characters of a name in Discord."""
_CHECKED_AT_ONCE = 20

NOT_VALID = _("This link isn't valid. Press **Open board** in Discord for a new one.")
EXPIRED = _("This link has expired. Press **Open board** in Discord for a new one.")
USED = _("This link was used before. Press **Open board** in Discord for a new one.")
LEFT = _("You are no longer in the server of this match.")
NO_SUCH_PUZZLE = _("That puzzle is for somebody else, or it's gone. `/puzzle` has one for you.")
NO_BOT = _("I am no longer in the server of this match.")

HasLeft = Callable[[int, int], Awaitable[bool]]
"""Returns whether a person (second) is certainly no longer in a server (first)."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that has just begun: its secret ``token``, for the browser alone, and what the link led to."""

    token: str
    session: PageSession
    link: PageLink


class PageAccess:
    """Makes links, opens sessions with them, and ends sessions."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility) -> None:
        self._context = context
        self._eligibility = eligibility

    @retried
    async def link(self, person: Person, locale: str, guild_id: int, purpose: Purpose, subject_id: int) -> str:
        """Return a signed one-time token, the path of a link for a person. Raises ``Refusal`` for one who is barred."""
        now = self._context.clock()
        async with self._context.database.read() as tx:
            await self._eligibility.check_not_barred(tx, guild_id, person, person)
            newest = next(iter(await page_access.keys(tx)), None)
        if newest is None or newest.made_at + KEY_SIGNS <= now:
            newest = await self._new_key(newest)
        expires = int((now + LINK_VALID).timestamp())
        link_id = secrets.token_urlsafe(12)
        name = person.name[:LONGEST_NAME]
        link = PageLink(newest.id, link_id, person.id, guild_id, purpose, subject_id, expires, name, locale)
        return sign(link, newest.secret)

    async def read_link(self, text: str) -> PageLink:
        """Return what a link says, and leave it unused. Raises ``Refusal`` for one that cannot be used."""
        link = parse_unverified(text)
        if link is None:
            raise Refusal(NOT_VALID)
        async with self._context.database.read() as tx:
            secrets_kept = {key.id: key.secret for key in await page_access.keys(tx)}
            if link.key_id not in secrets_kept or not is_genuine(text, secrets_kept[link.key_id]):
                raise Refusal(NOT_VALID)
            if await page_access.link_used(tx, link.id):
                raise Refusal(USED)
        if link.expires_at <= self._context.clock():
            raise Refusal(EXPIRED)
        return link

    async def redeem(self, text: str, has_left: HasLeft) -> Opened:
        """Use a link and begin a session. Raises ``Refusal`` for a link that cannot be used.

        People cannot use theirs who are barred, have left the server or deleted their data, nor can those of a server
        that removed the bot. A link leads to something of the person's own, and what a deletion leaves is nobody's.
        """
        link = await self.read_link(text)
        if await has_left(link.guild_id, link.user_id):
            raise Refusal(LEFT)
        return await self._redeem(link)

    @retried
    async def _redeem(self, link: PageLink) -> Opened:
        now, token = self._context.clock(), secrets.token_urlsafe(32)
        person = Person(link.user_id, link.name)
        async with self._context.database.write() as tx:
            if not await page_access.use_link(tx, link.id, link.expires_at):
                raise Refusal(USED)
            await self._eligibility.check_not_barred(tx, link.guild_id, person, person)
            if link.guild_id in await guilds.departures(tx):
                raise Refusal(NO_BOT)
            # Locked: a deletion that has not come to its end finds the session.
            if link.purpose == Purpose.MATCH:
                match = await matches.get(tx, link.subject_id, lock=True)
                if match is None or match.guild_id != link.guild_id or match.seat_of(link.user_id) is None:
                    raise NoSuchMatch
            else:
                attempt = await puzzles.attempt(tx, link.subject_id, lock=True)
                if attempt is None or attempt.user_id != link.user_id:
                    raise Refusal(NO_SUCH_PUZZLE)
            session = await page_access.begin(
                tx,
                token_hash(token),
                link.user_id,
                link.guild_id,
                link.name,
                link.locale,
                now,
                now + SESSION_VALID,
            )
        log.info("session begun", session=session.id, server=link.guild_id)
        return Opened(token, session, link)

    async def sessions_of_tokens(self, tokens: Mapping[int, str], match_id: int | None = None) -> list[PageSession]:
        """Return the sessions of tokens by server that have not ended; with a match only that of its server."""
        async with self._context.database.read() as tx:
            if match_id is not None:
                match = await matches.get(tx, match_id)
                tokens = {guild: token for guild, token in tokens.items() if match and match.guild_id == guild}
            return await page_access.find(tx, _hashes(tokens), self._context.clock()) if tokens else []

    async def still_open(self, session_ids: Collection[int]) -> set[int]:
        """Return those of some sessions that have not ended."""
        async with self._context.database.read() as tx:
            return await page_access.still_there(tx, list(session_ids), self._context.clock())

    async def sessions(self, user_id: int) -> list[PageSession]:
        """Return a person's sessions in every server, oldest first."""
        async with self._context.database.read() as tx:
            every = await page_access.of_person(tx, user_id)
        return [session for session in every if session.expires_at > self._context.clock()]

    @retried
    async def end_of_tokens(self, tokens: Mapping[int, str]) -> None:
        """End the sessions of tokens by server."""
        async with self._context.database.write() as tx:
            await page_access.end_of_tokens(tx, _hashes(tokens))

    @retried
    async def end(self, user_id: int, session_id: int | None = None) -> None:
        """End one session of a person, or all of them. Does nothing where it has ended."""
        async with self._context.database.write() as tx:
            if session_id is None:
                await page_access.end_of_person(tx, user_id)
            else:
                await page_access.end(tx, session_id, user_id)

    async def check_members(self, has_left: HasLeft) -> None:
        """End sessions of people who have left the server, of those that were not checked for a day."""
        before = self._context.clock() - CHECKED_EVERY
        async with self._context.database.read() as tx:
            due = await page_access.sessions_to_check(tx, before, _CHECKED_AT_ONCE)
        for session in due:
            gone = await has_left(session.guild_id, session.user_id)
            await self._note_checked(session, gone=gone)

    @retried
    async def _note_checked(self, session: PageSession, *, gone: bool) -> None:
        async with self._context.database.write() as tx:
            if gone:
                await page_access.end_of_person(tx, session.user_id, session.guild_id)
            else:
                await page_access.note_checked(tx, session.id, self._context.clock())
        if gone:
            log.info("session ended, its person has left", session=session.id, server=session.guild_id)

    @retried
    async def _new_key(self, latest: PageKey | None) -> PageKey:
        """Return a new key, or the one that another request has just made."""
        async with self._context.database.write() as tx:
            newest = next(iter(await page_access.keys(tx)), None)
            if newest is not None and (latest is None or newest.id > latest.id):
                return newest
            return await page_access.add_key(tx, secrets.token_hex(32), self._context.clock())


def _hashes(tokens: Mapping[int, str]) -> list[tuple[int, str]]:
    return [(guild_id, token_hash(token)) for guild_id, token in tokens.items()]


def token_hash(token: str) -> str:
    """Return what the database keeps of a session's token."""
    return sha256(token.encode()).hexdigest()
