"""Begins matches against computer players: at once, instead of waiting for an opponent, or in a challenge's free seats.

Computer players always accept, and their matches are never rated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import game_named
from bot.matches.model.actor import Actor
from bot.matches.model.refusals import Refusal, Stale
from bot.matches.service_context import ServiceContext
from bot.matches.services.challenge_steps import ChallengeSteps
from bot.matches.services.eligibility import Eligibility, Terms
from bot.matches.writing import outbox_messages
from bot.matches.writing.beginning import start_match
from bot.opponents import levels_of
from bot.storage import beaten_levels, challenges, interactions, locks
from bot.storage.challenges import Challenge
from bot.storage.records import NewMatch, Person, computer_player
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

    def __init__(self, context: ServiceContext, eligibility: Eligibility, steps: ChallengeSteps) -> None:
        self._context = context
        self._eligibility = eligibility
        self._steps = steps

    async def usual_level(self, person: Person, game: str) -> int:
        """Return the level that fits a person in a game.

        It is the lowest that they have not beaten twice, or the highest where none is left, and the one below their
        last opponents once they have lost twice in a row to levels no higher than that. A win in the same moves as an
        earlier one does not count, and levels the game had beyond its strongest count as that one.
        """
        levels = levels_of(game_named(game))
        async with self._context.database.read() as tx:
            results = await beaten_levels.results(tx, person.id, game)
        results = [(min(level, levels[-1]), won) for level, won in results]
        wins = Counter(level for level, won in results if won)
        fitting = min((level for level in levels if wins[level] < 2), default=levels[-1])
        lost = [level for level, won in results[:2] if won is False]
        return max(levels[0], min(lost) - 1) if len(lost) == 2 and max(lost) <= fitting else fitting

    @retried
    async def play(self, actor: Actor, level: int, terms: Terms, *, asked: int | None = None) -> int:
        """Start a match against a computer player and return its id. Raises ``Refusal``.

        ``asked`` is the interaction in which the person was asked for the level. It can be answered once.
        """
        person = actor.person
        self._eligibility.check_terms(person, None, terms)
        if terms.players != 2:
            raise Refusal(_("A match against me is for two: you and me."))
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            if asked is not None and not await interactions.mark_processed(tx, asked, self._context.clock()):
                raise Stale(_("You have chosen a level here already. `/matches` shows the match that began."))
            await locks.people(tx, [person.id])
            await self._eligibility.check_place(tx, actor)
            await self._eligibility.check_room(tx, actor.guild_id, actor.person, actor.person)
            await self._eligibility.note_begun_alone(tx, actor.guild_id, person)
            new = NewMatch(
                guild_id=actor.guild_id,
                channel_id=actor.channel,
                game=terms.game,
                variant=terms.variant,
                rated=False,
                pace=terms.pace,
                increment=terms.increment,
                language=terms.language,
            )
            seated = self._steps.in_order(terms.first, [person, computer_player(level)])
            match_id = await start_match(tx, new, seated, self._context.clock())
        log.info("plays the computer", match=match_id, game=terms.game, variant=terms.variant, strength=level)
        return match_id

    async def own(self, actor: Actor, challenge_id: int) -> Challenge:
        """Return a person's own open challenge, if computer players may have seats in it. Raises ``Refusal``."""
        async with self._context.database.read() as tx:
            return await self._own(tx, actor, challenge_id)

    @retried
    async def take_up(self, actor: Actor, challenge_id: int, level: int) -> int:
        """Turn an open challenge for two into a match of its challenger against a computer player; return its id.

        Raises ``Refusal``.
        """
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            challenge = await self._own(tx, actor, challenge_id)
            if challenge.players != 2:
                raise Refusal(_("This challenge has more than two seats: add me to the free ones."))
            await locks.people(tx, [actor.person.id])
            await self._eligibility.check_room(tx, actor.guild_id, actor.person, actor.person)
            levels = _played(challenge.game, [level])
            await challenges.change(tx, challenge.id, levels=list(levels))
            match_id = await self._steps.begin(tx, replace(challenge, levels=levels))
        self._steps.after_commit(challenge, match_id)
        return match_id

    async def seat(self, actor: Actor, challenge_id: int, level: int, seated: Sequence[int]) -> SeatsChanged:
        """Give a computer player a free seat; the match starts if that was the last one.

        ``seated`` are the levels that had seats when the person asked. Raises ``Refusal``.
        """
        gone = await self._steps.gone(actor.guild_id, challenge_id) - {actor.person.id}
        return await self._reseat(actor, challenge_id, seated, (*seated, level), gone)

    async def unseat(self, actor: Actor, challenge_id: int, level: int, seated: Sequence[int]) -> SeatsChanged:
        """Take the seat of a computer player away. Raises ``Refusal``."""
        if level not in seated:
            raise Refusal(_("I'm not in this challenge at level {level}.", level=level))
        staying = list(seated)
        staying.remove(level)
        return await self._reseat(actor, challenge_id, seated, staying)

    @retried
    async def _reseat(
        self,
        actor: Actor,
        challenge_id: int,
        before: Sequence[int],
        after: Sequence[int],
        gone: Collection[int] = (),
    ) -> SeatsChanged:
        async with self._context.database.write() as tx:
            await self._context.mark_processed(tx, actor.interaction_id)
            current = await self._steps.without(tx, await self._own(tx, actor, challenge_id), gone)
            if current.levels != tuple(before):
                raise Stale(_("The seats have changed since. Press **Add the bot** on the challenge again."))
            levels = _played(current.game, after)
            challenge, match_id = replace(current, levels=levels), None
            if len(challenge.seated) > challenge.players:
                raise Refusal(_("Every seat is taken."))
            await challenges.change(tx, challenge.id, levels=list(levels))
            if len(challenge.seated) == challenge.players:
                await locks.people(tx, [player.id for player in challenge.joined])
                for player in challenge.joined:
                    await self._eligibility.check_room(tx, actor.guild_id, player, actor.person)
                match_id = await self._steps.begin(tx, challenge)
            else:
                await outbox_messages.card(tx, challenge.id, f"seats:{actor.interaction_id}", self._context.clock())
        log.info("computer players seated", challenge=challenge.id, levels=list(levels))
        self._steps.after_commit(challenge, match_id)
        return SeatsChanged(challenge, match_id)

    async def _own(self, tx: AsyncConnection, actor: Actor, challenge_id: int) -> Challenge:
        challenge = await self._steps.open(tx, actor, challenge_id)
        if actor.person.id != challenge.challenger_id:
            raise Refusal(_("Only the challenger can have me play."))
        if challenge.opponent_id is not None:
            raise Refusal(_("This challenge is for one person. Wait for their answer."))
        return challenge


def _played(game: str, levels: Sequence[int]) -> tuple[int, ...]:
    """Return levels of a game, its strongest in place of those beyond it: old messages offer levels it had once."""
    return tuple(min(level, levels_of(game_named(game))[-1]) for level in levels)
