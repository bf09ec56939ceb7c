"""Keeps the bot's advice out of matches between people: players get none on positions that are on their boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from bot.compute.job import JobSpec, Pool, Priority
from bot.games.game import Position
from bot.matches.game_states import GameStates
from bot.matches.model.judging import canonical_forms
from bot.matches.model.refusals import Quarantined, Refusal
from bot.matches.service_context import ServiceContext
from bot.storage import match_lists
from bot.storage.records import Match, MatchState
from renderers.i18n import gettext_lazy as _

_LOOKED_AT = JobSpec(Pool.INTERACTIVE, Priority.LOOK, long=True)


class FairPlay:
    """Finds the positions about which a person may be told nothing."""

    def __init__(self, context: ServiceContext, game_states: GameStates) -> None:
        self._context = context
        self._game_states = game_states

    async def playing(self, user_id: int, game: str) -> list[tuple[Match, Position]]:
        """Return the running matches of a game between a person and others, in all servers, with their positions."""
        async with self._context.database.read() as tx:
            running = await match_lists.of_person(tx, user_id, MatchState.RUNNING)
        standing = []
        for match in running:
            if match.game == game and match.between_people:
                with suppress(Quarantined):
                    standing.append((match, (await self._game_states.of(match)).position))
        return standing

    async def in_running_matches(
        self, game: str, positions: Mapping[int, Position], playing: Sequence[tuple[Match, Position]]
    ) -> dict[int, Match]:
        """Return the numbers of the positions that are on the board of a match in ``playing``, each with that match.

        Positions with the same ``Game.canonical_form`` count as one.
        """
        if not playing or not positions:
            return {}
        everywhere = [*positions.values(), *(position for _, position in playing)]
        alike = await self._context.compute_as(_LOOKED_AT, canonical_forms, game, everywhere)
        standing = dict(zip(alike[len(positions) :], [match for match, _state in playing], strict=True))
        kinds = zip(positions, alike[: len(positions)], strict=True)
        return {number: standing[kind] for number, kind in kinds if kind in standing}

    async def check(self, user_id: int, game: str, *positions: Position) -> None:
        """Raise ``Refusal`` if one of the positions is on the board of a match that the person is playing."""
        numbered = dict(enumerate(positions))
        for match in (await self.in_running_matches(game, numbered, await self.playing(user_id, game))).values():
            raise Refusal(
                _(
                    "This position is on the board of match {match}, which you're playing, so I won't help "
                    "with it. Ask again when that match has moved on.",
                    match=match.id,
                )
            )
