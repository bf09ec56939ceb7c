"""Does the errands of the outbox: cards, threads and boards, each in the best place that is left.

What a message looks like is the composer's to say; this module knows where it goes and what is done when it cannot.
"""

from __future__ import annotations

import contextlib
from typing import Protocol

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.courier import GoneError
from bot.delivery.discord_calls import Outgoing, RefusedError
from bot.matches.announcing import Kind
from bot.matches.overview import Table
from bot.matches.services import Services
from bot.storage.queries import challenges, matches, offers
from bot.storage.records import Challenge, ChallengeState, Errand, Match, MatchState, Offer, OfferState

log = structlog.get_logger(__name__)


class Composer(Protocol):
    """Says what messages look like."""

    async def card(self, challenge: Challenge, *, drawn: bool) -> Outgoing:
        """Return the card of a challenge, with its picture when ``drawn``."""

    async def board(self, table: Table) -> Outgoing:
        """Return the board of a match as it stands, or its result."""

    async def past_board(self, table: Table) -> discord.ui.LayoutView:
        """Return what the board before becomes: the same picture without controls."""

    def offer(self, table: Table, offer: Offer) -> Outgoing:
        """Return an offer, or what has become of it."""

    def reminder(self, match: Match) -> Outgoing:
        """Return the reminder that time is running out."""

    def late(self, match: Match) -> Outgoing:
        """Return the notice that the time is up and the win may be claimed."""

    def thread_name(self, match: Match) -> str:
        """Return the name of a match's thread, at most 100 characters."""

    def lost_place(self, match: Match) -> str:
        """Return what a player is told when a match can be shown nowhere."""


class DiscordErrands:
    """Carries errands out with a Discord client."""

    def __init__(self, client: discord.Client, services: Services, composer: Composer, *, threads: bool) -> None:
        self._client = client
        self._services = services
        self._composer = composer
        self._threads = threads

    async def run(self, errand: Errand) -> bool:
        """Do an errand; False when there was nothing left to say. Raises ``GoneError`` or ``LaterError``."""
        match Kind(errand.kind):
            case Kind.CARD:
                return await self._card(errand)
            case Kind.THREAD:
                return await self._thread(errand)
            case Kind.BOARD:
                return await self._board(errand)
            case Kind.OFFER:
                return await self._offer(errand)
            case Kind.REMINDER | Kind.LATE:
                return await self._notice(errand)

    async def _card(self, errand: Errand) -> bool:
        async with self._services.context.database.read() as tx:
            challenge = await challenges.get(tx, errand.payload["challenge"])
        if challenge is None:
            return False
        try:
            if challenge.message_id is not None:
                outgoing = await self._composer.card(challenge, drawn=False)
                await discord_calls.rewrite(self._client, challenge.channel_id, challenge.message_id, outgoing.view)
                return True
            if challenge.state is not ChallengeState.OPEN:
                return False
            await self._post_card(errand, challenge)
        except RefusedError as error:
            raise GoneError(str(error)) from error
        return True

    async def _post_card(self, errand: Errand, challenge: Challenge) -> None:
        outgoing = await self._composer.card(challenge, drawn=True)
        message_id = None
        if errand.attempts:
            message_id = await discord_calls.find_posted(
                self._client, challenge.channel_id, outgoing.marker, errand.created_at
            )
        if message_id is None:
            message_id = await discord_calls.post(self._client, challenge.channel_id, outgoing, errand.id)
        async with self._services.context.database.write() as tx:
            await challenges.change(tx, challenge.id, message_id=message_id)

    async def _thread(self, errand: Errand) -> bool:
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, errand.payload["match"])
            challenge = None if match is None else await challenges.of_match(tx, match.id)
        channel = None if match is None or match.thread_id is not None else await self._threaded(match)
        if match is None or channel is None:
            return False
        card_id = None if challenge is None else challenge.message_id
        name = self._composer.thread_name(match)
        try:
            thread_id = await discord_calls.open_thread(channel, card_id, name)
        except RefusedError as error:
            log.info("no thread possible, playing in the channel", match=match.id, error=str(error))
            return False
        async with self._services.context.database.write() as tx:
            await matches.change(tx, match.id, thread_id=thread_id)
        return True

    async def _threaded(self, match: Match) -> discord.TextChannel | None:
        """Return the channel of a match if a thread may be opened in it."""
        channel = self._client.get_channel(match.channel_id)
        if not self._threads or not isinstance(channel, discord.TextChannel):
            return None
        if not (await self._services.personal.settings(match.guild_id)).threads:
            return None
        allowed = channel.permissions_for(channel.guild.me)
        return channel if allowed.create_public_threads and allowed.send_messages_in_threads else None

    async def _board(self, errand: Errand) -> bool:
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, errand.payload["match"])
        if match is None or match.ply != errand.payload["ply"]:
            return False
        table = await self._services.overview.table(match.guild_id, match.id)
        if table.match.ply != match.ply:
            return False
        try:
            place_id, message_id = await self._post(errand, table.match, await self._composer.board(table))
        except GoneError:
            await self._tell_movers(match)
            raise
        await self._retire(table, message_id)
        async with self._services.context.database.write() as tx:
            await matches.change(tx, match.id, board_channel_id=place_id, board_message_id=message_id)
        return True

    async def _offer(self, errand: Errand) -> bool:
        async with self._services.context.database.read() as tx:
            offer = await offers.get(tx, errand.payload["offer"])
            match = None if offer is None else await matches.get(tx, offer.match_id)
        if offer is None or match is None:
            return False
        table = await self._services.overview.table(match.guild_id, match.id)
        outgoing = self._composer.offer(table, offer)
        if offer.message_id is not None and offer.channel_id is not None:
            with contextlib.suppress(RefusedError):
                await discord_calls.rewrite(self._client, offer.channel_id, offer.message_id, outgoing.view)
            return True
        if offer.state is not OfferState.OPEN:
            return False
        place_id, message_id = await self._post(errand, match, outgoing)
        async with self._services.context.database.write() as tx:
            await offers.change(tx, offer.id, channel_id=place_id, message_id=message_id)
        return True

    async def _notice(self, errand: Errand) -> bool:
        async with self._services.context.database.read() as tx:
            match = await matches.get(tx, errand.payload["match"])
        if match is None or match.state is not MatchState.RUNNING or match.ply != errand.payload["ply"]:
            return False
        compose = self._composer.reminder if errand.kind == Kind.REMINDER else self._composer.late
        await self._post(errand, match, compose(match))
        return True

    async def _post(self, errand: Errand, match: Match, outgoing: Outgoing) -> tuple[int, int]:
        """Post something about a match once, in its thread or else its channel; return where, and the message's id.

        A thread that refuses is given up: the match goes on in the channel. Raises ``GoneError`` or ``LaterError``.
        """
        places, refused = dict.fromkeys((match.place_id, match.channel_id)), []
        for place_id in places if errand.attempts else ():
            posted = await discord_calls.find_posted(self._client, place_id, outgoing.marker, errand.created_at)
            if posted is not None:
                return place_id, posted
        for place_id in places:
            try:
                return place_id, await discord_calls.post(self._client, place_id, outgoing, errand.id)
            except RefusedError as error:
                refused.append(str(error))
                if place_id == match.thread_id:
                    async with self._services.context.database.write() as tx:
                        await matches.change(tx, match.id, thread_id=None)
        raise GoneError("; ".join(refused))

    async def _tell_movers(self, match: Match) -> None:
        for seat in match.movers:
            try:
                await discord_calls.whisper(self._client, seat.person.id, self._composer.lost_place(match))
            except RefusedError as error:
                log.info("could not tell the player either", match=match.id, user=seat.person.id, error=str(error))

    async def _retire(self, table: Table, new_message_id: int) -> None:
        place_id, message_id = table.match.board_channel_id, table.match.board_message_id
        if place_id is None or message_id is None or message_id == new_message_id:
            return
        view = await self._composer.past_board(table)
        with contextlib.suppress(RefusedError):
            await discord_calls.rewrite(self._client, place_id, message_id, view)
