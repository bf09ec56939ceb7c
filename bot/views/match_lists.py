"""A person's matches in lists: the running ones, and those that are over in pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.games.game import KEY_PATTERN
from bot.matches.model.game_state import CLOSED, because
from bot.matches.model.playability import is_playable
from bot.matches.model.refusals import Refusal
from bot.messages import custom_ids
from bot.messages.board import board_link, open_button, step_through
from bot.messages.layout import Part, box, button, layout, row
from bot.messages.wording import called, listed, plain, seat_name, that_fit, title
from bot.requests.request import Request
from bot.storage.records import Match
from bot.views.answers import Reply, answer_in_place
from bot.views.controls import Control
from bot.views.game_menu import known_game
from bot.views.leaderboards import EVERY_GAME
from renderers.i18n import bracketed, enumerated, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

PAGE = 8
"""Finished matches on a page: each takes three of the forty components that Discord allows in a message."""
LISTED = 3600
"""Characters of a list of running matches, so that it fits a message with the words around it."""
OPENED = 5
"""Running matches of the list whose board can be opened from it: those that wait for the person come first."""
LAST_POSITION = 999_999
"""The number of a position beyond the end of any match, to begin stepping through it at its end."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches: those of one game, those with one opponent, or all."""

    game: str | None = None
    opponent_id: int | None = None


class FinishedButton(Control, of=custom_ids.FINISHED):
    """Turns to the page before or after."""

    async def pressed(self, interaction: discord.Interaction[Any], match: re.Match[str]) -> None:
        game = None if match["game"] == EVERY_GAME else match["game"]
        wanted = Wanted(game, int(match["opponent"]) if match["opponent"] else None)
        await answer_in_place(interaction, finished, wanted, int(match["page"]))


def _meant(wanted: Wanted) -> Wanted:
    """Return what is wanted with the key of the game, also of one that is not installed. Raises ``Refusal``."""
    if wanted.game is None or re.fullmatch(KEY_PATTERN, wanted.game):
        return wanted
    return replace(wanted, game=known_game(wanted.game))


async def running(request: Request, wanted: Wanted) -> Reply:
    """Return a person's running matches, those that wait for them first. Raises ``Refusal`` where there is none."""
    wanted = _meant(wanted)
    found = await request.services.queries.running(request.server, request.person.id)
    shown = [
        match
        for match in found
        if wanted.game in (None, match.game)
        and (wanted.opponent_id is None or match.seat_of(wanted.opponent_id) is not None)
    ]
    if not found:
        raise Refusal(_("You have no match running in this server. `/challenge` starts one."))
    if not shown:
        raise Refusal(_("None of your running matches fits that. `/matches` lists all of them."))
    boards = shown[:OPENED] if request.context.settings.page_url else ()
    buttons = [open_button(match, _("Open board {number}", number=match.id)) for match in boards]
    return Reply(view=layout(_running_lines(shown, request.person.id), *([row(*buttons)] if buttons else [])))


async def finished(request: Request, wanted: Wanted, page: int = 0) -> Reply:
    """Return one page of a person's finished matches, the first being 0. Raises ``Refusal`` where there is none."""
    wanted, user_id = _meant(wanted), request.person.id
    found = await request.services.queries.finished(
        request.server, user_id, wanted.opponent_id, wanted.game, offset=page * PAGE, limit=PAGE + 1
    )
    if not found and page:
        return await finished(request, wanted)
    if not found:
        raise Refusal(
            _("You have no finished match like that in this server. `/matches` lists those that are running.")
        )
    shown = box(*_finished_parts(found[:PAGE], user_id, page))
    turns = [_turn(wanted, page, page - 1, page == 0), _turn(wanted, page, page + 1, len(found) <= PAGE)]
    paged = page > 0 or len(found) > PAGE
    return Reply(view=layout(shown, *([row(*turns)] if paged else [])))


def _turn(wanted: Wanted, page: int, to: int, disabled: bool) -> discord.ui.Button[discord.ui.LayoutView]:
    side, label = ("back", _("← Newer")) if to < page else ("next", _("Older →"))
    opponent = "" if wanted.opponent_id is None else wanted.opponent_id
    custom_id = custom_ids.FINISHED(game=wanted.game or EVERY_GAME, opponent=opponent, page=max(to, 0), side=side)
    return button(custom_id, label, disabled=disabled)


def _running_lines(matches: Sequence[Match], user_id: int) -> str:
    """Return as many matches as fit a message, a line each, and the number of those left out."""
    lines = [_line(match, user_id) for match in matches]
    shown = that_fit(lines, LISTED)
    more = len(lines) - len(shown)
    return "\n".join(
        [_("### Your matches"), *shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]
    )


def _finished_parts(matches: Sequence[Match], user_id: int, page: int) -> list[Part]:
    """Return a page of finished matches, each with a button that leads to its positions."""
    entries = [
        discord.ui.Section(_result(match, user_id), accessory=step_through(match, LAST_POSITION, _("View")))
        for match in matches
    ]
    head = _("### Your finished matches · page {number}", number=page + 1) if page else _("### Your finished matches")
    return [head, *entries]


def _line(match: Match, user_id: int) -> str:
    mine = any(seat.person.id == user_id for seat in match.movers)
    since = discord.utils.format_dt(match.turn_at, "R")
    movers = listed(plain(seat.person.name) for seat in match.movers)
    turn = _("**your turn**") if mine else _("{players} to move", players=movers)
    if not is_playable(match):
        turn, clock = _("can't go on at the moment"), _("its clock stands still")
    elif match.time_ends_at is None:
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
        told = _("Voided") if match.voided else _("Closed")
    against = _("{match} against {opponents}", match=f"**{title(match)}**", opponents=_others(match, user_id))
    return f"{against}\n{told}{ended}"


def _others(match: Match, user_id: int) -> str:
    return enumerated(
        bracketed(called(seat.person), seat_name(match, seat.seat)) for seat in match.seats if seat.person.id != user_id
    )
