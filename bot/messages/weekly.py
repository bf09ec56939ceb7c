"""The weekly post of a server: six lines at most, the final board of a match, and buttons to play, to join the ladder
and to look at it.

It names people without notifying them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import discord

from bot.games import game_named
from bot.matches.model.rating import format_rating
from bot.matches.services.weekly_posts import Week
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.layout import ACCENT, Outgoing, box, button, gallery, layout, message_link, row
from bot.messages.pictures import Picture
from bot.messages.wording import listed, mention, mention_or_name, title
from bot.storage.challenges import Invitation
from bot.storage.records import Match
from renderers.i18n import bracketed, enumerated, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import pgettext as _p

_RESULTS = 3
"""The most results that are named one by one."""
_PAIRS_LIMIT = 250
"""How long the names of the pairs of a ladder may be, in characters."""


def weekly_post(week: Week | None, pairs: Sequence[Match], day: date, picture: Picture | None = None) -> Outgoing:
    """Return the post of the week that ends with ``day``, a Monday, with the ``pairs`` of a ladder in the next one.

    None is a week without matches. With pairs, those in the lead share a line with the longest streak. ``picture`` is
    the final board of the match worth a look.
    """
    ladder = [_("Ladder: {pairs}", pairs=listed(map(_pair, pairs), _PAIRS_LIMIT))] if pairs else []
    lines = [_("### The week in this server")]
    if week is None:
        lines += ladder
    else:
        standing = [*_leaders(week), *_streak(week)]
        lines += [_results(week), *([" · ".join(standing)] if pairs and standing else standing), _look(week), *ladder]
        if week.invitations:
            lines.append(_("Open challenges: {challenges}", challenges=enumerated(map(_challenge, week.invitations))))
    ways = row(
        button(marker(day), _p("button", "Play"), discord.ButtonStyle.success),
        button(custom_ids.LADDER(verb="join"), _("Join the ladder")),
        *([button(custom_ids.LADDER(verb="show"), _("The ladder"))] if pairs else []),
    )
    pictures = () if picture is None else (picture,)
    view = layout(box("\n".join(lines), *map(gallery, pictures), ways, accent=ACCENT))
    return Outgoing(view, marker(day), pictures, silent=True)


def marker(day: date) -> str:
    """Return the custom id by which the post of a week is recognised."""
    return custom_ids.WEEKLY(day=day.isoformat())


def _pair(match: Match) -> str:
    """Return who plays whom, without a link: the board is posted at the same time."""
    return " – ".join(mention_or_name(seat.person) for seat in match.seats)


def _results(week: Week) -> str:
    count = len(week.ended)
    results = [told for match in week.ended if (told := _result(match))][:_RESULTS]
    return _n("{n} match has ended.", "{n} matches have ended.", count) + (f" {enumerated(results)}" if results else "")


def _leaders(week: Week) -> list[str]:
    people = [
        bracketed(mention(placed.user_id), format_rating(placed.rating))
        for placed in week.leaders
        if placed.rating is not None
    ]
    return ["👑 " + _("In the lead: {people}", people=enumerated(people))] if week.leaders else []


def _streak(week: Week) -> list[str]:
    if week.streak is None:
        return []
    said = _n(
        "Longest puzzle streak: {person}, {n} day",
        "Longest puzzle streak: {person}, {n} days",
        week.streak.streak,
        person=mention(week.streak.user_id),
    )
    return [said]


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
        return _("Worth a look: {match}, the longest match", match=name)
    return _n(
        "Worth a look: {match}, which turned {n} time",
        "Worth a look: {match}, which turned {n} times",
        week.turns,
        match=name,
    )


def _challenge(invitation: Invitation) -> str:
    card = message_link(invitation.guild_id, invitation.channel_id, invitation.message_id)
    return bracketed(f"[{translated(game_named(invitation.game).name)}]({card})", mention(invitation.challenger_id))
