"""The post of a ladder, where no weekly post shows it: who plays whom this week, and the way in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import discord

from bot.matches.model.pace import Pace, pace_in_words
from bot.matches.services.ladders import LadderView
from bot.messages import custom_ids
from bot.messages.layout import ACCENT, Outgoing, box, button, layout, row
from bot.messages.wording import LIST_LIMIT, escaped, game_name, listed, that_fit
from bot.storage.contest_states import NoMatch, OutOfLadder
from bot.storage.records import Match
from renderers.i18n import LazyText, gettext_lazy, translated
from renderers.i18n import gettext as _
from renderers.i18n import ngettext as _n

_WITHOUT_MATCH: Mapping[NoMatch, LazyText] = {
    NoMatch.TURN: gettext_lazy("No match this week, and first choice for the next: {people}"),
    NoMatch.GAME: gettext_lazy(
        "No match this week, because nobody who could be paired with them plays their games: {people}. More games "
        "help: `/ladder`"
    ),
    NoMatch.NOBODY: gettext_lazy("No match this week, because there is nobody to pair them with: {people}"),
    NoMatch.UNFINISHED: gettext_lazy("No match this week, with two ladder matches to finish first: {people}"),
}
"""What the ladder says of people without a match. Why others have none is for themselves."""
_OUT: Mapping[OutOfLadder, LazyText] = {
    OutOfLadder.TIME: gettext_lazy(
        "You're out of the ladder, because your time ran out in {match}. You can join again: `/ladder`"
    ),
    OutOfLadder.RESIGNED: gettext_lazy(
        "You're out of the ladder, because you resigned {match} before you had moved twice. You can join again: "
        "`/ladder`"
    ),
}


def weekly_post(view: LadderView, week: datetime) -> Outgoing:
    """Return the post of a week, without mentions: a match mentions who is to move itself."""
    lines = [_("### The ladder this week"), *match_lines(view.matches), *without_match(view, week)]
    leave = custom_ids.LADDER(verb="leave")
    buttons = row(
        button(custom_ids.LADDER(verb="join"), _("Join the ladder"), discord.ButtonStyle.success),
        button(leave, _("Leave the ladder")),
    )
    # Other posts have the way in, too, but none the way out.
    return Outgoing(layout(box("\n".join(lines), buttons, accent=ACCENT)), leave, silent=True)


def without_match(view: LadderView, week: datetime) -> list[str]:
    """Return the lines that name who has no match in a week, and why, if anybody."""
    lines = []
    for why, words in _WITHOUT_MATCH.items():
        alone = [player for player in view.players if (player.left_out_at, player.left_out_why) == (week, why)]
        if alone:
            names = listed(escaped(player.person.name) for player in alone)
            lines.append(f"-# {translated(words.filled(people=names))}")
    return lines


def out(why: OutOfLadder, match: str) -> str:
    """Return what tells a person that they are out of the ladder, by what they did in a match."""
    return translated(_OUT[why].filled(match=match))


def match_lines(matches: Sequence[Match]) -> list[str]:
    """Return a line for each match of a week, as many as fit."""
    lines = []
    for match in matches:
        names = " – ".join(escaped(seat.person.name) for seat in match.seats)
        pace = translated(pace_in_words(Pace.of(match.pace, match.increment)))
        lines.append(f"- {names} · {game_name(match.game, match.variant)} · {pace} · #{match.id}")
    shown = that_fit(lines, LIST_LIMIT)
    more = len(lines) - len(shown)
    return [*shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]
