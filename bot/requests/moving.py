"""A move put together choice by choice: taken, asked about or played, whichever way the request came in."""

from __future__ import annotations

from dataclasses import dataclass

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.building import Building, Keys, building
from bot.matches.model.refusals import AlreadyProcessed, Stale, Unconfirmed
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.matches.services.turns import MoveReceipt
from bot.requests.request import Request


@dataclass(frozen=True, slots=True)
class Unplayed:
    """Choices that were not played: they make no move yet, or the player is asked before it is played."""

    match_view: MatchView
    building: Building


async def play_choices(
    request: Request, match_id: int, ply: int, keys: Keys, *, confirmed: bool
) -> MoveReceipt | Unplayed:
    """Play the move that some choices make, or return them where there is something to ask first.

    With ``confirmed`` the player has read what the move does. Raises ``Refusal``; a request that was carried out before
    raises ``AlreadyProcessed``, also when the match has moved on since.
    """
    match_view = await request.services.queries.match_view(request.server, match_id)
    turn = request.turn(match_id, ply, match_view.match)
    try:
        check_to_move(match_view.match, turn)
    except Stale:
        if await request.services.turns.was_processed(request.id):
            raise AlreadyProcessed from None
        raise
    game, position = match_view.match.game, match_view.game_state.position
    spec = JobSpec(Pool.PICTURES, Priority.MOVE)
    found = await request.services.context.compute_as(spec, building, game, position, keys)
    now = found.state
    if now.move is None or now.problem is not None:
        return Unplayed(match_view, found)
    if not confirmed and (now.steps or request.preferences.confirm or found.asks):
        return Unplayed(match_view, found)
    try:
        return await request.services.turns.play(turn, str(now.move), confirmed=confirmed)
    except Unconfirmed:
        return Unplayed(match_view, found)
