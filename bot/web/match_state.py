"""A match as the page shows it to one person, as data. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.compute.job import JobSpec, Pool, Priority
from bot.matches.model.game_state import (
    ABANDONED,
    AGREEMENT,
    AGREES,
    CLOSED,
    FORFEITS,
    RESIGNS,
    TIMES_OUT,
    effective_entries,
)
from bot.matches.model.pace import Pace, is_live, pace_in_words, time_left_in_words
from bot.matches.model.policies.acts import WayOn, next_level, ways_on
from bot.matches.model.policies.visibility import Way
from bot.matches.model.refusals import out_of_play
from bot.matches.model.rest import rest_of
from bot.matches.model.turn import reopens_set_up
from bot.matches.services.agreements import Answer
from bot.matches.services.match_queries import MatchView, PageExtras
from bot.matches.writing.clocks import banks_of
from bot.messages.wording import (
    absences,
    dropped_players,
    first_win,
    last_move,
    one_line,
    rating_change,
    result,
    seat_name,
    thinking,
    title,
    voided_follows,
    way_on,
    why_lost,
)
from bot.requests import looking
from bot.requests.actions import LABELS, Action, about_pause, available_actions, pauses
from bot.requests.request import Request
from bot.requests.surfaces import Surface, of_match
from bot.storage.matches import Offer
from bot.storage.records import Entry, EntryKind, Match, MatchState, OfferKind, Seat
from bot.web import boards
from bot.web.api import Asked
from bot.web.building import Act, ending, page
from renderers.i18n import LazyText, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

_ENDINGS: dict[str, LazyText] = {
    **{text: FORFEITS[text] for text in (RESIGNS, TIMES_OUT)},
    AGREES: AGREEMENT,
    ABANDONED: gettext_lazy("Closed"),
}
"""By the stored texts of entries that are no moves, what the list of moves says of them."""

_OFFERED = {
    (OfferKind.DRAW, False): gettext_lazy("Your opponent offers a draw."),
    (OfferKind.DRAW, True): gettext_lazy("You have offered a draw."),
    (OfferKind.TAKEBACK, False): gettext_lazy("Your opponent asks to take their last move back."),
    (OfferKind.TAKEBACK, True): gettext_lazy("You asked to take your last move back."),
    (OfferKind.RESIGN, False): "",
    (OfferKind.PACE, False): gettext_lazy("Your opponent offers another pace: {pace}."),
    (OfferKind.PACE, True): gettext_lazy("You have offered another pace: {pace}."),
    (OfferKind.PAUSE, False): gettext_lazy("Your opponent offers a pause, which each of you can end."),
    (OfferKind.PAUSE, True): gettext_lazy("You have offered a pause."),
}
"""What is said of an offer, by its kind and whether it is the reader's own; only computer players offer to resign."""


async def own_match(request: Request, match_id: int) -> MatchView:
    """Return a match that the person plays in. Raises ``NoSuchMatch`` for any other, and ``Quarantined``."""
    return await looking.match_view(request, match_id, Way.PAGE)


async def check_own(request: Request, match_id: int) -> None:
    """Raise ``NoSuchMatch`` unless the person plays in a match, whether or not it can be shown at the moment."""
    await looking.match_and_entries(request, match_id, Way.PAGE)


def surface_of(request: Request, match_view: MatchView) -> Surface:
    """Return a match as a person sees it."""
    seat = match_view.match.seat_of(request.person.id)
    return of_match(match_view.match, match_view.game_state, 0 if seat is None else seat.seat)


async def state(request: Request, asked: Asked) -> dict[str, Any]:
    """Return a match as it stands. Raises ``Refusal``."""
    # Read first: what changes after it has another version, and is asked for again.
    beside = await request.services.queries.beside(request.home, asked.match, request.person.id)
    return await shown(request, asked, await own_match(request, asked.match), beside)


async def shown(request: Request, asked: Asked, match_view: MatchView, beside: PageExtras) -> dict[str, Any]:
    """Return a match, with what stands beside its board, as data. Raises ``Refusal``."""
    match, surface, letters = match_view.match, surface_of(request, match_view), asked.in_letters(request.preferences)
    look = surface.look(request.preferences, width=asked.width, flip=asked.flip)
    rematch = None if match_view.rematch is None else match_view.rematch.match_id
    mine, live = match.seat_of(request.person.id), is_live(match.pace)
    possible = available_actions(match_view, request.person.id)
    following = None if live and match.state is MatchState.RUNNING else beside.following
    chooses = mine is not None and mine.seat == match.to_move and out_of_play(match) is None
    key = "page board", match.id, match.ply, look, letters, chooses
    spec = JobSpec(Pool.INTERACTIVE, Priority.MOVE if chooses else Priority.LOOK, key)
    entries = effective_entries(beside.played)
    first = entries[: len(match.seats)]
    board, turn, set_ups = await request.services.compute_as(
        spec, boards.opened, match_view.game_state, look, letters, chooses, match.variant, first
    )
    return page(
        request,
        asked,
        surface,
        board,
        str(match.ply),
        version=beside.version,
        ply=match.ply,
        title=title(match),
        thinking=_thinking(match),
        status=_status(match_view, request.person.id),
        end=_end(match_view, request.person.id),
        live=live,
        over=match.state is MatchState.OVER,
        turn=turn,
        acts=_acts(match_view, mine, possible),
        pause=_pause(match) if Action.PAUSE in possible else None,
        people=_names(match),
        players=[_player(match, seat, request.person.id, beside.away_until) for seat in match.seats],
        offers=[_offer(match, offer, mine) for offer in beside.offers],
        moves=[_move(match, number, entry, number <= set_ups) for number, entry in enumerate(entries, 1)],
        rematch=None if rematch is None else _path(rematch),
        next=None if following is None else {"path": _path(following.id), "title": title(following)},
    )


def _path(match_id: int) -> str:
    return f"match/{match_id}"


def _names(match: Match) -> dict[str, str]:
    """Return the names of everybody whom the words on a match mention, by their ids."""
    names = {str(seat.person.id): one_line(seat.person.name) for seat in match.seats}
    if match.voided_name is not None:
        names[str(match.voided_by)] = one_line(match.voided_name)
    return names


def _acts(match_view: MatchView, mine: Seat | None, possible: Sequence[Action]) -> list[Act]:
    """Return what a person can do beside moving; once the match is over, the best way on first."""
    match, game_state = match_view.match, match_view.game_state
    if mine is None or match.voided:
        return []
    if match.state is MatchState.OVER:
        level = next_level(match)
        names = {WayOn.TURNING_POINT: Action.REVIEW.value}
        ways = [(names.get(way, way.value), way_on(way, level)) for way in ways_on(match, level)]
        return [*ways, ("share", _("Share"))] if match.shareable else ways
    # A pause and its end are one button, of which the other one has the place.
    pause = {Action.END_PAUSE: Action.PAUSE.value}
    acts = [(pause.get(action, action.value), translated(LABELS[action])) for action in possible]
    if reopens_set_up(match, game_state, mine):
        acts.insert(0, ("setup", _("Change my set-up")))
    return [*acts, ("plan", _p("button", "Plan"))] if len(match.seats) == 2 else acts


def _pause(match: Match) -> dict[str, Any]:
    """Return what is asked before a pause is offered: how long."""
    days = [{"value": str(days), "label": label} for days, label in pauses().items()]
    return {"question": about_pause(match), "days": days}


def _end(match_view: MatchView, user_id: int) -> dict[str, str] | None:
    """Return what the end of a match is to a person; None where it is none, or counts for nobody."""
    match = match_view.match
    mine = match.seat_of(user_id)
    if match.state is not MatchState.OVER or match.voided or match.reason == CLOSED or mine is None:
        return None
    winners, change = any(seat.won for seat in match.seats), match_view.changes.get(user_id)
    outcome = "won" if mine.won else "lost" if winners else "draw"
    rating = "" if change is None else _("Rating {change}", change=rating_change(change))
    return ending(outcome, rating, first_win(match_view) if mine.won else "")


def _player(match: Match, seat: Seat, reader: int, away_until: datetime | None) -> dict[str, Any]:
    running, pace = seat.seat == match.to_move, Pace.of(match.pace, match.increment)
    ends_at = match.time_ends_at if running and out_of_play(match) is None else None
    waits = pace is not None and pace.increment is not None and not (running or seat.dropped or seat.person.computer)
    return {
        "seat": seat.seat,
        "name": one_line(seat.person.name),
        "seatName": seat_name(match, seat.seat),
        "me": seat.person.id == reader,
        "toMove": running,
        "dropped": seat.dropped and len(match.seats) > 2,
        "won": seat.won and not match.voided,
        "until": None if ends_at is None else ends_at.isoformat(),
        "stands": _stands(match, away_until) if running else [],
        "left": translated(time_left_in_words(banks_of(match, pace)[seat.seat])) if waits and pace else None,
    }


def _stands(match: Match, away_until: datetime | None) -> list[list[str]]:
    """Return from when until when the clock of the person to move stands in this turn: away, paused, in rest.

    In a live match it stands at most in its first minute.
    """
    ends_at, rest, spans = match.time_ends_at, rest_of(match.rest), list[list[datetime]]()
    pace = Pace.of(match.pace, match.increment)
    if ends_at is not None and pace is not None and is_live(match.pace):
        begins = ends_at - banks_of(match, pace)[match.mover.seat]
        return [[match.turn_at.isoformat(), begins.isoformat()]] if begins > match.turn_at else []
    until = max((at for at in (away_until, match.paused_until) if at is not None), default=None)
    if ends_at is not None and until is not None:
        spans.append([match.turn_at, min(until, ends_at)])
    for begins, ends in () if rest is None or ends_at is None else rest.spans(until or match.turn_at, ends_at):
        if spans and spans[-1][1] == begins:
            spans[-1][1] = ends
        else:
            spans.append([begins, ends])
    return [[at.isoformat() for at in span] for span in spans]


def _status(match_view: MatchView, reader: int) -> list[str]:
    """Return what has happened and how the match stands, in Discord's markup."""
    match = match_view.match
    lines = [last_move(match_view), dropped_players(match)]
    if match.state is MatchState.OVER:
        lines = [f"**{result(match)}**", why_lost(match_view), *lines, voided_follows(match) if match.voided else ""]
        changes = {} if match.voided else match_view.changes
        lines += [
            f"-# {one_line(seat.person.name)}: {rating_change(changes[seat.person.id])}"
            for seat in match.seats
            if seat.person.id in changes and seat.person.id != reader
        ]
    elif (stopped := out_of_play(match)) is not None:
        lines.append(translated(stopped))
    return [*lines, *absences(match_view)]


def _thinking(match: Match) -> str | None:
    """Return that a computer player is thinking, while it is; the page says it once that has taken some time."""
    goes_on = match.state is MatchState.RUNNING and out_of_play(match) is None
    return thinking(match) if goes_on and match.mover.person.computer else None


def _offer(match: Match, offer: Offer, mine: Seat | None) -> dict[str, Any]:
    """Return an open offer in words, with the answers that the person can give."""
    own = mine is not None and offer.seat == mine.seat
    pace = translated(pace_in_words(Pace.of(offer.pace, offer.increment)))
    words = translated(_OFFERED.get((offer.kind, own), "")).format(pace=pace)
    answers = {Answer.WITHDRAW: _("Withdraw")} if own else {Answer.ACCEPT: _("Accept"), Answer.DECLINE: _("Decline")}
    if offer.kind is OfferKind.RESIGN:
        name = one_line(match.seats[offer.seat].person.name)
        words = _("{player} sees no chance to win any more, and offers to resign.", player=name)
        answers[Answer.DECLINE] = _("Play on")
    told = [{"answer": answer.value, "label": label} for answer, label in answers.items()]
    return {"id": str(offer.id), "words": words, "answers": told}


def _move(match: Match, number: int, entry: Entry, set_up: bool) -> dict[str, Any]:
    """Return a move of the list. A set-up is on the board, and its text says nothing to those who do not type."""
    text = entry.text if entry.kind in (EntryKind.MOVE, EntryKind.FORCED) else translated(_ENDINGS.get(entry.text, "…"))
    shown = _("set-up") if set_up else text
    return {"number": number, "seat": entry.seat, "seatName": seat_name(match, entry.seat), "text": shown}
