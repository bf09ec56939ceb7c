"""Notices to players: their time is running out, it is up, or they are barred from playing."""

from __future__ import annotations

import discord

from bot.matches.services.match_queries import EarlierTurn
from bot.matches.writing.outbox_messages import Kind
from bot.messages import custom_ids
from bot.messages.layout import Outgoing, button, layout, row
from bot.messages.wording import called, listed, plain, title
from bot.storage.people import Bar
from bot.storage.records import EVERYWHERE, Match
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p
from renderers.i18n import prose


def reminder(match: Match) -> Outgoing:
    """Return the reminder that time is running out, or that a match against computer players still waits."""
    names = listed(called(seat.person) for seat in match.movers)
    until = _("soon") if match.deadline_at is None else discord.utils.format_dt(match.deadline_at, "R")
    custom_id = custom_ids.PLAY(match=match.id, ply=match.ply, origin=":reminder")
    play = row(button(custom_id, _p("button", "Play"), discord.ButtonStyle.success))
    if match.pace is None:
        words = _(
            "{players}, it's still your turn in **{match}**. I'll close it {until}; you lose nothing by that.",
            players=names,
            match=title(match),
            until=until,
        )
    else:
        words = _(
            "{players}, your time in **{match}** runs out {until}.", players=names, match=title(match), until=until
        )
    view = layout(words, play)
    return Outgoing(view, custom_id, (), tuple(seat.person.id for seat in match.movers))


def late(match: Match) -> Outgoing:
    """Return the notice that the time is up and the win may be claimed."""
    movers = listed(plain(seat.person.name) for seat in match.movers)
    others = [seat for seat in match.seats if not (seat.to_move or seat.dropped or seat.person.computer)]
    names = listed(called(seat.person) for seat in others)
    custom_id = custom_ids.CLAIM(match=match.id, ply=match.ply)
    news = _n(
        "{players} is out of time in **{match}**.",
        "{players} are out of time in **{match}**.",
        len(match.movers),
        players=movers,
        match=title(match),
    )
    if len(match.seats) == 2:
        choice = _("{opponents} can claim the win, or wait.", opponents=names)
    else:
        choice = _("{opponents} can drop {players} from the game, or wait.", opponents=names, players=movers)
    claim = row(button(custom_id, _("Claim"), discord.ButtonStyle.primary))
    view = layout(prose([news, choice]), claim)
    return Outgoing(view, custom_id, (), tuple(seat.person.id for seat in others if seat.person.mentionable))


def retired_notice(turn: EarlierTurn, kind: Kind) -> discord.ui.LayoutView:
    """Return a reminder or late notice once the turn is over: a line without a button."""
    match = turn.match
    names = listed(plain(match.seats[seat].person.name) for seat in sorted(turn.game_state.position.to_move))
    if kind is not Kind.REMINDER:
        what = _("{players} had no time left here", players=names)
    elif match.pace is None:
        what = _("{players} was still to move here", players=names)
    else:
        what = _("{players} had little time left here", players=names)
    return layout(f"-# {title(match)} · {what}")


def barred(bar: Bar, server: str) -> str:
    """Return the direct message to a person who is barred; ``server`` is the name of the server, if it is one."""
    if bar.guild_id == EVERYWHERE:
        news = _("The people who run this bot have barred you from playing, in every server.")
    else:
        news = _("The people who manage {server} have barred you from playing there.", server=f"**{plain(server)}**")
    goes_on = _("Matches you're in go on. To have the bar lifted, ask them.")
    return prose([news, goes_on])
