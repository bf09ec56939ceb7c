"""The post of a ladder, where no weekly post shows it: who plays whom this week, and the way in and out."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.matches.model.pace import Pace, pace_in_words
from bot.matches.services.ladders import LadderView
from bot.messages import custom_ids
from bot.messages.layout import ACCENT, Outgoing, box, button, layout, row
from bot.messages.wording import LIST_LIMIT, escaped, game_name, listed, that_fit
from bot.storage.records import Match
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n
from renderers.i18n import translated


def weekly_post(view: LadderView, week: datetime) -> Outgoing:
    """Return the post of a week, without mentions: a match mentions who is to move itself."""
    lines = [_("### The ladder this week"), *match_lines(view.matches), *without_match(view, week)]
    leave = custom_ids.LADDER(verb="leave")
    buttons = row(
        button(custom_ids.LADDER(verb="join"), _("Join the ladder"), discord.ButtonStyle.success),
        button(leave, _("Leave")),
    )
    # Other posts have the way in, too, but none the way out.
    return Outgoing(layout(box("\n".join(lines), buttons, accent=ACCENT)), leave, silent=True)


def without_match(view: LadderView, week: datetime) -> list[str]:
    """Return the line that names who has no match in a week, if anybody."""
    alone = [escaped(one.person.name) for one in view.players if one.left_out_at == week]
    return (
        [_("-# No match this week, and one for certain in the next: {people}", people=listed(alone))] if alone else []
    )


def match_lines(found: tuple[Match, ...]) -> list[str]:
    """Return a line for each match of a week, as many as fit."""
    lines = []
    for match in found:
        names = " – ".join(escaped(seat.person.name) for seat in match.seats)
        pace = translated(pace_in_words(Pace.of(match.pace, match.increment)))
        lines.append(f"- {names} · {game_name(match.game, match.variant)} · {pace} · #{match.id}")
    shown = that_fit(lines, LIST_LIMIT)
    more = len(lines) - len(shown)
    return [*shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]
