"""Help: how to start, on one screen of a phone, with further pages behind buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import discord

from bot.languages.speaking import as_discord_shows
from bot.messages import custom_ids
from bot.messages.layout import button, layout, row
from bot.requests.request import Request
from bot.requests.review_words import marks_explained
from bot.views.answers import Reply
from bot.views.controls import in_place
from renderers.i18n import gettext as _
from renderers.i18n import gettext_lazy, translated

CHALLENGE = gettext_lazy("Challenge")
"""The command in the menu on a person."""
# Translators: a menu of Discord itself, as it is called in your language.
_APPS = gettext_lazy("Apps")

_TITLES: Final[dict[Literal["start", "more", "yours"], str]] = {
    "start": gettext_lazy("How it works"),
    "more": gettext_lazy("What else you can do"),
    "yours": gettext_lazy("Settings"),
}
"""The pages by their keys in custom ids, in the order of their buttons."""


@in_place(custom_ids.HELP)
async def on_help(request: Request, ids: custom_ids.Help) -> Reply:
    """Turn to another page."""
    return await help_page(request, ids.page)


async def help_page(_request: Request, key: Literal["start", "more", "yours"] = "start") -> Reply:
    """Return a page of help, by default where to start."""
    words = {"start": _start, "more": _more, "yours": _yours}[key]()
    primary, secondary = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
    buttons = [
        button(custom_ids.HELP(page=other), title, primary if other == key else secondary)
        for other, title in _TITLES.items()
    ]
    return Reply(view=layout("\n".join([f"### {translated(_TITLES[key])}", *words]), row(*buttons)))


def _start() -> Sequence[str]:
    return (
        _("1. `/challenge` somebody, or leave the opponent out to challenge anyone. A card appears with **Accept**."),
        "   "
        + _(
            "Or right-click somebody (hold down on a phone): **{apps}**, **{challenge}**.",
            apps=as_discord_shows(_APPS),
            challenge=as_discord_shows(CHALLENGE),
        ),
        "   "
        + _(
            "Nobody there? **Play the bot** under any of the `/games`, on a challenge nobody takes, or in a free seat."
        ),
        _("2. When it is accepted the board is posted, and the person to move is mentioned."),
        _("3. Press **Play** under the board and choose your move step by step, or type it with `/move`."),
        _(
            "4. Play at your own pace: days a move, or all of it in one evening (`/challenge` with `pace`). `/matches` "
            "lists your matches, those waiting for you first."
        ),
    )


def _more() -> Sequence[str]:
    return (
        _(
            "**Look** `/board` a match, also as text · `/note` on it for yourself · `/matches` · `/leaderboard` · "
            "`/profile`"
        ),
        _("**Ladder** `/ladder join`: each week a match against somebody near in rating"),
        _("**Cups** `/cup start`: 3 to 8 people, everyone plays everyone, and nobody has to run it"),
        _(
            "**Learn** `/games` what there is · `/rules` with diagrams · `/puzzle` to solve alone, rated "
            "across all servers"
        ),
        _(
            "**Look back** `/matches finished:True` · `/match replay`, and **Step through** it · **Review** "
            "under a result says where it turned. {marks_explained}",
            marks_explained=marks_explained(),
        ),
        _(
            "**Hints** are for matches against me (`/match hint`, or **Hint** beside your choices) and for "
            "those that are over. I give no advice on a position of a match you're playing against "
            "somebody: find your moves there yourself."
        ),
    )


def _yours() -> Sequence[str]:
    return (
        _("**Yours** `/preferences` for themes, text boards, reminders and being away · `/privacy`"),
        _("**Manage** `/settings` for those who manage the server · `/manage` to void a match or bar somebody"),
        _("**Time** `/match pace` offers another pace; one such as 10m+30s is a bank of time that each move refills"),
        _("**Grace** where the server wants it, a day away is spent before you lose a match of days on time"),
        _("**End** `/match draw` or `/match resign` · **Rematch** under a result lets the other player go first"),
    )
