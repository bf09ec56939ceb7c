"""The board message of a match: running, as a result, and without controls once the match has gone on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import discord

from bot.games import GAMES, game_named
from bot.matches.model.game_state import CLOSED, IS_GONE, RESIGNS, TIMES_OUT
from bot.matches.model.pace import Pace, is_live, time_left_in_words
from bot.matches.model.policies.acts import WayOn, next_level, ways_on
from bot.matches.model.refusals import out_of_play
from bot.matches.model.rest import rest_of
from bot.matches.services.match_queries import EarlierTurn, MatchView
from bot.matches.writing import clocks
from bot.messages import custom_ids
from bot.messages.layout import (
    ACCENT,
    Outgoing,
    Part,
    beside,
    box,
    button,
    gallery,
    gallery_of_attached,
    layout,
    link,
    message_link,
    row,
)
from bot.messages.pictures import PUBLIC, BoardRenderer, Picture
from bot.messages.wording import (
    NO_RESTS,
    Rests,
    absences,
    bidi_isolated,
    cup_round,
    dropped_players,
    escaped,
    first_win,
    last_move,
    listed,
    mention_or_name,
    one_line,
    players,
    rating_change,
    rest_in_words,
    result,
    seat_name,
    shorten,
    thinking,
    title,
    voided_follows,
    way_on,
    why_lost,
    without_mentions,
)
from bot.storage.people import Preferences
from bot.storage.records import Entry, EntryKind, Match, MatchState, Seat
from renderers.i18n import bracketed, gettext_lazy, headed, translated
from renderers.i18n import gettext as _
from renderers.i18n import pgettext as _p

THREAD_NAME_LIMIT = 100
LEFT = {
    RESIGNS: gettext_lazy("{name} resigned"),
    TIMES_OUT: gettext_lazy("{name} ran out of time"),
    IS_GONE: gettext_lazy("{name} left the server"),
}
"""Why a player dropped out, by the text of the entry."""
_LEFT_HERE = {
    RESIGNS: gettext_lazy("{name} resigned here"),
    TIMES_OUT: gettext_lazy("{name} ran out of time here"),
    IS_GONE: gettext_lazy("{name} left the server here"),
}
LAST_POSITION = 999_999
"""The number of a position beyond the end of any match, to begin stepping through it at its end."""


async def board(
    renderer: BoardRenderer,
    match_view: MatchView,
    *,
    page: bool = False,
    rests: Rests = NO_RESTS,
    preferences: Preferences = PUBLIC,
) -> Outgoing:
    """Return the board of a match as it stands, or its result, with the side of ``Match.front`` at the bottom.

    ``page`` says whether the board can be opened on a page; ``rests`` are the weekly rests to tell. It is drawn as
    everybody sees it or, where one person alone does, by their ``preferences``.
    """
    match = match_view.match
    first = match.board_message_id is None and match.state is MatchState.RUNNING
    under = aim(match) if first else headline(match_view)
    head: Part = f"### {title(match)}\n{under}" if under else f"### {title(match)}"
    if preferences.text_boards:
        shown: Part = f"```\n{await renderer.text_board(match, match_view.game_state, match.front)}\n```"
        attached: tuple[Picture, ...] = ()
    else:
        attached = (await renderer.board(match, match_view.game_state, match.front, preferences),)
        shown = gallery(attached[0])
        if first and (won := await renderer.win(GAMES[match.game])) is not None:
            head, attached = beside(str(head), won), (*attached, won)
    view = layout(box(head, shown, text(match_view, rests), *_rows(match_view, page=page), accent=ACCENT))
    if match.state is MatchState.OVER:
        # All but the one who brought the end about; nobody did where a match was closed by itself.
        end = match_view.game_state
        last = end.last_seat if end.ended_by is None else end.ended_by
        by_itself = match.reason == CLOSED and match.alone
        notified = _mentionable(seat for seat in match.seats if by_itself or seat.seat != last)
    else:
        notified = _mentionable([match.mover])
    return Outgoing(view, marker(match), attached, notified)


async def direct_board(
    renderer: BoardRenderer, match_view: MatchView, preferences: Preferences, server: str, *, page: bool
) -> Outgoing:
    """Return a running match for a direct message to the person to move, as they like to see it.

    ``server`` is the name of its server.
    """
    match, seat = match_view.match, match_view.match.mover.seat
    head = f"### {title(match)}\n-# {players(match)}"
    parts: list[Part] = [f"{head} · {escaped(server)}" if server else head]
    attached: tuple[Picture, ...] = ()
    if preferences.text_boards:
        parts.append(f"```\n{await renderer.text_board(match, match_view.game_state, seat)}\n```")
    else:
        attached = (await renderer.look(match, match_view.game_state, seat, preferences),)
        parts.append(gallery(attached[0]))
    opens = custom_ids.OPEN_TURN(match=match.id, ply=match.ply) if page else ""
    buttons = [button(opens, _("Open board"))] if page else []
    if match.has_link:
        buttons.append(link(board_link(match), _("Go to the board")))
    rows = [row(*buttons)] if buttons else []
    return Outgoing(layout(box(*parts, text(match_view), *rows, accent=ACCENT)), opens, attached)


def aim(match: Match) -> str:
    """Return how the game of a match is won."""
    return _("**The aim:** {summary}", summary=translated(GAMES[match.game].summary))


def voided_board(match: Match) -> Outgoing:
    """Return the message in place of the board of a voided match: who voided it, and what follows."""
    names = listed(mention_or_name(seat.person) for seat in match.seats)
    words = f"### {title(match)}\n## {result(match)}\n{headed(names, voided_follows(match))}"
    view = layout(box(words, row(button(voided_marker(match), _("Replay")), *record_buttons(match)[1:]), accent=ACCENT))
    return Outgoing(view, voided_marker(match), (), _mentionable(match.seats))


def voided_marker(match: Match) -> str:
    """Return the custom id by which the message of a voided match is recognised: that of its replay button."""
    return custom_ids.VOIDED(match=match.id)


async def retired_board(renderer: BoardRenderer, turn: EarlierTurn) -> discord.ui.LayoutView:
    """Return an earlier board without controls: the same picture, and the move that followed."""
    match, game_state = turn.match, turn.game_state
    after = _("voided") if match.voided else _("the newest board is further down")
    set_up = turn.entry is not None and game_state.position is not None and game_state.position.ready_made() is not None
    done = after if turn.entry is None else _entry_in_words(match, turn.entry, set_up=set_up)
    description = await renderer.describe(match, game_state, match.front)
    return layout(box(f"-# {title(match)} · {done}", gallery_of_attached(description)))


def marker(match: Match) -> str:
    """Return the custom id by which the board of a match, or its result, is recognised."""
    if match.state is MatchState.OVER:
        return custom_ids.REMATCH(match=match.id)
    return custom_ids.PLAY(match=match.id, ply=match.ply, origin="")


def headline(match_view: MatchView) -> str:
    """Return how a match ended, and whether a level of the bot is beaten for the first time. Nothing while it runs."""
    match = match_view.match
    if match.state is not MatchState.OVER:
        return ""
    first = "" if match.voided else first_win(match_view)
    return "\n".join(line for line in (f"## {result(match)}", first) if line)


def text(match_view: MatchView, rests: Rests = NO_RESTS) -> str:
    """Return the words between a board and its controls: what has just happened, who is to move, and ``rests``."""
    match = match_view.match
    lines = [why_lost(match_view), last_move(match_view), dropped_players(match)]
    if match.state is MatchState.OVER:
        lines += [] if match.voided else _ratings(match_view)
    elif (stopped := out_of_play(match)) is not None:
        lines.append(translated(stopped))
    elif match.mover.person.computer:
        lines.append(thinking(match))
    else:
        mover = bracketed(mention_or_name(match.mover.person), seat_name(match, match.mover.seat))
        if match.time_ends_at is None:
            lines.append(_("{players} to move.", players=mover))
        else:
            styles: tuple[discord.utils.TimestampStyle, ...] = ("T" if is_live(match.pace) else "f", "R")
            day, distance = (discord.utils.format_dt(match.time_ends_at, style) for style in styles)
            lines.append(_("{players} to move by {day} ({distance}).", players=mover, day=day, distance=distance))
        if match.graces:
            spared = escaped(match.mover.person.name)
            lines.append(_("-# {players} ran out of time, so one of their days away was used.", players=spared))
        now = {} if match.rest is None else {match.mover.person.id: (match.rest, match.turn_at)}
        told = {**rests, **now}
        lines += [
            weekly_rest(escaped(seat.person.name), *told[seat.person.id], match.turn_at)
            for seat in match.seats
            if seat.person.id in told
        ]
        lines += absences(match_view)
        lines.append(_waiting_clocks(match))
    if match_view.uncounted:
        lines.append(_("-# It doesn't count for Cup {cup}.", cup=match.cup_id))
    return "\n".join(line for line in lines if line)


def weekly_rest(player: str, key: str, begins_at: datetime, at: datetime) -> str:
    """Return the line that tells the weekly rest of a player, by its key, and from when on if that is after ``at``."""
    rest = rest_of(key)
    words = "" if rest is None else rest_in_words(rest)
    if begins_at <= at:
        return _("-# Weekly rest of {player}: {rest}", player=player, rest=words)
    day = discord.utils.format_dt(begins_at, "d")
    return _("-# Weekly rest of {player}: {rest}, from {day} on", player=player, rest=words, day=day)


def record_buttons(match: Match) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the buttons to look through a match: replay, steps, export."""
    return [
        button(custom_ids.REPLAY(match=match.id), _("Replay")),
        step_through(match, 0),
        button(custom_ids.EXPORT(match=match.id), _("Export")),
    ]


def step_through(
    match: Match, number: int, label: str = gettext_lazy("Step through")
) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that shows a match position by position, from position ``number`` on."""
    return button(custom_ids.STEPS(match=match.id, number=number), label)


def open_button(match: Match, label: str = gettext_lazy("Open board")) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that gives a player a link to the board on the page."""
    return button(custom_ids.OPEN(match=match.id), label)


def post_button(match_id: int, ply: int) -> discord.ui.Button[discord.ui.LayoutView]:
    """Return the button that posts the board of a match, where the bot only answers (``bot.storage.homes``)."""
    return button(custom_ids.POST(verb="board", match=match_id, ply=ply), _("Post the board"))


def board_link(match: Match) -> str:
    return message_link(match.guild_id, match.board_channel_id or 0, match.board_message_id)


def thread_name(match: Match) -> str:
    """Return the name of a match's thread, at most 100 characters."""
    game = translated(game_named(match.game).name) if match.cup_id is None else cup_round(match)
    game = shorten(game, THREAD_NAME_LIMIT // 2)
    number = f" · #{match.id}"
    room = THREAD_NAME_LIMIT - len(game) - len(number) - 3
    names = " – ".join(bidi_isolated(one_line(seat.person.name)) for seat in match.seats)
    return f"{game} · {shorten(without_mentions(names), room)}{number}"


def lost_place(match: Match) -> str:
    """Return the direct message to a player whose match can be shown nowhere."""
    return _(
        "It's your turn in {match}, but I can no longer post in its channel. Use `/board` in another "
        "channel of the server to go on there.",
        match=title(match),
    )


def _rows(match_view: MatchView, *, page: bool) -> list[discord.ui.ActionRow[discord.ui.LayoutView]]:
    """Return the controls of a running match, or those of its result."""
    match = match_view.match
    rules = button(custom_ids.RULES(game=match.game, variant=match.variant), _("Rules"))
    more = button(custom_ids.MORE(match=match.id, ply=match.ply), _("More"))
    green = discord.ButtonStyle.success
    if match.state is not MatchState.OVER:
        play = button(marker(match), _p("button", "Play"), green)
        close = [button(custom_ids.CLOSE(match=match.id, ply=match.ply), _("Close the match"))]
        opens = [open_button(match)] if page else []
        return [row(play, *opens, rules, more, *(close if match_view.uncounted else []))]
    return [row(*_ways_on(match), more)]


def _ways_on(match: Match) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    """Return the ways on from a result, the best one green."""
    review, level = custom_ids.REVIEW(match=match.id), next_level(match)
    ids = {WayOn.TURNING_POINT: review, WayOn.REVIEW: review, WayOn.REMATCH: marker(match)}
    if level is not None:
        ids[WayOn.LEVEL] = custom_ids.NEXT_LEVEL(match=match.id, level=level)
    ways = ways_on(match, level)
    buttons = [button(ids[way], way_on(way, level)) for way in ways]
    if ways[0] is WayOn.REMATCH:
        buttons.append(button(custom_ids.REPLAY(match=match.id), _("Replay")))
    buttons[0].style = discord.ButtonStyle.success
    return buttons


def _waiting_clocks(match: Match) -> str:
    """Return the pace and the time left to those who wait, where what people save of their time is theirs."""
    pace = Pace.of(match.pace, match.increment)
    if pace is None or pace.increment is None:
        return ""
    banks = clocks.banks_of(match, pace)
    waiting = [
        _("{players} has {time} left", players=escaped(seat.person.name), time=time_left_in_words(banks[seat.seat]))
        for seat in match.seats
        if not (seat.dropped or seat.person.computer or seat.seat == match.to_move)
    ]
    return f"-# {' · '.join([translated(pace.words), *waiting])}"


def _ratings(match_view: MatchView) -> list[str]:
    if not match_view.changes:
        seats = match_view.match.seats
        players = " – ".join(mention_or_name(seat.person) for seat in seats)
        if not match_view.match.rated or match_view.match.reason == CLOSED:
            return [_("-# {players} · not rated", players=players)]
        if len(seats) == 2:
            return [_("-# {players} · not rated: it ended before both had moved twice", players=players)]
        return [_("-# {players} · not rated: it ended before each of you had moved twice", players=players)]
    return [
        f"-# {headed(mention_or_name(seat.person), rating_change(match_view.changes[seat.person.id]))}"
        for seat in match_view.match.seats
        if seat.person.id in match_view.changes
    ]


def _entry_in_words(match: Match, entry: Entry, *, set_up: bool) -> str:
    """Return an entry of the list of moves in words; ``set_up`` says whether a move is a set-up."""
    name = escaped(match.seats[entry.seat].person.name)
    match entry.kind:
        case EntryKind.MOVE if set_up:
            return _("{name} set up the pieces here", name=name)
        case EntryKind.MOVE | EntryKind.FORCED:
            return _("{name} played **{move}** here", name=name, move=entry.text)
        case EntryKind.TAKEBACK:
            return _("{name} took a move back here", name=name)
        case EntryKind.DROP:
            return translated(_LEFT_HERE[entry.text].filled(name=name))
        case EntryKind.DRAW:
            return _("a draw was agreed here")
        case EntryKind.CLOSED:
            return _("the match was closed here")


def _mentionable(seats: Iterable[Seat]) -> tuple[int, ...]:
    return tuple(seat.person.id for seat in seats if seat.person.mentionable)
