"""Which match a command is about, where its number is left out, and what to suggest for the number."""

from __future__ import annotations

from collections.abc import Sequence

from bot.matches.model.refusals import Refusal
from bot.messages.wording import seat_name, shorten, title, without_mentions
from bot.requests.request import Request
from bot.storage.match_lists import in_place
from bot.storage.records import Match, MatchState
from renderers.i18n import bracketed, enumerated, folded, gettext_lazy
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

Suggestions = list[tuple[str, int]]
"""The label and id of each suggested match."""
NONE_YET = gettext_lazy("You have no match like that here yet. `/play` starts one.")
"""What is said in direct messages where there is no match."""
_LABEL_LIMIT = 100
"""Discord's limit for the name of a suggestion, in characters."""


async def resolve_match_id(request: Request, number: int | None, *, finished: bool = False) -> int:
    """Return the id of the match a command is about. Raises ``Refusal`` where that is not clear.

    With ``finished`` the command also takes matches that are over: without a running one it means the newest.
    """
    return number if number is not None else (await resolve_match(request, finished=finished)).id


async def resolve_match(request: Request, *, finished: bool = False) -> Match:
    """Return the match that a command without a number is about. Raises ``Refusal`` like ``resolve_match_id``."""
    matches = await _candidates(request, finished=finished)
    if not matches and request.place.direct:
        raise Refusal(NONE_YET)
    if not matches and finished:
        raise Refusal(_("No match has been played here. `/matches everyone:True` lists those of the whole server."))
    if not matches:
        raise Refusal(_("You have no match here. `/challenge` starts one, and `/matches` lists yours."))
    running = [match for match in matches if match.state is MatchState.RUNNING]
    mine = [match for match in running if match.is_turn_of(request.person.id)]
    for meant in (mine, running):
        if len(meant) == 1:
            return meant[0]
    if not running:
        return matches[0]
    numbers = enumerated(str(match.id) for match in running[:10])
    if all(match.seat_of(request.person.id) is None for match in running):
        raise Refusal(_("Several matches are played here ({numbers}). Choose one with `match`.", numbers=numbers))
    raise Refusal(_("You have several matches here ({numbers}). Choose one with `match`.", numbers=numbers))


async def match_to_review(request: Request, number: int | None) -> int:
    """Return the id of the match to review: the given one, or the newest that is over. Raises ``Refusal``."""
    if number is not None:
        return number
    matches = await _review_candidates(request)
    if not matches and request.place.direct:
        raise Refusal(NONE_YET)
    if not matches:
        raise Refusal(_("No match has been finished here yet. `/challenge` starts one."))
    return matches[0].id


async def match_to_void(request: Request, number: int | None) -> int:
    """Return the id of the match to void: the given one, or that of the thread. Raises ``Refusal`` elsewhere."""
    if number is not None:
        return number
    here = await request.services.read(in_place, request.server, request.channel, request.person.id)
    match_id = next((match.id for match in here if match.thread_id == request.channel), None)
    if match_id is None:
        raise Refusal(_("Choose which match with `match`; its number is on its board."))
    return match_id


async def suggested_matches(request: Request, typed: str, *, finished: bool = False) -> Suggestions:
    """Suggest the matches a command may be about; those that are over only with ``finished``."""
    return _suggestions(request, await _candidates(request, finished=finished), typed)


async def suggested_to_review(request: Request, typed: str) -> Suggestions:
    return _suggestions(request, await _review_candidates(request), typed)


async def suggested_to_void(request: Request, typed: str) -> Suggestions:
    """Suggest the newest matches of the place, whether or not this person plays in them."""
    here = await request.services.read(in_place, request.server, request.channel, request.person.id)
    return _suggestions(request, [match for match in here if not match.voided], typed)


async def _candidates(request: Request, *, finished: bool) -> list[Match]:
    return await request.services.queries.candidates(
        request.home, request.channel, request.person.id, finished=finished, parent_id=request.place.parent_id
    )


async def _review_candidates(request: Request) -> list[Match]:
    return await request.services.queries.review_candidates(request.home, request.channel, request.person.id)


def _suggestions(request: Request, matches: Sequence[Match], typed: str) -> Suggestions:
    """Return the matches whose labels contain the typed text: with the reader's opponents, and whose turn it is."""
    suggestions, reader = [], request.person.id
    for match in matches:
        others = [seat for seat in match.seats if seat.person.id != reader]
        names = enumerated(bracketed(seat.person.name, seat_name(match, seat.seat)) for seat in others)
        if match.state is MatchState.OVER:
            state = _p("match", "over")
        elif match.is_turn_of(reader):
            state = _p("match", "your turn")
        else:
            state = _p("match", "waiting")
        label = shorten(without_mentions(f"{title(match)} · {names} · {state}"), _LABEL_LIMIT)
        if folded(typed) in folded(label):
            suggestions.append((label, match.id))
    return suggestions
