"""Somebody's matches in lists: those that are running in lines, those that are over with a button each."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.matches.model.game_state import CLOSED, because
from bot.messages.board import board_link, step_through
from bot.messages.layout import Part
from bot.messages.wording import called, listed, plain, seat_name, that_fit, title
from bot.storage.records import Match
from renderers.i18n import bracketed, enumerated, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

LISTED = 3600
"""Characters of a list of running matches, so that it fits a message with what stands around it."""
LAST_POSITION = 999_999
"""Where to begin to step through a match to see its end: no match has so many positions."""


def running(matches: Sequence[Match], user_id: int) -> str:
    """Return as many matches as fit a message, a line each, and how many do not."""
    lines = [_line(match, user_id) for match in matches]
    shown = that_fit(lines, LISTED)
    more = len(lines) - len(shown)
    return "\n".join(
        [_("### Your matches"), *shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]
    )


def finished(matches: Sequence[Match], user_id: int, page: int) -> list[Part]:
    """Return a page of finished matches, each with a button that leads to its positions and what else there is."""
    entries = [
        discord.ui.Section(_result(match, user_id), accessory=step_through(match, LAST_POSITION, _("Look")))
        for match in matches
    ]
    head = _("### Your finished matches · page {number}", number=page + 1) if page else _("### Your finished matches")
    return [head, *entries]


def _line(match: Match, user_id: int) -> str:
    mine = any(seat.person.id == user_id for seat in match.movers)
    since = discord.utils.format_dt(match.turn_at, "R")
    movers = listed(plain(seat.person.name) for seat in match.movers)
    turn = _("**your turn**") if mine else _("{players} to move", players=movers)
    if match.time_ends_at is None:
        clock = _("turn began {since}", since=since)
    else:
        until = discord.utils.format_dt(match.time_ends_at, "R")
        clock = _("turn began {since}, time runs out {until}", since=since, until=until)
    against = _("{match} against {opponents}", match=title(match), opponents=_others(match, user_id))
    link = [] if match.board_message_id is None else [_("[board]({link})", link=board_link(match))]
    return f"- {headed(against, ' · '.join([turn, clock, *link]))}"


def _result(match: Match, user_id: int) -> str:
    mine = match.seat_of(user_id)
    assert mine is not None
    outcome = {True: _("You won"), False: _("You lost"), None: _("A draw")}[mine.won]
    ended = "" if match.ended_at is None else f"\n-# {discord.utils.format_dt(match.ended_at, 'D')}"
    told = translated(because(outcome, match.reason or ""))
    if match.voided or match.reason == CLOSED:
        told = _("Voided") if match.voided else _("Put away")
    against = _("{match} against {opponents}", match=f"**{title(match)}**", opponents=_others(match, user_id))
    return f"{against}\n{told}{ended}"


def _others(match: Match, user_id: int) -> str:
    return enumerated(
        bracketed(called(seat.person), seat_name(match, seat.seat)) for seat in match.seats if seat.person.id != user_id
    )
