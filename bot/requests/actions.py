"""What a player can do in a match: whether it is possible, how it is done and answered, for every way in."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from bot.matches.model.building import Choices, Consent
from bot.matches.model.pace import Pace
from bot.matches.model.policies.acts import WayOn
from bot.matches.model.policies.clocks import LONGEST_PAUSE, may_pause
from bot.matches.model.refusals import NOT_PLAYING, Refusal
from bot.matches.model.turn import after_person, reopens_set_up
from bot.matches.services.eligibility import Terms
from bot.matches.services.match_queries import MatchView
from bot.matches.services.turns import MoveReceipt, UnplayedMove
from bot.messages.wording import WAYS_ON, title
from bot.requests.request import Request
from bot.storage.records import First, Match, MatchState, OfferState
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, pgettext_lazy, translated
from renderers.i18n import ngettext as _n

_DRAW_OFFERED = {
    OfferState.OPEN: gettext_lazy("You have offered a draw."),
    OfferState.ACCEPTED: gettext_lazy("The match is drawn."),
    OfferState.DECLINED: gettext_lazy("I'd rather play on. You can offer another draw after the next move."),
}


class Action(StrEnum):
    """Something that a player can do beside moving."""

    DRAW = "draw"
    HINT = "hint"
    TAKE_BACK = "takeback"
    """Takes the last move back at once, against computer players."""
    ASK_TAKE_BACK = "ask-takeback"
    CLAIM = "claim"
    PAUSE = "pause"
    END_PAUSE = "end-pause"
    CLOSE = "close"
    """Closes an abandoned match, or one that counts no more for its cup."""
    RESIGN = "resign"
    REMATCH = "rematch"
    REVIEW = "review"


LABELS = {
    Action.DRAW: gettext_lazy("Offer a draw"),
    Action.HINT: gettext_lazy("Hint"),
    Action.TAKE_BACK: gettext_lazy("Take back"),
    Action.ASK_TAKE_BACK: gettext_lazy("Ask to take back"),
    Action.CLAIM: gettext_lazy("Claim the win"),
    Action.PAUSE: pgettext_lazy("button", "Pause"),
    Action.END_PAUSE: gettext_lazy("End the pause"),
    Action.CLOSE: gettext_lazy("Close the match"),
    Action.RESIGN: gettext_lazy("Resign"),
    Action.REMATCH: WAYS_ON[WayOn.REMATCH],
    Action.REVIEW: WAYS_ON[WayOn.REVIEW],
}
"""The labels of the buttons."""
PAUSES = (1, 3, 7, LONGEST_PAUSE.days)
"""The lengths of a pause from which a player chooses, in days."""


def available_actions(match_view: MatchView, user_id: int) -> list[Action]:
    """Return what a person can do now in a match, in the order in which it is offered; nothing for others."""
    match = match_view.match
    mine = match.seat_of(user_id)
    if mine is None:
        return []
    if match.state is MatchState.OVER:
        return [] if match.voided else [Action.REMATCH, Action.REVIEW]
    if mine.dropped:
        return []
    actions = [Action.DRAW] if len(match.seats) == 2 else []
    if match.alone:
        if mine == match.mover and not match.between_people:
            actions.append(Action.HINT)
        # A set-up that was taken without asking is changed, not taken back.
        state = match_view.game_state
        if after_person(match, state).last_seat == mine.seat and not reopens_set_up(match, state, mine):
            actions.append(Action.TAKE_BACK)
    elif match_view.game_state.last_seat == mine.seat and mine != match.mover:
        actions.append(Action.ASK_TAKE_BACK)
    if match_view.uncounted or match.lies_idle:
        actions.append(Action.CLOSE)
    if match.flagged and match.pace and mine != match.mover:
        actions.append(Action.CLAIM)
    if match.paused_until is not None:
        actions.append(Action.END_PAUSE)
    elif may_pause(match):
        actions.append(Action.PAUSE)
    return [*actions, Action.RESIGN]


async def offer_draw(request: Request, match_id: int, ply: int | None) -> str:
    """Offer a draw, or accept the one offered; return the answer. Raises ``Refusal``."""
    state = await request.services.agreements.offer_draw(request.actor, match_id, ply)
    return translated(_DRAW_OFFERED[state])


async def take_back(request: Request, match_id: int, ply: int | None) -> str:
    """Take one's own last move back, or ask to; return the answer. Raises ``Refusal``."""
    move = await request.services.agreements.ask_takeback(request.actor, match_id, ply)
    if move is None:
        return _("Your move is taken back. It's your turn again.")
    return _("You asked to take back **{move}**.", move=move)


def about_pause(match: Match) -> str:
    return _("In a pause the clock of **{match}** stands, until either of you goes on.", match=title(match))


def pauses() -> dict[int, str]:
    """Return the lengths of a pause from which a player chooses, in words by days."""
    return {days: _n("{n} day", "{n} days", days) for days in PAUSES}


async def pause(request: Request, match_id: int, days: int) -> str:
    """Offer a pause of some days, accept the one offered, or end one with 0 days; return the answer.

    Raises ``Refusal``.
    """
    agreements = request.services.agreements
    if days == 0:
        await agreements.end_pause(request.actor, match_id, None)
        return _("The pause is over. The clock goes on.")
    if await agreements.offer_pause(request.actor, match_id, None, days) is OfferState.OPEN:
        return _("You have offered a pause.")
    return _("The match is paused. Either of you can go on at any time.")


async def claim_win(request: Request, match_id: int, ply: int | None) -> bool:
    """Claim the win; return whether the match is over. Raises ``Refusal`` while the opponent has time and is here."""
    return await request.services.forfeits.claim_win(request.actor, match_id, ply)


async def close(request: Request, match_id: int, ply: int | None) -> str:
    """Close a match without a result; return the answer. Raises ``Refusal``."""
    await request.services.forfeits.close(request.actor, match_id, ply)
    return _("The match is closed. It counts for nobody.")


async def rematch(request: Request, match_id: int) -> tuple[str, int | None]:
    """Offer a rematch, or accept the one offered; return the answer, and the match that begins, if any.

    Raises ``Refusal``.
    """
    started = await request.services.rematches.ask(request.actor, match_id)
    if started is not None:
        return _("The rematch is on: match {match}.", match=started), started
    return _("Rematch offered. It starts as soon as it's accepted."), None


async def play_level(request: Request, match: Match, level: int, asked: int | None) -> int:
    """Begin a match like one against the bot at another level; return its number.

    ``asked`` is the message that leads there: once from each. Raises ``Refusal``.
    """
    if match.seat_of(request.person.id) is None:
        raise Refusal(NOT_PLAYING)
    terms = Terms(match.game, match.variant, len(match.seats), First.CHALLENGER, False, language=match.language)
    actor = replace(request.actor, channel_id=match.channel_id)
    pace = Pace.of(match.pace, match.increment)
    return await request.services.computer_opponents.play(actor, level, terms.at(pace), asked=asked)


async def resign(request: Request, match_id: int, ply: int | None) -> str:
    """Resign; return the answer. Raises ``Refusal``."""
    await request.services.forfeits.resign(request.actor, match_id, ply)
    return _("You have resigned.")


async def play_built_move(
    request: Request, match: Match | int, ply: int | None, choices: Choices, consent: Consent
) -> MoveReceipt | UnplayedMove:
    """Play the move that some choices make, or a typed text; return it where there is more to choose or to ask.

    The match is given as the request has read it, or by its number. Where the board will be the answer to what the
    person does (``bot.storage.homes``), only a button is answered so. Raises ``Refusal``.
    """
    agreed = consent_of(request, consent)
    if request.place.answered and request.response is None and agreed is not Consent.NONE:
        agreed = Consent.DRAFT if agreed is Consent.TEXT else Consent.NONE
    return await request.services.turns.play_built_move(request.actor, match, ply, choices, agreed)


def consent_of(request: Request, consent: Consent) -> Consent:
    """Return what a person has agreed to: by a choice to nothing, if they want to confirm every move."""
    return Consent.NONE if consent is Consent.CHOICE and request.preferences.confirm else consent
