"""Notices about a player's time: a reminder that it is running out, and the news that it is up."""

from __future__ import annotations

import discord

from bot.matches.services.match_queries import Past
from bot.matches.writing.outbox_messages import Kind
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.messages.outgoing import Outgoing
from bot.messages.wording import called, listed, plain, title
from bot.storage.records import Match


def reminder(match: Match) -> Outgoing:
    """Return the reminder that time is running out, or that a match against computer players still waits."""
    names = " and ".join(called(seat.person) for seat in match.movers)
    until = "soon" if match.deadline_at is None else discord.utils.format_dt(match.deadline_at, "R")
    custom_id = custom_ids.PLAY(match=match.id, ply=match.ply, origin=":reminder")
    play = row(button(custom_id, "Play", discord.ButtonStyle.success))
    if match.pace is None:
        words = f"{names}, it's still your turn in **{title(match)}**. It is put away {until}; that costs you nothing."
    else:
        words = f"{names}, your time in **{title(match)}** runs out {until}."
    view = layout(words, play)
    return Outgoing(view, custom_id, (), tuple(seat.person.id for seat in match.movers))


def late(match: Match) -> Outgoing:
    """Return the notice that the time is up and the win may be claimed."""
    movers = " and ".join(plain(seat.person.name) for seat in match.movers)
    others = [seat for seat in match.seats if not seat.to_move and not seat.dropped]
    names = " and ".join(called(seat.person) for seat in others)
    custom_id = custom_ids.CLAIM(match=match.id, ply=match.ply)
    news = f"{movers} {'is' if len(match.movers) == 1 else 'are'} out of time in **{title(match)}**."
    verb = "claim the win" if len(match.seats) == 2 else f"drop {movers} from the game"
    claim = row(button(custom_id, "Claim", discord.ButtonStyle.primary))
    view = layout(f"{news} {names} can {verb}, or wait.", claim)
    return Outgoing(view, custom_id, (), tuple(seat.person.id for seat in others if seat.person.mentionable))


def past_notice(past: Past, kind: Kind) -> discord.ui.LayoutView:
    """Return what a reminder or late notice becomes when the turn is over: a line without a button."""
    match = past.match
    names = listed(plain(match.seats[seat].person.name) for seat in sorted(past.game_state.position.to_move))
    running_out = "was still to move here" if match.pace is None else "had little time left here"
    what = f"{names} {running_out}" if kind is Kind.REMINDER else f"{names} had no time left here"
    return layout(f"-# {title(match)} · {what}")
