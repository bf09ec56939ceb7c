"""Does the errands of the outbox: cards, threads and boards, each in the best place that is left.

What a message looks like is the composer's to say; this module knows where it goes and what is done when it cannot.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

import discord
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.delivery import discord_calls
from bot.delivery.courier import Done, GoneError
from bot.delivery.discord_calls import Outgoing, RefusedError
from bot.matches import announcing
from bot.matches.announcing import Kind
from bot.matches.overview import Past, Table
from bot.matches.services import Services
from bot.storage.queries import challenges, matches, notices, offers
from bot.storage.records import Challenge, ChallengeState, Errand, Match, MatchState, Notice, Offer, OfferState

log = structlog.get_logger(__name__)


class Composer(Protocol):
    """Says what messages look like."""

    async def card(self, challenge: Challenge, *, drawn: bool) -> Outgoing:
        """Return the card of a challenge, with its picture when ``drawn``."""

    async def board(self, table: Table) -> Outgoing:
        """Return the board of a match as it stands, or its result."""

    async def past_board(self, past: Past) -> discord.ui.LayoutView:
        """Return what an earlier board becomes: the same picture without controls."""

    def card_marker(self, challenge: Challenge) -> str:
        """Return the ``custom_id`` by which the card of a challenge is recognised while it is open."""

    def board_marker(self, match: Match) -> str:
        """Return the ``custom_id`` by which the board of a match, or its result, is recognised."""

    def offer(self, table: Table, offer: Offer) -> Outgoing:
        """Return an offer, or what has become of it."""

    def reminder(self, match: Match) -> Outgoing:
        """Return the reminder that time is running out."""

    def past_notice(self, past: Past, kind: str) -> discord.ui.LayoutView:
        """Return what a reminder or late notice becomes when the turn is over."""

    def late(self, match: Match) -> Outgoing:
        """Return the notice that the time is up and the win may be claimed."""

    def thread_name(self, match: Match) -> str:
        """Return the name of a match's thread, at most 100 characters."""

    def lost_place(self, match: Match) -> str:
        """Return what a player is told when a match can be shown nowhere."""

    def lost_card(self, challenge: Challenge) -> str:
        """Return what a challenger is told when his challenge can be shown nowhere."""


class DiscordErrands:
    """Carries errands out with a Discord client."""

    def __init__(self, client: discord.Client, services: Services, composer: Composer, *, threads: bool) -> None:
        self._client = client
        self._services = services
        self._composer = composer
        self._threads = threads

    def repeatable(self, errand: Errand) -> bool:
        """Return whether doing it twice is the same as doing it once, so that nobody needs to know it was begun."""
        return errand.kind == Kind.PAST

    async def run(self, errand: Errand) -> Done | None:
        """Do an errand; None when there was nothing left to say.

        Raises ``GoneError``, ``MalformedError`` or ``LaterError``.
        """
        match Kind(errand.kind):
            case Kind.CARD:
                return await self._card(errand)
            case Kind.THREAD:
                return await self._thread(errand)
            case Kind.BOARD:
                return await self._board(errand)
            case Kind.PAST:
                return await self._past(errand)
            case Kind.OFFER:
                return await self._offer(errand)
            case Kind.REMINDER | Kind.LATE:
                return await self._notice(errand)

    async def _card(self, errand: Errand) -> Done | None:
        async with self._services.context.database.read() as tx:
            challenge = await challenges.get(tx, errand.payload["challenge"])
        if challenge is None:
            return None
        posted = await self._posted_card(challenge, look=errand.attempts > 0)
        if posted is None and challenge.state is not ChallengeState.OPEN:
            return None
        outgoing = await self._composer.card(challenge, drawn=posted is None)
        if posted is None:
            posted = await self._post_card(errand, challenge, outgoing)
        elif not await self._rewritten(*posted, outgoing.view):
            return None
        place_id, message_id = posted
        return Done(partial(challenges.change, challenge_id=challenge.id, channel_id=place_id, message_id=message_id))

    async def _posted_card(self, challenge: Challenge, *, look: bool) -> tuple[int, int] | None:
        """Return where the card of a challenge stands; ``look`` for one that may have been posted unremembered."""
        if challenge.message_id is not None:
            return challenge.channel_id, challenge.message_id
        marker = self._composer.card_marker(challenge)
        for place_id in await self._places_of_card(challenge) if look else ():
            posted = await discord_calls.find_posted(self._client, place_id, marker, challenge.created_at)
            if posted is not None:
                return place_id, posted
        return None

    async def _post_card(self, errand: Errand, challenge: Challenge, outgoing: Outgoing) -> tuple[int, int]:
        """Post a card; where that is refused the challenge is called off and its challenger told."""
        refused = []
        for place_id in await self._places_of_card(challenge):
            try:
                return place_id, await discord_calls.post(self._client, place_id, outgoing, errand.id)
            except RefusedError as error:
                refused.append(str(error))
        await self._tell(challenge.challenger_id, self._composer.lost_card(challenge), errand)
        await self._services.challenges.drop(challenge.id)
        raise GoneError("; ".join(refused))

    async def _places_of_card(self, challenge: Challenge) -> list[int]:
        """Return where a card may stand: its channel, or for a rematch the thread of the match before."""
        if challenge.rematch_of is None:
            return [challenge.channel_id]
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, challenge.rematch_of)
        return [challenge.channel_id] if match is None else list(dict.fromkeys((challenge.channel_id, match.place_id)))

    async def _thread(self, errand: Errand) -> Done | None:
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, errand.payload["match"])
            challenge = None if match is None else await challenges.of_match(tx, match.id)
        channel = None if match is None or match.thread_id is not None else await self._threaded(match)
        if match is None or channel is None:
            return None
        card = None if challenge is None else await self._posted_card(challenge, look=True)
        name, again = self._composer.thread_name(match), errand.attempts > 0
        try:
            thread_id = await self._open_thread(channel, None if card is None else card[1], name, again=again)
        except RefusedError as error:
            log.info("no thread possible, playing in the channel", match=match.id, error=str(error))
            return None
        return Done(partial(matches.change, match_id=match.id, thread_id=thread_id))

    async def _open_thread(self, channel: discord.TextChannel, card_id: int | None, name: str, *, again: bool) -> int:
        """Open a thread on the card, or beside it where there is none any more."""
        try:
            return await discord_calls.open_thread(channel, card_id, name, again=again)
        except RefusedError as error:
            if card_id is None or not error.gone:
                raise
        return await discord_calls.open_thread(channel, None, name, again=again)

    async def _threaded(self, match: Match) -> discord.TextChannel | None:
        """Return the channel of a match if a thread may be opened in it."""
        channel = self._client.get_channel(match.channel_id)
        if not self._threads or not isinstance(channel, discord.TextChannel):
            return None
        if not (await self._services.personal.settings(match.guild_id)).threads:
            return None
        allowed = channel.permissions_for(channel.guild.me)
        return channel if allowed.create_public_threads and allowed.send_messages_in_threads else None

    async def _board(self, errand: Errand) -> Done | None:
        table = await self._services.overview.shown(errand.payload["match"])
        if table is None:
            return None
        if "instead_of" in errand.payload and table.match.board_message_id != errand.payload["instead_of"]:
            return None
        now = table.match.ply == errand.payload["ply"]
        posted = await (self._post_board(errand, table) if now else self._overtaken_board(errand, table.match))
        return None if posted is None else Done(partial(self._remember_board, errand=errand, posted=posted))

    async def _remember_board(self, tx: AsyncConnection, *, errand: Errand, posted: tuple[int, int]) -> None:
        match = await matches.get(tx, errand.payload["match"], lock=True)
        if match is None or match.board_message_id == posted[1]:
            return
        await announcing.past(tx, match, self._services.context.clock())
        await announcing.past_notices(tx, match.id, errand.payload["ply"], self._services.context.clock())
        shown = {"board_channel_id": posted[0], "board_message_id": posted[1], "board_ply": errand.payload["ply"]}
        await matches.change(tx, match.id, **shown)

    async def _post_board(self, errand: Errand, table: Table) -> tuple[int, int]:
        outgoing = await self._composer.board(table)
        notified = tuple(person for person in outgoing.mentions if person not in errand.payload.get("told", ()))
        try:
            return await self._post(errand, table.match, replace(outgoing, mentions=notified))
        except GoneError:
            for seat in table.match.movers:
                await self._tell(seat.person.id, self._composer.lost_place(table.match), errand)
            raise

    async def _overtaken_board(self, errand: Errand, match: Match) -> tuple[int, int] | None:
        """Find a board that may have been posted before the match went on; it has controls that must be taken away."""
        if not errand.attempts:
            return None
        shown = replace(match, ply=errand.payload["ply"], state=MatchState.RUNNING)
        return await self._find(errand, match, self._composer.board_marker(shown))

    async def _past(self, errand: Errand) -> Done | None:
        past = await self._services.overview.past(errand.payload["match"], errand.payload["ply"])
        if past is None:
            return None
        notice = errand.payload.get("notice")
        view = await self._composer.past_board(past) if notice is None else self._composer.past_notice(past, notice)
        there = await self._rewritten(errand.payload["channel"], errand.payload["message"], view)
        return Done() if there else None

    async def _offer(self, errand: Errand) -> Done | None:
        async with self._services.context.database.read() as tx:
            offer = await offers.get(tx, errand.payload["offer"])
        table = None if offer is None else await self._services.overview.shown(offer.match_id)
        if offer is None or table is None:
            return None
        outgoing = self._composer.offer(table, offer)
        posted = None
        if offer.message_id is not None and offer.channel_id is not None:
            posted = offer.channel_id, offer.message_id
        elif errand.attempts:
            posted = await self._find(errand, table.match, outgoing.marker)
        if posted is not None:
            await self._rewritten(*posted, outgoing.view)
        elif offer.state is OfferState.OPEN:
            posted = await self._post(errand, table.match, outgoing)
        else:
            return None
        return Done(partial(offers.change, offer_id=offer.id, channel_id=posted[0], message_id=posted[1]))

    async def _notice(self, errand: Errand) -> Done | None:
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, errand.payload["match"])
        if match is None:
            return None
        reminds = errand.kind == Kind.REMINDER
        compose = self._composer.reminder if reminds else self._composer.late
        outgoing = compose(replace(match, ply=errand.payload["ply"]))
        if match.state is MatchState.RUNNING and match.ply == errand.payload["ply"] and match.flagged is not reminds:
            posted = await self._post(errand, match, outgoing)
        else:
            overtaken = await self._find(errand, match, outgoing.marker) if errand.attempts else None
            if overtaken is None:
                return None
            posted = overtaken
        notice = Notice(errand.payload["ply"], errand.kind, *posted)
        return Done(partial(notices.put, match_id=match.id, notice=notice))

    async def _post(self, errand: Errand, match: Match, outgoing: Outgoing) -> tuple[int, int]:
        """Post something about a match once, in its thread or else its channel; return where, and the message's id.

        A thread that refuses is given up: the match goes on in the channel. Raises ``GoneError`` or ``LaterError``.
        """
        posted = await self._find(errand, match, outgoing.marker) if errand.attempts else None
        if posted is not None:
            return posted
        refused = []
        for place_id in dict.fromkeys((match.place_id, match.channel_id)):
            try:
                return place_id, await discord_calls.post(self._client, place_id, outgoing, errand.id)
            except RefusedError as error:
                refused.append(str(error))
                if place_id == match.thread_id:
                    async with self._services.context.database.write() as tx:
                        await matches.change(tx, match.id, thread_id=None)
        raise GoneError("; ".join(refused))

    async def _rewritten(self, place_id: int, message_id: int, view: discord.ui.LayoutView) -> bool:
        """Give a posted message other text and controls; return whether it is there. Raises ``GoneError``."""
        try:
            await discord_calls.rewrite(self._client, place_id, message_id, view)
        except RefusedError as error:
            if not error.gone:
                raise GoneError(str(error)) from error
            return False
        return True

    async def _find(self, errand: Errand, match: Match, marker: str) -> tuple[int, int] | None:
        """Find something about a match that may have been posted without being remembered. Raises ``LaterError``."""
        for place_id in dict.fromkeys((match.place_id, match.channel_id)):
            posted = await discord_calls.find_posted(self._client, place_id, marker, errand.created_at)
            if posted is not None:
                return place_id, posted
        return None

    async def _tell(self, user_id: int, text: str, errand: Errand) -> None:
        """Tell somebody by direct message, if he takes any."""
        try:
            await discord_calls.whisper(self._client, user_id, text, errand.id)
        except RefusedError as error:
            log.info("could not be told directly either", user=user_id, errand=errand.key, error=str(error))
