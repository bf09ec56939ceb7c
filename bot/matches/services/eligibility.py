"""Who may propose what to whom, and where: the checks that every challenge and every new match goes through."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.matches.model.refusals import Channels, LimitReached, Refusal
from bot.matches.model.terms import Terms
from bot.matches.service_context import ServiceContext
from bot.storage import challenges, guilds, match_lists, people
from bot.storage.records import EVERYWHERE, Person
from renderers.i18n import gettext_lazy as _
from renderers.i18n import ngettext_lazy as _n

CALLED_OFF_WITHIN = timedelta(hours=1)
"""For how long a challenge that was called off counts against its challenger."""

YOU_ARE_BARRED = _(
    "The people who manage this server have barred you from playing here. Matches you're in go on; "
    "to have the bar lifted, ask them."
)
YOU_ARE_BARRED_EVERYWHERE = _(
    "The people who run this bot have barred you from playing. Matches you're in go on; "
    "to have the bar lifted, ask them."
)


class Eligibility:
    """The checks; each raises ``Refusal`` with a sentence for the person."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context

    def check_terms(self, challenger: Person, opponent: Person | None, terms: Terms) -> None:
        """Raise ``Refusal`` for terms the game does not know, and for a challenge to oneself."""
        game = GAMES[terms.game]
        variant = game.variant(terms.variant)
        if terms.players not in variant.players:
            fewest, most = variant.players.start, variant.players.stop - 1
            if fewest == most:
                meant = _n("{game} ({variant}) is for {n} player.", "{game} ({variant}) is for {n} players.", most)
            else:
                meant = _("{game} ({variant}) is for {fewest} to {most} players.", fewest=fewest, most=most)
            raise Refusal(meant.filled(game=game.name, variant=variant.name))
        if opponent is not None and opponent.id == challenger.id:
            raise Refusal(_("You can't challenge yourself. Leave the opponent out to challenge anyone."))

    async def check_place(self, tx: AsyncConnection, guild_id: int, channel_id: int, parent_id: int | None) -> None:
        """Raise ``Refusal`` where the server allows no play; ``parent_id`` is the channel of a thread."""
        allowed = (await guilds.settings(tx, guild_id)).channels
        if allowed and channel_id not in allowed and parent_id not in allowed:
            raise Refusal(_("In this server games are played in {channels}."), channels=Channels(allowed))

    async def check_may_challenge(
        self, tx: AsyncConnection, guild_id: int, challenger: Person, opponent: Person | None
    ) -> None:
        """Raise ``Refusal`` for somebody who has too much going on, or whom the opponent does not want to hear from."""
        limits, now = self._context.limits, self._context.clock()
        if await challenges.open_of(tx, guild_id, challenger.id) >= limits.challenges:
            raise LimitReached(
                _n(
                    "You have {n} challenge open in this server, which is the limit. Cancel it or wait for an answer.",
                    "You have {n} challenges open in this server, which is the limit. Cancel one or wait for an "
                    "answer.",
                    limits.challenges,
                )
            )
        called_off = await challenges.called_off(tx, guild_id, challenger.id, now - CALLED_OFF_WITHIN, now)
        if len(called_off) >= limits.called_off:
            wait = called_off[-limits.called_off] + CALLED_OFF_WITHIN - now
            minutes = ceil(wait / timedelta(minutes=1))
            raise LimitReached(
                _n(
                    "You've cancelled {number} challenges lately. You can challenge again in {n} minute.",
                    "You've cancelled {number} challenges lately. You can challenge again in {n} minutes.",
                    minutes,
                    number=len(called_off),
                )
            )
        await self.check_room(tx, guild_id, challenger, challenger)
        await self.check_apart(tx, challenger, opponent)
        if opponent is not None:
            await self.check_not_barred(tx, guild_id, opponent, challenger)

    async def check_not_barred(self, tx: AsyncConnection, guild_id: int, person: Person, reader: Person) -> None:
        """Raise ``Refusal``, worded for ``reader``, for somebody who is barred from playing in a server."""
        bar = await people.bar_holding(tx, guild_id, person.id)
        if bar is None:
            return
        if person.id != reader.id:
            raise Refusal(_("{person} has been barred from playing here."), person=person)
        raise Refusal(YOU_ARE_BARRED_EVERYWHERE if bar.guild_id == EVERYWHERE else YOU_ARE_BARRED)

    async def check_room(self, tx: AsyncConnection, guild_id: int, person: Person, reader: Person) -> None:
        """Raise ``Refusal``, worded for ``reader``, for somebody who is barred or has as many matches as they may."""
        await self.check_not_barred(tx, guild_id, person, reader)
        limit = self._context.limits.matches
        if await match_lists.running_count(tx, guild_id, person.id) < limit:
            return
        if person.id == reader.id:
            raise Refusal(
                _n(
                    "You have {n} match running in this server, which is the limit. Finish one first.",
                    "You have {n} matches running in this server, which is the limit. Finish one first.",
                    limit,
                )
            )
        raise Refusal(
            _n(
                "{person} has {n} match running in this server, which is the limit.",
                "{person} has {n} matches running in this server, which is the limit.",
                limit,
            ),
            person=person,
        )

    async def check_apart(self, tx: AsyncConnection, challenger: Person, opponent: Person | None) -> None:
        """Raise ``Refusal`` where either has blocked the other."""
        if opponent is not None and await people.blocks_between(tx, challenger.id, opponent.id):
            raise Refusal(_("You and {person} can't challenge each other."), person=opponent)
