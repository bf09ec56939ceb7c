"""Matches in lists: a person's running ones and, in pages, those that are over and the running ones of everyone."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.games.game import KEY_PATTERN
from bot.matches.model.game_state import CLOSED, because
from bot.matches.model.pace import Pace, time_left_in_words
from bot.matches.model.refusals import Refusal, is_playable
from bot.matches.writing.clocks import banks_of
from bot.messages import custom_ids
from bot.messages.board import LAST_POSITION, board_link, open_button, step_through
from bot.messages.custom_id_form import CustomId
from bot.messages.layout import Part, box, button, layout, line, row
from bot.messages.wording import escaped, mention_or_name, seat_name, that_fit, title
from bot.requests.request import Request
from bot.storage.match_lists import finished_of, running_in, running_of, running_places, waiting_since
from bot.storage.records import Match
from bot.views.answers import Reply
from bot.views.controls import in_place
from bot.views.game_menu import known_game
from bot.views.leaderboards import EVERY_GAME
from bot.views.which_match import NONE_YET
from renderers.i18n import bracketed, enumerated, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

PAGE = 8
"""Finished matches on a page: each takes three of the forty components that Discord allows in a message."""
LISTED = 2700
"""Characters of a list of running matches, so that it fits a message with the words around it."""
ELSEWHERE = 900
"""Characters of a list of matches of other places."""
PLAYED = 10
"""Matches that wait for a person which have a button to play: each takes three of those components."""
EVERYONE = 10
"""Matches on a page of everyone's: also with six mentions in each they fit a message."""
OPENED = 5
"""Running matches of the list whose board can be opened from it: those that wait for the person come first."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches: those of one game, those with one opponent, or all."""

    game: str | None = None
    opponent_id: int | None = None

    def holds(self, match: Match) -> bool:
        """Return whether a match is one of these."""
        of_game = self.game in (None, match.game)
        return of_game and (self.opponent_id is None or match.seat_of(self.opponent_id) is not None)


@in_place(custom_ids.FINISHED)
async def on_finished(request: Request, ids: custom_ids.MatchesPage) -> Reply:
    """Turn to the page before or after."""
    return await finished(request, MatchFilter(None if ids.game == EVERY_GAME else ids.game, ids.opponent), ids.page)


@in_place(custom_ids.RUNNING)
async def on_running(request: Request, ids: custom_ids.MatchesPage) -> Reply:
    """Turn to the page before or after."""
    return await everyone(request, MatchFilter(None if ids.game == EVERY_GAME else ids.game, ids.opponent), ids.page)


def _with_game_key(which: MatchFilter) -> MatchFilter:
    """Return a filter with the key of its game, also of one that is not installed. Raises ``Refusal``."""
    if which.game is None or re.fullmatch(KEY_PATTERN, which.game):
        return which
    return replace(which, game=known_game(which.game))


async def running(request: Request, which: MatchFilter) -> Reply:
    """Return a person's running matches, those that wait for them first, and those of other places that wait for them.

    Raises ``Refusal`` where there is none.
    """
    which = _with_game_key(which)
    own = await request.services.read(running_of, request.home, request.person.id)
    waiting = await request.services.read(waiting_since, request.person.id, None)
    shown = [match for match in own if which.holds(match)]
    others = [match for match in waiting if match.guild_id != request.home and which.holds(match)]
    if not own and not others:
        if request.place.direct:
            raise Refusal(NONE_YET)
        with suppress(Refusal):
            return await everyone(request, which)
        raise Refusal(_("You have no match running here. `/challenge` starts one."))
    if not shown and not others:
        raise Refusal(_("None of your running matches fits that. `/matches` lists all of them."))
    boards = shown[:OPENED] if request.context.settings.page_url else ()
    buttons = [open_button(match, _("Open the board of match {number}", number=match.id)) for match in boards]
    lines = that_fit([_line(match, request.person.id) for match in shown], LISTED)
    played: list[Part] = []
    rest: list[str] = []
    for match, words in zip(shown, lines, strict=False):
        if match.is_turn_of(request.person.id) and is_playable(match) and len(played) < PLAYED:
            play = custom_ids.PLAY(match=match.id, ply=match.ply)
            played.append(line(words, button(play, _p("button", "Play"), discord.ButtonStyle.primary)))
        else:
            rest.append(words)
    more = len(shown) - len(lines)
    rest += [_n("… and {n} more.", "… and {n} more.", more)] if more else []
    parts: list[Part] = [_("### Your matches"), *played, *(["\n".join(rest)] if rest else [])]
    if others:
        told = that_fit([_line(match, request.person.id, elsewhere=True) for match in others], ELSEWHERE)
        more = len(others) - len(told)
        more_elsewhere = [_n("… and {n} more.", "… and {n} more.", more)] if more else []
        parts.append("\n".join([_("**Waiting for you elsewhere**"), *told, *more_elsewhere]))
    return Reply(view=layout(*parts, *([row(*buttons)] if buttons else [])))


async def everyone(request: Request, which: MatchFilter, page: int = 0) -> Reply:
    """Return one page of the running matches of a server that the person may see, the first being 0.

    Raises ``Refusal`` where there is none.
    """
    which, viewer = _with_game_key(which), request.person.id
    places = await request.services.read(running_places, request.server)
    seen = await request.context.lookup.visible(request.server, places, viewer) if places else frozenset[int]()
    listed = await request.services.read(
        running_in,
        request.server,
        seen,
        viewer,
        place_id=request.channel,
        opponent_id=which.opponent_id,
        game=which.game,
        offset=page * EVERYONE,
        limit=EVERYONE + 1,
    )
    if not listed and page:
        return await everyone(request, which)
    if not listed:
        raise Refusal(_("No such match is running in the channels you can see. `/challenge` starts one."))
    head = _("### Matches here")
    lines = [_line_of_all(match, viewer) for match in listed[:EVERYONE]]
    turns = [
        _turn(custom_ids.RUNNING, which, page, page - 1, page == 0),
        _turn(custom_ids.RUNNING, which, page, page + 1, len(listed) <= EVERYONE),
    ]
    paged = page > 0 or len(listed) > EVERYONE
    return Reply(view=layout("\n".join([head, *lines]), *([row(*turns)] if paged else [])))


async def finished(request: Request, which: MatchFilter, page: int = 0) -> Reply:
    """Return one page of a person's finished matches, the first being 0. Raises ``Refusal`` where there is none."""
    which, user_id = _with_game_key(which), request.person.id
    listed = await request.services.read(
        finished_of,
        request.home,
        user_id,
        opponent_id=which.opponent_id,
        game=which.game,
        offset=page * PAGE,
        limit=PAGE + 1,
    )
    if not listed and page:
        return await finished(request, which)
    if not listed and request.place.direct:
        raise Refusal(NONE_YET)
    if not listed:
        raise Refusal(_("You have no finished match like that here. `/matches` lists those that are running."))
    entries = [
        discord.ui.Section(_result(match, user_id), accessory=step_through(match, LAST_POSITION, _("View")))
        for match in listed[:PAGE]
    ]
    head = _("### Your finished matches · page {number}", number=page + 1) if page else _("### Your finished matches")
    turns = [
        _turn(custom_ids.FINISHED, which, page, page - 1, page == 0),
        _turn(custom_ids.FINISHED, which, page, page + 1, len(listed) <= PAGE),
    ]
    paged = page > 0 or len(listed) > PAGE
    return Reply(view=layout(box(head, *entries), *([row(*turns)] if paged else [])))


def _turn(
    of: CustomId[..., Any], which: MatchFilter, page: int, to: int, disabled: bool
) -> discord.ui.Button[discord.ui.LayoutView]:
    back, game = to < page, which.game or EVERY_GAME
    custom_id = of(game, which.opponent_id, max(to, 0), "back" if back else "next")
    return button(custom_id, _("← Newer") if back else _("Older →"), disabled=disabled)


def _line(match: Match, user_id: int, *, elsewhere: bool = False) -> str:
    since = discord.utils.format_dt(match.turn_at, "R")
    mover = match.mover.person
    turn = _("**your turn**") if mover.id == user_id else _("{players} to move", players=escaped(mover.name))
    if not is_playable(match):
        turn, clock = _("can't go on at the moment"), _("its clock stands still")
    elif match.answered and match.deadline_at is not None and match.remind_at is None:
        clock = _("closes {until} if nobody moves", until=discord.utils.format_dt(match.deadline_at, "R"))
    elif match.time_ends_at is None:
        clock = _("turn began {since}", since=since)
    else:
        until = discord.utils.format_dt(match.time_ends_at, "R")
        clock = _("turn began {since}, time runs out {until}", since=since, until=until)
    pace, mine = Pace.of(match.pace, match.increment), match.seat_of(user_id)
    if pace is not None and pace.increment is not None and mine is not None and mine.seat != match.to_move:
        clock += " · " + _("you have {time} left", time=time_left_in_words(banks_of(match, pace)[mine.seat]))
    against = _("{match} against {opponents}", match=title(match), opponents=_others(match, user_id))
    if match.answered and elsewhere:
        link = [_("in a group, a chat or a server without me")]
    else:
        link = [_("[board]({link})", link=board_link(match))] if match.has_link else []
    return f"- {headed(against, ' · '.join([turn, clock, *link]))}"


def _line_of_all(match: Match, viewer: int) -> str:
    """Return the line of a match in the list of everyone's: who plays, whose turn it is and since when."""
    mover = match.mover.person
    turn = _("**your turn**") if mover.id == viewer else _("{players} to move", players=mention_or_name(mover))
    if not is_playable(match):
        turn = _("can't go on at the moment")
    since = _("turn began {since}", since=discord.utils.format_dt(match.turn_at, "R"))
    link = [] if match.board_message_id is None else [_("[board]({link})", link=board_link(match))]
    names = " – ".join(mention_or_name(seat.person) for seat in match.seats)
    return f"- {headed(f'{title(match)} · {names}', ' · '.join([turn, since, *link]))}"


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
        bracketed(mention_or_name(seat.person), seat_name(match, seat.seat))
        for seat in match.seats
        if seat.person.id != user_id
    )
