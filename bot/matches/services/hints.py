"""Hints: the best move in matches against computer players and in matches that are over."""

from __future__ import annotations

from dataclasses import dataclass

from bot.compute.job import JobSpec, Pool, Priority
from bot.games import GAMES
from bot.matches.game_states import GameStates
from bot.matches.model.actor import Actor
from bot.matches.model.judging import Advice, advice, position_at
from bot.matches.model.refusals import Refusal, check_playable
from bot.matches.model.turn import check_to_move
from bot.matches.service_context import ServiceContext
from bot.matches.services.fair_play import FairPlay
from bot.matches.writing.move_log import load_match
from bot.storage import matches
from bot.storage.records import Entry, Match, MatchState
from renderers.i18n import gettext_lazy as _

_REPLAYED = JobSpec(Pool.INTERACTIVE, Priority.LOOK)


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for a seat in the position of ``number`` in a match."""

    match: Match
    played: list[Entry]
    number: int
    seat: int
    advice: Advice


class Hints:
    """Finds the best move. The same question, asked again or by several people at once, is searched once."""

    def __init__(self, context: ServiceContext, game_states: GameStates, fair_play: FairPlay) -> None:
        self._context = context
        self._game_states = game_states
        self._fair_play = fair_play

    async def hint(self, actor: Actor, match_id: int, ply: int | None) -> Hint:
        """Return a hint for a person who has to be to move against a computer player. Raises ``Refusal``."""
        match, played = await self._load(actor.guild_id, match_id)
        if match.between_people:
            raise Refusal(
                _("There are no hints in matches between people. When this one is over, **Review** says what was best.")
            )
        check_to_move(match, actor.person, ply)
        return await self._best(match, played, len(played), actor.person.id)

    async def best(self, guild_id: int, match_id: int, number: int, user_id: int) -> Hint:
        """Return a hint for a position of a match that is over. Raises ``Refusal``."""
        match, played = await self._load(guild_id, match_id)
        check_playable(match)
        if match.state is not MatchState.OVER:
            raise Refusal(_("This match is still being played, so I won't say what's best in it."))
        return await self._best(match, played, number, user_id)

    async def _load(self, guild_id: int, match_id: int) -> tuple[Match, list[Entry]]:
        async with self._context.database.read() as tx:
            match, played = await load_match(tx, guild_id, match_id), await matches.moves_of(tx, match_id)
        await self._game_states.of(match)
        return match, played

    async def _best(self, match: Match, played: list[Entry], number: int, user_id: int) -> Hint:
        game, players = GAMES[match.game], len(match.seats)
        number, position = await self._context.compute_as(
            _REPLAYED, position_at, game, match.variant, players, played, number
        )
        if position.to_move is None:
            raise Refusal(_("The game is over at that point, so there's no move to suggest."))
        await self._fair_play.check(user_id, match.game, position)
        spec = JobSpec(Pool.THINKING, Priority.LOOK, ("advice", match.id, len(played), number))
        best = await self._context.compute_as(spec, advice, position)
        if best is None:
            raise Refusal(_("I can't see far enough from this position to say which move is best."))
        return Hint(match, played, number, position.to_move, best)
