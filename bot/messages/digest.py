"""The daily digest of a person in words: what runs out within a day, what else waits for them, and what has ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

import discord

from bot.matches.services.digests import DigestView
from bot.messages import custom_ids
from bot.messages.board import board_link
from bot.messages.layout import Outgoing, button, layout, row
from bot.messages.wording import LIST_LIMIT, escaped, listed, mention_or_name, result, that_fit, title
from bot.storage.records import Match
from renderers.i18n import gettext as _
from renderers.i18n import headed
from renderers.i18n import ngettext as _n

_SOON: Final = timedelta(days=1)
_PART = LIST_LIMIT // 2
"""Characters of one of the three lists."""


def directly(view: DigestView, number: int) -> Outgoing:
    """Return the digest as a direct message, which is recognised by its ``number`` in the outbox."""
    marker = custom_ids.DIGEST(digest=number)
    return Outgoing(layout("\n".join([_("### Your digest"), *_lists(view)]), _settings(marker)), marker)


def here(view: DigestView, number: int) -> Outgoing:
    """Return the digest for a channel, to a person who takes no direct messages; it says that it is the last."""
    marker = custom_ids.DIGEST(digest=number)
    refused = _("I can't send you direct messages, so this is your last digest. `/preferences` changes that.")
    words = "\n".join([mention_or_name(view.person), *_lists(view), refused])
    return Outgoing(layout(words, _settings(marker)), marker, (), (view.person.id,))


def _settings(marker: str) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    return row(button(marker, _("Quiet hours and digest")))


def _lists(view: DigestView) -> list[str]:
    soon = [match for match in view.waiting if match.time_ends_at and match.time_ends_at <= view.now + _SOON]
    rest = [match for match in view.waiting if match not in soon]
    return [
        *part(_("**Your time runs out within a day**"), (waiting_line(match, view.user_id) for match in soon)),
        *part(_("**Waiting for you**"), (waiting_line(match, view.user_id) for match in rest)),
        *part(_("**Ended**"), (result_line(match, view.user_id) for match in view.ended)),
    ]


def part(head: str, lines: Iterable[str]) -> list[str]:
    """Return a list below its heading, cut where it is too long; nothing for an empty one."""
    every = [f"- {line}" for line in lines]
    if not every:
        return []
    shown = that_fit(every, _PART)
    more = len(every) - len(shown)
    return [head, *shown, *([_n("… and {n} more.", "… and {n} more.", more)] if more else [])]


def waiting_line(match: Match, user_id: int) -> str:
    """Return a match that waits for a person: against whom, until when, and a link."""
    parts = []
    if match.time_ends_at is not None:
        parts.append(discord.utils.format_dt(match.time_ends_at, "R"))
    if match.has_link:
        parts.append(_("[board]({link})", link=board_link(match)))
    return headed(_against(match, user_id), " · ".join(parts)) if parts else _against(match, user_id)


def result_line(match: Match, user_id: int) -> str:
    """Return a match of a person that has ended: against whom, and how."""
    return headed(_against(match, user_id), result(match))


def _against(match: Match, user_id: int) -> str:
    others = [seat.person for seat in match.seats if seat.person.id != user_id]
    names = listed(escaped(person.name) for person in others)
    return _("{match} against {opponents}", match=title(match), opponents=names)
