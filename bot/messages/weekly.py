"""The weekly post of a server: six lines at most, and buttons to play and to join the ladder.

It names people without notifying them.
"""

from __future__ import annotations

from datetime import date

import discord

from bot.games import game_named
from bot.matches.model.rating import format_rating
from bot.matches.services.weekly_posts import Week
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.layout import ACCENT, Outgoing, box, button, layout, row
from bot.messages.wording import mention, mention_or_name, title
from bot.storage.challenges import Invitation
from bot.storage.records import Match
from renderers.i18n import bracketed, enumerated, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

_RESULTS = 3
"""The most results that are named one by one."""


def weekly_post(week: Week, day: date) -> Outgoing:
    """Return the post of the week that ends with ``day``, a Monday."""
    count = len(week.ended)
    results = [told for match in week.ended if (told := _result(match))][:_RESULTS]
    lines = [
        _("### The week in this server"),
        _n("{n} game has ended.", "{n} games have ended.", count) + (f" {enumerated(results)}" if results else ""),
    ]
    if week.leaders:
        people = [
            bracketed(mention(placed.user_id), format_rating(placed.rating))
            for placed in week.leaders
            if placed.rating is not None
        ]
        lines.append(_("In the lead: {people}", people=enumerated(people)))
    if week.streak is not None:
        lines.append(
            _n(
                "Longest puzzle streak: {person}, {n} day",
                "Longest puzzle streak: {person}, {n} days",
                week.streak.streak,
                person=mention(week.streak.user_id),
            )
        )
    lines.append(_look(week))
    if week.invitations:
        lines.append(_("Open challenges: {challenges}", challenges=enumerated(map(_challenge, week.invitations))))
    ways = row(
        button(marker(day), _p("button", "Play"), discord.ButtonStyle.success),
        button(custom_ids.LADDER(verb="join"), _("Join the ladder")),
    )
    return Outgoing(layout(box("\n".join(lines), ways, accent=ACCENT)), marker(day), silent=True)


def marker(day: date) -> str:
    """Return the custom id by which the post of a week is recognised."""
    return custom_ids.WEEKLY(day=day.isoformat())


def _result(match: Match) -> str:
    """Return who has beaten whom in which game; nothing for a draw or a match of several."""
    winners = [seat for seat in match.seats if seat.won]
    if len(match.seats) != 2 or len(winners) != 1:
        return ""
    loser = match.seats[1 - winners[0].seat]
    won = _("{winner} beat {loser}", winner=mention_or_name(winners[0].person), loser=mention_or_name(loser.person))
    return bracketed(won, translated(game_named(match.game).name))


def _look(week: Week) -> str:
    match = week.worth_a_look
    name = title(match) if match.board_message_id is None else f"[{title(match)}]({board_link(match)})"
    if not week.turns:
        return _("Worth a look: {match}, the longest game", match=name)
    return _n(
        "Worth a look: {match}, which turned {n} time",
        "Worth a look: {match}, which turned {n} times",
        week.turns,
        match=name,
    )


def _challenge(one: Invitation) -> str:
    card = f"https://discord.com/channels/{one.guild_id}/{one.channel_id}/{one.message_id}"
    return bracketed(f"[{translated(game_named(one.game).name)}]({card})", mention(one.challenger_id))
