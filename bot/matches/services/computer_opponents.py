"""Begins matches against computer players: at once, instead of waiting for an opponent, or in a challenge's free seats.

Computer players always accept, and their matches are never rated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.model.refusals import Refusal, Stale
from bot.matches.service_context import ServiceContext
from bot.matches.services.challenge_store import ChallengeStore
from bot.matches.services.eligibility import Eligibility, HasLeft, Terms, nobody_left
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.opponents import LEVELS
from bot.storage import challenges, interactions, locks, people
from bot.storage.challenges import Challenge
from bot.storage.records import Person, RequestId, computer_player
from bot.storage.transactions import retried
from renderers.i18n import gettext_lazy as _

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """A challenge after a change of its computer players, and the id of its match if that has begun."""

    challenge: Challenge
    match_id: int | None


class ComputerOpponents:
    """Starts matches against computer players, and gives them seats in challenges."""

    def __init__(self, context: ServiceContext, eligibility: Eligibility, store: ChallengeStore) -> None:
        self._context = context
        self._eligibility = eligibility
        self._store = store

    async def usual_level(self, person: Person, game: str) -> int:
        """Return the level that fits a person in a game.

        It is the lowest that they have not beaten twice, or the highest where none is left, and the one below their
        last opponents once they have lost twice in a row to levels no higher than that.
        """
        async with self._context.database.read() as tx:
            results = await people.results_against_computers(tx, person.id, game)
        wins = Counter(level for level, won in results if won)
        fitting = min((level for level in LEVELS if wins[level] < 2), default=LEVELS[-1])
        lost = [level for level, won in results[:2] if won is False]
        return max(LEVELS[0], min(lost) - 1) if len(lost) == 2 and max(lost) <= fitting else fitting

    @retried
    async def play(
        self,
        guild_id: int,
        channel_id: int,
        person: Person,
        level: int,
        terms: Terms,
        interaction_id: RequestId,
        *,
        parent_id: int | None = None,
        asked: int | None = None,
    ) -> int:
        """Start a match against a computer player and return its id. Raises ``Refusal``.

        ``asked`` is the interaction in which the person was asked for the level. It can be answered once.
        """
        self._eligibility.check_terms(person, None, terms)
        if terms.players != 2:
            raise Refusal(_("A match against me is for two: you and me."))
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            if asked is not None and not await interactions.mark_processed(tx, asked, self._context.clock()):
                raise Stale(_("You have chosen a level here already. `/matches` shows the match that began."))
            await locks.people(tx, [person.id])
            await self._eligibility.check_place(tx, guild_id, channel_id, parent_id)
            await self._eligibility.check_room(tx, guild_id, person, person)
            match_id = await start_match(
                tx,
                guild_id=guild_id,
                channel_id=channel_id,
                game=terms.game,
                variant=terms.variant,
                rated=False,
                pace=terms.pace,
                increment=terms.increment,
                people=self._store.in_order(terms.first, [person, computer_player(level)]),
                at=self._context.clock(),
                language=terms.language,
            )
        log.info("plays the computer", match=match_id, game=terms.game, variant=terms.variant, strength=level)
        return match_id

    async def own(self, guild_id: int, challenge_id: int, person: Person) -> Challenge:
        """Return a person's own open challenge, if computer players may have seats in it. Raises ``Refusal``."""
        async with self._context.database.read() as tx:
            return await self._own(tx, guild_id, challenge_id, person)

    @retried
    async def take_up(
        self, guild_id: int, challenge_id: int, person: Person, level: int, interaction_id: RequestId
    ) -> int:
        """Turn an open challenge for two into a match of its challenger against a computer player; return its id.

        Raises ``Refusal``.
        """
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            challenge = await self._own(tx, guild_id, challenge_id, person)
            if challenge.players != 2:
                raise Refusal(_("This challenge has more than two seats: add me to the free ones."))
            await locks.people(tx, [person.id])
            await self._eligibility.check_room(tx, guild_id, person, person)
            await challenges.change(tx, challenge.id, levels=[level])
            match_id = await self._store.begin(tx, replace(challenge, levels=(level,)))
        self._store.after_commit(challenge, match_id)
        return match_id

    async def seat(
        self,
        guild_id: int,
        challenge_id: int,
        person: Person,
        level: int,
        seated: Sequence[int],
        interaction_id: RequestId,
        *,
        has_left: HasLeft = nobody_left,
    ) -> SeatsChanged:
        """Give a computer player a free seat; the match starts if that was the last one.

        ``seated`` are the levels that had seats when the person asked. Raises ``Refusal``.
        """
        gone = await self._store.gone(guild_id, challenge_id, has_left) - {person.id}
        return await self._reseat(guild_id, challenge_id, person, interaction_id, seated, (*seated, level), gone)

    async def unseat(
        self,
        guild_id: int,
        challenge_id: int,
        person: Person,
        level: int,
        seated: Sequence[int],
        interaction_id: RequestId,
    ) -> SeatsChanged:
        """Take the seat of a computer player away. Raises ``Refusal``."""
        if level not in seated:
            raise Refusal(_("I'm not in this challenge at level {level}.", level=level))
        staying = list(seated)
        staying.remove(level)
        return await self._reseat(guild_id, challenge_id, person, interaction_id, seated, staying)

    @retried
    async def _reseat(
        self,
        guild_id: int,
        challenge_id: int,
        person: Person,
        interaction_id: RequestId,
        before: Sequence[int],
        after: Sequence[int],
        gone: Collection[int] = (),
    ) -> SeatsChanged:
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, interaction_id)
            found = await self._store.without(tx, await self._own(tx, guild_id, challenge_id, person), gone)
            if found.levels != tuple(before):
                raise Stale(_("The seats have changed since. Press **Add the bot** on the challenge again."))
            challenge, match_id = replace(found, levels=tuple(after)), None
            if len(challenge.seated) > challenge.players:
                raise Refusal(_("Every seat is taken."))
            await challenges.change(tx, challenge.id, levels=list(after))
            if len(challenge.seated) == challenge.players:
                await locks.people(tx, [player.id for player in challenge.joined])
                for player in challenge.joined:
                    await self._eligibility.check_room(tx, guild_id, player, person)
                match_id = await self._store.begin(tx, challenge)
            else:
                await outbox_messages.card(tx, challenge.id, f"seats:{interaction_id}", self._context.clock())
        log.info("computer players seated", challenge=challenge.id, levels=list(after))
        self._store.after_commit(challenge, match_id)
        return SeatsChanged(challenge, match_id)

    async def _own(self, tx: AsyncConnection, guild_id: int, challenge_id: int, person: Person) -> Challenge:
        challenge = await self._store.open(tx, guild_id, challenge_id)
        if person.id != challenge.challenger_id:
            raise Refusal(_("Only the challenger can have me play."))
        if challenge.opponent_id is not None:
            raise Refusal(_("This challenge is for one person. Wait for their answer."))
        return challenge
