"""The acts of a player in a match: whether they are possible, how they are done and answered, for every way in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.building import Building, Keys, building
from bot.matches.model.refusals import AlreadyProcessed, Stale, Unconfirmed
from bot.matches.model.turn import check_to_move
from bot.matches.services.match_queries import MatchView
from bot.matches.services.turns import MoveReceipt
from bot.requests.request import Request
from bot.storage.records import Match, MatchState, OfferState
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated

_DRAW_OFFERED = {
    OfferState.OPEN: gettext_lazy("You have offered a draw."),
    OfferState.ACCEPTED: gettext_lazy("The match is drawn."),
    OfferState.DECLINED: gettext_lazy("I'd rather play on. You can offer another draw after the next move."),
}


class Act(StrEnum):
    """Something that a player can do beside moving."""

    DRAW = "draw"
    HINT = "hint"
    TAKE_BACK = "takeback"
    """Takes the last move back at once, against computer players."""
    ASK_TAKE_BACK = "ask-takeback"
    CLAIM = "claim"
    RESIGN = "resign"
    REMATCH = "rematch"
    REVIEW = "review"


LABELS = {
    Act.DRAW: gettext_lazy("Offer a draw"),
    Act.HINT: gettext_lazy("Hint"),
    Act.TAKE_BACK: gettext_lazy("Take back"),
    Act.ASK_TAKE_BACK: gettext_lazy("Ask to take back"),
    Act.CLAIM: gettext_lazy("Claim the win"),
    Act.RESIGN: gettext_lazy("Resign"),
    Act.REMATCH: gettext_lazy("Rematch"),
    Act.REVIEW: gettext_lazy("Review"),
}
"""The labels of the buttons."""


def possible(match_view: MatchView, user_id: int) -> list[Act]:
    """Return what a person can do now in a match, in the order in which it is offered; nothing for others."""
    match = match_view.match
    mine = match.seat_of(user_id)
    if mine is None:
        return []
    if match.state is MatchState.OVER:
        return [] if match.voided else [Act.REMATCH, Act.REVIEW]
    if mine.dropped:
        return []
    acts = [Act.DRAW] if len(match.seats) == 2 else []
    if match.alone:
        if mine.to_move and not match.between_people:
            acts.append(Act.HINT)
        if match_view.game_state.last is not None:
            acts.append(Act.TAKE_BACK)
    elif match_view.game_state.last_seat == mine.seat and not mine.to_move:
        acts.append(Act.ASK_TAKE_BACK)
    if match.flagged and not mine.to_move:
        acts.append(Act.CLAIM)
    return [*acts, Act.RESIGN]


async def offer_draw(request: Request, match_id: int, ply: int | None) -> str:
    """Offer a draw, or accept the one offered; return the answer. Raises ``Refusal``."""
    state = await request.services.agreements.offer_draw(request.turn(match_id, ply))
    return translated(_DRAW_OFFERED[state])


async def take_back(request: Request, match_id: int, ply: int | None) -> str:
    """Take one's own last move back, or ask to; return the answer. Raises ``Refusal``."""
    move = await request.services.agreements.ask_takeback(request.turn(match_id, ply))
    if move is None:
        return _("Your move is taken back. It's your turn again.")
    return _("You asked to take back **{move}**.", move=move)


async def claim(request: Request, match_id: int, ply: int | None) -> bool:
    """Claim the win; return whether the match is over. Raises ``Refusal`` while the opponent has time and is here."""

    async def who_is_gone(match: Match) -> frozenset[int]:
        ids = [seat.person.id for seat in match.movers]
        return frozenset([one for one in ids if await request.context.servers.has_left(request.server, one)])

    return await request.services.forfeits.claim(request.turn(match_id, ply), who_is_gone)


async def rematch(request: Request, match_id: int) -> tuple[str, int | None]:
    """Offer a rematch, or accept the one offered; return the answer, and the match that begins, if any.

    Raises ``Refusal``.
    """
    started = await request.services.rematches.ask(
        request.server, match_id, request.person, request.id, parent_id=request.place.parent_id
    )
    if started is not None:
        return _("The rematch is on: match {match}.", match=started), started
    return _("Rematch offered. It starts as soon as it's accepted."), None


async def resign(request: Request, match_id: int, ply: int | None) -> str:
    """Resign; return the answer. Raises ``Refusal``."""
    await request.services.forfeits.resign(request.turn(match_id, ply))
    return _("You have resigned.")


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
